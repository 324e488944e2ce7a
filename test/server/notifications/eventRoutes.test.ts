import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { eventKind } from '../../../server/contract/events.ts';
import { emptyBatch, type EventRow } from '../../../server/store/telemetry/rows.ts';
import { addGeofence, groups, openDepot, start_ms, startText, type Depot, type Login } from './depot.ts';
import { eventRow, noDetails } from './rows.ts';

async function openLog(...wanted: (Partial<EventRow> & { of: 'north' | 'south'; minute: number })[]) {
  const depot = await openDepot();
  const vehicles = {
    north: await depot.addVehicle('North 1', [groups.north]),
    south: await depot.addVehicle('South 1', [groups.south]),
  };
  const events = wanted.map(({ of, minute, ...more }) =>
    eventRow({
      vehicle_id: vehicles[of].vehicle_id,
      time_ms: start_ms + minute * 60_000,
      received_ms: start_ms + minute * 60_000,
      ...more,
    }),
  );
  await depot.store.commit({ ...emptyBatch(), events });
  return { depot, events, ids: events.map((it) => it.event_id) };
}

async function listed(depot: Depot, as: Login, query = ''): Promise<string[]> {
  const { status, body } = await depot.call(as, `GET /events${query}`);
  expect(status).toBe(200);
  return (body.items ?? []).map((it) => String(it.event_id));
}

