import { describe, expect, it } from 'vitest';
import { createTownNames } from '../../../renderer/telemetry/landNames.ts';

describe('the names of a town', () => {
  const street = (name: string, lat: number): GeoJSON.Feature => ({
    type: 'Feature',
    geometry: {
      type: 'LineString',
      coordinates: [
        [13.39, lat],
        [13.41, lat],
      ],
    },
    properties: { kind: 'street', name },
  });
  const town = createTownNames([street('Mill Road', 52.5), street('Hill Road', 52.501)]);

  it('the names of a town are those of the nearest street within 40 m', () => {
    expect(town.nameOf(52.5001, 13.4)).toBe('Mill Road');
    expect(town.nameOf(52.5009, 13.4)).toBe('Hill Road');
  });

  it('the names of a town are none away from all streets', () => {
    expect(town.nameOf(52.5005, 13.4)).toBeNull();
    expect(town.nameOf(48, 11)).toBeNull();
  });
});
