import Flatbush from 'flatbush';
import { tileExtent } from '../contract/mapLayers.ts';
import type { Place } from '../contract/places.ts';
import { tilePointOf } from '../maps/composeTile.ts';
import type { TileFeature } from '../maps/tileFeatures.ts';

/** A house this near is the address. */
const houseWithin_m = 30;
/** A street further away is not where somebody is. */
const streetWithin_m = 200;
export const notStreets = new Set<unknown>(['ferry', 'aeroway']);

const equator_m = 40_075_016.686;

export interface TileId {
  z: number;
  x: number;
  y: number;
}

export interface Found {
  street: string | null;
  house_number: string | null;
  distance_m: number;
}

export type StreetTile = NonNullable<ReturnType<typeof indexStreets>>;

/** The streets and houses of a tile by where they lie; null for a tile without any. */
export function indexStreets(features: readonly TileFeature[], { z, x, y }: TileId) {
  const ends: number[] = [];
  const names: string[] = [];
  const houses: { x: number; y: number; number: string; street: string | null }[] = [];
  for (const { layer, type, parts, properties } of features) {
    const { name, kind, number, street } = properties;
    if (layer === 'address' && type === 'point' && typeof number === 'string') {
      const [part = []] = parts;
      houses.push({
        x: part[0] ?? 0,
        y: part[1] ?? 0,
        number,
        street: typeof street === 'string' ? street : null,
      });
    }
    if (
      layer !== 'road' ||
      type !== 'line' ||
      typeof name !== 'string' ||
      name === '' ||
      notStreets.has(kind)
    )
      continue;
    for (const part of parts) {
      for (let i = 2; i + 1 < part.length; i += 2) {
        ends.push(part[i - 2] ?? 0, part[i - 1] ?? 0, part[i] ?? 0, part[i + 1] ?? 0);
        names.push(name);
      }
    }
  }
  if (names.length === 0 && houses.length === 0) return null;
  const streets = names.length === 0 ? null : new Flatbush(names.length);
  for (let i = 0; i < ends.length; i += 4) {
    const [ax, ay, bx, by] = [ends[i] ?? 0, ends[i + 1] ?? 0, ends[i + 2] ?? 0, ends[i + 3] ?? 0];
    streets?.add(Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by));
  }
  streets?.finish();
  const addresses = houses.length === 0 ? null : new Flatbush(houses.length);
  for (const house of houses) addresses?.add(house.x, house.y, house.x, house.y);
  addresses?.finish();

  function nearestStreet(px: number, py: number, within: number): { name: string; distance: number } | null {
    let best: { name: string; distance: number } | null = null;
    for (const at of streets?.search(px - within, py - within, px + within, py + within) ?? []) {
      const i = 4 * at;
      const distance = distanceToSegment(
        px,
        py,
        ends[i] ?? 0,
        ends[i + 1] ?? 0,
        ends[i + 2] ?? 0,
        ends[i + 3] ?? 0,
      );
      if (distance <= within && distance < (best?.distance ?? Infinity))
        best = { name: names[at] ?? '', distance };
    }
    return best;
  }

  return {
    /** What it takes of memory, in segments and houses. */
    size: names.length + houses.length,

    /** The name of the street that a house without one stands at. */
    nearestStreetName(lat: number, lon: number): string | null {
      const [px, py] = tilePointOf(lat, lon, z, x, y);
      return nearestStreet(px, py, streetWithin_m / metresPerUnit(lat, z))?.name ?? null;
    },

    /** What is nearest to a point of the tile, or near its side. */
    nearest(lat: number, lon: number): Found | null {
      const [px, py] = tilePointOf(lat, lon, z, x, y);
      const perUnit_m = metresPerUnit(lat, z);
      const [at] = addresses?.neighbors(px, py, 1, houseWithin_m / perUnit_m) ?? [];
      const house = at === undefined ? undefined : houses[at];
      // Most often a street is near: then few of them are looked at.
      const street =
        nearestStreet(px, py, streetWithin_m / 5 / perUnit_m) ??
        nearestStreet(px, py, streetWithin_m / perUnit_m);
      if (house !== undefined) {
        const distance_m = Math.hypot(house.x - px, house.y - py) * perUnit_m;
        return { street: house.street ?? street?.name ?? null, house_number: house.number, distance_m };
      }
      return street === null
        ? null
        : { street: street.name, house_number: null, distance_m: street.distance * perUnit_m };
    },
  };
}

export function metresPerUnit(lat: number, z: number): number {
  return (equator_m * Math.cos((lat * Math.PI) / 180)) / 2 ** z / tileExtent;
}

/** How far from its middle each kind of place reaches. */
const reach_m: Readonly<Record<string, number>> = {
  city: 15_000,
  town: 7_000,
  village: 3_500,
  hamlet: 1_500,
  suburb: 2_500,
  neighbourhood: 1_200,
};
const districts = new Set(['suburb', 'neighbourhood']);

export interface Settlement {
  name: string;
  kind: string;
  lat: number;
  lon: number;
}

/** The town or village, and the district of it, that reach a point best; `share` of their reach is how far it is. */
export interface Reached {
  town: { name: string | null; share: number };
  district: { name: string | null; share: number };
}

export const nothingReached = (): Reached => ({
  town: { name: null, share: 1 },
  district: { name: null, share: 1 },
});

/** Puts those of some settlements that reach a point better into `best`. */
export function reach(best: Reached, settlements: readonly Settlement[], lat: number, lon: number): Reached {
  const east = (equator_m / 360) * Math.cos((lat * Math.PI) / 180);
  for (const { name, kind, ...it } of settlements) {
    const distance_m = Math.hypot((it.lon - lon) * east, (it.lat - lat) * (equator_m / 360));
    const share = distance_m / (reach_m[kind] ?? 1);
    const part = districts.has(kind) ? best.district : best.town;
    if (share < part.share) Object.assign(part, { name, share });
  }
  return best;
}

export const isSettlement = (kind: unknown): kind is string => typeof kind === 'string' && kind in reach_m;

/** What was found in words; null when it names no street. */
export function placeOf(
  found: Found | null,
  { town: { name: town }, district: { name: district } }: Reached,
): Place | null {
  if (found?.street == null) return null;
  const { street, house_number, distance_m } = found;
  const address = house_number === null ? street : `${street} ${house_number}`;
  const where = town ?? district;
  return {
    text: where === null ? address : `${address}, ${where}`,
    ...{ house_number, street, district, town },
    distance_m: Math.round(distance_m * 10) / 10,
  };
}

function distanceToSegment(px: number, py: number, ax: number, ay: number, bx: number, by: number): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length2 = dx * dx + dy * dy;
  const share = length2 === 0 ? 0 : Math.max(0, Math.min(1, ((px - ax) * dx + (py - ay) * dy) / length2));
  return Math.hypot(px - ax - share * dx, py - ay - share * dy);
}
