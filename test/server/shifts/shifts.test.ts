import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groupRoutes } from '../../../server/contract/groups.ts';
import { notificationRoutes } from '../../../server/contract/notifications.ts';
import { positionRoutes } from '../../../server/contract/positions.ts';
import { ruleRoutes } from '../../../server/contract/rules.ts';
import { longestHandoverS, longestShiftS, shiftNotes, shiftRoutes } from '../../../server/contract/shifts.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { mostOffered, shiftsBeyond } from '../../../server/shifts/shiftRecord.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';
import { openStream } from '../../support/streamReader.ts';

const clock = createFakeClock();
let host: TestHost;
let dealer: Caller;
/** Both see the vehicles of the north; `saul` sees no vehicle and nobody. */
let anna: Caller;
let boris: Caller;
let saul: Caller;
let north: string;

beforeAll(async () => {
  const rights = { notifications: 'write', vehicles: 'read', video: 'read' } as const;
  host = await startTestHost({
    clock,
    settings: { jwtTtlS: 86_400 },
    users: [
      { login: 'anna', rights },
      { login: 'boris', rights },
      { login: 'saul', rights },
      { login: 'reader', rights: { notifications: 'read' } },
    ],
  });
  await logIn();
  north = (await dealer.ask(groupRoutes.create, { body: { name: 'North' } })).group_id;
  for (const caller of [anna, boris]) {
    const { user_id } = await caller.ask(userRoutes.me);
    await dealer.ask(groupRoutes.addUser, { params: { group_id: north, user_id } });
  }
});
afterAll(() => host.close());

/** A JWT holds for a day. */
async function logIn(): Promise<void> {
  dealer = await host.login();
  [anna, boris, saul] = [await host.login('anna'), await host.login('boris'), await host.login('saul')];
}

async function later(ms: number): Promise<void> {
  clock.advance(ms);
  await logIn();
}

const idOf = async (caller: Caller) => (await caller.ask(userRoutes.me)).user_id;
const active = async (caller: Caller) =>
  (await caller.ask(shiftRoutes.list, { query: { active: 'true' } })).items;

/** The time goes on until the host has done what time brings. */
async function passes<T>(read: () => Promise<T>, isDone: (found: T) => boolean): Promise<T> {
  let found = await read();
  await expect
    .poll(async () => {
      clock.advance(60_000);
      found = await read();
      return isDone(found);
    })
    .toBe(true);
  return found;
}

async function endAll(): Promise<void> {
  for (const { shift_id, ended_at } of await active(dealer))
    if (ended_at === null) await dealer.ask(shiftRoutes.end, { params: { shift_id } });
}

