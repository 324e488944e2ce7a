import { foldText, foldWithPlaces, searchWords } from '../../server/contract/searchText.ts';

/** A text with the parts that were typed set apart. */
export interface Part {
  text: string;
  typed: boolean;
}

/** What does not begin a word stands behind all that does. */
const insideRank = 1_000;

/**
 * How well a text answers what was typed, and which parts of it were typed: every word must stand in the text, whatever
 * its case, diacritics, spaces and hyphens. Null when one does not. Lower is better: words that begin a word of the text
 * come first, the earlier the better.
 */
export function match(text: string, typed: string): { rank: number; parts: Part[] } | null {
  const words = searchWords(typed);
  const whole = foldText(text);
  if (!words.every((word) => whole.includes(word))) return null;
  const { folded, from, to } = foldWithPlaces(text);
  const hits: [from: number, to: number][] = [];
  let rank = 0;
  for (const word of words) {
    const free = placesOf(folded, word).filter((at) =>
      hits.every(([start, end]) => at >= end || at + word.length <= start),
    );
    const begins = free.find((at) => beginsWord(text, from[at] ?? 0));
    const at = begins ?? free[0];
    if (at === undefined) return null;
    hits.push([at, at + word.length]);
    rank += begins === undefined ? at + insideRank : at;
  }
  const inText = hits.map(([start, end]): [number, number] => [from[start] ?? 0, to[end - 1] ?? 0]);
  return { rank, parts: partsOf(text, inText) };
}

function placesOf(text: string, word: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) places.push(at);
  return places;
}

/** A number within a plate counts as a word. */
function beginsWord(text: string, at: number): boolean {
  const before = at === 0 ? ' ' : (text[at - 1] ?? ' ');
  return !/[\p{L}\p{N}]/u.test(before) || (/\p{N}/u.test(text[at] ?? '') && !/\p{N}/u.test(before));
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
