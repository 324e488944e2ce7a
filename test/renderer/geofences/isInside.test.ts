import { describe, expect, it } from 'vitest';
import { isInside } from '../../../renderer/geofences/insideWatch.ts';

const none = { radius_m: null, width_m: null };
const square = [
  [
    [13, 52],
    [14, 52],
    [14, 53],
    [13, 53],
    [13, 52],
  ],
] as [number, number][][];
const hole = [
  [13.4, 52.4],
  [13.6, 52.4],
  [13.6, 52.6],
  [13.4, 52.6],
  [13.4, 52.4],
] as [number, number][];

describe('the test whether a point lies in a geofence', () => {
  it('the test whether a point lies in a geofence knows polygons and their holes', () => {
    const geometry = { type: 'Polygon' as const, coordinates: [...square, hole] };
    expect(isInside({ ...none, geometry }, 52.1, 13.5)).toBe(true);
    expect(isInside({ ...none, geometry }, 52.5, 13.5)).toBe(false);
    expect(isInside({ ...none, geometry }, 51.9, 13.5)).toBe(false);
    expect(isInside({ ...none, geometry: { type: 'MultiPolygon', coordinates: [square] } }, 52.5, 13.5)).toBe(
      true,
    );
  });

  it('the test whether a point lies in a geofence knows circles by their radius in metres', () => {
    const geometry = { type: 'Point' as const, coordinates: [13.4, 52.5] as [number, number] };
    // 0.001 degrees of latitude are 111.2 m.
    expect(isInside({ ...none, radius_m: 112, geometry }, 52.501, 13.4)).toBe(true);
    expect(isInside({ ...none, radius_m: 111, geometry }, 52.501, 13.4)).toBe(false);
  });

  it('the test whether a point lies in a geofence knows lines by half their full width', () => {
    const geometry = {
      type: 'LineString' as const,
      coordinates: [
        [13.3, 52.5],
        [13.5, 52.5],
      ] as [number, number][],
    };
    expect(isInside({ ...none, width_m: 224, geometry }, 52.501, 13.4)).toBe(true);
    expect(isInside({ ...none, width_m: 222, geometry }, 52.501, 13.4)).toBe(false);
    expect(isInside({ ...none, width_m: 224, geometry }, 52.5, 13.51)).toBe(false);
  });
});
