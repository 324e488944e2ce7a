/**
 * The vocabulary in which the host hands out street maps, whatever schema a file has: the layers of its vector tiles and
 * what their features bear. The cartography, reverse geocoding and the address search know these words alone.
 *
 * Names are properties `name` (as people there call it) and `name:xx` for each of `mapLanguages`. `name:drawn` stands in
 * for a `name` whose script the map cannot draw: in Latin letters, or empty.
 */
export const tileLayers = {
  /** Dry ground. Polygons. */
  land: [],
  /** What covers the ground. Polygons with `kind`. */
  ground: [
    'wood',
    'grass',
    'park',
    'farmland',
    'sand',
    'rock',
    'ice',
    'wetland',
    'cemetery',
    'residential',
    'industrial',
    'commercial',
    'pitch',
    'aerodrome',
    'hospital',
    'school',
  ],
  /** Polygons with `kind`. */
  water: ['ocean', 'lake', 'river', 'dock', 'pool'],
  /** Lines with `kind`, and points of water with a name. */
  waterway: ['river', 'canal', 'stream', 'water'],
  /** Polygons. */
  building: [],
  /**
   * Lines with `kind`; `ref`, `bridge`, `tunnel`, `link`, `oneway` where they are so (true). `name_only` (true): the
   * same road stands once more without its name, which some schemas keep apart; it is for labels, not to be drawn.
   */
  road: [
    'motorway',
    'trunk',
    'primary',
    'secondary',
    'tertiary',
    'minor',
    'service',
    'track',
    'path',
    'ferry',
    'aeroway',
  ],
  /** Lines with `kind`; `bridge`, `tunnel`. */
  rail: ['rail', 'tram', 'subway', 'service'],
  /** Lines with `kind`; `disputed`, `maritime` where they are so (true). */
  boundary: ['country', 'region', 'county'],
  /** Points with `kind` and names; `rank` from 1, the most important; `population` where it is known. */
  place: [
    'country',
    'region',
    'city',
    'town',
    'village',
    'hamlet',
    'suburb',
    'neighbourhood',
    'locality',
    'island',
  ],
  /** Points with `kind` and names. */
  poi: [
    'fuel',
    'charging',
    'parking',
    'hospital',
    'police',
    'fire',
    'school',
    'shop',
    'food',
    'lodging',
    'bank',
    'station',
    'bus',
    'airport',
    'harbour',
    'sight',
    'peak',
    'office',
    'industry',
    'other',
  ],
  /** Points with `number`, and `street` where the tile knows it. */
  address: [],
} as const;

export type TileLayer = keyof typeof tileLayers;
export type KindOf<L extends TileLayer> = (typeof tileLayers)[L][number];

/** Languages of names that tiles bear beside the local one (ISO 639-1); `latin`: in Latin letters. */
export const mapLanguages = ['en', 'de', 'es', 'fr', 'pt', 'ru', 'zh', 'latin'] as const;

/** Layers in the order in which tiles bear them. */
export const tileLayerNames = Object.keys(tileLayers) as TileLayer[];

/** Coordinates in a tile run from 0 to this over its side. */
export const tileExtent = 4_096;

/** Below, the world map alone is drawn; above the highest, tiles are enlarged. */
export const streetMapMinZoom = 6;
export const streetMapMaxZoom = 16;
