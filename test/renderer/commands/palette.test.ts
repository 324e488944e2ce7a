import { describe, expect, it } from 'vitest';
import {
  eventEntryId,
  eventsBeside,
  keptInPlace,
  onSearchedChange,
  paletteEntries,
  placeEntries,
  type PaletteEntry,
} from '../../../renderer/commands/paletteEntries.tsx';
import { readEventsAddress } from '../../../renderer/events/eventsAddress.ts';
import { en } from '../../../renderer/i18n/en.ts';
import { texts as de } from '../../../renderer/i18n/de.ts';
import { texts as es } from '../../../renderer/i18n/es.ts';
import { texts as pt } from '../../../renderer/i18n/pt.ts';
import { texts as ru } from '../../../renderer/i18n/ru.ts';
import { texts as zhCommands } from '../../../renderer/i18n/zh/commands.ts';
import { texts as zhDrivers } from '../../../renderer/i18n/zh/drivers.ts';
import { texts as zhFirst } from '../../../renderer/i18n/zh/firstLoad.ts';
import { texts as zhShares } from '../../../renderer/i18n/zh/shares.ts';
import { eventList, notificationList } from '../../../renderer/events/lists.ts';
import type { FoundPlace } from '../../../server/contract/places.ts';
import type { Rights } from '../../../server/contract/rights.ts';
import type { Rule } from '../../../server/contract/rules.ts';
import type { User } from '../../../server/contract/users.ts';
import { sampleGeofence } from '../geofences/sampleGeofence.ts';
import { alarmLabels } from '../../../renderer/notifications/alarmLabels.ts';
import { sampleIncident, sampleNotification, sampleVehicle } from '../samples.ts';
import { openSession } from './openSession.ts';

const street: FoundPlace = {
  kind: 'street',
  name: 'Depot Street',
  town: 'Elmswell',
  text: 'Depot Street, Elmswell',
  lat: 52.1,
  lon: 13.2,
};

/** The whole of it wants a page for its font. */
const zh = { ...zhCommands, ...zhDrivers, ...zhFirst, ...zhShares };

const depotGate = new Map([
  ['r2', { rule_id: 'r2', name: 'Depot gate', severity: 'warning', enabled: true } as Rule],
]);

function open(user: Partial<User> = {}) {
  const session = openSession(user);
  session.app.vehicles.put([sampleVehicle({ name: 'Depot van' })]);
  session.app.geofences.put([sampleGeofence({ geozone_id: 'g1', name: 'Depot yard' })]);
  return session;
}

