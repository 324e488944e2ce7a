import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PositionRow } from '../store/telemetry/rows.ts';

/** At this speed and below a vehicle stands, as far as a simplified track is concerned. */
const standingKmh = 1;
const rowsPerPage = 500;

/** Neighbouring rows of which two stand for all. */
interface Stretch {
  key: number;
  slowest: PositionRow;
  fastest: PositionRow;
}

/**
 * At most `most` rows of a track (2 and more) that keep its look: both ends, the fastest row and the outermost ones,
 * where the vehicle stopped and went on, and of equal stretches of time the slowest and the fastest row. A track that
 * is no longer than that is handed on as it is. Takes pages in order of time; holds some `most` rows and one page.
 */
export async function* simplifyTrack(
  pages: AsyncIterable<readonly PositionRow[]>,
  max: number,
): AsyncGenerator<PositionRow[]> {
  let whole: PositionRow[] | null = [];
  const sketch = createSketch(max);
  for await (const page of pages) {
    for (const row of page) {
      sketch.add(row);
      if (whole !== null && whole.length < max) whole.push(row);
      else whole = null;
    }
  }
  const rows = whole ?? sketch.rows();
  for (let at = 0; at < rows.length; at += rowsPerPage) {
    // Others have their turn: writing thousands of rows takes long.
    await nextTurn();
    yield rows.slice(at, at + rowsPerPage);
  }
}

type Marks = Record<'first' | 'last' | 'fastest' | 'north' | 'south' | 'east' | 'west', PositionRow>;

/** Of different rows. */
const maxMarks = 7;

function createSketch(max: number): { add(row: PositionRow): void; rows(): PositionRow[] } {
  let marks: Marks | null = null;
  let turns: PositionRow[] = [];
  /** Of so many turns one is kept. */
  let turnStep = 1;
  let turnsSeen = 0;
  let stretches: Stretch[] = [];
  let stretchRows = 0;
  let stretchMs = 1;

  function addTurn(row: PositionRow): void {
    if (turnsSeen % turnStep === 0) turns.push(row);
    turnsSeen += 1;
  }

  /** Keeps every other turn. */
  function thinOut(): void {
    turns = turns.length === 1 ? [] : turns.filter((_, at) => at % 2 === 0);
    turnStep *= 2;
  }

  function addToStretch(row: PositionRow, start_ms: number): void {
    const key = Math.floor((row.time_ms - start_ms) / stretchMs);
    const current = stretches.at(-1);
    if (current?.key !== key) {
      stretches.push({ key, slowest: row, fastest: row });
      stretchRows += 1;
      return;
    }
    stretchRows -= rowsOf(current);
    if (speedOf(row) < speedOf(current.slowest)) current.slowest = row;
    if (speedOf(row) > speedOf(current.fastest)) current.fastest = row;
    stretchRows += rowsOf(current);
  }

  /** Makes stretches twice as long, so that each takes in its neighbour. */
  function widen(): void {
    const wider: Stretch[] = [];
    stretchMs *= 2;
    stretchRows = 0;
    for (const { key, slowest, fastest } of stretches) {
      const wide = Math.floor(key / 2);
      const current = wider.at(-1);
      if (current?.key !== wide) {
        wider.push({ key: wide, slowest, fastest });
        continue;
      }
      if (speedOf(slowest) < speedOf(current.slowest)) current.slowest = slowest;
      if (speedOf(fastest) > speedOf(current.fastest)) current.fastest = fastest;
    }
    stretches = wider;
    for (const stretch of stretches) stretchRows += rowsOf(stretch);
  }

  /** The turns get half of what the marks leave, and the stretches all that is left then. */
  function makeRoom(room: number): void {
    while (turns.length > Math.max(0, (room - 2) / 2)) thinOut();
    while (stretchRows > Math.max(0, room - turns.length)) {
      if (stretches.length > 1) widen();
      else [stretches, stretchRows] = [[], 0];
    }
  }

  return {
    add(row) {
      marks ??= { first: row, last: row, fastest: row, north: row, south: row, east: row, west: row };
      if (isStanding(row) !== isStanding(marks.last)) addTurn(row);
      addToMarks(marks, row);
      addToStretch(row, marks.first.time_ms);
      // Counting the marks of every row took most of the time.
      const least = max - maxMarks;
      if (turns.length > (least - 2) / 2 || turns.length + stretchRows > least)
        makeRoom(max - new Set(Object.values(marks)).size);
    },
    rows() {
      if (marks === null) return [];
      // With room for a few rows only, the ends go before the other marks.
      const { first, last, ...others } = marks;
      const retained = new Set([...new Set([first, last, ...Object.values(others)])].slice(0, max));
      for (const row of turns) retained.add(row);
      for (const { slowest, fastest } of stretches) retained.add(slowest).add(fastest);
      return [...retained].sort((a, b) => a.time_ms - b.time_ms);
    },
  };
}

function addToMarks(marks: Marks, row: PositionRow): void {
  marks.last = row;
  if (speedOf(row) > speedOf(marks.fastest)) marks.fastest = row;
  if (!row.valid) return;
  if (!marks.north.valid || row.lat > marks.north.lat) marks.north = row;
  if (!marks.south.valid || row.lat < marks.south.lat) marks.south = row;
  if (!marks.east.valid || row.lon > marks.east.lon) marks.east = row;
  if (!marks.west.valid || row.lon < marks.west.lon) marks.west = row;
}

function rowsOf({ slowest, fastest }: Stretch): number {
  return slowest === fastest ? 1 : 2;
}

function speedOf(row: PositionRow): number {
  return row.speed_kmh ?? 0;
}

function isStanding(row: PositionRow): boolean {
  return speedOf(row) <= standingKmh;
}
