import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groupRoutes } from '../../../server/contract/groups.ts';
import { incidentRoutes } from '../../../server/contract/incidents.ts';
import type { Language } from '../../../server/contract/languages.ts';
import { notificationRoutes } from '../../../server/contract/notifications.ts';
import { positionRoutes } from '../../../server/contract/positions.ts';
import { preferenceRoutes } from '../../../server/contract/preferences.ts';
import { ruleRoutes } from '../../../server/contract/rules.ts';
import { longestHandoverS, longestShiftS, shiftNotes, shiftRoutes } from '../../../server/contract/shifts.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { videoRoutes } from '../../../server/contract/video.ts';
import { mostOffered, shiftsBeyond, type ShiftRecord } from '../../../server/shifts/shiftRecord.ts';
import { createShifts } from '../../../server/shifts/shifts.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { readPdf } from '../../support/readPdf.ts';
import { dealerPassword, startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';
import { openMailServer } from '../notifications/channels/mailServer.ts';
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
const speak = (caller: Caller, language?: Language) =>
  caller.ask(preferenceRoutes.put, { body: { preferences: language === undefined ? {} : { language } } });
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
    const note = { params, body: { text: ' Van 3 has a flat tyre ' } };
    const headers = { 'Idempotency-Key': 'the tyre of van 3' };
    for (let at = 0; at < 2; at++) await boris.ask(shiftRoutes.addNote, { ...note, headers });
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

  it('a handover to a user who may not be on duty any more is for whoever comes', async () => {
    const { shift_id } = await anna.ask(shiftRoutes.start);
    const params = { shift_id };
    const { user_id } = await dealer.ask(userRoutes.create, {
      body: {
        ...{ login: 'carla', password: dealerPassword, rights: { notifications: 'write' } },
        group_ids: (await anna.ask(userRoutes.me)).group_ids,
      },
    });
    await anna.ask(shiftRoutes.handOver, { params, body: { to_user_id: user_id } });
    await anna.ask(shiftRoutes.end, { params });
    expect(await boris.outcome(shiftRoutes.accept, { params })).toBe('403 forbidden');
    await dealer.ask(userRoutes.remove, { params: { user_id } });
    await expect
      .poll(async () => (await boris.ask(shiftRoutes.get, { params })).handover)
      .toMatchObject({ state: 'open', to: null });
    expect(await boris.outcome(shiftRoutes.accept, { params })).toBe(200);
    await endAll();
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

describe('shifts that are over', () => {
  it('a shift that cannot be ended is logged and does not hold up the others', async () => {
    const rows = new Map(
      ['one', 'two'].map((shift_id) => [
        shift_id,
        {
          shift_id,
          user_id: shift_id,
          started_at: '2026-01-01T00:00:00Z',
          report_from: '2026-01-01T00:00:00Z',
        },
      ]),
    );
    const records = rows as unknown as Map<string, ShiftRecord>;
    for (const it of records.values()) Object.assign(it, { ended_at: null, handover: null, notes: [] });
    const logged: unknown[] = [];
    const shifts = createShifts({
      collection: {
        all: () => [...records.values()],
        get: (id: string) => records.get(id),
        act: (run: (act: object) => unknown) => Promise.resolve(run({ now_ms: 0, write: () => undefined })),
        staged: {
          change(id: string, revise: (old: ShiftRecord) => ShiftRecord) {
            const old = records.get(id);
            if (old !== undefined) records.set(id, revise(old));
            return records.get(id);
          },
        },
      } as never,
      store: { shiftRecord: () => Promise.resolve(null) },
      users: { get: () => undefined },
      gather: (user_id) =>
        user_id === 'one' ? Promise.reject(new Error('the disk is full')) : Promise.resolve({} as never),
      clock: createFakeClock(),
      log: { info: () => undefined, error: (fields: object) => void logged.push(fields) },
    });
    shifts.start();
    await expect.poll(() => records.get('two')?.end_reason).toBe('access_lost');
    expect(records.get('one')?.ended_at).toBeNull();
    expect(logged).toMatchObject([{ shift_id: 'one' }]);
    await shifts.close();
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
    const [incident] = live.incidents.items;
    expect(live.incidents).toMatchObject({
      ...{ total: 1, not_closed: 1 },
      items: [{ title: 'SOS', status: 'open', vehicle_name: 'Vehicle 0', owner_name: null, closed_at: null }],
    });
    await anna.ask(incidentRoutes.close, {
      params: { incident_id: incident?.incident_id ?? '' },
      body: { reason: 'Resolved' },
    });
    expect((await anna.ask(shiftRoutes.report, { params })).incidents).toMatchObject({
      ...{ total: 1, not_closed: 0 },
      items: [{ status: 'closed', close_reason: 'Resolved', closed_at: new Date(clock.now()).toISOString() }],
    });

    clock.advance(1_000);
    await anna.ask(shiftRoutes.handOver, { params, body: {} });
    const frozen = await boris.ask(shiftRoutes.report, { params });
    await sos(van);
    expect(await boris.ask(shiftRoutes.report, { params })).toEqual(frozen);
    const all = await dealer.ask(shiftRoutes.report, { params });
    expect(all.notifications.by_rule.find((it) => it.rule_name === 'Help')?.count).toBe(2);
    expect(all.open.items.map((it) => it.vehicle_name)).toContain('Vehicle 1');
    expect(all.incidents.items.map((it) => it.vehicle_name)).toEqual(['Vehicle 1', 'Vehicle 0']);
    expect(all.changes).toContainEqual(
      expect.objectContaining({ name: 'anna', kind: 'shift', action: 'created', count: 1 }),
    );
    const { own } = await boris.ask(shiftRoutes.accept, { params });
    const next = await boris.ask(shiftRoutes.report, { params: { shift_id: own.shift_id } });
    expect(next.incidents).toMatchObject({ total: 1, not_closed: 1 });
    expect(next.notifications.by_rule.find((it) => it.rule_name === 'Help')?.count).toBe(1);
    await endAll();
  });

  it('the report names the clips that were ordered and the vehicles that are silent, as far as its reader may know', async () => {
    const rights = { notifications: 'write', vehicles: 'none', video: 'none' } as const;
    await dealer.ask(userRoutes.create, {
      body: { login: 'nora', password: dealerPassword, rights, group_ids: [north] },
    });
    const nora = await host.login('nora', dealerPassword);
    const { shift_id } = await anna.ask(shiftRoutes.start);
    const addVehicle = (name: string) =>
      dealer.ask(vehicleRoutes.create, {
        body: { terminal_id: name.toLowerCase(), name, group_ids: [north] },
      });
    const [{ vehicle_id }, awake] = [await addVehicle('Silent'), await addVehicle('Awake')];
    const report = (of: { vehicle_id: string }) => {
      const fix = { ...of, time: new Date(clock.now()).toISOString(), lat: 56.9, lon: 24.1 };
      return dealer.ask(positionRoutes.post, { body: { positions: [fix] } });
    };
    const since = new Date(clock.now()).toISOString();
    await report({ vehicle_id });
    const { profile_id } = await dealer.ask(videoRoutes.createProfile, {
      body: { vehicle_id, kind: 'simulated', channels: [{ channel: 1, name: 'front' }] },
    });
    const [from, to] = [-20_000, -10_000].map((ms) => new Date(clock.now() + ms).toISOString());
    const { task_id } = await dealer.ask(videoRoutes.createTask, {
      body: { profile_id, channel: 1, from: from ?? '', to: to ?? '' },
    });
    clock.advance(3_600_000);
    await report({ vehicle_id: awake.vehicle_id });

    const of = (caller: Caller) => caller.ask(shiftRoutes.report, { params: { shift_id } });
    const seen = await of(anna);
    expect(seen.clips).toMatchObject({
      total: 1,
      items: [
        {
          ...{ task_id, vehicle_id, vehicle_name: 'Silent', channel: 1, from, to, ordered_at: since },
          ordered_by: { name: 'dealer' },
        },
      ],
    });
    const silent = seen.silent_vehicles?.items ?? [];
    expect(silent.find((it) => it.vehicle_id === vehicle_id)).toEqual({
      ...{ vehicle_id, vehicle_name: 'Silent', status: 'offline', since },
    });
    expect(silent.map((it) => it.vehicle_name)).not.toContain('Awake');
    expect(silent.map((it) => it.since)).toEqual(silent.map((it) => it.since).toSorted());
    expect(await of(nora)).toMatchObject({ clips: null, silent_vehicles: null });
    const own = await saul.ask(shiftRoutes.start);
    expect(await saul.ask(shiftRoutes.report, { params: { shift_id: own.shift_id } })).toMatchObject({
      clips: { total: 0 },
      silent_vehicles: { total: 0 },
    });

    // Out of service it is not silent, and stays as it was where it was recorded.
    await anna.ask(shiftRoutes.handOver, { params: { shift_id }, body: {} });
    await dealer.ask(vehicleRoutes.remove, { params: { vehicle: vehicle_id } });
    expect((await of(dealer)).silent_vehicles).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ vehicle_name: 'Silent' })]) as unknown,
    });
    const { own: next } = await boris.ask(shiftRoutes.accept, { params: { shift_id } });
    const later = await dealer.ask(shiftRoutes.report, { params: { shift_id: next.shift_id } });
    expect(later.silent_vehicles?.items.map((it) => it.vehicle_name)).not.toContain('Silent');
    await endAll();
  });

  it('the report goes by email as a PDF, and the answer names the addresses that it did not reach', async () => {
    const { port, mails } = await openMailServer({
      onRcptTo: ({ address }, _session, done) =>
        done(address.startsWith('full') ? new Error('452 the mailbox is full') : null),
    });
    await dealer.ask(notificationRoutes.patchChannels, {
      body: {
        smtp: { host: '127.0.0.1', port, security: 'none', username: null, from: 'depot@port.example' },
      },
    });
    const { shift_id } = await anna.ask(shiftRoutes.start);
    const params = { shift_id };
    const email_to = ['boss@port.example', 'full@port.example'];
    expect(await anna.outcome(shiftRoutes.mail, { params, body: { email_to } })).toBe(
      '400 validation_failed',
    );
    const mailed = await dealer.ask(shiftRoutes.mail, { params, body: { email_to } });
    expect(mailed).toMatchObject({
      sent: ['Sent to boss@port.example.'],
      not_reached: ['full@port.example'],
    });
    expect(mailed.failed).toHaveLength(1);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.raw).toMatch(/^Subject: Shift of anna, /m);
    expect(mails[0]?.raw).toMatch(/filename=\S*\.pdf/);

    await speak(dealer, 'de');
    await dealer.ask(shiftRoutes.mail, { params, body: { email_to: ['boss@port.example'] } });
    expect(mails[1]?.raw).toMatch(/^Subject: Schicht von anna, /m);
    expect(mails[1]?.raw).toContain('Gesendet von Fleetdeck');
    await speak(dealer);
    await endAll();
  });

  it.each([
    ['en', ['Shift of anna', 'Notes for the next shift', 'Incidents', 'on duty', 'Created', 'None.']],
    [
      'de',
      ['Schicht von anna', 'Notizen für die nächste Schicht', 'Vorfälle', 'im Dienst', 'Angelegt', 'Keine.'],
    ],
    [
      'es',
      ['Turno de anna', 'Notas para el turno siguiente', 'Incidentes', 'de turno', 'Creado', 'Sin entradas.'],
    ],
    [
      'pt',
      [
        'Turno de anna',
        'Notas para o próximo turno',
        'Ocorrências',
        'de plantão',
        'Criação',
        'Nenhum registro.',
      ],
    ],
    ['ru', ['Смена: anna', 'Заметки для следующей смены', 'Инциденты', 'на дежурстве', 'Создано', 'Нет.']],
    ['zh', ['的班次', '给下一班的留言', '警情', '值班中', '新建', '无。']],
  ] as const)('the report as PDF is in the language of whoever asks for it: %s', async (language, words) => {
    const { shift_id } = await anna.ask(shiftRoutes.start);
    await anna.ask(shiftRoutes.addNote, { params: { shift_id }, body: { text: 'Gate 3 is blocked' } });
    await speak(dealer, language);
    const response = await fetch(`${host.url}/api/v1/shifts/${shift_id}/report/pdf`, {
      headers: { Authorization: `JWT ${dealer.jwt}` },
    });
    const text = (await readPdf(Buffer.from(await response.arrayBuffer()))).flat().join('\n');
    for (const word of [...words, 'Gate 3 is blocked']) expect(text).toContain(word);
    for (const word of language === 'en'
      ? []
      : ['Shift', 'Notes', 'Incidents', 'on duty', 'Created', 'None.'])
      expect(text).not.toContain(word);
    // Heads and facts fit into their columns.
    expect(text).not.toContain('…');
    await speak(dealer);
    await endAll();
  });

  it('the report as PDF has its times by the clock of whoever asks for it', async () => {
    const { shift_id } = await anna.ask(shiftRoutes.start);
    await dealer.ask(preferenceRoutes.put, { body: { preferences: { hour_cycle: 'h12' } } });
    const response = await fetch(`${host.url}/api/v1/shifts/${shift_id}/report/pdf`, {
      headers: { Authorization: `JWT ${dealer.jwt}` },
    });
    const text = (await readPdf(Buffer.from(await response.arrayBuffer()))).flat().join('\n');
    const times = text.match(/\d\d-\d\d \d+:\d\d.{0,6}/g) ?? [];
    expect(times.length).toBeGreaterThan(2);
    for (const time of times) expect(time).toMatch(/ (1[0-2]|[1-9]):\d\d(:\d\d)? [ap]m/);
    await speak(dealer);
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
