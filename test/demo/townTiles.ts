import { clipped, tileAt, tilePointOf, wholeTile } from '../../server/maps/composeTile.ts';
import type { TileFeature } from '../../server/maps/tileFeatures.ts';
import { tileOf, type MadeTile } from '../support/mapFiles.ts';
import type { TownFeatureProperties, TownFeatures } from './townModel.ts';

const MIN_ZOOM = 8;
/** Half a metre to a unit of its tiles. */
const MAX_ZOOM = 14;
/** Below, blocks of houses would be a grey haze. */
const MIN_STREET_ZOOM = 12;

/** The town in tiles of our own vocabulary, as a map file bears them. */
export function townTiles({ features }: TownFeatures): MadeTile[] {
  const positions = features.flatMap(({ geometry }) => positionsOf(geometry).flat());
  const lons = positions.map(([lon = 0]) => lon);
  const lats = positions.map(([, lat = 0]) => lat);
  const tiles: MadeTile[] = [];
  for (let z = MIN_ZOOM; z <= MAX_ZOOM; z++) {
    const first = tileAt(Math.max(...lats), Math.min(...lons), z);
    const last = tileAt(Math.min(...lats), Math.max(...lons), z);
    for (let x = first.x; x <= last.x; x++) {
      for (let y = first.y; y <= last.y; y++) {
        const all = features.filter((it) => z >= MIN_STREET_ZOOM || it.properties.kind !== 'street');
        const own = clipped(
          all.map((it) => tileFeature(it, z, x, y)),
          wholeTile,
        );
        if (own.length > 0) tiles.push(tileOf(z, x, y, own));
      }
    }
  }
  return tiles;
}

function tileFeature(
  { geometry, properties }: TownFeatures['features'][number],
  z: number,
  x: number,
  y: number,
): TileFeature {
  const parts = positionsOf(geometry).map((part) => {
    const points = part.map(([lon = 0, lat = 0]) => tilePointOf(lat, lon, z, x, y).map(Math.round));
    // Points that fall together, as they do from afar, say nothing.
    const kept = points.filter(
      (it, i) => i === points.length - 1 || it.join() !== points[i + 1]?.join() || points.length <= 4,
    );
    return kept.flat();
  });
  const type =
    geometry.type === 'Point' ? 'point' : geometry.type === 'LineString' ? 'line' : ('polygon' as const);
  return { ...inOurWords(properties, type), type, parts };
}

function inOurWords(
  { kind, name, ref }: TownFeatureProperties,
  type: TileFeature['type'],
): Pick<TileFeature, 'layer' | 'properties'> {
  const named = { ...(name === undefined ? {} : { name }), ...(ref === undefined ? {} : { ref }) };
  switch (kind) {
    case 'water':
      return type === 'polygon'
        ? { layer: 'water', properties: { kind: 'river', ...named } }
        : { layer: 'waterway', properties: { kind: 'river', name_only: true, ...named } };
    case 'park':
      return { layer: 'ground', properties: { kind: 'park', ...named } };
    case 'district':
      return { layer: 'place', properties: { kind: 'suburb', rank: 10, ...named } };
    case 'rail':
      return { layer: 'rail', properties: { kind: 'rail', ...named } };
    case 'street':
      return { layer: 'road', properties: { kind: 'minor', ...named } };
    case 'arterial':
      return { layer: 'road', properties: { kind: 'secondary', ...named } };
    case 'motorway':
      return { layer: 'road', properties: { kind: 'motorway', ...named } };
  }
}

function positionsOf(geometry: TownFeatures['features'][number]['geometry']): number[][][] {
  switch (geometry.type) {
    case 'Point':
      return [[geometry.coordinates]];
    case 'LineString':
      return [geometry.coordinates];
    case 'Polygon':
      return geometry.coordinates;
  }
}
