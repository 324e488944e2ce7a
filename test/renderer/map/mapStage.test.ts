import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRepaintHold } from '../../../renderer/map/mapStage.ts';

function setUp() {
  const listeners = new Map<string, (event: unknown) => void>();
  const state = { pictures: 0, placements: 0, uploads: 0, isMoving: false, inputsChanged: false };
  const updatePlacement = () => {
    state.placements += 1;
    return false;
  };
  const triggerRepaint = () => {
    state.pictures += 1;
  };
  const map = {
    triggerRepaint,
    isMoving: () => state.isMoving,
    isStyleLoaded: () => true,
    style: {
      _updatePlacement: updatePlacement,
      _placementInputsChanged: () => state.inputsChanged,
      tileManagers: { vehicles: { prepare: () => (state.uploads += 1) } },
    },
    painter: { context: {} },
    _styleDirty: false,
    _camera: { transform: {} },
    on: (type: string, run: (event: unknown) => void) => listeners.set(type, run),
    off: (type: string) => listeners.delete(type),
  };
  const hold = createRepaintHold(map as never, 'vehicles');
  const fire = (type: string, event: unknown = {}) => listeners.get(type)?.(event);
  return { map, state, hold, fire, listeners };
}

type Setting = ReturnType<typeof setUp>;

describe('the pictures of a map while tiles come', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are one, when all tiles of the source are there', () => {
    const { map, state, hold, fire } = setUp();
    map.triggerRepaint();
    expect(state.pictures).toBe(1);
    hold.hold();
    for (const sourceId of ['vehicles', 'streets']) {
      map.triggerRepaint();
      fire('sourcedata', { sourceId, isSourceLoaded: sourceId === 'streets' });
    }
    fire('sourcedata', { sourceId: 'vehicles', isSourceLoaded: true, sourceDataType: 'metadata' });
    expect(state.pictures).toBe(1);
    fire('sourcedata', { sourceId: 'vehicles', isSourceLoaded: true });
    vi.advanceTimersByTime(1);
    expect(state.pictures).toBe(2);
    map.triggerRepaint();
    expect(state.pictures).toBe(3);
    hold.stop();
  });

  it('have their symbols placed ahead of them, and anew where something changed meanwhile', () => {
    for (const [change, placements] of [
      [() => undefined, 1],
      [(it: Setting) => it.fire('sourcedata', { sourceId: 'streets', isSourceLoaded: true }), 2],
      [(it: Setting) => it.fire('styledata'), 2],
      [(it: Setting) => (it.state.inputsChanged = true), 2],
    ] as const) {
      const setting = setUp();
      const { map, state, hold, fire } = setting;
      hold.hold();
      map.triggerRepaint();
      fire('sourcedata', { sourceId: 'vehicles', isSourceLoaded: true });
      expect([state.placements, state.uploads, state.pictures]).toEqual([1, 0, 0]);
      vi.advanceTimersByTime(1);
      expect([state.placements, state.uploads, state.pictures]).toEqual([1, 1, 1]);
      change(setting);
      map.style._updatePlacement();
      expect(state.placements).toBe(placements);
      // Of the next picture nothing is known.
      map.style._updatePlacement();
      expect(state.placements).toBe(placements + 1);
      hold.stop();
      map.style._updatePlacement();
      expect(state.placements).toBe(placements + 2);
    }
  });

  it('are placed with the picture where the map moves, or its style changes', () => {
    for (const change of [
      ({ state }: Setting) => (state.isMoving = true),
      ({ map }: Setting) => (map._styleDirty = true),
    ]) {
      const setting = setUp();
      setting.hold.hold();
      setting.map.triggerRepaint();
      change(setting);
      setting.fire('sourcedata', { sourceId: 'vehicles', isSourceLoaded: true });
      expect([setting.state.placements, setting.state.pictures]).toEqual([0, 1]);
      setting.hold.stop();
    }
  });

  it('have nothing uploaded ahead of them where a tile comes, or the operator touches the map, after the symbols were placed', () => {
    const { map, state, hold, fire } = setUp();
    hold.hold();
    map.triggerRepaint();
    fire('sourcedata', { sourceId: 'vehicles', isSourceLoaded: true });
    fire('sourcedata', { sourceId: 'vehicles', isSourceLoaded: false });
    vi.advanceTimersByTime(1);
    expect([state.placements, state.uploads, state.pictures]).toEqual([1, 0, 1]);
    hold.hold();
    map.triggerRepaint();
    fire('sourcedata', { sourceId: 'vehicles', isSourceLoaded: true });
    fire('mousedown');
    expect(state.pictures).toBe(2);
    vi.advanceTimersByTime(1_000);
    expect([state.uploads, state.pictures]).toEqual([0, 2]);
    hold.stop();
  });

  it('wait 0.25 s at most, also where the source changes again and again', () => {
    const { map, state, hold } = setUp();
    for (let at = 0; at < 250; at += 50) {
      hold.hold();
      map.triggerRepaint();
      expect(state.pictures).toBe(0);
      vi.advanceTimersByTime(50);
    }
    expect(state.pictures).toBe(1);
    hold.stop();
  });

  it('come at once where the operator touches the map, and while it moves', () => {
    for (const gesture of ['movestart', 'mousedown', 'touchstart', 'wheel']) {
      const { map, state, hold, fire } = setUp();
      hold.hold();
      map.triggerRepaint();
      fire(gesture);
      expect([gesture, state.pictures]).toEqual([gesture, 1]);
      hold.hold();
      state.isMoving = true;
      map.triggerRepaint();
      expect([gesture, state.pictures]).toEqual([gesture, 2]);
      hold.stop();
    }
  });

  it('are none where nothing changed, and those of the map itself after its end', () => {
    const { map, state, hold, listeners } = setUp();
    hold.hold();
    vi.advanceTimersByTime(1_000);
    expect(state.pictures).toBe(0);
    hold.hold();
    map.triggerRepaint();
    hold.stop();
    expect(state.pictures).toBe(1);
    map.triggerRepaint();
    expect(state.pictures).toBe(2);
    expect(listeners.size).toBe(0);
  });
});
