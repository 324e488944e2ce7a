import { foldText, foldWithPlaces, searchWords } from '../../server/contract/searchText.ts';

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

/** Of texts that are searched at every key. */
const KEPT_TEXTS = 10_000;
const foldedTexts = new Map<string, Folded>();

function fold(text: string): Folded & { from: readonly number[] } {
  const { folded, from } = foldWithPlaces(text);
  return { folded, begins: from.map((at) => beginsWord(text, at)), from };
}

function foldForSearch(text: string): Folded {
  const known = foldedTexts.get(text);
  if (known !== undefined) return known;
  const made = fold(text);
  if (foldedTexts.size >= KEPT_TEXTS) foldedTexts.clear();
  foldedTexts.set(text, made);
  return made;
}

/** Where words stand, as pairs of begin and end. */
type Spans = number[];

/**
 * Places each word where none stands yet, at the begin of a word where there is one.
 *
 * @param end what stands behind it does not count
 * @param spans takes where the words stand
 * @returns how well they stand, lower is better; -1 when one does not stand there
 */
function place(
  folded: string,
  begins: readonly boolean[],
  words: readonly string[],
  end: number,
  spans: Spans,
): number {
  spans.length = 0;
  let rank = 0;
  for (const word of words) {
    let free = -1;
    let beginning = -1;
    for (
      let at = folded.indexOf(word);
      at !== -1 && at + word.length <= end && beginning === -1;
      at = folded.indexOf(word, at + 1)
    ) {
      if (isTaken(spans, at, at + word.length)) continue;
      if (free === -1) free = at;
      if (begins[at] === true) beginning = at;
    }
    const at = beginning === -1 ? free : beginning;
    if (at === -1) return -1;
    spans.push(at, at + word.length);
    rank += beginning === -1 ? at + insideRank : at;
  }
  return rank;
}

function isTaken(spans: Spans, from: number, to: number): boolean {
  for (let i = 0; i < spans.length; i += 2)
    if (from < (spans[i + 1] ?? 0) && to > (spans[i] ?? 0)) return true;
  return false;
}

/**
 * How well a text answers what was typed, and which parts of it were typed: every word must stand in the text, whatever
 * its case, diacritics, spaces and hyphens. Null when one does not. Lower is better: words that begin a word of the text
 * come first, the earlier the better.
 */
export function match(text: string, typed: string): { rank: number; parts: Part[] } | null {
  const spans: Spans = [];
  const { folded, begins } = foldForSearch(text);
  const rank = place(folded, begins, searchWords(typed), Infinity, spans);
  return rank === -1 ? null : { rank, parts: partsOfSpans(text, spans) };
}

function partsOfSpans(text: string, spans: Spans): Part[] {
  const { from, to } = foldWithPlaces(text);
  const hits: [number, number][] = [];
  for (let i = 0; i < spans.length; i += 2)
    hits.push([from[spans[i] ?? 0] ?? 0, to[(spans[i + 1] ?? 0) - 1] ?? 0]);
  return partsOf(text, hits);
}

/** A number within a plate counts as a word. */
function beginsWord(text: string, at: number): boolean {
  const before = classOf(text[at - 1] ?? ' ');
  return before === 'other' || (before === 'letter' && classOf(text[at] ?? '') === 'digit');
}

