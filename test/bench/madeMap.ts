import { closeSync, openSync, writeSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import { zxyToTileId } from 'pmtiles';
import { tileExtent } from '../../server/contract/mapLayers.ts';
import { placeOfTilePoint } from '../../server/maps/composeTile.ts';
import type { ReadableMap } from '../../server/maps/readTiles.ts';
import type { MadeTile } from '../support/mapFiles.ts';

// Maps of invented towns in the schema of OpenMapTiles, as dense as a city is. A few tiles are encoded, and stand in
// many places: what a tile holds is counted from its own corner.

export type Chance = () => number;
type Point = [x: number, y: number];
interface MadeFeature {
  type: 1 | 2 | 3;
  geometry: Point[] | Point[][];
  tags: Record<string, string | number>;
}

/** Numbers from 0 to 1, the same in each run. */
export function chanceFrom(seed: number): Chance {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const among = <T>(list: readonly T[], chance: Chance): T => list[Math.floor(chance() * list.length)] as T;
const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

const beginnings =
  'al ber bran chris dor el fa gol har is jan ker lin mar nor os pet quin ros schu tan ul vil wer zim'.split(
    ' ',
  );
const middles = 'a be da en fel go he in ko la mi no ri sta te un ver wi zo'.split(' ');
const endings =
  'ach berg burg dorf eau ell feld haus ini kamp let mann nov ova quez rez ski stein tin wald'.split(' ');
const firstNames =
  'Anna Antoni Bruno Carles Clara Emil Emma Ernst Felix Georg Greta Hanna Hugo Ida Joan Josep Karl Lena Lluís Maria Marta Max Nora Otto Paul Pere Rosa Sofia Theo Vera'.split(
    ' ',
  );
const kinds = ['Avinguda de', 'Carrer de', 'Rue', 'Via', 'Calle', 'Plaça de', 'Camí de'];
const compounds = ['straße', 'weg', 'gasse', 'allee', 'platz', 'ring'];

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const surname = (chance: Chance) =>
  capital(
    `${among(beginnings, chance)}${chance() < 0.7 ? among(middles, chance) : ''}${among(middles, chance)}${among(endings, chance)}`,
  );

/** "Zimrifeldstraße", "Avinguda de Lluís Kerstatin": some ten thousands of words make millions of names. */
export function streetName(chance: Chance): string {
  if (chance() < 0.4) return `${surname(chance)}${among(compounds, chance)}`;
  return `${among(kinds, chance)} ${chance() < 0.6 ? `${among(firstNames, chance)} ` : ''}${surname(chance)}`;
}
export const townName = (chance: Chance): string =>
  `${among(['Bad ', 'Sant ', 'Ober', 'Neu', ''], chance)}${surname(chance)}`;

const point = (chance: Chance): Point => [
  Math.floor(chance() * tileExtent),
  Math.floor(chance() * tileExtent),
];

function line(chance: Chance, corners: number, step: number): Point[] {
  let [x, y] = point(chance);
  let heading = chance() * 2 * Math.PI;
  return times(corners, (): Point => {
    heading += chance() - 0.5;
    [x, y] = [x + step * Math.cos(heading), y + step * Math.sin(heading)];
    return [Math.round(x), Math.round(y)];
  });
}

function ring(chance: Chance, size: number): Point[] {
  const [x, y] = point(chance);
  const [w, h] = [20 + Math.floor(chance() * size), 20 + Math.floor(chance() * size)];
  return [
    [x, y],
    [x + w, y],
    [x + w, y + h],
    [x + Math.floor(w / 2), y + h + 9],
    [x, y + h],
    [x, y],
  ];
}

/** A packed tile of these layers. */
export function packed(layers: Record<string, MadeFeature[]>): Uint8Array {
  const made = Object.entries(layers).map(([name, features]) => [name, { features }]);
  const tile = fromGeojsonVt(Object.fromEntries(made), {
    version: 2,
    extent: tileExtent,
  });
  return gzipSync(tile, { level: 6 });
}

const roadClasses = [
  'motorway',
  'primary',
  'secondary',
  'tertiary',
  'minor',
  'minor',
  'minor',
  'service',
  'path',
];

/** Streets with these names, from side to side of the tile. */
export const streetFeatures = (names: readonly string[], chance: Chance): MadeFeature[] =>
  names.map((name) => ({
    type: 2,
    geometry: [line(chance, 5 + Math.floor(chance() * 8), 90)],
    tags: { class: among(roadClasses, chance), name, 'name:latin': name },
  }));

export const placeFeature = (kind: string, name: string, chance: Chance): MadeFeature => ({
  type: 1,
  geometry: [point(chance)],
  tags: { class: kind, name, 'name:latin': name, rank: 8 },
});

/** The middle of a city: some 400 streets, 700 house numbers, 1,400 buildings; 40 kB packed. */
function cityTile(chance: Chance): Uint8Array {
  const names = times(160, () => streetName(chance));
  return packed({
    landuse: times(40, () => ({ type: 3, geometry: [ring(chance, 900)], tags: { class: 'residential' } })),
    transportation: times(400, () => ({
      type: 2,
      geometry: [line(chance, 6, 90)],
      tags: { class: among(roadClasses, chance) },
    })),
    building: times(1_400, () => ({ type: 3, geometry: [ring(chance, 60)], tags: { render_height: 5 } })),
    poi: times(120, () => ({
      type: 1,
      geometry: [point(chance)],
      tags: { class: 'shop', name: surname(chance) },
    })),
    transportation_name: streetFeatures([...names, ...names], chance),
    housenumber: times(700, () => ({
      type: 1,
      geometry: [point(chance)],
      tags: { housenumber: String(1 + Math.floor(chance() * 180)) },
    })),
  });
}

/** A tile seen from afar, with the places that are named there. */
function wideTile(chance: Chance, places: Record<string, number>): Uint8Array {
  return packed({
    landcover: times(700, () => ({ type: 3, geometry: [ring(chance, 300)], tags: { class: 'wood' } })),
    transportation: times(600, () => ({
      type: 2,
      geometry: [line(chance, 20, 60)],
      tags: { class: among(roadClasses, chance) },
    })),
    place: Object.entries(places).flatMap(([kind, count]) =>
      times(count, () => placeFeature(kind, townName(chance), chance)),
    ),
  });
}

/** So many tiles east and south of the first one, at zoom 14; the tiles above them begin with the same. */
export const corner = { x: 8_640, y: 5_632 };

/** A land of cities from side to side. */
export function* cityTiles(side: number): Generator<MadeTile> {
  const chance = chanceFrom(1_969);
  const cities = times(200, () => cityTile(chance));
  const districts = times(40, () => wideTile(chance, { town: 1, village: 4, suburb: 6, neighbourhood: 8 }));
  const regions = times(9, () => wideTile(chance, { city: 3, town: 30 }));
  for (const [z, made] of [
    [9, regions],
    [12, districts],
    [14, cities],
  ] as const) {
    const scale = 2 ** (14 - z);
    for (let x = Math.floor(corner.x / scale); x < (corner.x + side) / scale; x++) {
      for (let y = Math.floor(corner.y / scale); y < (corner.y + side) / scale; y++)
        yield { z, x, y, bytes: among(made, chance) };
    }
  }
}

/** A map as the threads read it, of so many tiles from side to side. */
export function readable(path: string, side: number): ReadableMap {
  const { lat: north, lon: west } = placeOfTilePoint([0, 0], 14, corner.x, corner.y);
  const { lat: south, lon: east } = placeOfTilePoint([0, 0], 14, corner.x + side, corner.y + side);
  return {
    ...{
      map_id: 'made',
      path,
      kind: 'streets',
      schema: 'openmaptiles',
      min_zoom: 9,
      max_zoom: 14,
      shown: true,
    },
    area: { north, west, south, east },
  };
}

export const boundsOf = ({ area }: ReadableMap): string =>
  [area.west, area.south, area.east, area.north].join(',');

const leafEntries = 2_000;

/** Writes a `.pmtiles` file, version 3, with directories of two levels (github.com/protomaps/PMTiles, spec/v3). */
export function makePmtiles(path: string, given: Iterable<MadeTile>, { area }: ReadableMap): string {
  const tiles = [...given]
    .map(({ z, x, y, bytes }) => ({ id: zxyToTileId(z, x, y), bytes }))
    .sort((a, b) => a.id - b.id);
  let offset = 0;
  const entries = tiles.map(({ id, bytes }) => ({
    id,
    run: 1,
    length: bytes.length,
    offset: (offset += bytes.length) - bytes.length,
  }));
  const leaves: Uint8Array[] = [];
  const root: typeof entries = [];
  let leafAt = 0;
  for (let i = 0; i < entries.length; i += leafEntries) {
    const leaf = gzipSync(directory(entries.slice(i, i + leafEntries)));
    root.push({ id: entries[i]?.id ?? 0, run: 0, length: leaf.length, offset: leafAt });
    leaves.push(leaf);
    leafAt += leaf.length;
  }
  const rootBytes = gzipSync(directory(root));
  const layers = ['transportation', 'transportation_name', 'place'].map((id) => ({ id }));
  const metadata = gzipSync(JSON.stringify({ vector_layers: layers, attribution: 'Nobody' }));
  const header = Buffer.alloc(127);
  header.write('PMTiles', 0);
  header[7] = 3;
  const parts = [rootBytes.length, metadata.length, leafAt, offset];
  let begin = header.length;
  parts.forEach((length, i) => {
    header.writeBigUInt64LE(BigInt(begin), 8 + i * 16);
    header.writeBigUInt64LE(BigInt(length), 16 + i * 16);
    begin += length;
  });
  for (const at of [72, 80, 88]) header.writeBigUInt64LE(BigInt(tiles.length), at);
  // Clustered, directories and tiles packed with gzip, vector tiles, zooms.
  header.set([1, 2, 2, 1, 9, 14], 96);
  [area.west, area.south, area.east, area.north].forEach((it, i) =>
    header.writeInt32LE(Math.round(it * 1e7), 102 + i * 4),
  );
  const file = openSync(path, 'w');
  for (const bytes of [header, rootBytes, metadata, ...leaves]) writeSync(file, bytes);
  for (const { bytes } of tiles) writeSync(file, bytes);
  closeSync(file);
  return path;
}

function directory(
  entries: readonly { id: number; run: number; length: number; offset: number }[],
): Uint8Array {
  const bytes: number[] = [];
  const varint = (value: number) => {
    for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
    bytes.push(value);
  };
  varint(entries.length);
  entries.forEach(({ id }, i) => varint(id - (entries[i - 1]?.id ?? 0)));
  for (const { run } of entries) varint(run);
  for (const { length } of entries) varint(length);
  for (const { offset } of entries) varint(offset + 1);
  return Uint8Array.from(bytes);
}
