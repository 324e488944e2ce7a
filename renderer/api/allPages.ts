/** The most that a list answers at once. */
export const PAGE_LIMIT = 1_000;

/**
 * Reads a paged list to its end, page after page.
 * Ten thousand vehicles are ten calls, well within the 60 a minute that the console allows itself.
 */
export async function fetchAllPages<T>(
  read: (cursor: string | undefined) => Promise<{ items: T[]; next_cursor: string | null }>,
): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await read(cursor);
    items.push(...page.items);
    if (page.next_cursor === null) return items;
    cursor = page.next_cursor;
  }
}