function classOf(unit: string): 'letter' | 'digit' | 'other' {
  // Classes of Unicode are slow to look up.
  if (unit <= '~') {
    if (unit >= '0' && unit <= '9') return 'digit';
    return (unit >= 'a' && unit <= 'z') || (unit >= 'A' && unit <= 'Z') ? 'letter' : 'other';
  }
  return /\p{N}/u.test(unit) ? 'digit' : /\p{L}/u.test(unit) ? 'letter' : 'other';
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

interface SearchText {
  folded: string;
  /** Where the head ends in the folded text. */
  head: number;
  /** Null until the item is first ranked: most are only left out. */
  begins: readonly boolean[] | null;
}

/** What stands outside of the head stands behind all that does not. */
const TAIL_RANK = 1_000_000;

/** Items of one kind; must keep its identity while it has the same items in the same order. */
export interface Items<T> {
  values: () => Iterable<T>;
}

export interface ItemSearch<T> {
  /** Prepares so many of the items that were not yet; returns whether any are left. */
  warm: (items: Items<T>, most: number) => boolean;
  /** Those that hold all that was typed, in their own order. */
  filter: (items: Items<T>, typed: string) => T[];
  /** The best `limit`, in order of how well they match, and how many others do; with nothing typed the first ones. */
  best: (items: Items<T>, typed: string, limit: number) => { found: Found<T>[]; others: number };
}

/**
 * Searches items of one kind. Each is folded once while it lives, and a further key looks at those alone that the keys
 * before have left; a changed item is another one.
 *
 * @param textsOf what an item is called, and what it is found by besides
 */
export function createItemSearch<T extends object>(
  textsOf: (item: T) => readonly [head: string, tail: string],
): ItemSearch<T> {
  /** An item beside its text, which takes longer to look up than to look through. */
  interface Held {
    item: T;
    text: SearchText;
  }
  const remembered = new WeakMap<T, SearchText>();
  /** What held all words of the last search. */
  let last: { items: Items<T>; words: readonly string[]; held: readonly Held[] } | null = null;

  function foldedOf(item: T): SearchText {
    let text = remembered.get(item);
    if (text === undefined) {
      const [head, tail] = textsOf(item);
      const before = foldText(head);
      text = { folded: before + foldText(tail), head: before.length, begins: null };
      remembered.set(item, text);
    }
    return text;
  }

  function rankable(item: T): SearchText {
    let text = remembered.get(item);
    if (text?.begins == null) {
      const [head, tail] = textsOf(item);
      const { folded, begins, from } = fold(textOf(head, tail));
      const behind = from.findIndex((at) => at >= head.length);
      text = { folded, begins, head: behind === -1 ? folded.length : behind };
      remembered.set(item, text);
    }
    return text;
  }

  /** As `place` does, within the head when all of them stand there. */
  function placeIn({ item, text }: Held, words: readonly string[], spans: Spans): number {
    const { folded, begins, head } = text.begins === null ? rankable(item) : text;
    const rank = place(folded, begins ?? [], words, head, spans);
    if (rank !== -1) return rank;
    const behind = place(folded, begins ?? [], words, Infinity, spans);
    return behind === -1 ? -1 : behind + TAIL_RANK;
  }

  /** Words that begin as those of the last search did are in none of what did not hold those. */
  function held(
    items: Items<T>,
    words: readonly string[],
    textFor: (item: T) => SearchText,
  ): readonly Held[] {
    const goesOn =
      last?.items === items && last.words.every((word, at) => words[at]?.startsWith(word) === true);
    const kept: Held[] = [];
    const holds = ({ folded }: SearchText) => words.every((word) => folded.includes(word));
    if (last !== null && goesOn) {
      for (const it of last.held) if (holds(it.text)) kept.push(it);
    } else {
      for (const item of items.values()) {
        const text = textFor(item);
        if (holds(text)) kept.push({ item, text });
      }
    }
    last = { items, words, held: kept };
    return kept;
  }

  return {
    warm(items, most) {
      let left = most;
      for (const item of items.values()) {
        if (remembered.get(item)?.begins != null) continue;
        if (left-- === 0) return true;
        rankable(item);
      }
      return false;
    },
    filter(items, typed) {
      const words = searchWords(typed);
      if (words.length === 0) return [...items.values()];
      const kept = held(items, words, foldedOf);
      // Of several words each must have a place of its own.
      const found = words.length < 2 ? kept : kept.filter((it) => placeIn(it, words, []) !== -1);
      return found.map(({ item }) => item);
    },
    best(items, typed, limit) {
      const words = searchWords(typed);
      const best: (Held & { rank: number })[] = [];
      const spans: Spans = [];
      let count = 0;
      const all = held(items, words, rankable);
      for (const [at, it] of all.entries()) {
        // A single word stands in all of them, and none stands before those that begin with it.
        if (words.length === 1 && best.length === limit && best.at(-1)?.rank === 0) {
          count += all.length - at;
          break;
        }
        const rank = placeIn(it, words, spans);
        if (rank === -1) continue;
        count += 1;
        if (best.length === limit && rank >= (best.at(-1)?.rank ?? 0)) continue;
        const behind = best.findIndex((other) => other.rank > rank);
        best.splice(behind === -1 ? best.length : behind, 0, { ...it, rank });
        if (best.length > limit) best.pop();
      }
      return { found: best.map((it) => shown(it, words)), others: count - best.length };
    },
  };

  function shown(held: Held, words: readonly string[]): Found<T> {
    const { item } = held;
    const spans: Spans = [];
    const [head, tail] = textsOf(item);
    const isInHead = placeIn(held, words, spans) < TAIL_RANK;
    return { item, parts: partsOfSpans(isInHead ? head : textOf(head, tail), spans) };
  }
}

const textOf = (head: string, tail: string): string => (tail === '' ? head : `${head} ${tail}`);

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
