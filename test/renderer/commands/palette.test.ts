import { describe, expect, it } from 'vitest';
import { paletteEntries, placeEntries } from '../../../renderer/commands/paletteEntries.tsx';
import type { FoundPlace } from '../../../server/contract/places.ts';
import { sampleGeofence } from '../geofences/sampleGeofence.ts';
import { sampleVehicle } from '../samples.ts';
import { openSession } from './openSession.ts';

const street: FoundPlace = {
  kind: 'street',
  name: 'Depot Street',
  town: 'Elmswell',
  text: 'Depot Street, Elmswell',
  lat: 52.1,
  lon: 13.2,
};

function open() {
  const session = openSession();
  session.app.vehicles.put([sampleVehicle({ name: 'Depot van' })]);
  session.app.geofences.put([sampleGeofence({ name: 'Depot yard' })]);
  return session;
}

describe('the palette', () => {
  it('places of the map files stand behind vehicles, geofences and commands', () => {
    const { app } = open();
    const entries = [...paletteEntries(app, 'depot'), ...placeEntries(app, [street], 'depot')];
    expect(entries.map(({ group }) => group)).toEqual([
      'palette.vehicles',
      'palette.geofences',
      'palette.places',
    ]);
    expect(entries.at(-1)).toMatchObject({
      parts: [
        { text: 'Depot', typed: true },
        { text: ' Street', typed: false },
      ],
      detail: 'place.street, Elmswell',
    });
  });

  it('the ids of places are unique, hold no space, and stay when more places come', () => {
    const { app } = open();
    const others = [street, { ...street, lat: 52.2 }, { ...street, name: 'Depot Street 5', kind: 'address' }];
    const ids = placeEntries(app, others as FoundPlace[], 'depot').map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(ids.every((id) => !/\s/.test(id))).toBe(true);
    expect(placeEntries(app, [street], 'de')[0]?.id).toBe(ids[0]);
  });

  it('a place that is chosen is opened on Live, in the address too', () => {
    const { app, state } = open();
    app.navigation.go('events');
    app.view.setState({ vehicleId: 'v1' });
    placeEntries(app, [street], 'depot')[0]?.run();
    expect(app.view.getState()).toMatchObject({
      vehicleId: null,
      point: { lat: 52.1, lon: 13.2, name: 'Depot Street, Elmswell' },
    });
    expect(app.navigation.store.getState()).toEqual({
      place: 'live',
      query: { point: '52.10000,13.20000' },
    });
    expect(state()).toContain('camera.flyTo');
  });

  it('while a geofence is drawn, a place that is chosen moves the map and leaves the drawing', () => {
    const { app, state } = open();
    app.navigation.go('geofences');
    app.view.setState({ geofenceEdit: { kind: 'new' } as never });
    placeEntries(app, [street], 'depot')[0]?.run();
    expect(app.view.getState()).toMatchObject({ point: null, geofenceEdit: { kind: 'new' } });
    expect(app.navigation.store.getState().place).toBe('geofences');
    expect(state()).toContain('camera.flyTo');
  });
});
