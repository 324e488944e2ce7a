import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { EventRow } from '../../../server/store/telemetry/rows.ts';
import { groups, openDepot, start_ms, startText, type Depot, type Login } from './depot.ts';
import { eventRow } from './rows.ts';

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
  await depot.store.commit({ positions: [], events, notifications: [], tasks: [], states: [], refused: [] });
  return { depot, events, ids: events.map((it) => it.event_id) };
}

async function listed(depot: Depot, as: Login, query = ''): Promise<string[]> {
  const { status, body } = await depot.call(as, `GET /events${query}`);
  expect(status).toBe(200);
  return (body.items ?? []).map((it) => String(it.event_id));
}

describe('events', () => {
  it('are listed from new to old, each as it is shown alone', async () => {
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

  it('are shown to users only of vehicles that they see', async () => {
    const { depot, ids } = await openLog({ of: 'north', minute: 0 }, { of: 'south', minute: 1 });
    expect(await listed(depot, 'nora')).toEqual([ids[0]]);
    expect(await listed(depot, 'nora', `?ids=${ids.join(',')}`)).toEqual([ids[0]]);
    expect((await depot.call('nora', `GET /events/${ids[0]}`)).status).toBe(200);
    expect((await depot.call('nora', `GET /events/${ids[1]}`)).body.code).toBe('not_found');
    expect((await depot.call('nora', `GET /events/${randomUUID()}`)).body.code).toBe('not_found');
    expect((await depot.call('nora', 'GET /events/no-id')).body.code).toBe('not_found');
    const foreign = await depot.call('nora', 'GET /events?vehicle=South-1');
    expect(foreign.body.errors).toEqual([{ path: 'vehicle', message: 'is not a vehicle' }]);
  });

  it('are filtered by vehicle, kind, period and id, and paged', async () => {
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
});
