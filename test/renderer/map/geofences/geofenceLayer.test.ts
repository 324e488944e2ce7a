import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createGeofenceLayer } from '../../../../renderer/map/geofences/geofenceLayer.ts';
import type { MapGeofence } from '../../../../renderer/map/geofences/geofenceShapes.ts';
import type { MapStage } from '../../../../renderer/map/mapStage.ts';
import { createFakeFrames } from '../../fakeFrames.ts';

/** A layer on a map that only counts what its sources are sent. */
function setUp() {
  const sent: { features: number }[] = [];
  const faults: string[] = [];
  const source = {
    setData: (data: GeoJSON.FeatureCollection) => take(data.features.length),
    updateData: (diff: { add: []; remove: []; update: [] }) =>
      take(diff.add.length + diff.remove.length + diff.update.length),
  };
  const take = (features: number) => {
    sent.push({ features });
    return Promise.resolve();
  };
  const stage = { map: { getSource: () => source }, whenReady: (run: () => void) => run() };
  const layer = createGeofenceLayer(stage as unknown as MapStage, (error) => faults.push(error.message));
  return { layer, sent, faults };
}

let reads = 0;
/** A geofence that counts how often its shape is looked at. */
const circle = (id: number, version = 1, radius_m = 100): MapGeofence => ({
  ...{ id: `g${id}`, version, name: `Yard ${id}`, shape: 'circle', radius_m, color: '#336699' },
  get geometry(): GeoJSON.Point {
    reads += 1;
    return { type: 'Point', coordinates: [13 + id / 1_000, 52] };
  },
});
const yards = (count: number) => Array.from({ length: count }, (_, id) => circle(id));

describe('the geofences on the map', () => {
  const frames = createFakeFrames();
  beforeEach(() => {
    vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.next(run));
    reads = 0;
  });
  afterEach(() => void vi.unstubAllGlobals());

  it('have their areas and labels computed once per version, however often all are set', () => {
    const { layer } = setUp();
    layer.set(yards(5_000));
    frames.draw();
    const first = reads;
    expect(first).toBeLessThanOrEqual(3 * 5_000);
    for (let message = 0; message < 20; message++) layer.set([...yards(4_999), circle(4_999)]);
    layer.select('g1');
    layer.showColours(true);
    frames.draw();
    expect(reads).toBe(first);
    layer.set([...yards(4_999), circle(4_999, 2)]);
    frames.draw();
    expect(reads - first).toBeLessThanOrEqual(3);
  });

  it('are drawn once a frame, and only what changed is sent', () => {
    const { layer, sent } = setUp();
    for (let message = 1; message <= 100; message++) layer.set(yards(message));
    layer.select('g5');
    frames.draw();
    expect(sent).toEqual([{ features: 100 }, { features: 100 }]);
    sent.length = 0;
    layer.set([...yards(99), circle(99, 2, 250)]);
    frames.draw();
    expect(sent).toEqual([{ features: 1 }, { features: 1 }]);
    sent.length = 0;
    layer.select('g6');
    layer.hide('g7');
    layer.set(yards(99));
    frames.draw();
    // The outlines of g5 and g6 change their colour; g7 and g99 go, with their labels.
    expect(sent).toEqual([{ features: 4 }, { features: 2 }]);
  });

  it('report one that cannot be drawn once per version, and draw the others', () => {
    const { layer, sent, faults } = setUp();
    for (let message = 0; message < 3; message++) layer.set([circle(1), circle(2, 1, 0)]);
    frames.draw();
    expect(faults).toHaveLength(1);
    expect(sent).toEqual([{ features: 1 }, { features: 1 }]);
  });
});
