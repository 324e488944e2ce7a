import { DatabaseSync } from 'node:sqlite';
import type { FoundKind, FoundPlace } from '../../contract/places.ts';
import type { LatLon } from '../../contract/coordinates.ts';
import {
  aroundMark,
  fitOf,
  indexedStart,
  isHouseNumber,
  placeToken,
  regionToken,
  trigramsOf,
  wordsOf,
} from './searchWords.ts';
import { cellOf, cellsRound } from './zOrder.ts';

/** Entries that are taken: of all, of the towns and villages, of the cell of the view, of the cells round it. */
const taken = { all: 300, places: 50, cell: 150, round: 300 };
/** With so many nothing is looked for beside what the index has been asked for. */
const enough = 200;
/** For each entry that is taken so many are looked at, at the most. */
const triedPerTaken = 2;
/** Up to so many words that begin as what was typed are asked for one by one: that is quicker. */
const maxBegun = 30;
/** Words that have what was typed within them, for all that was typed. */
const maxInside = 300;
/** Words that one with an error may have been meant for. */
const maxMeant = 40;
/** Different letters that are tried at one place of a word. */
const maxLetters = 100;
/** Words that may have an error although each stands in the index. */
const maxTried = 4;
const errorCost = 8;
/** Shorter ones are meant for anything. */
const canErr = (word: string): boolean => word.length >= 4 && !isHouseNumber(word);

/** Comes after all letters of words. */
const lastLetter = '\u{10ffff}';

interface Entry {
  id: number;
  name: string;
  town: string | null;
  kind: FoundKind;
  rank: number;
  lat: number;
  lon: number;
  text: string;
}

/** An entry that is found has one of the words. */
interface Choice {
  words: readonly string[];
  /** What the index is asked for: of its own name, and of what is round it. */
  own: readonly string[];
  around: readonly string[];
  /** More words than are asked for have it within them. */
  isOpen: boolean;
}

/** What was found, and how well: lower is better. */
export interface Found {
  place: FoundPlace;
  cost: number;
}

export type SearchIndex = ReturnType<typeof openSearchIndex>;

