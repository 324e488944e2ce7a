import { renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tileExtent } from '../../contract/mapLayers.ts';
import type { FoundKind } from '../../contract/places.ts';
import { placeOfTilePoint } from '../../maps/composeTile.ts';
import { inflated, maxTileBytes } from '../../maps/mapFile.ts';
import { openAt, type ReadableMap } from '../../maps/readTiles.ts';
import { tileFeatures, type TileFeature, type VectorSchema } from '../../maps/tileFeatures.ts';
import { streetMapMaxZoom } from '../../contract/mapLayers.ts';
import {
  indexStreets,
  isSettlement,
  notStreets,
  nothingReached,
  reach,
  type Settlement,
  type TileId,
} from '../nearestPlace.ts';
import { aroundMark, indexedStart, placeToken, regionToken, wordsOf } from './searchWords.ts';
import { cellOf } from './zOrder.ts';

/** Of an index that is being written. */
export const partEnding = '.part';
/** Of a map of a continent; what is beyond is not found. */
const maxPieces = 6_000_000;
const maxHouses = 20_000_000;
const maxSettlements = 300_000;
const maxNameChars = 200;
/** Pieces of one name further apart are two streets. */
const sameStreet_deg = 0.05;

interface Piece {
  name: string;
  alt: string;
  kind: FoundKind;
  rank: number;
  lat: number;
  lon: number;
  length: number;
}

/**
 * Writes the search index of a map file: one entry for each street and town, for each place and point of interest, and
 * the house numbers of the streets.
 *
 * @param to becomes the index when it is whole
 * @returns how many entries it has
 */
