import { fromGeojsonVt } from '@maplibre/vt-pbf';
import { clipPolygon, clipPolyline } from 'lineclip';
import { tileExtent, tileLayerNames } from '../contract/mapLayers.ts';
import type { MapArea } from '../contract/maps.ts';
import type { TileFeature } from './tileFeatures.ts';

/** In units of the tile. */
export interface Rect {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

/** Tiles hold this much beyond their sides, so that lines have no ends there. */
const buffer = 64;
export const wholeTile: Rect = {
  minX: -buffer,
  minY: -buffer,
  maxX: tileExtent + buffer,
  maxY: tileExtent + buffer,
};

/** Where a place lies in a tile, in units of it: below 0 or above the extent outside of it. */
export function tilePointOf(
  lat: number,
  lon: number,
  z: number,
  x: number,
  y: number,
): [x: number, y: number] {
  const world = tileExtent * 2 ** z;
  const sine = Math.sin((Math.max(-85.0511288, Math.min(85.0511288, lat)) * Math.PI) / 180);
  return [
    ((lon + 180) / 360) * world - x * tileExtent,
    (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * world - y * tileExtent,
  ];
}

export function placeOfTilePoint(
  [px, py]: readonly [number, number],
  z: number,
  x: number,
  y: number,
): { lat: number; lon: number } {
  const side = 2 ** z;
  const north = Math.PI * (1 - (2 * (y + py / tileExtent)) / side);
  return {
    lat: (Math.atan(Math.sinh(north)) * 180) / Math.PI,
    lon: ((x + px / tileExtent) / side) * 360 - 180,
  };
}

/** The tile that holds a place. */
export function tileAt(lat: number, lon: number, z: number): { x: number; y: number } {
  const [px, py] = tilePointOf(lat, lon, z, 0, 0);
  const most = 2 ** z - 1;
  const inWorld = (at: number) => Math.max(0, Math.min(most, Math.floor(at / tileExtent)));
  return { x: inWorld(px), y: inWorld(py) };
}

/** The part of a tile, its buffer included, that an area covers; null for none. */
export function rectOfArea(area: MapArea, z: number, x: number, y: number): Rect | null {
  const [minX, minY] = tilePointOf(area.north, area.west, z, x, y);
  const [maxX, maxY] = tilePointOf(area.south, area.east, z, x, y);
  return intersection(wholeTile, { minX, minY, maxX, maxY });
}

export function intersection(a: Rect, b: Rect): Rect | null {
  const rect = {
    minX: Math.max(a.minX, b.minX),
    minY: Math.max(a.minY, b.minY),
    maxX: Math.min(a.maxX, b.maxX),
    maxY: Math.min(a.maxY, b.maxY),
  };
  return rect.minX < rect.maxX && rect.minY < rect.maxY ? rect : null;
}

/** What of some rectangles lies outside of another one. */
export function without(rects: readonly Rect[], hole: Rect): Rect[] {
  return rects.flatMap((rect) => {
    const cut = intersection(rect, hole);
    if (cut === null) return [rect];
    return [
      { ...rect, maxY: cut.minY },
      { ...rect, minY: cut.maxY },
      { ...rect, minY: cut.minY, maxY: cut.maxY, maxX: cut.minX },
      { ...rect, minY: cut.minY, maxY: cut.maxY, minX: cut.maxX },
    ].filter(({ minX, minY, maxX, maxY }) => minX < maxX && minY < maxY);
  });
}

/** The features of a tile as they stand in one of those below it, `levels` deeper, at `x` and `y` of these. */
export function enlarged(
  features: readonly TileFeature[],
  levels: number,
  x: number,
  y: number,
): TileFeature[] {
  if (levels === 0) return [...features];
  const scale = 2 ** levels;
  const [left, top] = [(x % scale) * tileExtent, (y % scale) * tileExtent];
  const moved = features.map((it) => ({
    ...it,
    parts: it.parts.map((part) => part.map((at, i) => at * scale - (i % 2 === 0 ? left : top))),
  }));
  return clipped(moved, wholeTile);
}

/** What of some features lies in a rectangle. */
export function clipped(features: readonly TileFeature[], rect: Rect): TileFeature[] {
  const box: [number, number, number, number] = [rect.minX, rect.minY, rect.maxX, rect.maxY];
  return features.flatMap((feature) => {
    const parts = feature.parts.flatMap((part) => clippedPart(feature.type, part, rect, box));
    return parts.length === 0 ? [] : [{ ...feature, parts }];
  });
}

function clippedPart(
  type: TileFeature['type'],
  part: number[],
  rect: Rect,
  box: [number, number, number, number],
): number[][] {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < part.length; i += 2) {
    const [x = 0, y = 0] = [part[i], part[i + 1]];
    minX = Math.min(minX, x);
    minY = Math.min(minY, y);
    maxX = Math.max(maxX, x);
    maxY = Math.max(maxY, y);
  }
  const isInside = minX >= rect.minX && maxX < rect.maxX && minY >= rect.minY && maxY < rect.maxY;
  const isOutside = minX > rect.maxX || maxX < rect.minX || minY > rect.maxY || maxY < rect.minY;
  if (isInside) return [part];
  if (isOutside) return [];
  const points = pairs(part);
  if (type === 'point') {
    // Half-open, so that what lies on the line between two rectangles is in one of them.
    const within = points.filter(
      ([x, y]) => x >= rect.minX && x < rect.maxX && y >= rect.minY && y < rect.maxY,
    );
    return within.length === 0 ? [] : [within.flat()];
  }
  if (type === 'line') return clipPolyline(points, box).map((line) => line.flat());
  const ring = clipPolygon(points.slice(0, -1), box);
  return ring.length < 3 ? [] : [[...ring.flat(), ...(ring[0] ?? [])]];
}

function pairs(part: readonly number[]): [number, number][] {
  const points: [number, number][] = [];
  for (let i = 0; i + 1 < part.length; i += 2) points.push([part[i] ?? 0, part[i + 1] ?? 0]);
  return points;
}

/** The dry ground of a schema that has none of its own. */
export function landIn(rect: Rect): TileFeature {
  const { minX, minY, maxX, maxY } = rect;
  const ring = [minX, minY, maxX, minY, maxX, maxY, minX, maxY, minX, minY];
  return { layer: 'land', type: 'polygon', parts: [ring], properties: {} };
}

const geometryTypes = { point: 1, line: 2, polygon: 3 } as const;

/** A vector tile in the words of `mapLayers.ts`. */
export function encodeTile(features: readonly TileFeature[]): Uint8Array {
  const layers = tileLayerNames.flatMap((name) => {
    const own = features.filter((it) => it.layer === name);
    if (own.length === 0) return [];
    const tile = {
      features: own.map((it) => {
        const parts = it.parts.map((part) => pairs(part.map(Math.round)));
        return {
          type: geometryTypes[it.type],
          geometry: it.type === 'point' ? parts.flat() : parts,
          tags: it.properties,
        };
      }),
    };
    return [[name, tile]] as const;
  });
  return fromGeojsonVt(Object.fromEntries(layers) as unknown as Parameters<typeof fromGeojsonVt>[0], {
    version: 2,
    extent: tileExtent,
  });
}