/** Opens an index that `buildSearchIndex` wrote. @throws Error of a file that is none */
export function openSearchIndex(path: string) {
  const database = new DatabaseSync(path, { readOnly: true });
  database.exec('PRAGMA cache_size = -16000');
  const byWords = database.prepare(
    `SELECT id, name, town, kind, entries.rank, lat, lon, entries.text
      FROM entry_words CROSS JOIN entries ON id = entry_words.rowid WHERE entry_words MATCH ? LIMIT ?`,
  );
  const wordsFrom = database.prepare(
    'SELECT word FROM words WHERE word >= ? AND word < ? ORDER BY word LIMIT ?',
  );
  const wordsAround = database.prepare(
    `SELECT words.word FROM word_grams CROSS JOIN words ON id = word_grams.rowid
      WHERE word_grams MATCH ? AND instr(words.word, ?) > 1 ORDER BY word_grams.rowid LIMIT ?`,
  );
  const houseOf = database.prepare('SELECT shown, lat, lon FROM houses WHERE id = ? AND number = ?');

  const begunBy = (start: string, most: number): string[] =>
    listed(wordsFrom.all(start, `${start}${lastLetter}`, most));

  function startsOf(start: string): string[] {
    if (Array.from(start).length <= indexedStart) return [`${quoted(start)}*`];
    const all = begunBy(start, maxBegun + 1);
    return all.length > maxBegun ? [`${quoted(start)}*`] : all.map(quoted);
  }

  /** A word that an entry has, or that one of its words begins with or has within it: then of the commonest words. */
  function asTyped(word: string, most: number): Choice {
    const grams = trigramsOf(word).map(quoted);
    const all = grams.length === 0 ? [] : listed(wordsAround.all(grams.join(' AND '), word, most + 1));
    const inside = all.slice(0, most);
    return {
      words: [word],
      own: [...startsOf(word), ...inside.map(quoted)],
      around: [...startsOf(marked(word)), ...inside.map(marked).map(quoted)],
      isOpen: all.length > most,
    };
  }

  /** @returns null when a word is not in the entry, or none is in its own name */
  function costOf(entry: Entry, choices: readonly Choice[], near: LatLon | null): number | null {
    const bar = `${entry.text}${aroundMark}`.indexOf(aroundMark);
    const [named, around] = [entry.text.slice(0, bar), entry.text.slice(bar).replaceAll(aroundMark, ' ')];
    let cost = entry.rank / 10;
    let inName = 0;
    for (const { words } of choices) {
      const own = bestFit(named, words);
      const other = bestFit(around, words);
      if (own === null && other === null) return null;
      if (own !== null && own <= (other ?? Infinity) + 2) {
        inName++;
        cost += own;
      } else cost += (other ?? 0) + 0.3;
    }
    if (inName === 0) return null;
    cost += Math.max(0, named.trim().split(' ').length - inName) * 0.3;
    // A stranger's own town comes before the same name at the other end of the land.
    if (near !== null)
      cost += Math.log2(1 + distance_km(entry, near) / 2) * (entry.kind === 'place' ? 0.4 : 1);
    return cost;
  }

  function find(choices: readonly Choice[], near: LatLon | null): (Found & { entry: Entry })[] {
    const found = new Map<number, Found & { entry: Entry }>();
    for (const match of matchesOf(choices)) {
      if (found.size >= enough) break;
      for (const [tokens, most] of regionsOf(near)) {
        const within = tokens === null ? match : `(${tokens.map(quoted).join(' OR ')}) AND ${match}`;
        let left = most;
        let triedLeft = most * triedPerTaken;
        for (const row of byWords.iterate(within, triedLeft)) {
          const entry = row as unknown as Entry;
          triedLeft--;
          const cost = found.has(entry.id) ? null : costOf(entry, choices, near);
          if (cost === null) continue;
          found.set(entry.id, { entry, place: foundPlace(entry), cost });
          if (--left === 0) break;
        }
        const isAll = tokens === null && left > 0 && triedLeft > 0;
        if (isAll) break;
      }
    }
    return [...found.values()];
  }

  /** With the number of a house among the words. */
  function findHouses(typed: readonly string[], choices: readonly Choice[], near: LatLon | null): Found[] {
    const at = typed.findIndex(isHouseNumber);
    const number = typed[at];
    if (number === undefined || typed.length === 1) return [];
    return find(choices.toSpliced(at, 1), near).flatMap(({ entry, place, cost }) => {
      if (place.kind !== 'street') return [];
      const house = houseOf.get(entry.id, number) as { shown: string; lat: number; lon: number } | undefined;
      if (house === undefined) return [{ place, cost: cost + 4 }];
      const { shown, lat, lon } = house;
      const name = `${place.name} ${shown}`;
      return [
        {
          place: { ...place, kind: 'address' as const, name, text: textOf(name, place.town), lat, lon },
          cost: cost - 4,
        },
      ];
    });
  }

  /** The letters that go on after a beginning, in the words of the index. */
  function lettersAfter(start: string): string[] {
    const letters: string[] = [];
    for (let from = start; letters.length < maxLetters;) {
      const [word] = listed(wordsFrom.all(from, `${start}${lastLetter}`, 1));
      if (word === undefined) break;
      const letter = String.fromCodePoint(word.codePointAt(start.length) ?? 0);
      if (word !== start && letter !== aroundMark) letters.push(letter);
      from = word === start ? `${start} ` : `${start}${letter}${lastLetter}`;
    }
    return letters;
  }

  /**
   * Words that begin as one that is typed with one error: a letter too much, too few, another, or two changed about.
   * Those as long as it first: they are whole.
   */
  function meantBy(typed: string): string[] {
    const letters = Array.from(typed);
    const meant = new Set<string>();
    for (const [at, letter] of letters.entries()) {
      const start = letters.slice(0, at).join('');
      const rest = letters.slice(at + 1).join('');
      const others = lettersAfter(start);
      if (others.length === 0) break;
      const [next = '', ...after] = letters.slice(at + 1);
      const starts = [start + rest, [start, next, letter, ...after].join('')];
      for (const other of others) starts.push(start + other + rest, start + other + letter + rest);
      for (const word of starts.flatMap((it) => begunBy(it, maxMeant)))
        if (!word.startsWith(typed)) meant.add(word);
    }
    const far = (it: string) => Math.abs(it.length - typed.length);
    return [...meant].sort((a, b) => far(a) - far(b)).slice(0, maxMeant);
  }

  return {
    /** All that answers what was typed; a word with one error is tried when nothing has them as they are. */
    search(typed: string, near: LatLon | null): Found[] {
      const all = wordsOf(typed);
      if (all.length === 0) return [];
      const choices = all.map((it) => asTyped(it, Math.floor(maxInside / all.length)));
      const exact = [...find(choices, near), ...findHouses(all, choices, near)];
      if (exact.length > 0) return exact;
      const places = all.map((_, at) => at).filter((at) => canErr(all[at] ?? ''));
      const unknown = places.filter((at) => begunBy(all[at] ?? '', 1).length === 0);
      if (unknown.length > 1) return [];
      const tried = unknown.length === 1 ? unknown : places.slice(0, maxTried);
      return tried.flatMap((at) => {
        const meant = choices.with(at, oneOf(meantBy(all[at] ?? '')));
        return [...find(meant, near), ...findHouses(all, meant, near)].map(({ place, cost }) => ({
          place,
          cost: cost + errorCost,
        }));
      });
    },
    close: (): void => database.close(),
  };
}

