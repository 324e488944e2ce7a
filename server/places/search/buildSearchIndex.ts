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
import { commonEntries, wordsOf } from './searchWords.ts';
import { cellOf } from './zOrder.ts';

/** Of an index that is being written. */
export const partEnding = '.part';
/** Of a map of a continent; what is beyond is not found. */
const maxPieces = 6_000_000;
const maxHouses = 20_000_000;
const maxSettlements = 300_000;
const maxWords = 1_000_000;
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
      CREATE TEMP TABLE pieces (name TEXT, alt TEXT, kind TEXT, rank INTEGER, lat REAL, lon REAL, length REAL) STRICT;
      CREATE TEMP TABLE numbers (street TEXT, number TEXT, lat REAL, lon REAL) STRICT;
      CREATE TEMP TABLE entries (raw INTEGER PRIMARY KEY, cell INTEGER, name TEXT, town TEXT, kind TEXT, rank INTEGER, lat REAL, lon REAL, text TEXT) STRICT;
      CREATE TEMP TABLE found_houses (raw INTEGER, number TEXT, shown TEXT, lat REAL, lon REAL) STRICT;`);
    const settlements = await collect(database, map, (fraction) => onProgress(fraction * 0.8));
    database.exec(
      `CREATE INDEX temp.pieces_name ON pieces (name); CREATE INDEX temp.numbers_street ON numbers (street);`,
    );
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
      const features = featuresOf(inflated(packed, maxTileBytes, 'a tile'), schema as VectorSchema);
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
  const housesNamed = database.prepare('SELECT number, lat, lon FROM numbers WHERE street = ?');
  const names = database.prepare('SELECT name FROM pieces UNION SELECT street FROM numbers ORDER BY 1');
  const piecesNamed = database.prepare('SELECT * FROM pieces WHERE name = ? ORDER BY length DESC');
  let raw = 0;
  database.exec('BEGIN');
  for (const { name } of names.iterate() as Iterable<{ name: string }>) {
    const entries: (Piece & { raw: number; town: string | null; district: string | null })[] = [];
    const enter = (piece: Piece): void => {
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
    };
    for (const piece of piecesNamed.iterate(name) as Iterable<Piece>) enter(piece);
    for (const house of housesNamed.iterate(name) as Iterable<{ number: string; lat: number; lon: number }>) {
      const streetOf = () =>
        entries
          .filter((it) => it.kind === 'street')
          .map((it) => ({ it, far: Math.hypot(it.lat - house.lat, it.lon - house.lon) }))
          .sort((a, b) => a.far - b.far)
          .find(({ far }) => far < sameStreet_deg);
      if (streetOf() === undefined)
        enter({ name, alt: '', kind: 'street', rank: 12, lat: house.lat, lon: house.lon, length: 0 });
      const street = streetOf();
      if (street !== undefined)
        addHouse.run(
          street.it.raw,
          house.number.toLowerCase().replaceAll(/\s/g, ''),
          house.number,
          house.lat,
          house.lon,
        );
    }
    for (const it of entries) {
      const where = it.kind === 'place' && it.town === it.name ? null : (it.town ?? it.district);
      const named = wordsOf(`${it.alt} ${it.name}`, 40).join(' ');
      const around = wordsOf([it.town, it.district].filter((part) => part !== it.name).join(' '), 20).join(
        ' ',
      );
      // What is behind the bar is not its own name.
      const text = ` ${named} | ${around} `;
      addEntry.run(
        it.raw,
        cellOf(it.lat, it.lon),
        it.name,
        where === it.name ? null : where,
        it.kind,
        it.rank,
        it.lat,
        it.lon,
        text,
      );
    }
  }
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

/** Writes the entries in the order of where they lie, so that those round a place are one span of rows. */
function write(database: DatabaseSync): number {
  database.exec(`
    CREATE TABLE entries (id INTEGER PRIMARY KEY, cell INTEGER NOT NULL, name TEXT NOT NULL, town TEXT, kind TEXT NOT NULL,
      rank INTEGER NOT NULL, lat REAL NOT NULL, lon REAL NOT NULL, text TEXT NOT NULL) STRICT;
    CREATE TEMP TABLE places_of (raw INTEGER PRIMARY KEY, id INTEGER) STRICT;
    BEGIN;
    INSERT INTO temp.places_of SELECT raw, row_number() OVER (ORDER BY cell, raw) FROM temp.entries;
    INSERT INTO main.entries SELECT id, cell, name, town, kind, rank, lat, lon, text
      FROM temp.entries JOIN temp.places_of USING (raw) ORDER BY id;
    CREATE INDEX main.entry_cells ON entries (cell);
    CREATE INDEX main.entry_texts ON entries (text);
    CREATE TABLE main.houses (id INTEGER NOT NULL, number TEXT NOT NULL, shown TEXT NOT NULL, lat REAL NOT NULL, lon REAL NOT NULL,
      PRIMARY KEY (id, number)) WITHOUT ROWID, STRICT;
    INSERT OR IGNORE INTO main.houses SELECT id, number, shown, lat, lon FROM temp.found_houses JOIN temp.places_of USING (raw);
    CREATE VIRTUAL TABLE main.grams USING fts5(text, tokenize = 'trigram', content = '', columnsize = 0, detail = 'none');
    INSERT INTO main.grams (rowid, text) SELECT id, text FROM main.entries;
    INSERT INTO main.grams (grams) VALUES ('optimize');
    CREATE VIRTUAL TABLE temp.gram_rows USING fts5vocab(main, grams, row);
    CREATE TABLE main.common_grams (gram TEXT PRIMARY KEY, entries INTEGER NOT NULL) WITHOUT ROWID, STRICT;
    INSERT INTO main.common_grams SELECT term, doc FROM temp.gram_rows WHERE doc >= ${commonEntries};
    CREATE TABLE main.words (list TEXT NOT NULL) STRICT;
    COMMIT;`);
  const words = new Set<string>();
  let count = 0;
  for (const { text } of database.prepare('SELECT text FROM main.entries').iterate() as Iterable<{
    text: string;
  }>) {
    count++;
    for (const word of text.split(' ')) {
      if (word.length >= 4 && words.size < maxWords && !/\p{N}/u.test(word)) words.add(word);
    }
  }
  database.prepare('INSERT INTO words VALUES (?)').run([...words].join(' '));
  return count;
}
