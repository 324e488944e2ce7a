import { readCsv } from '../../server/contract/csv.ts';

/** The records of a CSV text as objects by its head line, without what is empty. */
export function parseCsv(text: string, max = Infinity): Record<string, string>[] {
  const table = readCsv(text, max);
  return [...(table?.records ?? [])].map(({ fields }) =>
    Object.fromEntries(
      fields.flatMap((field, at) => (field === '' ? [] : [[table?.names[at] ?? '', field]])),
    ),
  );
}
