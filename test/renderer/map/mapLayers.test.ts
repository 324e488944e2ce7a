import { expect, it } from 'vitest';
import { consoleLayers, styleOf, vehicles } from '../../../renderer/map/mapLayers.ts';
import { mapPaletteFrom } from '../../../renderer/map/mapPalette.ts';

const options = {
  describe: () => ({ name: '', detail: null, alarm: null }),
  describeRest: () => '',
  insets: { top: 0, right: 0, bottom: 0, left: 0 },
};
const look = { palette: mapPaletteFrom(() => '#000000'), language: 'en' };
const tilesOf = (of: string) => [`tiles://${of}/{z}/{x}/{y}`];
const namesOf = (layers: Parameters<typeof styleOf>[0]) =>
  styleOf(layers, look, tilesOf).layers.map(({ id }) => id);

it('every style layer of the console map draws from a source that its style has', () => {
  const { layers, sources } = styleOf(consoleLayers(options), look, tilesOf);
  expect(layers.filter((it) => 'source' in it && !(it.source in sources))).toEqual([]);
});

it('the console map draws geofences over the ground, names over both, and vehicles over all', () => {
  const names = namesOf(consoleLayers(options));
  const order = ['land-overview', 'geofence-fill', 'places-overview', 'geofence-name', 'drawing-fill', 'dot'];
  const places = [...order, 'vehicle-glyph'].map((id) => names.indexOf(id));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

it('a map that declares vehicles alone has neither sources nor style layers of geofences', () => {
  const { sources } = styleOf({ vehicles: vehicles(options) }, look, tilesOf);
  const names = [...Object.keys(sources), ...namesOf({ vehicles: vehicles(options) })];
  expect(names.filter((name) => /geofence|drawing|^dot/.test(name))).toEqual([]);
});
