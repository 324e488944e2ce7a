import { tileExtent, type TileLayer } from '../contract/mapLayers.ts';
import type { MapSchema } from '../contract/maps.ts';
import { fleetdeck } from './schemas/fleetdeck.ts';
import type { SchemaMapping } from './schemas/mapping.ts';
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

/** The features of a tile of any schema. @throws Error of bytes that are no vector tile */
export function tileFeatures(bytes: Uint8Array, schema: VectorSchema): TileFeature[] {
  const mapping = mappings[schema];
  const features: TileFeature[] = [];
  for (const { name, extent, features: all } of readVectorTile(bytes)) {
    const map = Object.hasOwn(mapping.layers, name) ? mapping.layers[name] : undefined;
    if (map === undefined) continue;
    const scale = tileExtent / extent;
    for (const feature of all()) {
      const found = map(feature.properties, feature.type);
      if (found === null) continue;
      const parts = feature.parts();
      if (scale !== 1) for (const part of parts) part.forEach((it, i) => (part[i] = it * scale));
      features.push({ ...found, type: feature.type, parts });
    }
  }
  return features;
}
