import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRepaintHold } from '../../../renderer/map/mapStage.ts';

function setUp() {
  const listeners = new Map<string, (event: unknown) => void>();
  const state = { pictures: 0, isMoving: false };
  const triggerRepaint = () => {
    state.pictures += 1;
  };
  const map = {
    triggerRepaint,
    isMoving: () => state.isMoving,
    on: (type: string, run: (event: unknown) => void) => listeners.set(type, run),
    off: (type: string) => listeners.delete(type),
  };
  const hold = createRepaintHold(map as never, 'vehicles');
  const fire = (type: string, event: unknown = {}) => listeners.get(type)?.(event);
  return { map, state, hold, fire, listeners };
}

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
    expect(state.pictures).toBe(2);
    map.triggerRepaint();
    expect(state.pictures).toBe(3);
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
