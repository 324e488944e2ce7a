/** A text with the parts that were typed set apart. */
export interface Part {
  text: string;
  typed: boolean;
}

/**
 * How well a text answers what was typed, and which parts of it were typed: every word must begin a word of the
 * text. Null when one does not. Lower is better: the earlier the words stand.
 */
export function match(text: string, typed: string): { rank: number; parts: Part[] } | null {
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const lower = text.toLowerCase();
  const hits: [from: number, to: number][] = [];
  let rank = 0;
  for (const word of words) {
    const at = wordStart(lower, word, hits);
    if (at === -1) return null;
    hits.push([at, at + word.length]);
    rank += at;
  }
  return { rank, parts: partsOf(text, hits) };
}

/** Where a word of the text begins with `word`, apart from what other words took. */
function wordStart(text: string, word: string, taken: readonly [number, number][]): number {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const before = at === 0 ? ' ' : (text[at - 1] ?? ' ');
    const begins = !/[\p{L}\p{N}]/u.test(before) || (/\p{N}/u.test(word[0] ?? '') && !/\p{N}/u.test(before));
    const free = taken.every(([from, to]) => at >= to || at + word.length <= from);
    if (begins && free) return at;
  }
  return -1;
}

function partsOf(text: string, hits: [number, number][]): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const [from, to] of [...hits].sort((a, b) => a[0] - b[0])) {
    if (from > at) parts.push({ text: text.slice(at, from), typed: false });
    parts.push({ text: text.slice(from, to), typed: true });
    at = to;
  }
  if (at < text.length) parts.push({ text: text.slice(at), typed: false });
  return parts;
}

/** The best `limit` of many, in order of how well they match; with nothing typed the first ones. */
export function bestMatches<T>(
  items: Iterable<T>,
  textOf: (item: T) => string,
  typed: string,
  limit: number,
): { item: T; parts: Part[] }[] {
  const found: { item: T; parts: Part[]; rank: number }[] = [];
  for (const item of items) {
    const hit = match(textOf(item), typed);
    if (hit !== null) found.push({ item, ...hit });
  }
  return found
    .sort((a, b) => a.rank - b.rank)
    .slice(0, limit)
    .map(({ item, parts }) => ({ item, parts }));
}
