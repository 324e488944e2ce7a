import { afterEach, expect, it, vi } from 'vitest';
import { createGeofenceDrawing, fetchPathTool } from '../../../../renderer/map/drawing/geofenceDrawing.ts';
import type { GeofenceLayer } from '../../../../renderer/map/geofences/geofenceLayer.ts';
import type { MapStage } from '../../../../renderer/map/mapStage.ts';

afterEach(() => void vi.unstubAllGlobals());

/** A map whose style is not there yet: nothing but its double click may be touched. */
function open() {
  vi.stubGlobal('window', { addEventListener: () => undefined, removeEventListener: () => undefined });
  const waiting: (() => void)[] = [];
  let isReady = false;
  const touched = vi.fn();
  const map = new Proxy(
    { doubleClickZoom: { disable: () => undefined, enable: () => undefined } },
    {
      get(known, name) {
        if (name in known) return known.doubleClickZoom;
        touched(name);
        throw new Error('the style is not loaded');
      },
    },
  );
  const whenReady = (run: () => void): void => {
    if (isReady) run();
    else waiting.push(run);
  };
  const ready = () => {
    isReady = true;
    waiting.splice(0).forEach((run) => run());
  };
  const stage = { map, whenReady, palette: () => ({}) } as unknown as MapStage;
  const onFault = vi.fn();
  const drawing = createGeofenceDrawing(
    stage,
    { hide: () => undefined } as unknown as GeofenceLayer,
    onFault,
  );
  const callbacks = { onChange: vi.fn(), onFinish: vi.fn(), onStep: vi.fn(), onCancel: vi.fn() };
  return { drawing, callbacks, touched, onFault, ready };
}

it.each(['polygon', 'line'] as const)(
  'a %s is drawn as soon as the style of the map is there, and not before',
  async (shape) => {
    const { drawing, callbacks, touched, onFault, ready } = open();
    drawing.draw(shape, callbacks);
    await fetchPathTool();
    await new Promise((done) => setImmediate(done));
    expect(touched).not.toHaveBeenCalled();
    expect(drawing.isActive()).toBe(true);
    ready();
    await vi.waitFor(() => expect(onFault).toHaveBeenCalledOnce());
    expect(touched).toHaveBeenCalled();
  },
);

it('a circle is drawn as soon as the style of the map is there, and none that was left before', () => {
  const { drawing, callbacks, touched, ready } = open();
  drawing.draw('circle', callbacks)();
  drawing.draw('circle', callbacks);
  expect(touched).not.toHaveBeenCalled();
  expect(ready).toThrow('the style is not loaded');
});
