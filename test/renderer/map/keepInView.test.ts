import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toMercator, worldWidthPx, type LatLon } from '../../../renderer/map/geodesy.ts';
import { keepInView, type View } from '../../../renderer/map/keepInView.ts';

const size = { width: 800, height: 500 };
const view: View = { lat: 48, lon: 12, zoom: 13 };
const maxZoom = 15;

/** Pixels from the middle of a view. */
function seen(place: LatLon, from: View): { x: number; y: number } {
  const [a, b] = [toMercator(place), toMercator(from)];
  const worldPx = worldWidthPx(from.zoom);
  return { x: (((a.x - b.x + 1.5) % 1) - 0.5) * worldPx, y: (a.y - b.y) * worldPx };
}

/** As `keepInView`, where the camera has to move. */
function moved(places: readonly LatLon[], from: View = view): View {
  const to = keepInView(places, from, size, maxZoom);
  if (to === null) throw new Error('the camera stays');
  return to;
}

describe('the camera that follows several vehicles', () => {
  it('the camera stays while all vehicles are well inside the view', () => {
    const places = [
      { lat: 48.01, lon: 11.97 },
      { lat: 47.99, lon: 12.03 },
    ];
    expect(keepInView(places, view, size, maxZoom)).toBeNull();
  });

  it('the camera moves out when one vehicle nears the edge, so that all are away from it', () => {
    const places = [
      { lat: 48, lon: 11.94 },
      { lat: 48, lon: 12.065 },
    ];
    expect(Math.max(...places.map((it) => Math.abs(seen(it, view).x)))).toBeGreaterThan(352);
    const to = moved(places);
    for (const place of places) expect(Math.abs(seen(place, to).x)).toBeCloseTo(240, 0);
  });

  it('the camera comes nearer when the vehicles have come together, but never nearer than it may', () => {
    const together = [
      { lat: 48, lon: 12.0001 },
      { lat: 48, lon: 12.0002 },
    ];
    expect(keepInView(together, view, size, maxZoom)?.zoom).toBe(maxZoom);
    expect(keepInView(together, { ...view, zoom: 15 }, size, maxZoom)).toBeNull();
    expect(keepInView(together, { ...view, zoom: 17 }, size, maxZoom)).toBeNull();
  });

  it('the camera keeps vehicles in view on both sides of the antimeridian', () => {
    const places = [
      { lat: 0, lon: 179.9 },
      { lat: 0, lon: -179.9 },
    ];
    const to = moved(places, { lat: 0, lon: 179, zoom: 9 });
    expect(Math.abs(to.lon)).toBeCloseTo(180, 5);
    for (const place of places) expect(Math.abs(seen(place, to).x)).toBeCloseTo(240, 0);
  });

  it('wherever vehicles are, all are in the view that the camera goes to, and from there it stays', () => {
    const place = fc.record({
      lat: fc.double({ min: -70, max: 70, noNaN: true }),
      lon: fc.double({ min: -60, max: 60, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(place, { minLength: 2, maxLength: 20 }), (places) => {
        const to = keepInView(places, view, size, maxZoom);
        if (to === null) return;
        for (const it of places) {
          const { x, y } = seen(it, to);
          expect(Math.abs(x)).toBeLessThan(size.width / 2);
          expect(Math.abs(y)).toBeLessThan(size.height / 2);
        }
        expect(keepInView(places, to, size, maxZoom)).toBeNull();
      }),
    );
  });
});