describe('the palette', () => {
  it('places of the map files stand behind vehicles, geofences and commands', () => {
    const { app } = open();
    const entries = [...paletteEntries(app, 'depot'), ...placeEntries(app, [street], 'depot')];
    expect(entries.map(({ group }) => group)).toEqual([
      'palette.vehicles',
      'palette.moments',
      'palette.geofences',
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

  it('an alarm names its rule, unless that is called what happened', () => {
    const { app } = open();
    const { kind } = alarmLabels(sampleNotification(), app);
    const endOf = (rule_name: string) => {
      app.notifications.put([sampleNotification({ rule_name })]);
      const found = paletteEntries(app, kind).find(({ id }) => id === 'moment-n1');
      return (found ?? expect.fail()).parts.map(({ text }) => text).join('');
    };
    expect(endOf('Rule')).toMatch(/ Rule$/);
    expect(endOf(kind).split(kind)).toHaveLength(2);
  });

  it('an alarm that is shown is not shown again among its events, and older events stand in their place', () => {
    const { app } = open();
    app.notifications.put([sampleNotification({ event_ids: ['e9', 'e8'] })]);
    const found = Array.from({ length: 10 }, (_, at) => ({ id: eventEntryId(`e${9 - at}`) }) as PaletteEntry);
    const beside = (typed: string) =>
      eventsBeside(paletteEntries(app, typed), found).map(({ id }) => id.slice(-2));
    expect(beside('depot van')).toEqual(['e7', 'e6', 'e5', 'e4', 'e3', 'e2']);
    expect(beside('yard')).toEqual(['e9', 'e8', 'e7', 'e6', 'e5', 'e4']);
  });

  it('what comes while it is open stands below the row that the operator is at', () => {
    const { app } = openSession();
    const van = (at: number) => sampleVehicle({ vehicle_id: `v${at}`, name: `Van ${at}` });
    app.vehicles.put([van(2), van(3)]);
    const ids = (entries: readonly { id: string }[]) =>
      entries.map(({ id }) => id).filter((id) => id.startsWith('vehicle-'));
    const shown = paletteEntries(app, 'van');
    expect(ids(shown)).toEqual(['vehicle-v2', 'vehicle-v3']);
    let changes = 0;
    const stop = onSearchedChange(app, () => (changes += 1));
    app.vehicles.put([{ ...van(2), name: 'Lorry', updated_at: '2026-11-28T00:00:00Z', version: 2 }, van(1)]);
    expect(changes).toBe(1);
    app.incidents.put([sampleIncident({ title: 'Van is late' })]);
    expect(changes).toBe(2);
    stop();
    app.vehicles.put([van(4)]);
    expect(changes).toBe(2);
    const found = paletteEntries(app, 'van');
    expect(ids(keptInPlace(shown, found, 0))).toEqual([
      'vehicle-v2',
      'vehicle-v3',
      'vehicle-v1',
      'vehicle-v4',
    ]);
    expect(ids(keptInPlace(shown, found, 1))).toEqual([
      'vehicle-v2',
      'vehicle-v3',
      'vehicle-v1',
      'vehicle-v4',
    ]);
    expect(keptInPlace([], found, 0)).toEqual(found);
  });

  it('rules are found by name, and lead to where they are changed', () => {
    const { app } = open();
    const rule = paletteEntries(app, 'depot', depotGate).find(({ id }) => id === 'rule-r2');
    expect(rule).toMatchObject({ group: 'rail.rules', parts: [{ text: 'Depot' }, { text: ' gate' }] });
    rule?.run();
    expect(app.navigation.store.getState()).toMatchObject({ place: 'rules', query: { id: 'r2' } });
  });

  it.each([
    ['palette.moments', 'v1', { vehicle: 'v1' }],
    ['palette.geofences', 'g1', { geofence: 'g1' }],
    ['rail.rules', 'r2', { rule: 'r2' }],
  ])('the best match of %s leads to all that was recorded of it, as its text says', (group, id, filter) => {
    const { app } = open();
    const past = paletteEntries(app, 'depot', depotGate).find((it) => it.id === `events-${id}`);
    expect(past).toMatchObject({ group, detail: 'period.all' });
    past?.run();
    const { place, query } = app.navigation.store.getState();
    expect(place).toBe('events');
    const address = readEventsAddress(query);
    expect(address).toMatchObject({ ...filter, period: 'all' });
    const asked: unknown[] = [];
    const request = (_: unknown, { query }: { query: unknown }) => {
      asked.push(query);
      return Promise.resolve({ items: [], next_cursor: null });
    };
    const list = address.view === 'events' ? eventList : notificationList;
    list({ ...app, api: { ...app.api, request: request as typeof app.api.request } }, address).load();
    expect(asked).toEqual([{ limit: 200, from: '1970-01-01T00:00:00.000Z', ...filter }]);
  });

  it('what was recorded is offered to those who may see it', () => {
    const rights = { vehicles: 'read', geofences: 'read', notifications: 'none' } as Rights;
    const { app } = open({ role: 'user', rights });
    const ids = paletteEntries(app, 'depot', depotGate).map(({ id }) => id);
    expect(ids).toContain('fence-g1');
    expect(ids.filter((id) => id.startsWith('events-'))).toEqual([]);
  });

  it('drivers, groups and shared links are found by their names, each where it is listed', () => {
    const { app } = openSession();
    const placeOf = (typed: string) => {
      paletteEntries(app, typed)
        .find(({ group }) => group === 'palette.commands')
        ?.run();
      const { place, query } = app.navigation.store.getState();
      return [place, query];
    };
    expect(placeOf('go_driver')).toEqual(['vehicles', { tab: 'drivers' }]);
    expect(placeOf('add_driver')).toEqual(['vehicles', { tab: 'drivers', id: 'new' }]);
    expect(placeOf('go_group')).toEqual(['vehicles', { tab: 'groups' }]);
    expect(placeOf('share')).toEqual(['settings', { tab: 'api_tokens' }]);
  });

  it.each<[string, Partial<Record<string, string>>]>(Object.entries({ en, de, es, pt, ru, zh }))(
    'drivers and shared links are found in the palette by what their lists are called in %s',
    (_, texts) => {
      const { app } = openSession();
      Object.assign(app, { t: (key: string) => texts[key] ?? key });
      const found = (typed: string) => paletteEntries(app, typed).map(({ id }) => id);
      expect(found(texts['api_tokens.tab'] ?? '')).toContain('settings-api_tokens');
      expect(found(texts['shares.given'] ?? '')).toContain('command-go_shares');
      expect(found(texts['drivers.title'] ?? '')).toContain('command-go_drivers');
    },
  );

  it('vehicles are found by plate, terminal ID, driver and phone, and the palette says how many more there are', () => {
    const { app } = openSession();
    app.vehicles.put(
      Array.from({ length: 20 }, (_, at) =>
        sampleVehicle({
          vehicle_id: `v${at}`,
          name: `Van ${at}`,
          plate: `AB ${1_000 + at}`,
          terminal_id: `8600${at}`,
          phone: `+49 30 55${at}`,
          current_driver: null,
        }),
      ),
    );
    const texts = (typed: string) =>
      paletteEntries(app, typed)
        .filter(({ group }) => group === 'palette.vehicles')
        .map(({ parts }) => parts.map(({ text }) => text).join(''));
    expect(texts('ab1007')).toEqual(['Van 7 AB 1007']);
    expect(texts('860012')).toEqual([expect.stringContaining('Van 12')]);
    expect(texts('305517')).toEqual([expect.stringContaining('Van 17')]);
    expect(texts('van').slice(0, 2)).toEqual(['Van 0 AB 1000', 'Van 1 AB 1001']);
    expect(texts('van').at(-1)).toBe('palette.further_vehicles');
    paletteEntries(app, 'van ')
      .find(({ id }) => id === 'further-vehicles')
      ?.run();
    expect(app.navigation.store.getState()).toMatchObject({ place: 'vehicles', query: { q: 'van' } });
  });

  it('incidents are found by number, vehicle and owner, reports by their kind, and every tab of Settings by its name', () => {
    const { app } = openSession();
    app.vehicles.put([sampleVehicle({ vehicle_id: 'v1', name: 'Tanker 7' })]);
    app.incidents.put([
      sampleIncident({ incident_id: 'i1', number: 41, vehicle_id: 'v1', owner_name: 'Anna Novak' }),
      sampleIncident({ incident_id: 'i2', number: 42, vehicle_id: null }),
    ]);
    const idsOf = (typed: string, group: string) =>
      paletteEntries(app, typed)
        .filter((it) => it.group === group)
        .map(({ id }) => id);
    for (const typed of ['#41', 'tanker', 'novak'])
      expect(idsOf(typed, 'rail.incidents')).toEqual(['incident-i1']);
    paletteEntries(app, '#42')
      .find(({ id }) => id === 'incident-i2')
      ?.run();
    expect(app.navigation.store.getState()).toMatchObject({ place: 'incidents', query: { id: 'i2' } });
    expect(idsOf('utilisation', 'rail.reports')).toEqual(['report-utilisation']);
    for (const [typed, tab] of [
      ['language.title', 'language'],
      ['api_tokens.tab', 'api_tokens'],
      ['about.title', 'about'],
    ] as const)
      expect(idsOf(typed, 'palette.settings')).toEqual([`settings-${tab}`]);
  });

  it('a vehicle that is renamed is found by its new name only', () => {
    const { app } = openSession();
    app.vehicles.put([sampleVehicle({ name: 'Old van', plate: null })]);
    expect(paletteEntries(app, 'old van').map(({ group }) => group)).toContain('palette.vehicles');
    app.vehicles.put([sampleVehicle({ name: 'New van', plate: null, version: 9 })]);
    expect(paletteEntries(app, 'old van').map(({ group }) => group)).not.toContain('palette.vehicles');
    expect(paletteEntries(app, 'new van').map(({ group }) => group)).toContain('palette.vehicles');
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
