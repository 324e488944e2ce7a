import { geofenceLimits } from '../../contract/geofenceGeometry.ts';
import { id } from '../../contract/fields.ts';
import { splitAtAntimeridian, type Corner } from './antimeridian.ts';
import { isObject, type FileFeature, type FileGeometry } from './feature.ts';

/** What the caller gives to shapes that bear nothing of the kind. */
export interface ImportDefaults {
  radius_m?: number | undefined;
  width_m?: number | undefined;
  group_ids?: readonly string[] | undefined;
}

/** By what names programs write it; in small letters, with underscores for whatever stands between words. */
const namesOf = {
  name: ['name', 'title', 'label'],
  radius_m: ['radius_m', 'radius', 'radius_meters', 'radius_metres'],
  width_m: ['width_m', 'width', 'line_width_m', 'corridor_width'],
  color: ['color', 'colour', 'fill', 'stroke', 'marker_color'],
  speed_limit_kmh: ['speed_limit_kmh', 'speed_limit', 'maxspeed', 'max_speed'],
  hysteresis_m: ['hysteresis_m'],
  min_inside_s: ['min_inside_s'],
  min_outside_s: ['min_outside_s'],
  schedule: ['schedule'],
  group_ids: ['group_ids'],
  center: ['center', 'centre'],
} as const;
type Key = keyof typeof namesOf;

const kmhOfMph = 1.609344;

/**
 * The geofence that a shape of a file asks for, in the form of the API and not checked yet: the file's own fields as
 * they are, what other programs call them, and the caller's defaults. Null for a shape without a geometry.
 *
 * @throws TooManyCrossings
 */
export function parseGeofence(
  feature: FileFeature,
  row: number,
  defaults: ImportDefaults,
): Record<string, unknown> | null {
  const { geometry, properties } = feature;
  if (geometry === null) return null;
  const read = reader(properties);
  const circle = circleOf(read);
  const form = circle ?? formOf(geometry);
  const isCircle = form.geometry.type === 'Point';
  const isLine = form.geometry.type === 'LineString';
  const input: Record<string, unknown> = {
    name: nameOfFeature(feature) ?? `Shape ${row}`,
    ...form,
    radius_m: isCircle ? (numberOf(read('radius_m')) ?? defaults.radius_m) : undefined,
    width_m: isLine ? (numberOf(read('width_m')) ?? defaults.width_m) : undefined,
    color: colorOf(read('color')),
    speed_limit_kmh: speedOf(read('speed_limit_kmh')),
    hysteresis_m: numberOf(read('hysteresis_m')),
    min_inside_s: numberOf(read('min_inside_s')),
    min_outside_s: numberOf(read('min_outside_s')),
    schedule: scheduleOf(read('schedule')),
    group_ids: defaults.group_ids ?? groupsOf(read('group_ids')),
  };
  // What is left out gets the value that a new geofence has.
  return Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== undefined && value !== null),
  );
}

/** As its file names it; several shapes of one feature are distinguished by a number. */
export function nameOfFeature({ properties, part }: FileFeature): string | undefined {
  const name = nameOf(reader(properties)('name'));
  return name === undefined || part === undefined ? name : `${name} ${part}`;
}

/** Read once, however many shapes share them. */
const readers = new WeakMap<FileFeature['properties'], (key: Key) => unknown>();

function reader(properties: FileFeature['properties']): (key: Key) => unknown {
  const known = readers.get(properties) ?? newReader(properties);
  readers.set(properties, known);
  return known;
}

