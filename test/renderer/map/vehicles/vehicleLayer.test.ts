import type { GeoJSONSourceDiff } from 'maplibre-gl';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MapStage } from '../../../../renderer/map/mapStage.ts';
import { createVehicleLayer } from '../../../../renderer/map/vehicles/vehicleLayer.ts';
import type { MapVehicle } from '../../../../renderer/map/vehicles/vehicleFeatures.ts';
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

/** A layer on a map that keeps how many dots of trails its source was set to, and the ids of what changed. */
function setUp(zoom = 14) {
  const sets: number[] = [];
  const changes: string[][] = [];
  const listeners = new Map<string, () => void>();
  const source = {
    setData(data: GeoJSON.FeatureCollection) {
      sets.push(data.features.length);
      return Promise.resolve();
    },
    updateData({ add = [], update = [] }: GeoJSONSourceDiff) {
      changes.push([...add, ...update].map(({ id }) => String(id)));
      return Promise.resolve();
    },
  };
  const map = {
    getSource: () => source,
    getZoom: () => zoom,
    getCenter: () => ({ lat: 50, lng: 0 }),
    isMoving: () => false,
    triggerRepaint: () => undefined,
    style: { _updatePlacement: () => false },
    on: (type: string, run: () => void) => listeners.set(type, run),
    off: (type: string) => listeners.delete(type),
    addImage: () => undefined,
  };
  const fire = (type: string) => listeners.get(type)?.();
  const whenReady = (run: () => void) => run();
  const palette = () => new Proxy({}, { get: () => '#000000' });
  const stage = { map, whenReady, palette, onPalette: () => () => undefined };
  return { layer: createVehicleLayer(stage as unknown as MapStage, () => undefined), sets, changes, fire };
}

const dots = [
  { lat: 52, lon: 13, overLimit: false },
  { lat: 52, lon: 13.001, overLimit: true },
];

const vehicleAt = (id: string, lon: number): MapVehicle => ({
  ...{ id, name: id, lat: 50, lon, course_deg: null, speed_kmh: 0, state: 'idle' },
  ...{ severity: null, acknowledged: false, label: null, stale: false },
});

describe('the vehicles on the map', () => {
  const frames = createFakeFrames();
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    vi.stubGlobal('window', { devicePixelRatio: 1 });
    vi.stubGlobal('OffscreenCanvas', EmptyCanvas);
    vi.stubGlobal('Path2D', Object);
    vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.next(run));
    vi.stubGlobal('cancelAnimationFrame', () => undefined);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it('the trails of 100 vehicles that move in one frame set the source once', () => {
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

  /** So many vehicles, too far apart for clusters, after they were drawn. */
  function drawn(count: number, zoom?: number) {
    const { layer, changes, fire } = setUp(zoom);
    const vehicles = Array.from({ length: count }, (_, at) => vehicleAt(`v${at}`, -170 + at / 10));
    layer.update({ changed: vehicles, removed: [] });
    for (let at = 0; at < 3; at++) {
      frames.draw();
      vi.advanceTimersByTime(3_000);
    }
    frames.draw();
    expect(changes.flat()).toHaveLength(count);
    changes.length = 0;
    const move = (id: string) => layer.update({ changed: [vehicleAt(id, 0.5)], removed: [] });
    return { layer, changes, fire, move };
  }

  it('the vehicles that can be distinguished in a view stand alone in it, or have a trail there', () => {
    const { layer } = setUp();
    const parked = ['a', 'b', 'c', 'd'].map((id) => vehicleAt(id, 13 + id.charCodeAt(0) / 1e6));
    const others = [vehicleAt('alone', 13.05), vehicleAt('far', 20), vehicleAt('away', 30)];
    layer.update({ changed: [...parked, ...others], removed: [] });
    layer.setTrail('away', [{ lat: 50, lon: 13.04, overLimit: false }]);
    frames.draw();
    vi.advanceTimersByTime(1_000);
    frames.draw();
    const view = { lat: 50, lon: 13.05, zoom: 12 };
    expect(layer.seenIn(view, { width: 1_000, height: 800 })).toEqual(['alone', 'away']);
    layer.select('b');
    expect(layer.seenIn(view, { width: 1_000, height: 800 })).toEqual(['b', 'alone', 'away']);
    layer.stop();
  });

  it('a move of one vehicle of a small fleet is drawn in the next frame', () => {
    const { layer, changes, move } = drawn(1_000);
    move('v1');
    frames.draw();
    expect(changes).toEqual([['vehicle:v1']]);
    layer.stop();
  });

  it('moves of more than 1,000 vehicles are drawn together once a second, that of the selected one at once', () => {
    const { layer, changes, move } = drawn(1_001);
    layer.select('v7');
    frames.draw();
    changes.length = 0;
    move('v1');
    frames.draw();
    move('v2');
    frames.draw();
    expect(changes).toEqual([]);
    vi.advanceTimersByTime(1_000);
    frames.draw();
    expect(changes).toEqual([['vehicle:v1', 'vehicle:v2']]);
    move('v7');
    frames.draw();
    expect(changes.at(-1)).toEqual(['vehicle:v7']);
    layer.stop();
  });

  it('seen from afar they wait until a quick one may have moved 3 pixels, and 3 s at the most', () => {
    // 12.3 m to a pixel at 50 degrees, at 28 m/s; then 98 m.
    for (const [zoom, pauseMs] of [
      [12, 1_315],
      [9, 3_000],
    ] as const) {
      const { layer, changes, move } = drawn(1_001, zoom);
      vi.advanceTimersByTime(3_000);
      move('v1');
      vi.advanceTimersByTime(0);
      frames.draw();
      expect(changes.splice(0)).toEqual([['vehicle:v1']]);
      move('v2');
      vi.advanceTimersByTime(pauseMs - 5);
      frames.draw();
      expect(changes).toEqual([]);
      vi.advanceTimersByTime(5);
      frames.draw();
      expect(changes).toEqual([['vehicle:v2']]);
      layer.stop();
    }
  });

  it('where the map takes 0.8 s to draw more than 1,000 vehicles, they are drawn every 1.6 s, and after 3 s at the latest', () => {
    const { layer, changes, fire, move } = drawn(1_001);
    /** Moves one, and draws `early` ms before it is due, and then. */
    const drawnAfter = (id: string, ms: number) => {
      move(id);
      vi.advanceTimersByTime(ms - 100);
      frames.draw();
      expect(changes).toEqual([]);
      vi.advanceTimersByTime(100);
      frames.draw();
      expect(changes.splice(0)).toEqual([[`vehicle:${id}`]]);
    };
    vi.advanceTimersByTime(60_000);
    fire('idle');
    move('v1');
    vi.advanceTimersByTime(0);
    frames.draw();
    changes.length = 0;
    // What is drawn while the operator moves the map says nothing of how long it takes.
    fire('movestart');
    drawnAfter('v2', 3_000);
    vi.advanceTimersByTime(800);
    fire('idle');
    drawnAfter('v3', 800);
    layer.stop();
  });
});
