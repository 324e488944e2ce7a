import { describe, expect, it } from 'vitest';
import { createMapControl } from '../../../renderer/live/liveView.ts';
import type { ConsoleMap } from '../../../renderer/map/consoleMap.ts';

const createMap = (drawing = { isActive: () => false }) => ({ drawing }) as ConsoleMap;

describe('the maps that are shown', () => {
  it('the current one of the maps is the first until another is touched', () => {
    const control = createMapControl();
    const [first, second] = [createMap(), createMap()];
    expect(control.current()).toBeNull();
    control.attach(first);
    control.attach(second);
    expect(control.current()).toBe(first);
    control.touch(second);
    expect(control.current()).toBe(second);
    expect(control.store.getState().maps).toEqual([second, first]);
  });

  it('the current one of the maps is the one that is left when the other is closed', () => {
    const control = createMapControl();
    const [first, second] = [createMap(), createMap()];
    const closeFirst = control.attach(first);
    const closeSecond = control.attach(second);
    control.touch(second);
    closeSecond();
    expect(control.current()).toBe(first);
    control.touch(second);
    expect(control.store.getState().maps).toEqual([first]);
    closeFirst();
    expect(control.current()).toBeNull();
  });

  it('drawing stays on the map that it was begun on, while another map is the current one', () => {
    const control = createMapControl();
    let isDrawing = true;
    const [first, second] = [createMap({ isActive: () => isDrawing }), createMap()];
    control.attach(first);
    control.attach(second);
    control.touch(second);
    expect(control.drawing()).toBe(first);
    expect(control.current()).toBe(second);
    isDrawing = false;
    expect(control.drawing()).toBe(second);
  });

  it('a touch of the map that is the current one already is no news', () => {
    const control = createMapControl();
    const only = createMap();
    control.attach(only);
    let calls = 0;
    control.store.subscribe(() => (calls += 1));
    control.touch(only);
    expect(calls).toBe(0);
  });
});
