import {
  flags,
  kindsOf,
  mapped,
  namesOf,
  osmGround,
  osmPlaces,
  osmPois,
  osmWaterways,
  refOf,
  type SchemaMapping,
} from './mapping.ts';

const roads = kindsOf('road', {
  motorway: 'motorway',
  trunk: 'trunk',
  primary: 'primary',
  secondary: 'secondary',
  tertiary: 'tertiary',
  minor: 'minor residential unclassified living_street street street_limited',
  service: 'service raceway busway',
  track: 'track',
  path: 'path pedestrian footway cycleway steps bridleway',
  ferry: 'ferry',
});
const rails = kindsOf('rail', { rail: 'rail', subway: 'transit' });
const water = kindsOf('water', {
  ocean: 'ocean',
  lake: 'lake pond',
  river: 'river',
  dock: 'dock',
  pool: 'swimming_pool',
});
const boundaries = new Map<unknown, string>([
  [2, 'country'],
  [4, 'region'],
  [6, 'county'],
]);

/** openmaptiles.org/schema, version 3. */
export const openMapTiles: SchemaMapping = {
  sources: { road: ['transportation_name'], address: ['housenumber'], place: ['place'] },
  landIsImplied: true,
  layers: {
    water: (it) => mapped('water', water.get(it['class']) ?? 'lake'),
    waterway: (it) =>
      mapped('waterway', osmWaterways.get(it['class']), {
        ...namesOf(it),
        ...flags({ tunnel: it['brunnel'] === 'tunnel' }),
      }),
    water_name: (it, type) =>
      type === 'polygon'
        ? null
        : mapped('waterway', osmWaterways.get(it['class']) ?? 'water', {
            ...namesOf(it),
            ...flags({ name_only: type === 'line' }),
          }),
    landcover: (it) => mapped('ground', osmGround.get(it['subclass']) ?? osmGround.get(it['class'])),
    landuse: (it) => mapped('ground', osmGround.get(it['class'])),
    park: (_, type) => (type === 'polygon' ? mapped('ground', 'park') : null),
    building: () => mapped('building', 'building'),
    transportation(it) {
      const kind = String(it['class']);
      const crossing = flags({ bridge: it['brunnel'] === 'bridge', tunnel: it['brunnel'] === 'tunnel' });
      const rail = it['service'] === undefined ? rails.get(kind) : 'service';
      if (rails.has(kind)) return mapped('rail', it['subclass'] === 'tram' ? 'tram' : rail, crossing);
      return mapped('road', roads.get(kind), {
        ...crossing,
        ...flags({ link: it['ramp'], oneway: it['oneway'] === 1 }),
      });
    },
    transportation_name: (it, type) =>
      type === 'line'
        ? mapped('road', roads.get(it['class']), { ...namesOf(it), ...refOf(it['ref']), name_only: true })
        : null,
    aeroway: (it, type) =>
      type === 'line'
        ? mapped('road', 'aeroway', refOf(it['ref']))
        : type === 'polygon'
          ? mapped('ground', 'aerodrome')
          : null,
    boundary: (it) =>
      mapped(
        'boundary',
        boundaries.get(it['admin_level']),
        flags({ disputed: it['disputed'], maritime: it['maritime'] }),
      ),
    place: (it) => mapped('place', osmPlaces.get(it['class']), { ...namesOf(it), rank: rankOf(it['rank']) }),
    poi: (it) =>
      mapped('poi', osmPois.get(it['subclass']) ?? osmPois.get(it['class']) ?? 'other', namesOf(it)),
    aerodrome_label: (it) => mapped('poi', 'airport', namesOf(it)),
    mountain_peak: (it, type) => (type === 'point' ? mapped('poi', 'peak', namesOf(it)) : null),
    housenumber: (it) =>
      it['housenumber'] === undefined
        ? null
        : { layer: 'address', properties: { number: String(it['housenumber']) } },
  },
};

function rankOf(rank: unknown): number {
  return typeof rank === 'number' && rank > 0 ? Math.min(15, rank) : 15;
}
