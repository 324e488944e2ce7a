import { describe, expect, it } from 'vitest';
import type { Event, EventDetails } from '../../../server/contract/events.ts';
import { incidentRoutes, type Incident } from '../../../server/contract/incidents.ts';
import { createEventSearch } from '../../../renderer/commands/eventSearch.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { openSession } from './openSession.ts';
import { sampleGeofence } from '../geofences/sampleGeofence.ts';
import { sampleIncident, sampleVehicle } from '../samples.ts';

const names: Record<string, string> = {
  'alarm.overspeed': 'Geschwindigkeit überschritten',
  'alarm.geofence_enter': 'Geofence-Einfahrt',
  'alarm.sos': 'SOS-Taste',
};

interface Query {
  vehicle?: string[];
  geofence?: string;
  kind?: string[];
  limit: number;
}

function open() {
  const { app } = openSession();
  const clock = createFakeClock();
  const askedIncidents: unknown[] = [];
  const closed: Incident[] = [];
  const calls: { query: Query; answer: (items: Partial<Event>[]) => void; fail: () => void }[] = [];
  Object.assign(app, {
    clock,
    t: (key: string) => names[key] ?? key,
    api: {
      request: (
        route: unknown,
        { query: { from: _from, ...query } }: { query: Query & { from: string; q?: string } },
      ) =>
        new Promise((resolve, reject) => {
          if (route === incidentRoutes.list) {
            askedIncidents.push(query.q);
            resolve({ items: closed });
            return;
          }
          const fail = () => reject(new Error('the network is gone'));
          calls.push({ query, answer: (items) => resolve({ items }), fail });
        }),
    },
  });
  const vehicle = (id: string, name: string) => sampleVehicle({ vehicle_id: id, name, plate: null });
  app.vehicles.put([vehicle('v1', 'Depot van 1'), vehicle('v2', 'Lorry 2')]);
  app.vehicles.put([3, 4, 5, 6].map((at) => vehicle(`v${at}`, `Taxi ${at}`)));
  app.vehicles.put(Array.from({ length: 65 }, (_, at) => vehicle(`c${at}`, `Coach ${at}`)));
  app.geofences.put([sampleGeofence({ geozone_id: 'g1', name: 'Depot yard' })]);
  app.geofences.put([2, 3, 4, 5].map((at) => sampleGeofence({ geozone_id: `g${at}`, name: `Gate ${at}` })));
  const search = createEventSearch(app, null);
  const ask = (typed: string) => {
    calls.length = 0;
    search.want(typed);
    clock.advance(300);
    return calls.map(({ query }) => query);
  };
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return { app, search, ask, calls, clock, settle, closed, askedIncidents };
}

const noDetails: EventDetails = {
  ...{ measured: null, threshold: null, unit: null, duration_s: null, alarm: null, limit_source: null },
  ...{ ended_at: null, fixes: [] },
};
const event = (event_id: string, time: string, more: Partial<Event> = {}): Partial<Event> => ({
  ...{ event_id, time, vehicle_id: 'v1', geozone_id: null, kind: 'sos' },
  details: noDetails,
  ...more,
});

const nothing = { entries: [], incidents: [], words: '' };

describe('the search for closed incidents', () => {
  it('closed incidents are found by number and words, as far as the console does not hold them, and lead there', async () => {
    const { app, search, ask, closed, askedIncidents, settle } = open();
    closed.push(
      sampleIncident({ incident_id: 'i7', number: 7, title: 'Hijack', vehicle_id: 'v2', status: 'closed' }),
      sampleIncident({ incident_id: 'i8', number: 8, status: 'closed' }),
    );
    app.incidents.put(closed.slice(1));
    ask('#7');
    await settle();
    const { incidents, isSearching } = search.store.getState();
    expect([isSearching, askedIncidents]).toEqual([false, ['#7']]);
    expect(incidents).toMatchObject([{ group: 'rail.incidents', detail: 'incident.status.closed' }]);
    expect(incidents[0]?.parts.map(({ text }) => text).join('')).toBe('#7 Hijack Lorry 2');
    incidents[0]?.run();
    expect(app.navigation.store.getState()).toMatchObject({ place: 'incidents', query: { id: 'i7' } });
    ask('hij');
    ask('hi');
    expect(askedIncidents).toEqual(['#7', 'hij']);
  });

  it('closed incidents are not asked for by those who may not see any', async () => {
    const { app, search, ask, askedIncidents, settle } = open();
    Object.assign(app.user, { role: 'user', rights: { ...app.user.rights, notifications: 'none' } });
    ask('#7');
    await settle();
    expect(askedIncidents).toEqual([]);
    expect(search.store.getState()).toEqual({ typed: '#7', isSearching: false, ...nothing });
  });
});

