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

/** Where a road's detail is left out, as at low zooms. */
const roadClasses = kindsOf('road', {
  motorway: 'highway',
  primary: 'major_road',
  tertiary: 'medium_road',
  minor: 'minor_road',
  path: 'path',
  ferry: 'ferry',
  aeroway: 'aeroway',
});
const boundaries = kindsOf('boundary', {
  country: 'country unrecognized_country',
  region: 'region unrecognized_region',
  county: 'county',
});
const water = kindsOf('water', {
  ocean: 'ocean sea bay strait fjord',
  river: 'river stream canal',
  dock: 'dock basin',
  pool: 'swimming_pool',
});

/** docs.protomaps.com/basemaps/layers, version 4. */
export const protomaps: SchemaMapping = {
  sources: { road: ['roads'], address: ['buildings'], place: ['places'] },
  layers: {
    earth: (it, type) =>
      type === 'polygon'
        ? mapped('land', 'land')
        : type === 'point'
          ? mapped('place', osmPlaces.get(it['kind']), { ...namesOf(it), rank: 12 })
          : null,
    landcover: (it) => mapped('ground', osmGround.get(it['kind'])),
    landuse: (it) => mapped('ground', osmGround.get(it['kind'])),
    water(it, type) {
      if (type === 'polygon')
        return mapped('water', water.get(it['kind_detail']) ?? water.get(it['kind']) ?? 'lake');
      const kind = osmWaterways.get(it['kind']) ?? (type === 'point' ? 'water' : undefined);
      return mapped('waterway', kind, namesOf(it));
    },
    roads(it) {
      const crossing = flags({ bridge: it['is_bridge'], tunnel: it['is_tunnel'] });
      if (it['kind'] === 'rail') {
        const kind = it['service'] === undefined ? (osmRails.get(it['kind_detail']) ?? 'rail') : 'service';
        return mapped('rail', kind, crossing);
      }
      const kind = osmRoads.get(it['kind_detail']) ?? roadClasses.get(it['kind']);
      return mapped('road', kind, {
        ...namesOf(it),
        ...refOf(it['shield_text'] ?? it['ref']),
        ...crossing,
        ...flags({ link: it['is_link'], oneway: it['oneway'] === true || it['oneway'] === 'yes' }),
      });
    },
    transit: (it) =>
      it['kind'] === 'ferry' || it['kind'] === 'aeroway'
        ? mapped('road', it['kind'], namesOf(it))
        : mapped('rail', osmRails.get(it['kind_detail']) ?? osmRails.get(it['kind'])),
    buildings: (it, type) =>
      type === 'point'
        ? it['addr_housenumber'] === undefined
          ? null
          : {
              layer: 'address',
              properties: {
                number: String(it['addr_housenumber']),
                ...(typeof it['addr_street'] === 'string' ? { street: it['addr_street'] } : {}),
              },
            }
        : mapped('building', 'building'),
    boundaries: (it) =>
      mapped(
        'boundary',
        boundaries.get(it['kind']),
        flags({
          disputed: it['disputed'] ?? String(it['kind']).startsWith('unrecognized'),
          maritime: it['maritime'],
        }),
      ),
    places: (it) =>
      mapped('place', osmPlaces.get(it['kind_detail']) ?? osmPlaces.get(it['kind']), {
        ...namesOf(it),
        ...(it['population'] === undefined ? {} : { population: it['population'] }),
        rank:
          typeof it['population_rank'] === 'number'
            ? Math.max(1, Math.min(15, 16 - it['population_rank']))
            : rankOfPopulation(it['population']),
      }),
    pois: (it) => mapped('poi', osmPois.get(it['kind']) ?? 'other', namesOf(it)),
  },
};