export async function buildSearchIndex(
  map: Pick<ReadableMap, 'path' | 'schema' | 'max_zoom'>,
  to: string,
  onProgress: (fraction: number) => void,
): Promise<number> {
  const part = `${to}${partEnding}`;
  rmSync(part, { force: true });
  const database = new DatabaseSync(part);
  try {
    database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE; PRAGMA cache_size = -32000;
      PRAGMA temp.cache_size = -32000;
      CREATE TEMP TABLE pieces (name TEXT, alt TEXT, kind TEXT, rank INTEGER, lat REAL, lon REAL, length REAL) STRICT;
      CREATE TEMP TABLE numbers (street TEXT, number TEXT, lat REAL, lon REAL) STRICT;
      CREATE TEMP TABLE entries (raw INTEGER PRIMARY KEY, cell INTEGER, name TEXT, town TEXT, kind TEXT, rank INTEGER, lat REAL, lon REAL, text TEXT) STRICT;
      CREATE TEMP TABLE found_houses (raw INTEGER, number TEXT, shown TEXT, lat REAL, lon REAL) STRICT;`);
    const settlements = await collect(database, map, (fraction) => onProgress(fraction * 0.8));
    gather(database, settlements);
    onProgress(0.9);
    const count = write(database);
    database.close();
    renameSync(part, to);
    return count;
  } catch (error) {
    if (database.isOpen) database.close();
    rmSync(part, { force: true });
    throw error;
  }
}

/** Reads all tiles of the deepest zoom. */
async function collect(
  database: DatabaseSync,
  { path, schema, max_zoom }: Pick<ReadableMap, 'path' | 'schema' | 'max_zoom'>,
  onProgress: (fraction: number) => void,
): Promise<Settlement[]> {
  const addPiece = database.prepare('INSERT INTO pieces VALUES (?, ?, ?, ?, ?, ?, ?)');
  const addNumber = database.prepare('INSERT INTO numbers VALUES (?, ?, ?, ?)');
  const settlements: Settlement[] = [];
  const left = { pieces: maxPieces, houses: maxHouses };
  const file = await openAt(path);
  try {
    const z = Math.min(max_zoom, streetMapMaxZoom);
    let tiles = 0;
    for await (const _ of file.tiles(z)) tiles++;
    let done = 0;
    database.exec('BEGIN');
    for await (const { x, y } of file.tiles(z)) {
      if (done++ % 100 === 0) onProgress(done / tiles);
      const packed = await file.tile(z, x, y);
      if (packed === null || packed.length === 0) continue;
      const features = featuresOf(inflated(packed, maxTileBytes, 'tile'), schema as VectorSchema);
      const tile = { z, x, y };
      for (const it of piecesOf(features, tile)) {
        if (left.pieces-- <= 0) break;
        addPiece.run(it.name, it.alt, it.kind, it.rank, it.lat, it.lon, it.length);
        if (isSettlement(it.place) && settlements.length < maxSettlements)
          settlements.push({ name: it.name, kind: it.place, lat: it.lat, lon: it.lon });
      }
      for (const { street, number, lat, lon } of housesOf(features, tile)) {
        if (left.houses-- <= 0) break;
        addNumber.run(street, number, lat, lon);
      }
    }
    database.exec('COMMIT');
  } finally {
    file.close();
  }
  return settlements;
}

/** A tile that cannot be read has no names; drawing it reports what is wrong. */
function featuresOf(bytes: Uint8Array, schema: VectorSchema): TileFeature[] {
  try {
    return tileFeatures(bytes, schema);
  } catch {
    return [];
  }
}

type TilePiece = Piece & { place?: unknown };

/** The names of a tile, each street once. */
function piecesOf(features: readonly TileFeature[], tile: TileId): TilePiece[] {
  const lines = new Map<string, TilePiece>();
  const points: TilePiece[] = [];
  /** Of the pieces of a street in a tile the longest stands for it. */
  function addLine(name: string, alt: string, kind: FoundKind, parts: readonly number[][]): void {
    for (const part of parts) {
      const { length, middle } = middleOf(part);
      if ((lines.get(`${kind} ${name}`)?.length ?? -1) >= length) continue;
      const at = placeOfTilePoint(middle, tile.z, tile.x, tile.y);
      lines.set(`${kind} ${name}`, { name, alt, kind, rank: 12, ...at, length });
    }
  }
  for (const { layer, type, parts, properties } of features) {
    const { kind, rank } = properties;
    const name = nameOf(properties['name']);
    const alt = Object.entries(properties)
      .flatMap(([key, value]) => (key.startsWith('name:') && value !== name ? [nameOf(value) ?? ''] : []))
      .join(' ');
    if (type === 'line' && layer === 'road' && !notStreets.has(kind)) {
      const ref = nameOf(properties['ref']);
      if (name !== null) addLine(name, alt, 'street', parts);
      // "A4" is found whether or not it is typed with a space.
      if (ref !== null && ref !== name) addLine(ref, ref.replaceAll(' ', ''), 'street', parts);
    } else if (type === 'line' && layer === 'waterway' && name !== null) {
      addLine(name, alt, 'water', parts);
    } else if (type === 'point' && name !== null) {
      const [[px = -1, py = -1] = []] = parts;
      // Tiles hold what lies near their sides too; it is in the next one.
      if (px < 0 || py < 0 || px >= tileExtent || py >= tileExtent) continue;
      const more = { name, alt, ...placeOfTilePoint([px, py], tile.z, tile.x, tile.y), length: 0 };
      if (layer === 'place') points.push({ ...more, kind: 'place', rank: Number(rank ?? 12), place: kind });
      else if (layer === 'poi') points.push({ ...more, kind: 'poi', rank: 14 });
      else if (layer === 'waterway') points.push({ ...more, kind: 'water', rank: 13 });
    }
  }
  return [...lines.values(), ...points];
}

function nameOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= maxNameChars ? value : null;
}

function middleOf(part: readonly number[]): { length: number; middle: [number, number] } {
  let length = 0;
  for (let i = 2; i + 1 < part.length; i += 2) length += stepAt(part, i);
  let left = length / 2;
  for (let i = 2; i + 1 < part.length; i += 2) {
    const step = stepAt(part, i);
    if (step >= left) {
      const share = step === 0 ? 0 : left / step;
      const [ax = 0, ay = 0, bx = 0, by = 0] = part.slice(i - 2, i + 2);
      return { length, middle: [ax + share * (bx - ax), ay + share * (by - ay)] };
    }
    left -= step;
  }
  return { length, middle: [part[0] ?? 0, part[1] ?? 0] };
}

function stepAt(part: readonly number[], i: number): number {
  const [ax = 0, ay = 0, bx = 0, by = 0] = part.slice(i - 2, i + 2);
  return Math.hypot(bx - ax, by - ay);
}

function* housesOf(features: readonly TileFeature[], tile: TileId) {
  let streets: ReturnType<typeof indexStreets> | undefined;
  for (const { layer, type, parts, properties } of features) {
    if (layer !== 'address' || type !== 'point') continue;
    const [[px = -1, py = -1] = []] = parts;
    const number = nameOf(properties['number']);
    if (number === null || px < 0 || py < 0 || px >= tileExtent || py >= tileExtent) continue;
    const { lat, lon } = placeOfTilePoint([px, py], tile.z, tile.x, tile.y);
    let street = nameOf(properties['street']);
    if (street === null) {
      streets ??= indexStreets(features, tile);
      street = streets?.nearestStreetName(lat, lon) ?? null;
    }
    if (street !== null) yield { street, number: number.slice(0, 20), lat, lon };
  }
}

/** Puts the pieces of one street together, and gives each its town. */
function gather(database: DatabaseSync, settlements: readonly Settlement[]): void {
  const townAt = nearSettlements(settlements);
  const addEntry = database.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const addHouse = database.prepare('INSERT INTO found_houses VALUES (?, ?, ?, ?, ?)');
  // The pieces of a name from the longest on, and then its houses.
  const parts = database.prepare(
    `SELECT name, 0 AS is_house, alt, kind, rank, lat, lon, length FROM pieces
      UNION ALL SELECT street, 1, number, 'street', 12, lat, lon, 0 FROM numbers ORDER BY 1, 2, 8 DESC`,
  );
  let raw = 0;
  database.exec('BEGIN');
  let entries: (Piece & { raw: number; town: string | null; district: string | null })[] = [];

  function enter(piece: Piece): void {
    const { town, district } = townAt(piece.lat, piece.lon);
    const isSame = entries.some(
      (it) =>
        it.kind === piece.kind &&
        Math.abs(it.lat - piece.lat) < sameStreet_deg &&
        Math.abs(it.lon - piece.lon) < sameStreet_deg &&
        (it.kind === 'street' || it.kind === 'water'
          ? it.town === town
          : Math.abs(it.lat - piece.lat) < 0.002 && Math.abs(it.lon - piece.lon) < 0.002),
    );
    if (isSame || entries.length >= 5_000) return;
    entries.push({ ...piece, raw: ++raw, town, district });
  }

  function enterHouse(house: Piece): void {
    const streetOf = () =>
      entries
        .filter((it) => it.kind === 'street')
        .map((it) => ({ it, far: Math.hypot(it.lat - house.lat, it.lon - house.lon) }))
        .sort((a, b) => a.far - b.far)
        .find(({ far }) => far < sameStreet_deg);
    if (streetOf() === undefined) enter({ ...house, alt: '' });
    const street = streetOf();
    const number = house.alt;
    if (street !== undefined)
      addHouse.run(street.it.raw, number.toLowerCase().replaceAll(/\s/g, ''), number, house.lat, house.lon);
  }

  function leave(): void {
    for (const it of entries) {
      const where = it.kind === 'place' && it.town === it.name ? null : (it.town ?? it.district);
      const named = wordsOf(`${it.name} ${it.alt}`, 40);
      const around = wordsOf([it.town, it.district].filter((part) => part !== it.name).join(' '), 20);
      const text = [...named, ...around.map((word) => `${aroundMark}${word}`)].join(' ');
      addEntry.run(
        it.raw,
        cellOf(it.lat, it.lon),
        it.name,
        where === it.name ? null : where,
        it.kind,
        it.rank,
        it.lat,
        it.lon,
        ` ${text} `,
      );
    }
    entries = [];
  }

  let name: string | null = null;
  for (const part of parts.iterate() as Iterable<Piece & { is_house: number }>) {
    if (part.name !== name) leave();
    name = part.name;
    if (part.is_house === 1) enterHouse(part);
    else enter(part);
  }
  leave();
  database.exec('COMMIT');
}

/** Settlements by half degrees, so that each entry looks at those round it alone. */
function nearSettlements(settlements: readonly Settlement[]) {
  const cells = new Map<string, Settlement[]>();
  const step = 0.25;
  const keyOf = (row: number, column: number) => `${row} ${column}`;
  for (const it of settlements) {
    const key = keyOf(Math.floor(it.lat / step), Math.floor(it.lon / step));
    const list = cells.get(key);
    if (list === undefined) cells.set(key, [it]);
    else list.push(it);
  }
  const round = new Map<string, Settlement[]>();
  return (lat: number, lon: number) => {
    const [row, column] = [Math.floor(lat / step), Math.floor(lon / step)];
    let near = round.get(keyOf(row, column));
    if (near === undefined) {
      near = [-1, 0, 1].flatMap((down) =>
        [-1, 0, 1].flatMap((right) => cells.get(keyOf(row + down, column + right)) ?? []),
      );
      if (round.size > 500) round.clear();
      round.set(keyOf(row, column), near);
    }
    const { town, district } = reach(nothingReached(), near, lat, lon);
    return { town: town.name, district: district.name };
  };
}

/**
 * Writes the entries in the order of where they lie, the words by how many entries have them: the first that are found
 * are those that matter.
 */
function write(database: DatabaseSync): number {
  database.exec(`
    CREATE TABLE entries (id INTEGER PRIMARY KEY, cell INTEGER NOT NULL, name TEXT NOT NULL, town TEXT, kind TEXT NOT NULL,
      rank INTEGER NOT NULL, lat REAL NOT NULL, lon REAL NOT NULL, text TEXT NOT NULL) STRICT;
    CREATE TEMP TABLE places_of (raw INTEGER PRIMARY KEY, id INTEGER) STRICT;
    BEGIN;
    INSERT INTO main.entries (cell, name, town, kind, rank, lat, lon, text)
      SELECT cell, name, town, kind, rank, lat, lon, text FROM temp.entries ORDER BY cell, raw;
    INSERT INTO temp.places_of SELECT raw, row_number() OVER (ORDER BY cell, raw) FROM temp.entries;
    CREATE TABLE main.houses (id INTEGER NOT NULL, number TEXT NOT NULL, shown TEXT NOT NULL, lat REAL NOT NULL, lon REAL NOT NULL,
      PRIMARY KEY (id, number)) WITHOUT ROWID, STRICT;
    INSERT OR IGNORE INTO main.houses SELECT id, number, shown, lat, lon FROM temp.found_houses JOIN temp.places_of USING (raw);
    CREATE VIRTUAL TABLE main.entry_words USING fts5(text, tokenize = 'ascii', content = '', columnsize = 0, detail = 'none',
      prefix = '${Array.from({ length: indexedStart }, (_, i) => i + 1).join(' ')}');
    INSERT INTO main.entry_words (entry_words, rank) VALUES ('hashsize', 16777216);
    INSERT INTO main.entry_words (rowid, text)
      SELECT id, text || '${regionToken}' || cell || iif(kind = 'place', ' ${placeToken}', '') FROM main.entries;
    INSERT INTO main.entry_words (entry_words) VALUES ('optimize');
    CREATE VIRTUAL TABLE temp.all_words USING fts5vocab(main, entry_words, row);
    CREATE TABLE main.words (id INTEGER PRIMARY KEY, word TEXT NOT NULL) STRICT;
    INSERT INTO main.words (word)
      SELECT term FROM temp.all_words WHERE term NOT GLOB '${regionToken}*' ORDER BY doc DESC, term;
    CREATE INDEX main.words_word ON words (word);
    CREATE VIRTUAL TABLE main.word_grams USING fts5(word, tokenize = 'trigram', content = '', columnsize = 0, detail = 'none');
    INSERT INTO main.word_grams (rowid, word) SELECT id, word FROM main.words WHERE word NOT GLOB '${aroundMark}*';
    INSERT INTO main.word_grams (word_grams) VALUES ('optimize');
    COMMIT;`);
  return Number(database.prepare('SELECT count(*) AS count FROM main.entries').get()?.['count']);
}
