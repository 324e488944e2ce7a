import { describe, expect, it } from 'vitest';
import { distanceM, latLon } from '../../../../renderer/map/geodesy.ts';
import {
  type MapVehicle,
  vectorFeature,
  vehicleProperties,
} from '../../../../renderer/map/vehicles/vehicleFeatures.ts';

const vehicle: MapVehicle = {
  id: 'v17',
  name: 'V 17',
  lat: 50,
  lon: 8,
  course_deg: 63,
  speed_kmh: 72,
  state: 'moving',
  severity: null,
  acknowledged: false,
  label: null,
  stale: false,
};

describe('the drawing of a vehicle', () => {
  it('the drawing of a vehicle wears its state’s colour and its name while nothing is wrong', () => {
    const properties = vehicleProperties(vehicle, false);
    expect(properties).toMatchObject({ tone: 'moving', course: 63, named: true, top: false, open: false });
    expect(properties).not.toHaveProperty('brackets');
  });

  it('the drawing of a vehicle wears the alarm’s colour in brackets, above the rest, with a block instead of a name', () => {
    const label = { severity: 'alarm', at: 0 } as const;
    expect(vehicleProperties({ ...vehicle, severity: 'alarm', label }, false)).toMatchObject({
      tone: 'alarm',
      brackets: 'brackets/open',
      top: true,
      named: false,
    });
  });

  it('the drawing of a vehicle gets its state’s colour back when the alarm is taken, and keeps thin brackets', () => {
    expect(vehicleProperties({ ...vehicle, severity: 'alarm', acknowledged: true }, false)).toMatchObject({
      tone: 'moving',
      brackets: 'brackets/acknowledged',
      named: true,
    });
  });

  it('the drawing of a vehicle is hollow while the server is lost', () => {
    expect(vehicleProperties({ ...vehicle, stale: true }, false)['icon']).toBe('glyph/moving/stale');
  });

  it('the drawing of a vehicle turns only while it moves', () => {
    expect(vehicleProperties({ ...vehicle, state: 'stopped' }, false)['course']).toBe(0);
  });

  it('the drawing of a vehicle points to where it will be in 15 s', () => {
    const geometry = vectorFeature(vehicle)?.geometry;
    if (geometry?.type !== 'LineString') throw new Error('expected a line');
    expect(distanceM(latLon(geometry.coordinates[0]), latLon(geometry.coordinates[1]))).toBeCloseTo(300, 3);
  });

  it('the drawing of a vehicle points nowhere when it stands, is silent, or says no course', () => {
    expect(vectorFeature({ ...vehicle, state: 'idle' })).toBeNull();
    expect(vectorFeature({ ...vehicle, stale: true })).toBeNull();
    expect(vectorFeature({ ...vehicle, course_deg: null })).toBeNull();
  });
});
