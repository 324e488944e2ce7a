import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { LatLon } from '../../server/contract/coordinates.ts';
import { encodeTile, tileAt, tilePointOf } from '../../server/maps/composeTile.ts';
import type { TileFeature } from '../../server/maps/tileFeatures.ts';

/** Real files, which tests use when they are there; null: they are not. */
export function realMap(name: 'andorra.mbtiles' | 'firenze.pmtiles' | 'whitney.pmtiles'): string | null {
  const path = fileURLToPath(new URL(`../../../shared/data/maps/${name}`, import.meta.url));
  return existsSync(path) ? path : null;
}

export interface MadeTile {
  z: number;
  x: number;
  y: number;
  bytes: Uint8Array;
}

export interface MadeMap {
  tiles: Iterable<MadeTile>;
  bounds?: string;
  layers?: readonly string[];
  attribution?: string;
  /** Further statements, which may break what was made. */
  more?: string;
}

/** A tile of features in our own vocabulary. */
export const tileOf = (z: number, x: number, y: number, features: readonly TileFeature[]): MadeTile => ({
  ...{ z, x, y },
  bytes: gzipSync(encodeTile(features)),
});

/** Writes an `.mbtiles` file. */
export function makeMbtiles(
  path: string,
  { tiles, bounds, layers, attribution, more = '' }: MadeMap,
): string {
  const database = new DatabaseSync(path);
  database.exec(`CREATE TABLE metadata (name text, value text);
    CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
    CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);`);
  const metadata = {
    format: 'pbf',
    ...(bounds === undefined ? {} : { bounds }),
    ...(attribution === undefined ? {} : { attribution }),
    json: JSON.stringify({ vector_layers: (layers ?? ['road', 'place', 'land']).map((id) => ({ id })) }),
  };
  const addFact = database.prepare('INSERT INTO metadata VALUES (?, ?)');
  for (const [name, value] of Object.entries(metadata)) addFact.run(name, value);
  const addTile = database.prepare('INSERT INTO tiles VALUES (?, ?, ?, ?)');
  database.exec('BEGIN');
  for (const { z, x, y, bytes } of tiles) addTile.run(z, x, 2 ** z - 1 - y, bytes);
  database.exec('COMMIT');
  if (more !== '') database.exec(more);
  database.close();
  return path;
}

/** A street from side to side, with a name. */
export const street = (name: string, more: TileFeature['properties'] = {}): TileFeature => ({
  layer: 'road',
  type: 'line',
  parts: [[0, 2048, 4096, 2048]],
  properties: { kind: 'minor', name, ...more },
});

/** The tile of a place with a street through it, from side to side. */
export function streetAt(name: string, { lat, lon }: LatLon): MadeTile {
  const z = 14;
  const { x, y } = tileAt(lat, lon, z);
  const [, py] = tilePointOf(lat, lon, z, x, y);
  return tileOf(z, x, y, [{ ...street(name), parts: [[0, py, 4096, py]] }]);
}
