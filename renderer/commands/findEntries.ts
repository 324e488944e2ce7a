import { foldWithPlaces, searchWords } from '../../server/contract/searchText.ts';

/** A text with the parts that were typed set apart. */
export interface Part {
  text: string;
  typed: boolean;
}

/** What does not begin a word stands behind all that does. */
const insideRank = 1_000;

/** A text as it is searched: folded, and which of its units begin a word. */
interface Folded {
  folded: string;
  begins: readonly boolean[];
}

function foldForSearch(text: string): Folded {
  const { folded, from } = foldWithPlaces(text);
  return { folded, begins: from.map((at) => beginsWord(text, at)) };
}

/** Where the words stand, and how well that is; null when one does not stand there. */
function find(
  { folded, begins }: Folded,
  words: readonly string[],
): { rank: number; hits: [from: number, to: number][] } | null {
  if (!words.every((word) => folded.includes(word))) return null;
  const hits: [from: number, to: number][] = [];
  let rank = 0;
  for (const word of words) {
    const free = placesOf(folded, word).filter((at) =>
      hits.every(([start, end]) => at >= end || at + word.length <= start),
    );
    const beginning = free.find((at) => begins[at] === true);
    const at = beginning ?? free[0];
    if (at === undefined) return null;
    hits.push([at, at + word.length]);
    rank += beginning === undefined ? at + insideRank : at;
  }
  return { rank, hits };
}

/**
 * How well a text answers what was typed, and which parts of it were typed: every word must stand in the text, whatever
 * its case, diacritics, spaces and hyphens. Null when one does not. Lower is better: words that begin a word of the text
 * come first, the earlier the better.
 */
export function match(text: string, typed: string): { rank: number; parts: Part[] } | null {
  const found = find(foldForSearch(text), searchWords(typed));
  return found === null ? null : { rank: found.rank, parts: partsOfHits(text, found.hits) };
}

function partsOfHits(text: string, hits: readonly [number, number][]): Part[] {
  const { from, to } = foldWithPlaces(text);
  return partsOf(
    text,
    hits.map(([start, end]): [number, number] => [from[start] ?? 0, to[end - 1] ?? 0]),
  );
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

export interface Found<T> {
  item: T;
  parts: Part[];
}

/**
 * Searches items of one kind. Each is folded once while it lives, so that a key costs 10,000 of them no more than a look
 * at their folded texts; a changed item is another one.
 */
export function createItemSearch<T extends object>(textOf: (item: T) => string) {
  const remembered = new WeakMap<T, Folded>();
  function foldedOf(item: T): Folded {
    let folded = remembered.get(item);
    if (folded === undefined) {
      folded = foldForSearch(textOf(item));
      remembered.set(item, folded);
    }
    return folded;
  }
  return {
    /** The best `limit`, in order of how well they match, and how many others do; with nothing typed the first ones. */
    best(items: Iterable<T>, typed: string, limit: number): { found: Found<T>[]; others: number } {
      const words = searchWords(typed);
      const hits: { item: T; rank: number; hits: [number, number][] }[] = [];
      for (const item of items) {
        const hit = find(foldedOf(item), words);
        if (hit !== null) hits.push({ item, ...hit });
      }
      const found = hits
        .sort((a, b) => a.rank - b.rank)
        .slice(0, limit)
        .map(({ item, hits: places }) => ({ item, parts: partsOfHits(textOf(item), places) }));
      return { found, others: hits.length - found.length };
    },
  };
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
