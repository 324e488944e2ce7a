import { DatabaseSync } from 'node:sqlite';
import type { FoundKind, FoundPlace } from '../../contract/places.ts';
import type { LatLon } from '../../contract/coordinates.ts';
import { beginsAlike, commonEntries, fitOf, isHouseNumber, trigramsOf, wordsOf } from './searchWords.ts';
import { cellsRound } from './zOrder.ts';

/** Rows that are looked at: round the view, and of the whole index. */
const nearRows = 150;
const allRows = 300;
/** Rows of the trigram index that are looked at for these, at the most. */
const triedRows = 1_000;
/** Of a word so many trigrams are asked for, the rarest: the text of what has them shows the rest. */
const askedGrams = 3;
/** One that has so many times the entries of the rarest costs more than it leaves out. */
const tooCommon = 30;
/** Words that one with an error may have been meant for. */
const maxMeant = 12;
/** Words that may have an error although each stands in the index. */
const maxTried = 4;
const errorCost = 8;
/** Shorter ones are meant for anything. */
const canErr = (word: string): boolean => word.length >= 4 && !isHouseNumber(word);

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
  const columns = 'id, name, town, kind, rank, lat, lon, text';
  const byGrams = database.prepare(
    'SELECT rowid AS id FROM grams WHERE grams MATCH ? AND rowid BETWEEN ? AND ? LIMIT ?',
  );
  const byId = database.prepare(`SELECT ${columns} FROM entries WHERE id = ?`);
  const byStart = database.prepare(`SELECT ${columns} FROM entries WHERE text >= ? AND text < ? LIMIT ?`);
  const rowsOfCell = database.prepare('SELECT min(id) AS first, max(id) AS last FROM entries WHERE cell = ?');
  const houseOf = database.prepare('SELECT shown, lat, lon FROM houses WHERE id = ? AND number = ?');
  const commonGrams = new Map(
    (
      database.prepare('SELECT gram, entries FROM common_grams').all() as unknown as {
        gram: string;
        entries: number;
      }[]
    ).map(({ gram, entries }) => [gram, entries]),
  );
  const entriesOf = (gram: string) => commonGrams.get(gram) ?? commonEntries;
  let words: readonly string[] | null = null;

  /** The rows round a place, and then all of them, each as first, last and most. */
  function spans(near: LatLon | null): [first: number, last: number, most: number][] {
    const whole: [number, number, number] = [1, Number.MAX_SAFE_INTEGER, allRows];
    if (near === null) return [whole];
    const cells = cellsRound(near.lat, near.lon).flatMap((cell): [number, number, number][] => {
      const { first, last } = rowsOfCell.get(cell) as { first: number | null; last: number | null };
      return first === null || last === null ? [] : [[first, last, nearRows]];
    });
    return [...cells, whole];
  }

  /** The rarest trigrams of each word of a choice, and how many entries may have them; null for words without. */
  function asked(choice: readonly string[]): { entries: number; match: string } | null {
    let entries = 0;
    const each: string[] = [];
    for (const word of choice) {
      const grams = trigramsOf(word).sort((a, b) => entriesOf(a) - entriesOf(b));
      const [rarest] = grams;
      if (rarest === undefined) return null;
      const most = entriesOf(rarest) * tooCommon;
      entries += entriesOf(rarest);
      const few = grams.slice(0, askedGrams).filter((gram) => entriesOf(gram) <= most);
      each.push(`(${few.map((gram) => `"${gram}"`).join(' AND ')})`);
    }
    return { entries, match: `(${each.join(' OR ')})` };
  }

  /** Entries of which the text has one of the words of each choice. */
  function candidates(choices: readonly (readonly string[])[], near: LatLon | null): Map<number, Entry> {
    const found = new Map<number, Entry>();
    const parts = choices.flatMap((choice) => asked(choice) ?? []).sort((a, b) => a.entries - b.entries);
    const [rarest] = parts;
    if (rarest === undefined) {
      // Nothing that was typed is as long as a trigram: names that begin with it.
      const [[first = ''] = []] = choices;
      for (const row of byStart.all(` ${first}`, ` ${first}\u{10ffff}`, allRows) as unknown as Entry[])
        found.set(row.id, row);
      return found;
    }
    const match = parts
      .filter(({ entries }) => entries <= rarest.entries * tooCommon)
      .map((it) => it.match)
      .join(' AND ');
    const isMeant = ({ text }: Entry) =>
      choices.every((choice) => choice.some((word) => text.includes(word)));
    for (const [first, last, most] of spans(near)) {
      let left = most;
      for (const { id } of byGrams.iterate(match, first, last, triedRows) as Iterable<{ id: number }>) {
        if (found.has(id)) continue;
        const entry = byId.get(id) as unknown as Entry;
        if (!isMeant(entry)) continue;
        found.set(id, entry);
        if (--left === 0) break;
      }
    }
    return found;
  }

  /** @returns null when a word is not in the entry, or none is in its own name */
  function costOf(entry: Entry, choices: readonly (readonly string[])[], near: LatLon | null): number | null {
    const bar = entry.text.indexOf('|');
    const [named, around] = [entry.text.slice(0, bar), entry.text.slice(bar + 1)];
    let cost = entry.rank / 10;
    let inName = 0;
    for (const choice of choices) {
      const own = bestFit(named, choice);
      const other = bestFit(around, choice);
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

  function find(
    choices: readonly (readonly string[])[],
    near: LatLon | null,
    extra: number,
  ): (Found & { id: number })[] {
    return [...candidates(choices, near).values()].flatMap((entry) => {
      const cost = costOf(entry, choices, near);
      return cost === null ? [] : [{ id: entry.id, place: foundPlace(entry), cost: cost + extra }];
    });
  }

  /** With the number of a house among the words. */
  function findHouses(words: readonly string[], near: LatLon | null, extra: number): Found[] {
    const at = words.findIndex(isHouseNumber);
    const [number] = words.slice(at, at + 1);
    const others = words.toSpliced(at, 1);
    if (number === undefined || at === -1 || others.length === 0) return [];
    return find(
      others.map((it) => [it]),
      near,
      extra,
    ).flatMap(({ id, place, cost }) => {
      if (place.kind !== 'street') return [];
      const house = houseOf.get(id, number) as { shown: string; lat: number; lon: number } | undefined;
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

  /** What each word may have been meant for, and whether it stands in the index as it is. */
  function meantBy(typed: readonly string[]): { isKnown: boolean; meant: string[] }[] {
    words ??= String(database.prepare('SELECT list FROM words').get()?.['list'] ?? '').split(' ');
    const each = typed.map((word) => ({ word, isKnown: !canErr(word), meant: [] as string[] }));
    for (const it of words) {
      for (const entry of each) {
        if (it.startsWith(entry.word)) entry.isKnown = true;
        else if (canErr(entry.word) && beginsAlike(it, entry.word)) entry.meant.push(it);
      }
    }
    // Those of the same length first: they are whole.
    const far = (it: string, word: string) => Math.abs(it.length - word.length);
    return each.map(({ word, isKnown, meant }) => ({
      isKnown,
      meant: meant.sort((x, y) => far(x, word) - far(y, word)).slice(0, maxMeant),
    }));
  }

  return {
    /** All that answers what was typed; a word with one error is tried when nothing has them as they are. */
    search(typed: string, near: LatLon | null): Found[] {
      const all = wordsOf(typed);
      if (all.length === 0) return [];
      const exact = [
        ...find(
          all.map((it) => [it]),
          near,
          0,
        ),
        ...findHouses(all, near, 0),
      ];
      if (exact.length > 0) return exact;
      const each = meantBy(all);
      const unknown = each.flatMap(({ isKnown }, at) => (isKnown ? [] : [at]));
      if (unknown.length > 1) return [];
      const tried = unknown.length === 1 ? unknown : all.map((_, at) => at).slice(0, maxTried);
      return tried.flatMap((at) => {
        const meant = each[at]?.meant ?? [];
        if (meant.length === 0) return [];
        const choices = all.map((it, i) => (i === at ? meant : [it]));
        const found = find(choices, near, errorCost);
        if (found.length > 0) return found;
        return meant.flatMap((it) => findHouses(all.with(at, it), near, errorCost));
      });
    },
    close: (): void => database.close(),
  };
}

const costs = { word: 0, start: 1, inside: 5 } as const;

function bestFit(text: string, choice: readonly string[]): number | null {
  let best: number | null = null;
  for (const word of choice) {
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