describe('the search for events', () => {
  const atGeofences = ['geofence_enter', 'geofence_exit', 'geofence_dwell', 'silent_inside', 'overspeed'];

  it.each<[string, Query[]]>([
    ['lorry', [{ vehicle: ['v2'], limit: 50 }]],
    ['uberschritten', [{ kind: ['overspeed'], limit: 50 }]],
    ['lorry überschritten', [{ vehicle: ['v2'], kind: ['overspeed'], limit: 50 }]],
    ['sos lorry 2', [{ vehicle: ['v2'], kind: ['sos'], limit: 50 }]],
    ['taxi', [{ vehicle: ['v3', 'v4', 'v5', 'v6'], limit: 50 }]],
    ['taxi überschritten', [{ vehicle: ['v3', 'v4', 'v5', 'v6'], kind: ['overspeed'], limit: 50 }]],
    ['coach', []],
    ['coach überschritten', [{ kind: ['overspeed'], limit: 200 }]],
    ['yard', [{ geofence: 'g1', limit: 50 }]],
    ['yard einfahrt', [{ geofence: 'g1', kind: ['geofence_enter'], limit: 50 }]],
    ['gate', [{ kind: atGeofences, limit: 200 }]],
    ['gate einfahrt', [{ kind: ['geofence_enter'], limit: 200 }]],
    [
      'depot',
      [
        { vehicle: ['v1'], limit: 50 },
        { geofence: 'g1', limit: 50 },
      ],
    ],
    ['lorry 2 yard', [{ vehicle: ['v2'], geofence: 'g1', limit: 50 }]],
    ['depot yard lorry', [{ vehicle: ['v2'], geofence: 'g1', limit: 50 }]],
    ['lorry yard einfahrt', [{ vehicle: ['v2'], geofence: 'g1', kind: ['geofence_enter'], limit: 50 }]],
    ['lorry gate', []],
    ['lorry 2 of all the depot yard', []],
    ['sos überschritten', []],
    ['lo', []],
    ['nothing', []],
  ])('by %s a bounded part of the events is asked for', (typed, queries) => {
    expect(open().ask(typed)).toEqual(queries);
  });

  it('one call is made for a word that is typed letter by letter, and none when it is taken back', () => {
    const { search, clock, calls } = open();
    for (const typed of ['lor', 'lorr', 'lorry']) {
      search.want(typed);
      clock.advance(299);
    }
    expect(calls).toHaveLength(0);
    clock.advance(1);
    expect(calls).toHaveLength(1);
    search.want('lorry');
    search.want('');
    clock.advance(1_000);
    expect(calls).toHaveLength(1);
    expect(search.store.getState()).toEqual({ typed: '', isSearching: false, ...nothing });
  });

  it('what names no events that could be asked for ends the search with the answer of the incidents', async () => {
    const { search, clock, settle } = open();
    search.want('coach');
    expect(search.store.getState()).toMatchObject({ isSearching: true, words: 'events.searching' });
    clock.advance(300);
    await settle();
    expect(search.store.getState()).toEqual({ typed: 'coach', isSearching: false, ...nothing });
  });

  it('the newest of all answers are shown, each once, and of many geofences only theirs', async () => {
    const { app, search, ask, calls, settle } = open();
    app.vehicles.put([sampleVehicle({ vehicle_id: 'v7', name: 'Gate van', plate: null })]);
    ask('gate');
    calls[0]?.answer([event('a', '2026-11-20T08:00:00Z'), event('b', '2026-11-20T06:00:00Z')]);
    calls[1]?.answer([
      event('c', '2026-11-20T07:00:00Z', { geozone_id: 'g2' }),
      event('d', '2026-11-20T09:00:00Z', { geozone_id: 'g1' }),
      event('a', '2026-11-20T08:00:00Z', { geozone_id: 'g3' }),
    ]);
    await settle();
    const { isSearching, entries } = search.store.getState();
    expect([isSearching, ...entries.map(({ id }) => id)]).toEqual([false, 'event-a', 'event-c', 'event-b']);
  });

  it('an answer to what is no longer typed is left out, and a failure is said', async () => {
    const { search, ask, calls, settle } = open();
    ask('lorry');
    const [old] = calls;
    ask('sos');
    old?.answer([event('a', '2026-11-20T08:00:00Z')]);
    await settle();
    expect(search.store.getState()).toMatchObject({ isSearching: true, words: 'events.searching' });
    calls[0]?.fail();
    await settle();
    expect(search.store.getState()).toMatchObject({ isSearching: false, words: 'events.search_failed' });
  });

  it('an event leads to its row, among those of its vehicle about that time', async () => {
    const { app, search, ask, calls, settle } = open();
    ask('lorry sos');
    calls[0]?.answer([event('e1', '2026-11-20T08:00:00Z', { vehicle_id: 'v2' })]);
    await settle();
    const [entry] = search.store.getState().entries;
    expect(entry).toMatchObject({ group: 'rail.events', detail: 'alarm.sos.what' });
    expect(entry?.parts.filter(({ typed }) => typed).map(({ text }) => text)).toEqual(['Lorry', 'SOS']);
    entry?.run();
    expect(app.navigation.store.getState()).toMatchObject({
      place: 'events',
      query: {
        ...{ view: 'events', vehicle: 'v2', row: 'e1' },
        ...{ from: '2026-11-19T20:00:00.000Z', to: '2026-11-20T20:00:00.000Z' },
      },
    });
  });
});
