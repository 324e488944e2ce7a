import { mapLanguages, type KindOf, type TileLayer } from '../../contract/mapLayers.ts';
import type { GeometryType, Properties } from '../vectorTile.ts';

/** A feature in our words; its shape stays. */
export interface Mapped {
  layer: TileLayer;
  properties: Properties;
}

/** What addresses are made of. */
export type AddressLayer = Extract<TileLayer, 'road' | 'address' | 'place'>;

/** What each layer of a schema becomes; null for features that are not drawn. Layers that are left out are not, either. */
export interface SchemaMapping {
  layers: Readonly<Record<string, (source: Properties, type: GeometryType) => Mapped | null>>;
  /** The layers of the schema in which streets with names, house numbers and places stand; others need not be read for them. */
  sources: Readonly<Record<AddressLayer, readonly string[]>>;
  /** The schema has no polygons of dry ground: what is not water is land. */
  landIsImplied?: true;
}

/** From our kinds, each with the words of a schema that it stands for, to a lookup by those words. */
export function kindsOf<L extends TileLayer>(
  _layer: L,
  words: Partial<Record<KindOf<L>, string>>,
): ReadonlyMap<unknown, string> {
  const entries = Object.entries(words as Record<string, string>);
  return new Map(entries.flatMap(([kind, list]) => list.split(' ').map((word) => [word, kind] as const)));
}

export function mapped(layer: TileLayer, kind: string | undefined, more: Properties = {}): Mapped | null {
  return kind === undefined ? null : { layer, properties: { kind, ...more } };
}

/**
 * Scripts whose letters change with their neighbours, and of which the console brings no font: Indic ones but Devanagari,
 * Khmer, Burmese, Tibetan.
 */
const needsShaping = /[\u0980-\u0DFF\u0F00-\u109F\u1780-\u17FF]/;

/** `name` and the names by language; `separator` stands between `name` and the language in the schema. */
export function namesOf(source: Properties, separator = ':'): Properties {
  const names: Properties = {};
  for (const language of mapLanguages) {
    const name = source[`name${separator}${language}`];
    if (typeof name === 'string' && name !== '') names[`name:${language}`] = name;
  }
  const local = source['name'] ?? names['name:latin'] ?? names['name:en'];
  if (typeof local === 'string' && local !== '') {
    const others = Object.entries(names).filter(([, name]) => name !== local);
    const drawn = needsShaping.test(local)
      ? { 'name:drawn': names['name:latin'] ?? names['name:en'] ?? '' }
      : {};
    return { name: local, ...Object.fromEntries(others), ...drawn };
  }
  return names;
}

/** Those of the given properties that are so. */
export function flags(given: Record<string, unknown>): Properties {
  const isSo = (value: unknown): boolean =>
    value !== undefined && value !== null && value !== '' && !unset.has(value);
  return Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => (isSo(value) ? [[key, true]] : [])),
  );
}
const unset = new Set<unknown>([false, 0, 'no', 'false', '0']);

/** The number of a road as its shield shows it: of several, by semicolons or line by line, the first. */
export function refOf(ref: unknown): Properties {
  const first = typeof ref === 'string' ? (ref.split(/[;\n]/)[0]?.trim() ?? '') : '';
  return first === '' || first.length > 10 || /^fixme$/i.test(first) ? {} : { ref: first };
}

/** From 1, the most important, to 15. */
export function rankOfPopulation(population: unknown): number {
  const inhabitants = Number(population);
  if (!(inhabitants > 0)) return 15;
  return Math.max(1, Math.min(15, Math.round(16 - 2 * Math.log10(inhabitants))));
}

/** OpenStreetMap's own words (wiki.openstreetmap.org/wiki/Map_features), which several schemas hand on. */
export const osmRoads = kindsOf('road', {
  motorway: 'motorway motorway_link',
  trunk: 'trunk trunk_link',
  primary: 'primary primary_link',
  secondary: 'secondary secondary_link',
  tertiary: 'tertiary tertiary_link',
  minor: 'unclassified residential living_street pedestrian road',
  service: 'service rest_area services raceway busway bus_guideway',
  aeroway: 'runway taxiway',
  track: 'track',
  path: 'path footway cycleway bridleway steps corridor crossing',
});
export const osmRails = kindsOf('rail', {
  rail: 'rail narrow_gauge light_rail monorail funicular preserved',
  tram: 'tram',
  subway: 'subway',
});
export const osmWaterways = kindsOf('waterway', {
  river: 'river',
  canal: 'canal',
  stream: 'stream ditch drain',
});
export const osmPlaces = kindsOf('place', {
  country: 'country',
  region: 'state province region',
  city: 'city',
  town: 'town',
  village: 'village',
  hamlet: 'hamlet isolated_dwelling farm',
  suburb: 'suburb borough quarter district macrohood',
  neighbourhood: 'neighbourhood',
  locality: 'locality',
  island: 'island islet',
});
export const osmGround = kindsOf('ground', {
  wood: 'wood forest tree_row',
  grass: 'grass grassland meadow heath scrub village_green greenfield greenery golf_course',
  park: 'park garden recreation_ground dog_park playground miniature_golf common national_park nature_reserve protected_area zoo theme_park attraction',
  farmland: 'farmland farm orchard vineyard allotments plant_nursery greenhouse_horticulture farmyard',
  sand: 'sand beach dune',
  rock: 'bare_rock rock scree shingle barren',
  ice: 'glacier ice',
  wetland: 'wetland marsh swamp bog string_bog wet_meadow',
  cemetery: 'cemetery grave_yard',
  residential: 'residential garages urban_area',
  industrial:
    'industrial construction railway quarry landfill brownfield port military naval_base airfield danger_area',
  commercial: 'commercial retail parking',
  pitch: 'pitch stadium sports_center sports_centre track swimming_area',
  aerodrome: 'aerodrome runway taxiway apron helipad',
  hospital: 'hospital',
  school: 'school university college kindergarten library education',
});
export const osmPois = kindsOf('poi', {
  fuel: 'fuel',
  charging: 'charging_station',
  parking: 'parking bicycle_parking motorcycle_parking car_parking',
  hospital: 'hospital clinic',
  police: 'police',
  fire: 'fire_station',
  school: 'school university college kindergarten library',
  shop: 'shop pharmacy supermarket convenience mall department_store grocery car car_repair clothes clothing_store bakery butcher hairdresser marketplace',
  food: 'restaurant cafe bar fast_food pub biergarten food_court ice_cream beer',
  lodging:
    'lodging hotel hostel guest_house motel chalet apartment camp_site campsite caravan_site alpine_hut',
  bank: 'bank atm',
  station: 'station train_station railway halt',
  bus: 'bus bus_stop bus_station tram_stop stop',
  airport: 'aerodrome airport airfield heliport',
  harbour: 'harbour ferry_terminal marina port',
  sight:
    'attraction museum viewpoint castle monument memorial artwork theatre cinema place_of_worship art_gallery gallery zoo stadium park theme_park',
  peak: 'peak volcano saddle',
  office:
    'doctors dentist veterinary townhall town_hall government office post post_office courthouse embassy',
  industry: 'industrial works warehouse depot',
});
