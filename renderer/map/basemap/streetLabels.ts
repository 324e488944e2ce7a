import type { ExpressionSpecification, LayerSpecification, SymbolLayerSpecification } from 'maplibre-gl';
import { mapLanguages, type KindOf, type TileLayer } from '../../../server/contract/mapLayers.ts';
import { MEDIUM, REGULAR, SEMIBOLD } from '../mapFonts.ts';
import type { MapPalette } from '../mapPalette.ts';
import { among, byKind, isLine, layerOf } from './streetExpressions.ts';

/** The shield that is widened to the number of a road. */
export const SHIELD_IMAGE = 'road-shield';
/** Stands at a point of interest, over its name. */
export const POI_IMAGE = 'poi-dot';

/** The zooms at which points of interest appear: what a dispatcher sends a vehicle to, before shops and sights. */
const POI_ZOOMS: readonly (readonly [zoom: number, kinds: readonly KindOf<'poi'>[]])[] = [
  [14, ['hospital', 'airport', 'station', 'harbour', 'peak']],
  [16, ['police', 'fire', 'fuel', 'charging', 'industry']],
  [17, ['school', 'office', 'sight', 'lodging', 'bank']],
  [18, ['shop', 'food']],
];

/**
 * Names and numbers, the most important last: MapLibre places from the top down.
 *
 * @param language of the console (BCP 47)
 */
