import type { LayerSpecification } from 'maplibre-gl';
import { expect, it } from 'vitest';
import { consoleLayers, styleLayersOf } from '../../../renderer/map/mapLayers.ts';
import { mapPaletteFrom } from '../../../renderer/map/mapPalette.ts';
import { ALL_SHOWN, type ShownLayers } from '../../../renderer/map/shownLayers.ts';

const palette = mapPaletteFrom((token) => `colour of ${token}`);
const layers = consoleLayers({
  describe: () => ({ name: '', detail: null, alarm: null }),
  describeRest: () => '',
  insets: { top: 0, right: 0, bottom: 0, left: 0 },
});
const styleWith = (change: Partial<ShownLayers>, overImagery = false) =>
  styleLayersOf(layers, { palette, language: 'en' }, { ...ALL_SHOWN, ...change }, overImagery);
const hiddenOf = (style: LayerSpecification[]) =>
  style.filter(({ layout }) => layout?.visibility === 'none').map(({ id }) => id);

it('a map of which everything is shown hides no layer', () => {
  expect(hiddenOf(styleWith({}))).toEqual([]);
});

it('labels that are off hide the names of streets and places, and no point of interest, geofence or vehicle', () => {
  const hidden = hiddenOf(styleWith({ labels: false }));
  expect(hidden).toEqual(
    expect.arrayContaining(['label-street-major', 'label-shield', 'label-place', 'places-detail']),
  );
  expect(hidden.filter((id) => /poi|geofence|vehicle|drawing/.test(id))).toEqual([]);
});

it('each other choice hides what it names alone', () => {
  expect(hiddenOf(styleWith({ poi: false }))).toEqual(['poi-name']);
  expect(hiddenOf(styleWith({ trails: false }))).toEqual(['vehicle-trail']);
  expect(hiddenOf(styleWith({ imagery: false }))).toEqual(['imagery']);
});

it('names over imagery have the colour of text and a wide halo, and the ground of shields stays', () => {
  const paintOf = (style: LayerSpecification[], id: string) => style.find((it) => it.id === id)?.paint;
  const plain = styleWith({});
  const hybrid = styleWith({}, true);
  const text = 'colour of --text';
  expect(paintOf(plain, 'label-street-major')).toMatchObject({ 'text-color': 'colour of --m-lab' });
  for (const id of ['label-street-major', 'places-detail', 'poi-name'])
    expect(paintOf(hybrid, id)).toMatchObject({ 'text-color': text, 'text-halo-width': 2.2 });
  expect(paintOf(hybrid, 'label-shield')).toMatchObject({ 'text-color': text, 'text-halo-width': 0 });
  expect(hiddenOf(hybrid)).toEqual(['street-building']);
});

it('what the view of imagery changes is changed back by the plain style', () => {
  const paints = (style: LayerSpecification[]) =>
    new Map(style.map(({ id, paint }) => [id, Object.keys(paint ?? {}).sort()]));
  expect(paints(styleWith({}, true))).toEqual(paints(styleWith({})));
});