describe('a shift', () => {
  it('a shift is handed over to a named user, who accepts it and is on duty from then on', async () => {
    const { shift_id } = await anna.ask(shiftRoutes.start);
    const params = { shift_id };
    expect(await anna.outcome(shiftRoutes.start)).toBe('409 already_exists');
    await boris.ask(shiftRoutes.addNote, { params, body: { text: ' Van 3 has a flat tyre ' } });
    const boris_id = await idOf(boris);
    clock.advance(3_600_000);
    const offered = await anna.ask(shiftRoutes.handOver, { params, body: { to_user_id: boris_id } });
    expect(offered).toMatchObject({
      name: 'anna',
      ended_at: null,
      handover: { state: 'open', to: { user_id: boris_id, name: 'boris' }, accepted_by: null },
      notes: [{ name: 'boris', text: 'Van 3 has a flat tyre' }],
    });
    expect(await anna.outcome(shiftRoutes.accept, { params })).toBe('403 forbidden');
    clock.advance(600_000);
    const { accepted, own } = await boris.ask(shiftRoutes.accept, { params });
    expect(accepted).toMatchObject({
      ended_at: new Date(clock.now()).toISOString(),
      end_reason: 'handed_over',
      handover: { state: 'accepted', accepted_by: { name: 'boris' } },
    });
    expect(own).toMatchObject({
      name: 'boris',
      accepted_shift_id: shift_id,
      started_at: new Date(clock.now()).toISOString(),
      report_from: offered.handover?.offered_at,
    });
    expect((await active(anna)).map((it) => it.name)).toEqual(['boris']);
    expect(await boris.outcome(shiftRoutes.accept, { params })).toBe('409 in_use');
    await endAll();
  });

  it('a handover to whoever comes waits although its user has ended the shift, and lapses after three days', async () => {
    const { shift_id } = await anna.ask(shiftRoutes.start);
    const params = { shift_id };
    await anna.ask(shiftRoutes.handOver, { params, body: {} });
    expect(await anna.ask(shiftRoutes.withdraw, { params })).toMatchObject({ handover: null });
    await anna.ask(shiftRoutes.handOver, { params, body: {} });
    expect(await anna.ask(shiftRoutes.end, { params })).toMatchObject({
      end_reason: 'ended',
      handover: { state: 'open', to: null },
    });
    expect(await anna.outcome(shiftRoutes.withdraw, { params })).toBe('409 in_use');
    await later(longestHandoverS * 1_000 - 120_000);
    expect((await active(boris)).map((it) => it.shift_id)).toEqual([shift_id]);
    await passes(
      () => active(boris),
      (found) => found.length === 0,
    );
    expect((await boris.ask(shiftRoutes.get, { params })).handover?.state).toBe('lapsed');
    expect(await boris.outcome(shiftRoutes.accept, { params })).toBe('409 in_use');
  });

  it('a shift that nobody ends is ended after 16 hours with a mark, and its report is recorded', async () => {
    const { shift_id } = await anna.ask(shiftRoutes.start);
    const params = { shift_id };
    await later(longestShiftS * 1_000 - 120_000);
    expect((await anna.ask(shiftRoutes.get, { params })).ended_at).toBeNull();
    const ended = await passes(
      () => anna.ask(shiftRoutes.get, { params }),
      (it) => it.ended_at !== null,
    );
    expect(ended.end_reason).toBe('forgotten');
    const { to } = await anna.ask(shiftRoutes.report, { params });
    clock.advance(3_600_000);
    expect((await anna.ask(shiftRoutes.report, { params })).to).toBe(to);
  });

  it('a shift ends at once when its user may no longer acknowledge', async () => {
    const { shift_id } = await anna.ask(shiftRoutes.start);
    const [user_id, right] = [
      await idOf(anna),
      (level: 'read' | 'write') => ({ rights: { notifications: level } }),
    ];
    await dealer.ask(userRoutes.patch, { params: { user_id }, body: right('read') });
    const params = { shift_id };
    await expect
      .poll(async () => (await dealer.ask(shiftRoutes.get, { params })).end_reason)
      .toBe('access_lost');
    await dealer.ask(userRoutes.patch, { params: { user_id }, body: right('write') });
    anna = await host.login('anna');
  });

  it('a shift is unknown to users who share no group with its user, unless it is handed over to them', async () => {
    const { shift_id } = await anna.ask(shiftRoutes.start);
    const params = { shift_id };
    expect(await active(saul)).toEqual([]);
    for (const route of [shiftRoutes.get, shiftRoutes.report, shiftRoutes.accept, shiftRoutes.end])
      expect(await saul.outcome(route, { params })).toBe('404 not_found');
    const saul_id = await idOf(saul);
    const named = (await anna.ask(shiftRoutes.dispatchers)).items.map((it) => it.name);
    expect(named).toEqual(['boris', 'dealer']);
    expect(await anna.outcome(shiftRoutes.handOver, { params, body: { to_user_id: saul_id } })).toBe(
      '400 validation_failed',
    );
    const own = await dealer.ask(shiftRoutes.start);
    await dealer.ask(shiftRoutes.handOver, {
      params: { shift_id: own.shift_id },
      body: { to_user_id: saul_id },
    });
    expect((await active(saul)).map((it) => it.name)).toEqual(['dealer']);
    await saul.ask(shiftRoutes.accept, { params: { shift_id: own.shift_id } });
    await endAll();
  });

  it('a shift takes a bounded number of notes, and those of users who may only read none', async () => {
    const { shift_id } = await anna.ask(shiftRoutes.start);
    const note = { params: { shift_id }, body: { text: 'x'.repeat(2_000) } };
    for (let chars = 0; chars < shiftNotes.chars; chars += 2_000) await anna.ask(shiftRoutes.addNote, note);
    expect(await anna.outcome(shiftRoutes.addNote, note)).toBe('409 quota_exceeded');
    const reader = await host.login('reader');
    expect(await reader.outcome(shiftRoutes.addNote, note)).toBe('403 forbidden');
    expect(await reader.outcome(shiftRoutes.start)).toBe('403 forbidden');
    await endAll();
  });

  it('a user offers so many handovers that nobody accepts', async () => {
    const outcomes: unknown[] = [];
    for (let at = 0; at <= mostOffered; at++) {
      const { shift_id } = await saul.ask(shiftRoutes.start);
      outcomes.push(await saul.outcome(shiftRoutes.handOver, { params: { shift_id } }));
      await saul.ask(shiftRoutes.end, { params: { shift_id } });
    }
    expect(outcomes).toEqual([...Array.from({ length: mostOffered }, () => 200), '409 in_use']);
    for (const { shift_id } of await active(saul))
      await dealer.ask(shiftRoutes.accept, { params: { shift_id } });
    await endAll();
  });

  it('a shift beyond those that are kept takes the place of one of the user with the most', () => {
    const of = (user_id: string, day: number, handover: 'open' | null = null) => ({
      ...{
        user_id,
        shift_id: `${user_id} ${day}`,
        started_at: `2026-11-0${day}`,
        ended_at: `2026-11-0${day}`,
      },
      handover: handover && {
        ...{ state: handover, to: null, offered_at: '', accepted_by: null, accepted_at: null },
      },
    });
    const kept = [of('anna', 1), of('boris', 2, 'open'), of('boris', 4), of('boris', 3), of('boris', 5)];
    expect([5, 4, 3, 2].map((most) => shiftsBeyond(kept, most))).toEqual([
      [],
      ['boris 3'],
      ['boris 3', 'boris 4'],
      ['boris 3', 'boris 4', 'anna 1'],
    ]);
    expect(shiftsBeyond(kept, 0)).not.toContain('boris 2');
  });

  it('a handover reaches the streams of colleagues at once', async () => {
    const stream = await openStream(host.url, boris, { query: 'topics=shift' });
    const { shift_id } = await anna.ask(shiftRoutes.start);
    await anna.ask(shiftRoutes.handOver, { params: { shift_id }, body: {} });
    const { data } = await stream.next('shift', (it) => 'handover' in it && it.handover !== null);
    expect(data).toMatchObject({ shift_id, handover: { state: 'open' } });
    stream.close();
    await endAll();
  });
});