export function streetLabelLayers(palette: MapPalette, language: string): LayerSpecification[] {
  const name = nameIn(language);
  const label = (
    id: string,
    layer: TileLayer,
    more: Partial<SymbolLayerSpecification>,
  ): SymbolLayerSpecification => ({
    id,
    type: 'symbol',
    ...layerOf(layer),
    ...more,
    layout: { 'text-field': name, 'text-font': REGULAR, 'text-size': 11, 'text-padding': 4, ...more.layout },
    paint: {
      'text-color': palette.label,
      'text-halo-color': palette.land,
      'text-halo-width': 1.4,
      ...more.paint,
    },
  });
  const along: SymbolLayerSpecification['layout'] = {
    'symbol-placement': 'line',
    'symbol-spacing': 320,
    'text-max-angle': 40,
  };
  const water = { 'text-color': palette.waterLabel, 'text-halo-color': palette.water };
  return [
    label('label-address', 'address', {
      minzoom: 17,
      layout: { 'text-field': ['get', 'number'], 'text-size': 10, 'text-padding': 2 },
    }),
    label('poi-name', 'poi', {
      minzoom: POI_ZOOMS[0]?.[0] ?? 0,
      filter: ['all', ['has', 'name'], isShownPoi()],
      layout: {
        'icon-image': POI_IMAGE,
        'text-size': 10,
        'text-anchor': 'top',
        'text-offset': [0, 0.4],
        'text-max-width': 8,
        'text-optional': false,
        'symbol-sort-key': byKind(
          Object.fromEntries(POI_ZOOMS.flatMap(([zoom, kinds]) => kinds.map((kind) => [kind, zoom]))),
          99,
        ),
      },
    }),
    label('label-waterway', 'waterway', {
      minzoom: 11,
      filter: ['all', isLine, ['has', 'name'], ['any', ['!', among('stream')], ['>=', ['zoom'], 14]]],
      layout: { ...along, 'text-letter-spacing': 0.06, 'text-max-angle': 60 },
      paint: {
        ...water,
        // What is narrower than its letters has them over the land.
        'text-halo-color': [
          'step',
          ['zoom'],
          palette.land,
          14,
          byKind({ river: palette.water, canal: palette.water }, palette.land),
        ],
      },
    }),
    label('label-street-minor', 'road', {
      minzoom: 15,
      filter: ['all', isLine, ['has', 'name'], among('minor', 'service', 'track', 'path')],
      layout: along,
    }),
    label('label-street-major', 'road', {
      minzoom: 13,
      filter: [
        'all',
        isLine,
        ['has', 'name'],
        among('motorway', 'trunk', 'primary', 'secondary', 'tertiary'),
      ],
      layout: along,
    }),
    label('label-shield', 'road', {
      minzoom: 9,
      filter: [
        'all',
        isLine,
        ['has', 'ref'],
        ['any', among('motorway', 'trunk'), ['all', among('primary', 'secondary'), ['>=', ['zoom'], 11]]],
      ],
      layout: {
        'symbol-placement': 'line',
        'symbol-spacing': 380,
        'icon-image': SHIELD_IMAGE,
        'icon-text-fit': 'both',
        'icon-text-fit-padding': [1, 4, 1, 4],
        'icon-rotation-alignment': 'viewport',
        'text-rotation-alignment': 'viewport',
        'text-field': ['get', 'ref'],
        'text-font': SEMIBOLD,
        'text-size': 10,
        'symbol-sort-key': byKind({ motorway: 0, trunk: 1, primary: 2 }, 3),
      },
      paint: { 'text-halo-width': 0 },
    }),
    label('label-water', 'waterway', {
      filter: ['all', ['!', isLine], ['has', 'name']],
      layout: { 'text-font': MEDIUM, 'text-size': 12, 'text-letter-spacing': 0.1, 'text-max-width': 7 },
      paint: water,
    }),
    label('label-place-small', 'place', {
      minzoom: 11,
      maxzoom: 17,
      filter: among('hamlet', 'suburb', 'neighbourhood', 'locality', 'island'),
      layout: {
        'text-size': byKind({ suburb: 12, island: 12 }, 11),
        'text-letter-spacing': byKind({ suburb: 0.04, neighbourhood: 0.04 }, 0),
        'text-max-width': 7,
        'symbol-sort-key': ['coalesce', ['get', 'rank'], 15],
      },
    }),
    label('label-place', 'place', {
      // Closer up the name of a town stands among its houses as if it were that of one.
      maxzoom: 16,
      filter: [
        'all',
        among('city', 'town', 'village', 'region', 'country'),
        ['any', among('city', 'region', 'country'), ['>=', ['zoom'], 8]],
        ['any', ['!', among('village')], ['>=', ['zoom'], 11]],
        ['any', ['!', among('region', 'country')], ['<', ['zoom'], 9]],
      ],
      layout: {
        'text-font': ['case', among('city', 'country'), ['literal', MEDIUM], ['literal', REGULAR]],
        'text-size': [
          'interpolate',
          ['linear'],
          ['zoom'],
          ...[6, byKind({ city: 12, country: 14 }, 11)],
          ...[14, byKind({ city: 18, town: 16, country: 18 }, 13)],
        ] as unknown as ExpressionSpecification,
        'text-max-width': 8,
        'text-padding': 6,
        'symbol-sort-key': ['coalesce', ['get', 'rank'], 15],
      },
      paint: { 'text-color': palette.label, 'text-halo-width': 1.8 },
    }),
  ];
}

/** In the console's language, else as people there call it; not in a script that the map cannot draw. */
function nameIn(language: string): ExpressionSpecification {
  const [base = ''] = language.toLowerCase().split(/[-_]/);
  const own = (mapLanguages as readonly string[]).includes(base) ? [['get', `name:${base}`]] : [];
  return [
    'coalesce',
    ...own,
    ['get', 'name:drawn'],
    ['get', 'name'],
    '',
  ] as unknown as ExpressionSpecification;
}

function isShownPoi(): ExpressionSpecification {
  const steps = POI_ZOOMS.map(([zoom], at): [number, ExpressionSpecification] => [
    zoom,
    among(...POI_ZOOMS.slice(0, at + 1).flatMap(([, kinds]) => kinds)),
  ]);
  return ['step', ['zoom'], false, ...steps.flat()] as unknown as ExpressionSpecification;
}
