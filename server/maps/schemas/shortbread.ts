import type { Properties } from '../vectorTile.ts';
import {
  flags,
  kindsOf,
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

const water = kindsOf('water', {
  ocean: 'ocean',
  river: 'river canal',
  dock: 'dock basin',
  pool: 'swimming_pool',
});
const boundaries = new Map<unknown, string>([
  [2, 'country'],
  [4, 'region'],
  [6, 'county'],
]);
const names = (it: Properties) => namesOf(it, '_');

const street = (it: Properties) =>
  mapped('road', osmRoads.get(it['kind']), {
    ...names(it),
    ...refOf(it['ref']),
    ...flags({ bridge: it['bridge'], tunnel: it['tunnel'], link: it['link'], oneway: it['oneway'] }),
  });
const ground = (it: Properties) => mapped('ground', osmGround.get(it['kind']));

/** shortbread-tiles.org/schema, version 1. */
export const shortbread: SchemaMapping = {
  sources: { road: ['streets', 'street_labels'], address: ['addresses'], place: ['place_labels'] },
  landIsImplied: true,
  layers: {
    ocean: () => mapped('water', 'ocean'),
    water_polygons: (it) =>
      it['kind'] === 'glacier' ? mapped('ground', 'ice') : mapped('water', water.get(it['kind']) ?? 'lake'),
    water_polygons_labels: (it) => mapped('waterway', 'water', names(it)),
    water_lines: (it) => mapped('waterway', osmWaterways.get(it['kind']), flags({ tunnel: it['tunnel'] })),
    water_lines_labels: (it, type) =>
      mapped('waterway', osmWaterways.get(it['kind']), {
        ...names(it),
        ...flags({ name_only: type === 'line' }),
      }),
    land: ground,
    sites: ground,
    buildings: () => mapped('building', 'building'),
    addresses: (it) =>
      it['housenumber'] === undefined
        ? null
        : { layer: 'address', properties: { number: String(it['housenumber']) } },
    streets(it) {
      if (it['rail'] !== true && !osmRails.has(it['kind'])) return street(it);
      const kind = it['service'] === undefined ? osmRails.get(it['kind']) : 'service';
      return mapped('rail', kind, flags({ bridge: it['bridge'], tunnel: it['tunnel'] }));
    },
    street_labels(it) {
      const label = street(it);
      return label === null ? null : { ...label, properties: { ...label.properties, name_only: true } };
    },
    aerialways: () => null,
    ferries: (it) => mapped('road', 'ferry', names(it)),
    street_polygons: (it) =>
      mapped('ground', /runway|taxiway/.test(String(it['kind'])) ? 'aerodrome' : undefined),
    boundaries: (it) =>
      mapped(
        'boundary',
        boundaries.get(it['admin_level']),
        flags({ disputed: it['disputed'], maritime: it['maritime'] }),
      ),
    boundary_labels: (it) =>
      mapped('place', it['admin_level'] === 2 ? 'country' : 'region', {
        ...names(it),
        rank: it['admin_level'] === 2 ? 1 : 4,
      }),
    place_labels: (it) =>
      mapped('place', osmPlaces.get(String(it['kind']).replace(/^(state_)?capital$/, 'city')), {
        ...names(it),
        ...(it['population'] === undefined ? {} : { population: it['population'] }),
        rank: rankOfPopulation(it['population']),
      }),
    pois(it) {
      const kind = ['amenity', 'shop', 'tourism', 'leisure', 'office'].map((key) => osmPois.get(it[key]));
      return mapped('poi', kind.find((found) => found !== undefined) ?? 'other', names(it));
    },
    public_transport: (it) => mapped('poi', osmPois.get(it['kind']) ?? 'bus', names(it)),
  },
};
