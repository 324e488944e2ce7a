import type { Properties } from '../vectorTile.ts';
import {
  flags,
  mapped,
  namesOf,
  osmGround,
  osmPlaces,
  osmPois,
  osmRails,
  osmRoads,
  osmWaterways,
  rankOfPopulation,
  refOf,
  type SchemaMapping,
} from './mapping.ts';

const boundaries: readonly (readonly [level: number, kind: string])[] = [
  [2, 'country'],
  [4, 'region'],
  [6, 'county'],
];

function kindAmong(
  tags: Properties,
  keys: readonly string[],
  kinds: ReadonlyMap<unknown, string>,
): string | undefined {
  return keys.map((key) => kinds.get(tags[key])).find((kind) => kind !== undefined);
}

const ground = (it: Properties) =>
  mapped(
    'ground',
    kindAmong(it, ['landuse', 'natural', 'leisure', 'amenity', 'aeroway', 'pmap:kind'], osmGround),
  );

/** Protomaps before its version 3: the tags of OpenStreetMap, with a few of its own that begin with `pmap:`. */
export const protomapsOld: SchemaMapping = {
  sources: { road: ['roads'], address: [], place: ['places'] },
  layers: {
    earth: (_, type) => (type === 'polygon' ? mapped('land', 'land') : null),
    natural: ground,
    landuse: ground,
    land: ground,
    water: (it) =>
      mapped(
        'water',
        it['water'] === 'river' ? 'river' : it['leisure'] === 'swimming_pool' ? 'pool' : 'lake',
      ),
    physical_line: (it) => mapped('waterway', osmWaterways.get(it['waterway']), namesOf(it)),
    physical_point: (it) =>
      it['place'] === 'ocean' || it['place'] === 'sea'
        ? mapped('waterway', 'water', namesOf(it))
        : mapped('poi', osmPois.get(it['natural']), namesOf(it)),
    buildings: (_, type) => (type === 'polygon' ? mapped('building', 'building') : null),
    roads: (it) =>
      mapped('road', osmRoads.get(it['highway']) ?? osmRoads.get(it['pmap:kind_detail']), {
        ...namesOf(it),
        ...refOf(it['ref']),
        ...flags({
          bridge: it['bridge'],
          tunnel: it['tunnel'],
          link: /_link$/.test(String(it['highway'])),
          oneway: it['oneway'] === 'yes',
        }),
      }),
    transit(it) {
      const crossing = flags({ bridge: it['bridge'], tunnel: it['tunnel'] });
      if (it['aeroway'] !== undefined) return mapped('road', 'aeroway', refOf(it['ref']));
      if (it['route'] === 'ferry') return mapped('road', 'ferry', namesOf(it));
      const rail = osmRails.get(it['railway']);
      return mapped('rail', rail !== undefined && it['service'] !== undefined ? 'service' : rail, crossing);
    },
    boundaries(it) {
      const level = Number(it['pmap:min_admin_level']);
      return mapped('boundary', boundaries.find(([most]) => level <= most)?.[1]);
    },
    places: (it) =>
      mapped('place', osmPlaces.get(it['place']) ?? osmPlaces.get(it['pmap:kind']), {
        ...namesOf(it),
        ...(it['population'] === undefined ? {} : { population: it['population'] }),
        rank: rankOfPopulation(it['population']),
      }),
    pois: (it) =>
      mapped(
        'poi',
        kindAmong(it, ['amenity', 'shop', 'tourism', 'railway', 'aeroway', 'leisure'], osmPois) ??
          (it['shop'] === undefined ? 'other' : 'shop'),
        namesOf(it),
      ),
  },
};