const quoted = (word: string): string => `"${word}"`;
const marked = (word: string): string => `${aroundMark}${word}`;
const listed = (found: unknown[]): string[] => (found as { word: string }[]).map(({ word }) => word);

const oneOf = (words: readonly string[]): Choice => ({
  words,
  own: words.map(quoted),
  around: words.map(marked).map(quoted),
  isOpen: false,
});

/** What the index is asked for: entries that have one of each choice, and of one of them in their own name. */
function matchesOf(choices: readonly Choice[]): string[] {
  const anyOf = (terms: readonly string[]) => `(${terms.join(' OR ')})`;
  const each = (some: readonly Choice[]) => some.map(({ own, around }) => anyOf([...own, ...around]));
  const ownOfAny = choices.flatMap(({ own }) => own);
  if (ownOfAny.length === 0 || choices.some(({ own, around }) => own.length + around.length === 0)) return [];
  const whole = choices.length === 1 ? [] : each(choices);
  const closed = choices.filter(({ isOpen }) => !isOpen);
  return [
    [...whole, anyOf(ownOfAny)].join(' AND '),
    // The text of an entry shows whether it has the open ones.
    ...(closed.length === choices.length || closed.length === 0 ? [] : [each(closed).join(' AND ')]),
  ];
}

/**
 * Where entries are looked for, and how many are taken there; null is everywhere. When that yields fewer, they are all:
 * else those near the view are missing, and towns.
 */
function regionsOf(near: LatLon | null): [tokens: readonly string[] | null, most: number][] {
  const all: [string[] | null, number][] = [
    [null, taken.all],
    [[placeToken], taken.places],
  ];
  if (near === null) return all;
  const cell = cellOf(near.lat, near.lon);
  const round = cellsRound(near.lat, near.lon).filter((it) => it !== cell);
  return [
    ...all,
    [[`${regionToken}${cell}`], taken.cell],
    [round.map((it) => `${regionToken}${it}`), taken.round],
  ];
}

const costs = { word: 0, start: 1, inside: 5 } as const;

function bestFit(text: string, words: readonly string[]): number | null {
  let best: number | null = null;
  for (const word of words) {
    const fit = fitOf(text, word);
    if (fit !== null && costs[fit] < (best ?? Infinity)) best = costs[fit];
  }
  return best;
}

function foundPlace({ name, town, kind, lat, lon }: Entry): FoundPlace {
  return { kind, name, town, text: textOf(name, town), lat, lon };
}

const textOf = (name: string, town: string | null): string => (town === null ? name : `${name}, ${town}`);

const degree_km = 111.32;

function distance_km(a: LatLon, b: LatLon): number {
  const east = (a.lon - b.lon) * Math.cos((a.lat * Math.PI) / 180);
  return Math.hypot(a.lat - b.lat, east) * degree_km;
}

/** The best of what several indexes have; what two maps both have is said once. */
export function bestOf(found: readonly Found[], limit: number): FoundPlace[] {
  const best: FoundPlace[] = [];
  for (const { place } of found.toSorted((a, b) => a.cost - b.cost)) {
    const isKnown = best.some(
      (it) => it.text === place.text && it.kind === place.kind && distance_km(it, place) < 0.5,
    );
    if (!isKnown) best.push(place);
    if (best.length >= limit) break;
  }
  return best;
}