function newReader(properties: FileFeature['properties']): (key: Key) => unknown {
  const found = new Map<string, unknown>();
  // What umap keeps for its own drawing; what the shape itself bears goes before.
  const umap = properties['_umap_options'];
  for (const own of [isObject(umap) ? umap : {}, properties]) {
    for (const [name, value] of Object.entries(own)) {
      if (value !== undefined && value !== null && value !== '')
        found.set(name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_'), value);
    }
  }
  return (key) => {
    const name = namesOf[key].find((it) => found.has(it));
    return name === undefined ? undefined : found.get(name);
  };
}

/** A circle that was drawn as a polygon for programs that know none. */
function circleOf(read: (key: Key) => unknown): { shape: string; geometry: FileGeometry } | null {
  const center = read('center');
  if (typeof center !== 'string' || read('radius_m') === undefined) return null;
  return { shape: 'circle', geometry: { type: 'Point', coordinates: center.split(',').map(Number) } };
}

function formOf(read: FileGeometry): { shape: string; geometry: FileGeometry } {
  const { type, coordinates } = read;
  const isShorterWay = read.isShorterWay === true;
  switch (type) {
    case 'Point':
      return { shape: 'circle', geometry: { type, coordinates: around(coordinates) } };
    case 'LineString':
      return {
        shape: 'line',
        geometry: { type, coordinates: Array.isArray(coordinates) ? coordinates.map(around) : coordinates },
      };
    case 'Polygon': {
      const parts = polygonsOf(coordinates, isShorterWay);
      if (parts === null) return { shape: 'polygon', geometry: { type, coordinates } };
      const [first] = parts;
      return parts.length === 1
        ? { shape: 'polygon', geometry: { type, coordinates: first } }
        : { shape: 'polygon', geometry: { type: 'MultiPolygon', coordinates: parts } };
    }
    case 'MultiPolygon': {
      const parts = Array.isArray(coordinates)
        ? coordinates.map((it: unknown) => polygonsOf(it, isShorterWay) ?? [it])
        : null;
      return {
        shape: 'polygon',
        geometry: { type, coordinates: parts === null ? coordinates : parts.flat() },
      };
    }
  }
}

/**
 * Rings that are not closed are closed, those over the antimeridian cut there; null for what are no rings, or more than
 * a geofence may have.
 */
function polygonsOf(rings: unknown, isShorterWay: boolean): Corner[][][] | null {
  if (!Array.isArray(rings)) return null;
  const lists = rings as unknown[];
  if (!lists.every(Array.isArray)) return null;
  if (lists.reduce((sum, ring) => sum + ring.length, 0) > geofenceLimits.corners) return null;
  const read: Corner[][] = [];
  for (const ring of lists) {
    const corners = ring.map(cornerOf);
    if (!corners.every((it) => it !== null)) return null;
    const [first, last] = [corners[0], corners.at(-1)];
    if (first === undefined || last === undefined) return null;
    read.push(first[0] === last[0] && first[1] === last[1] ? corners : [...corners, first]);
  }
  return read.length === 0 ? null : splitAtAntimeridian(read, isShorterWay);
}

/** Without its height. */
function cornerOf(point: unknown): Corner | null {
  const [lon, lat] = Array.isArray(point) ? (point as unknown[]) : [];
  return typeof lon === 'number' && typeof lat === 'number' && Number.isFinite(lon) ? [lon, lat] : null;
}

/** Longitudes that some programs count on beyond the antimeridian. */
function around(point: unknown): unknown {
  const corner = cornerOf(point);
  if (corner === null) return point;
  const [lon, lat] = corner;
  return [Math.abs(lon) <= 180 || Math.abs(lon) > 540 ? lon : lon > 0 ? lon - 360 : lon + 360, lat];
}

function nameOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** What is no number is handed on, to be refused with its place. */
function numberOf(value: unknown): unknown {
  return typeof value === 'string' && /^\s*[-+]?\d+(\.\d+)?(e[-+]?\d+)?\s*$/i.test(value)
    ? Number(value)
    : value;
}

/** In km/h if nothing else is said, as OpenStreetMap writes it. */
function speedOf(value: unknown): unknown {
  // A speed is no long text, in which to look for a unit takes the square of its length.
  if (typeof value === 'string' && value.length > 100) return value;
  const mph = typeof value === 'string' ? /^\s*(\d+(?:\.\d+)?)\s*mph\s*$/i.exec(value) : null;
  if (mph !== null) return Math.round(Number(mph[1]) * kmhOfMph * 10) / 10;
  return typeof value === 'string' ? numberOf(value.replace(/\s*km\/?h\s*$/i, '')) : value;
}

/** A colour of another notation than ours is no reason to refuse a shape. */
function colorOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const long = /^\s*#([0-9a-f]{6})(?:[0-9a-f]{2})?\s*$/i.exec(value);
  if (long !== null) return `#${long[1] ?? ''}`;
  const short = /^\s*#([0-9a-f])([0-9a-f])([0-9a-f])\s*$/i.exec(value);
  return short === null
    ? undefined
    : `#${short
        .slice(1)
        .map((digit) => digit + digit)
        .join('')}`;
}

/** Words of other programs on when a shape holds are no schedule of ours, and no reason to refuse it. */
function scheduleOf(value: unknown): object | undefined {
  let read = value;
  if (typeof value === 'string') {
    try {
      read = JSON.parse(value);
    } catch {
      return undefined;
    }
  }
  return isObject(read) ? read : undefined;
}

/** Nor are the groups of other programs ours. */
function groupsOf(value: unknown): unknown[] | undefined {
  const ids: unknown = typeof value === 'string' ? value.split(/\s+/) : value;
  return Array.isArray(ids) && ids.every((it) => id.safeParse(it).success) ? ids : undefined;
}