describe('events', () => {
  it('events are listed from new to old, each as it is shown alone', async () => {
    const { depot, ids, events } = await openLog(
      { of: 'north', minute: 0, late: true, rule_id: randomUUID(), rule_version: 3 },
      { of: 'south', minute: 2 },
      { of: 'north', minute: 1 },
    );
    expect(await listed(depot, 'dora')).toEqual([ids[1], ids[2], ids[0]]);
    const { body } = await depot.call('dora', `GET /events/${ids[0]}`);
    const { time_ms: _, received_ms: __, ...rest } = events[0] ?? expect.fail();
    expect(body).toEqual({ ...rest, time: startText, received_at: startText });
    expect((await depot.call('dora', `GET /events?ids=${ids[0]}`)).body.items).toEqual([body]);
  });

  it('events are shown to users only of vehicles that they see', async () => {
    const { depot, ids } = await openLog({ of: 'north', minute: 0 }, { of: 'south', minute: 1 });
    expect(await listed(depot, 'nora')).toEqual([ids[0]]);
    expect(await listed(depot, 'nora', `?ids=${ids.join(',')}`)).toEqual([ids[0]]);
    expect((await depot.call('nora', `GET /events/${ids[0]}`)).status).toBe(200);
    expect((await depot.call('nora', `GET /events/${ids[1]}`)).body.code).toBe('not_found');
    expect((await depot.call('nora', `GET /events/${randomUUID()}`)).body.code).toBe('not_found');
    expect((await depot.call('nora', 'GET /events/no-id')).body.code).toBe('not_found');
    const foreign = await depot.call('nora', 'GET /events?vehicle=South-1');
    expect(foreign.body).toMatchObject({ code: 'not_found', detail: 'There is no such vehicle.' });
    const backwards = 'from=2026-11-20T09:00:00Z&to=2026-11-20T08:00:00Z';
    const unordered = await depot.call('nora', `GET /events?${backwards}`);
    expect(unordered.body.errors).toEqual([{ path: 'from', message: 'is not before to', kind: 'order' }]);
  });

  it('events are filtered by vehicle, kind, period and id, and paged', async () => {
    const { depot, ids } = await openLog(
      { of: 'north', minute: 0, kind: 'sos' },
      { of: 'north', minute: 1, kind: 'overspeed' },
      { of: 'south', minute: 2, kind: 'terminal_alarm' },
    );
    const [a, b, c] = ids;
    expect(await listed(depot, 'dora', '?vehicle=North-1')).toEqual([b, a]);
    expect(await listed(depot, 'dora', '?kind=sos&kind=terminal_alarm')).toEqual([c, a]);
    expect(await listed(depot, 'dora', '?from=2026-11-21T04:43:30Z&to=2026-11-21T04:44:30Z')).toEqual([b]);
    expect(await listed(depot, 'dora', `?ids=${a},${c}&kind=sos`)).toEqual([a]);
    const first = await depot.call('dora', 'GET /events?limit=2');
    expect(first.body.items?.map((it) => it.event_id)).toEqual([c, b]);
    expect(await listed(depot, 'dora', `?limit=2&cursor=${String(first.body.next_cursor)}`)).toEqual([a]);
    expect((await depot.call('dora', 'GET /events?kind=party')).status).toBe(400);
  });

  it('events of a geofence are listed, also of several vehicles, of a kind and page by page', async () => {
    const geozone_id = randomUUID();
    const at = { geozone_id, kind: 'geofence_enter' as const };
    const { depot, ids } = await openLog(
      { of: 'north', minute: 0, ...at },
      { of: 'north', minute: 1 },
      { of: 'south', minute: 2, ...at, kind: 'geofence_exit' },
      { of: 'north', minute: 3, ...at },
      { of: 'south', minute: 4, geozone_id: randomUUID() },
    );
    const [a, , b, c] = ids;
    const ofFence = `?geofence=${geozone_id}`;
    expect(await listed(depot, 'dora', ofFence)).toEqual([c, b, a]);
    expect(await listed(depot, 'dora', `${ofFence}&vehicle=North-1`)).toEqual([c, a]);
    expect(await listed(depot, 'dora', `${ofFence}&vehicle=North-1,South-1`)).toEqual([c, b, a]);
    expect(await listed(depot, 'dora', `${ofFence}&vehicle=North-1,South-1&kind=geofence_exit`)).toEqual([b]);
    expect(await listed(depot, 'dora', `${ofFence}&ids=${a},${ids[1]}`)).toEqual([a]);
    const { body } = await depot.call('dora', `GET /events${ofFence}&limit=2`);
    expect(body.items?.map((it) => it.event_id)).toEqual([c, b]);
    expect(await listed(depot, 'dora', `${ofFence}&limit=2&cursor=${body.next_cursor}`)).toEqual([a]);
    const answers = await Promise.all(
      ['geofence=yard', `vehicle=${Array.from({ length: 65 }, (_, index) => index).join()}`].map((query) =>
        depot.call('dora', `GET /events?${query}`),
      ),
    );
    expect(answers.map((it) => [it.status, it.body.errors?.[0]?.path])).toEqual([
      [400, 'geofence'],
      [400, 'vehicle'],
    ]);
  });

  it('events of a geofence out of sight are none, as of an unknown one, whatever the vehicle', async () => {
    const { depot, ids, events } = await openLog({ of: 'north', minute: 0 }, { of: 'south', minute: 1 });
    const { north, south } = {
      north: await addGeofence(depot, [groups.north]),
      south: await addGeofence(depot, [groups.south]),
    };
    const entered = [north, south].map((geozone_id, minute) =>
      eventRow({
        vehicle_id: events[0]?.vehicle_id ?? null,
        geozone_id,
        kind: 'geofence_enter',
        time_ms: start_ms + minute,
      }),
    );
    await depot.store.commit({ ...emptyBatch(), events: entered });
    const answer = async (query: string) => {
      const { status, body } = await depot.call('nora', `GET /events?${query}`);
      return { status, ...body, trace_id: null, instance: null };
    };
    expect(await listed(depot, 'nora', `?geofence=${north}`)).toEqual([entered[0]?.event_id]);
    expect(await listed(depot, 'dora', `?geofence=${south}`)).toEqual([entered[1]?.event_id]);
    // Nora sees the event, not where it was.
    expect(await listed(depot, 'nora')).toContain(entered[1]?.event_id);
    for (const more of ['', '&vehicle=North-1', '&vehicle=South-1', `&ids=${ids[0]}`, '&limit=1'])
      expect(await answer(`geofence=${south}${more}`)).toEqual(
        await answer(`geofence=${randomUUID()}${more}`),
      );
    expect(await answer(`geofence=${north}&vehicle=North-1,South-1`)).toEqual(
      await answer(`geofence=${north}&vehicle=North-1,nothing`),
    );
    await depot.call('dora', `DELETE /geozones/${north}`);
    // What is gone only dealers know.
    expect(await listed(depot, 'nora', `?geofence=${north}`)).toEqual([]);
    expect(await listed(depot, 'dora', `?geofence=${north}`)).toEqual([entered[0]?.event_id]);
  });

  it('events of every kind are recorded, listed and filtered', async () => {
    const kinds = eventKind.options;
    const { depot, ids } = await openLog(
      ...kinds.map((kind, minute) => ({
        of: minute % 2 === 0 ? ('north' as const) : ('south' as const),
        minute,
        kind,
        details: { ...noDetails, ...(kind === 'video_done' ? { task_id: randomUUID() } : {}) },
      })),
    );
    for (const [at, kind] of kinds.entries()) {
      expect(await listed(depot, 'dora', `?kind=${kind}`)).toEqual([ids[at]]);
      const vehicle = at % 2 === 0 ? 'North-1' : 'South-1';
      expect(await listed(depot, 'dora', `?kind=${kind}&vehicle=${vehicle}`)).toEqual([ids[at]]);
      expect(await listed(depot, 'nora', `?kind=${kind}`)).toEqual(at % 2 === 0 ? [ids[at]] : []);
    }
    expect(await listed(depot, 'dora', `?kind=${kinds.join(',')}`)).toEqual([...ids].reverse());
  });
});
