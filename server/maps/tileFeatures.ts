import { tileExtent, type TileLayer } from '../contract/mapLayers.ts';
import type { MapSchema } from '../contract/maps.ts';
import { fleetdeck } from './schemas/fleetdeck.ts';
import type { AddressLayer, SchemaMapping } from './schemas/mapping.ts';
import { openMapTiles } from './schemas/openMapTiles.ts';
import { protomaps } from './schemas/protomaps.ts';
import { protomapsOld } from './schemas/protomapsOld.ts';
import { shortbread } from './schemas/shortbread.ts';
import { readVectorTile, type GeometryType, type Properties } from './vectorTile.ts';

export type VectorSchema = Exclude<MapSchema, 'raster'>;

export const mappings: Readonly<Record<VectorSchema, SchemaMapping>> = {
  protomaps,
  protomaps_old: protomapsOld,
  openmaptiles: openMapTiles,
  shortbread,
  fleetdeck,
};

/** A feature of a tile in the words of `mapLayers.ts`. */
export interface TileFeature {
  layer: TileLayer;
  type: GeometryType;
  /** Each part as x, y, x, y … in units of the tile (`tileExtent`); of polygons the rings, closed. */
  parts: number[][];
  properties: Properties;
}

/**
 * The features of a tile of any schema.
 *
 * @param only what of them is read, a fraction of the work
 * @throws Error of bytes that are no vector tile
 */
export function tileFeatures(
  bytes: Uint8Array,
  schema: VectorSchema,
  only?: readonly AddressLayer[],
): TileFeature[] {
  const { layers, sources } = mappings[schema];
  const wanted = only === undefined ? null : new Set<string>(only.flatMap((it) => sources[it]));
  const features: TileFeature[] = [];
  for (const { name, extent, features: all } of readVectorTile(bytes)) {
    const map = Object.hasOwn(layers, name) ? layers[name] : undefined;
    if (map === undefined || wanted?.has(name) === false) continue;
    const scale = tileExtent / extent;
    for (const feature of all()) {
      const found = map(feature.properties, feature.type);
      if (found === null || only?.some((it) => it === found.layer) === false) continue;
      const parts = feature.parts();
      if (scale !== 1) for (const part of parts) part.forEach((it, i) => (part[i] = it * scale));
      features.push({ ...found, type: feature.type, parts });
    }
  }
  return features;
}
