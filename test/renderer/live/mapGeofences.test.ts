import { describe, expect, it } from 'vitest';
import { drawnFields, toDrawnShape } from '../../../renderer/live/mapGeofences.ts';

describe('a drawn shape', () => {
  it('a drawn shape is what the API takes, longitude first', () => {
    expect(
      drawnFields({
        shape: 'circle',
        geometry: { type: 'Point', coordinates: [13.4, 52.5, 30] },
        radius_m: 80,
      }),
    ).toEqual({
      shape: 'circle',
      geometry: { type: 'Point', coordinates: [13.4, 52.5] },
      radius_m: 80,
      width_m: null,
    });
  });

  it('a drawn shape cannot be one of several parts', () => {
    const geofence = { geometry: { type: 'MultiPolygon', coordinates: [] }, radius_m: null, width_m: null };
    expect(toDrawnShape(geofence as unknown as Parameters<typeof toDrawnShape>[0])).toBeNull();
  });
});
