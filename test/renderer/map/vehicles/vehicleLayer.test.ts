import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MapStage } from '../../../../renderer/map/mapStage.ts';
import { createVehicleLayer } from '../../../../renderer/map/vehicles/vehicleLayer.ts';
import { createFakeFrames } from '../../fakeFrames.ts';

/** A canvas on which nothing is seen: the layer draws its glyphs there before all else. */
class EmptyCanvas {
  getContext() {
    const ignore = () => undefined;
    return {
      ...{ scale: ignore, translate: ignore, fill: ignore, stroke: ignore, setLineDash: ignore },
      getImageData: (_x: number, _y: number, width: number, height: number) => ({
        data: new Uint8ClampedArray(width * height * 4),
      }),
    };
  }
}

/** A layer on a map that only keeps how many dots of trails its source was set to. */
function setUp() {
  const sets: number[] = [];
  const source = {
    setData(data: GeoJSON.FeatureCollection) {
      sets.push(data.features.length);
      return Promise.resolve();
    },
    updateData: () => Promise.resolve(),
  };
  const map = {
    getSource: () => source,
    getZoom: () => 12,
    on: () => undefined,
    off: () => undefined,
    addImage: () => undefined,
  };
  const stage = { map, whenReady: (run: () => void) => run(), onPalette: () => () => undefined };
  return { layer: createVehicleLayer(stage as unknown as MapStage, () => undefined), sets };
}

const dots = [
  { lat: 52, lon: 13, overLimit: false },
  { lat: 52, lon: 13.001, overLimit: true },
];

describe('the trails on the map', () => {
  const frames = createFakeFrames();
  beforeEach(() => {
    vi.stubGlobal('window', { devicePixelRatio: 1 });
    vi.stubGlobal('OffscreenCanvas', EmptyCanvas);
    vi.stubGlobal('Path2D', Object);
    vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.next(run));
    vi.stubGlobal('cancelAnimationFrame', () => undefined);
  });
  afterEach(() => void vi.unstubAllGlobals());

  it('of 100 vehicles that move in one frame set the source once', () => {
    const { layer, sets } = setUp();
    for (let id = 0; id < 100; id++) layer.setTrail(`v${id}`, dots);
    frames.draw();
    expect(sets).toEqual([200]);
    frames.draw();
    expect(sets).toHaveLength(1);
    for (let id = 0; id < 100; id++) layer.setTrail(`v${id}`, []);
    frames.draw();
    expect(sets).toEqual([200, 0]);
    layer.stop();
  });
});