describe('the report of a shift', () => {
  it('the report holds what came in and who acknowledged it, as far as its reader sees the vehicles, and stays as it was handed over', async () => {
    const [van, lorry] = await Promise.all(
      [[north], []].map((group_ids, at) =>
        dealer.ask(vehicleRoutes.create, {
          body: { terminal_id: `T${at}`, name: `Vehicle ${at}`, group_ids },
        }),
      ),
    );
    if (van === undefined || lorry === undefined) throw new Error('no vehicles');
    await dealer.ask(ruleRoutes.create, {
      body: { name: 'Help', event_kind: 'sos', severity: 'alarm', scope: { all: true }, cooldown_s: 0 },
    });
    const sos = async ({ vehicle_id }: { vehicle_id: string }) => {
      clock.advance(60_000);
      const time = new Date(clock.now()).toISOString();
      const fix = { vehicle_id, time, lat: 56.9, lon: 24.1, speed_kmh: 0 };
      await dealer.ask(positionRoutes.post, { body: { positions: [{ ...fix, alarms: ['sos'] }] } });
      await dealer.ask(positionRoutes.post, {
        body: { positions: [{ ...fix, time: new Date(clock.now() + 1_000).toISOString() }] },
      });
    };
    clock.advance(1_000);
    const { shift_id } = await anna.ask(shiftRoutes.start);
    const params = { shift_id };
    await sos(van);
    await sos(lorry);
    const { items } = await anna.ask(notificationRoutes.list);
    const ours = items.filter((it) => it.rule_name === 'Help');
    clock.advance(30_000);
    await anna.ask(notificationRoutes.ack, {
      params: { notification_id: ours[0]?.notification_id ?? '' },
      body: {},
    });
    const live = await anna.ask(shiftRoutes.report, { params });
    expect(live.notifications.by_rule.find((it) => it.rule_name === 'Help')).toMatchObject({
      count: 1,
      severity: 'alarm',
    });
    expect(live.acknowledgements).toMatchObject({
      total: 1,
      median_s: 90,
      by_user: [{ name: 'anna', count: 1 }],
    });
    expect(live).toMatchObject({ troubles: null, changes: null });

    await anna.ask(shiftRoutes.handOver, { params, body: {} });
    const frozen = await boris.ask(shiftRoutes.report, { params });
    await sos(van);
    expect(await boris.ask(shiftRoutes.report, { params })).toEqual(frozen);
    const all = await dealer.ask(shiftRoutes.report, { params });
    expect(all.notifications.by_rule.find((it) => it.rule_name === 'Help')?.count).toBe(2);
    expect(all.open.items.map((it) => it.vehicle_name)).toContain('Vehicle 1');
    expect(all.changes).toContainEqual(
      expect.objectContaining({ name: 'anna', kind: 'shift', action: 'created', count: 1 }),
    );
    const { own } = await boris.ask(shiftRoutes.accept, { params });
    const next = await boris.ask(shiftRoutes.report, { params: { shift_id: own.shift_id } });
    expect(next.notifications.by_rule.find((it) => it.rule_name === 'Help')?.count).toBe(1);
    await endAll();
  });

  it('the report since the last login begins where the earlier session was seen last', async () => {
    const first = await host.login('saul');
    const seen = new Date(clock.now()).toISOString();
    clock.advance(7_200_000);
    const second = await host.login('saul');
    const { since, report } = await second.ask(shiftRoutes.sinceLogin);
    expect([since, report?.from, report?.to]).toEqual([seen, seen, new Date(clock.now()).toISOString()]);
    await first.post('/auth/logout');
    await second.post('/auth/logout');
    clock.advance(1_000);
    const third = await host.login('saul');
    expect((await third.ask(shiftRoutes.sinceLogin)).since).toBe(report?.to);
  });
});
