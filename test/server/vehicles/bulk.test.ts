import { causeOf, said } from '../../../server/contract/causeTexts.ts';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { auditRoutes } from '../../../server/contract/audit.ts';
import { maxBulk } from '../../../server/contract/bulk.ts';
import { groupRoutes } from '../../../server/contract/groups.ts';
import { notificationRoutes } from '../../../server/contract/notifications.ts';
import { quotas } from '../../../server/contract/quotas.ts';
import { ruleRoutes } from '../../../server/contract/rules.ts';
import { terminalCommandRoutes } from '../../../server/contract/terminalCommands.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { maxVehiclesOfOrder, videoRoutes } from '../../../server/contract/video.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { connectFakeTeltonika } from '../../support/fakeTeltonika.ts';
import { commandAnswer, readCommand } from '../../support/teltonikaCommands.ts';
import { openStream } from '../../support/streamReader.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

const clock = createFakeClock();
const imei = '356307042441013';
let host: TestHost;
let dealer: Caller;
let anna: Caller;
let annasGroup: string;
let spare: string;
/** Of Anna's group. */
let own: string[];
/** One that only dealers see. */
let hidden: string;
const unknown = '00000000-0000-4000-8000-000000000000';

beforeAll(async () => {
  host = await startTestHost({
    clock,
    users: [{ login: 'anna', rights: { vehicles: 'write', notifications: 'write', video: 'write' } }],
  });
  [dealer, anna] = [await host.login(), await host.login('anna')];
  [annasGroup = ''] = (await anna.ask(userRoutes.me)).group_ids;
  spare = (await dealer.ask(groupRoutes.create, { body: { name: 'Spare' } })).group_id;
  const add = async (terminal_id: string, group_ids: string[]) =>
    (await dealer.ask(vehicleRoutes.create, { body: { terminal_id, name: terminal_id, group_ids } }))
      .vehicle_id;
  own = [await add(imei, [annasGroup]), await add('B2', [annasGroup]), await add('B3', [annasGroup, spare])];
  hidden = await add('H1', []);
});
afterAll(() => host.close());

const groupsOf = async (vehicle: string) =>
  (await dealer.ask(vehicleRoutes.get, { params: { vehicle } })).group_ids.toSorted();

it('many vehicles join and leave a group in one call, which says what became of each', async () => {
  const body = { group_id: spare, vehicle_ids: [...own, ...own, unknown] };
  const joined = await dealer.ask(vehicleRoutes.changeGroups, { body: { ...body, action: 'add' } });
  expect(joined).toEqual({ done: own, refused: [], not_found: [unknown] });
  expect(await groupsOf(own[0] ?? '')).toEqual([annasGroup, spare].toSorted());
  const again = await dealer.ask(vehicleRoutes.changeGroups, { body: { ...body, action: 'add' } });
  expect(again).toEqual(joined);
  await dealer.ask(vehicleRoutes.changeGroups, { body: { ...body, action: 'remove' } });
  expect(await groupsOf(own[0] ?? '')).toEqual([annasGroup]);
  const { items } = await dealer.ask(auditRoutes.list, { query: { kind: 'vehicle', limit: 3 } });
  expect(items.map((it) => it.entity_id).toSorted()).toEqual(own.toSorted());
});

it('a user changes the groups of visible vehicles alone, and puts none out of sight', async () => {
  const leave = { action: 'remove' as const, group_id: annasGroup, vehicle_ids: [own[0] ?? '', hidden] };
  expect(await anna.ask(vehicleRoutes.changeGroups, { body: leave })).toEqual({
    ...{ done: [], not_found: [hidden] },
    refused: [{ code: 'forbidden', ...said(causeOf('vehicle.in_no_group')), vehicle_ids: [own[0]] }],
  });
  expect(await groupsOf(own[0] ?? '')).toEqual([annasGroup]);
  const body = { ...leave, action: 'add' as const, group_id: spare };
  expect(await anna.outcome(vehicleRoutes.changeGroups, { body })).toBe('404 not_found');
});

it('many vehicles are archived in one call, with what named them, each with an entry in the log', async () => {
  const vehicle_ids: string[] = [];
  for (const terminal_id of ['A1', 'A2', 'A3']) {
    const group_ids = terminal_id === 'A3' ? [annasGroup, spare] : [annasGroup];
    const body = { terminal_id, name: terminal_id, group_ids };
    vehicle_ids.push((await dealer.ask(vehicleRoutes.create, { body })).vehicle_id);
  }
  const [first = '', second = '', shared = ''] = vehicle_ids;
  const ruleOf = async (ids: string[]) =>
    (
      await dealer.ask(ruleRoutes.create, {
        body: { name: 'r', event_kind: 'sos', scope: { vehicle_ids: ids, group_ids: [] } },
      })
    ).rule_id;
  const [emptied, left] = [await ruleOf([first, second]), await ruleOf([first, shared])];
  await dealer.ask(notificationRoutes.snoozeVehicles, { body: { vehicle_ids, duration_s: 600, note: null } });

  const body = { vehicle_ids: [...vehicle_ids, first, hidden, unknown] };
  expect(await anna.ask(vehicleRoutes.archiveMany, { body })).toEqual({
    ...{ done: [first, second], not_found: [hidden, unknown] },
    refused: [{ code: 'forbidden', ...said(causeOf('vehicle.other_groups')), vehicle_ids: [shared] }],
  });
  const archivedAt = async (vehicle: string) =>
    (await dealer.ask(vehicleRoutes.get, { params: { vehicle } })).archived_at;
  const iso = new Date(clock.now()).toISOString();
  expect(await Promise.all([...vehicle_ids, hidden].map(archivedAt))).toEqual([iso, iso, null, null]);

  const rule = (rule_id: string) => dealer.ask(ruleRoutes.get, { params: { rule_id } });
  expect(await rule(emptied)).toMatchObject({
    ...{ enabled: false, scope: { vehicle_ids: [] } },
    disabled_causes: [{ code: 'rule.vehicle_deleted', values: { name: 'A2' } }],
  });
  expect(await rule(left)).toMatchObject({ enabled: true, scope: { vehicle_ids: [shared] } });
  const { items: snoozed } = await dealer.ask(notificationRoutes.snoozes);
  expect(snoozed.map((it) => it.vehicle_id)).toEqual([shared]);
  const { items } = await dealer.ask(auditRoutes.list, { query: { kind: 'vehicle', limit: 2 } });
  expect(items.map((it) => it.entity_id).toSorted()).toEqual([first, second].toSorted());
  expect(items.map((it) => it.actor.login)).toEqual(['anna', 'anna']);

  // For dealers it is as they asked for, now or before; a terminal ID is free again.
  const again = { body: { vehicle_ids } };
  expect(await dealer.ask(vehicleRoutes.archiveMany, again)).toMatchObject({
    done: vehicle_ids,
    refused: [],
  });
  const next = { terminal_id: 'A1', name: 'next', group_ids: [spare] };
  expect(await dealer.outcome(vehicleRoutes.create, { body: next })).toBe(201);
});

it('archived vehicles are restored in one call, each that stays with its reason', async () => {
  const add = async (terminal_id: string, group_ids = [annasGroup]) =>
    (await dealer.ask(vehicleRoutes.create, { body: { terminal_id, name: terminal_id, group_ids } }))
      .vehicle_id;
  const [back, replaced, twin] = [await add('R1'), await add('R2'), await add('R3')];
  await dealer.ask(notificationRoutes.snoozeVehicles, {
    body: { vehicle_ids: [back], duration_s: 600, note: null },
  });
  const archive = (vehicle_ids: string[]) => anna.ask(vehicleRoutes.archiveMany, { body: { vehicle_ids } });
  await archive([back, replaced, twin]);
  await add('r2');
  const sameTerminal = await add('R3');
  await archive([sameTerminal]);

  const list = () => dealer.ask(vehicleRoutes.list, { query: { archived: 'true', q: 'R' } });
  expect((await list()).items.map((it) => it.vehicle_id)).toEqual(
    expect.arrayContaining([back, replaced, twin, sameTerminal]),
  );
  const stream = await openStream(host.url, anna, { query: 'topics=vehicle' });
  onTestFinished(() => stream.close());
  const body = { vehicle_ids: [back, back, own[0] ?? '', replaced, twin, sameTerminal, unknown] };
  expect(await anna.outcome(vehicleRoutes.restoreMany, { body })).toBe('403 forbidden');
  expect(await anna.outcome(vehicleRoutes.list, { query: { archived: 'true' } })).toBe('403 forbidden');
  const taken = { code: 'already_exists' };
  expect(await dealer.ask(vehicleRoutes.restoreMany, { body })).toEqual({
    ...{ done: [back, own[0], twin], not_found: [unknown] },
    refused: [
      {
        ...taken,
        ...said(causeOf('vehicle.terminal_taken', { terminal: 'R2' })),
        vehicle_ids: [replaced],
      },
      {
        ...taken,
        ...said(causeOf('vehicle.terminal_twice', { terminal: 'R3' })),
        vehicle_ids: [sameTerminal],
      },
    ],
  });
  for (const vehicle_id of [back, twin])
    expect((await stream.next('vehicle')).data).toMatchObject({
      ...{ vehicle_id, archived_at: null, group_ids: [annasGroup] },
    });
  expect((await anna.ask(vehicleRoutes.get, { params: { vehicle: 'R1' } })).vehicle_id).toBe(back);
  // What had an end with it does not begin again.
  expect((await dealer.ask(notificationRoutes.snoozes)).items.map((it) => it.vehicle_id)).not.toContain(back);
  expect((await list()).items.map((it) => it.vehicle_id)).not.toContain(back);
  const { items } = await dealer.ask(auditRoutes.list, { query: { kind: 'vehicle', limit: 2 } });
  expect(items.map((it) => [it.entity_id, it.after])).toEqual(
    [twin, back].map((id) => [id, { archived_at: null, restored_at: expect.any(String) as string }]),
  );
});

it('a vehicle that is deleted with its data while it is restored goes whole, or stays whole', async () => {
  const body = { terminal_id: 'P1', name: 'P1', group_ids: [annasGroup] };
  const { vehicle_id } = await dealer.ask(vehicleRoutes.create, { body });
  const params = { vehicle: vehicle_id };
  const restore = () => dealer.ask(vehicleRoutes.restoreMany, { body: { vehicle_ids: [vehicle_id] } });
  await dealer.ask(vehicleRoutes.remove, { params });
  const removed = dealer.outcome(vehicleRoutes.remove, { params, query: { purge: 'true' } });
  const restored = await Promise.all(Array.from({ length: 5 }, restore));
  expect(await removed).toBe(204);
  // Where it came first, the vehicle was restored, archived again and deleted.
  for (const { done, not_found } of restored) expect([...done, ...not_found]).toEqual([vehicle_id]);
  expect(await dealer.outcome(vehicleRoutes.get, { params })).toBe('404 not_found');
  expect(await restore()).toMatchObject({ not_found: [vehicle_id] });
});

it('a bulk action names 500 vehicles at most', async () => {
  const vehicle_ids = Array.from({ length: maxBulk + 1 }, () => unknown);
  const body = { action: 'add', group_id: spare, vehicle_ids } as const;
  expect(await dealer.outcome(vehicleRoutes.changeGroups, { body })).toBe('400 validation_failed');
  for (const route of [vehicleRoutes.archiveMany, vehicleRoutes.restoreMany])
    expect(await dealer.outcome(route, { body: { vehicle_ids } })).toBe('400 validation_failed');
});

it('a command to many is checked first, then sent to those that take it, once for one key', async () => {
  const terminal = await connectFakeTeltonika({ port: host.teltonikaPort, imei });
  try {
    expect(await terminal.logIn()).toBe(1);
    const [online = '', ...offline] = own;
    const vehicle_ids = [...own, hidden];
    const ask = { body: { kind: 'position', vehicle_ids }, query: { dry_run: '1' } } as const;
    const checked = await anna.ask(terminalCommandRoutes.sendMany, ask);
    expect(checked).toMatchObject({ done: offline, waiting: offline, not_found: [hidden] });
    expect(checked.refused).toEqual([
      {
        ...{ code: 'terminal_refused', vehicle_ids: [online] },
        detail: 'A terminal cannot be asked for its position by Teltonika.',
      },
    ]);
    const list = () => anna.ask(terminalCommandRoutes.list, { params: { vehicle: online } });
    expect((await list()).items).toEqual([]);

    const headers = { 'Idempotency-Key': 'one key' };
    const text = { body: { kind: 'text', text: 'getinfo', vehicle_ids }, headers } as const;
    const sent = await anna.ask(terminalCommandRoutes.sendMany, text);
    expect(sent).toEqual({ done: own, refused: [], not_found: [hidden], waiting: offline });
    expect(await anna.ask(terminalCommandRoutes.sendMany, text)).toEqual(sent);
    expect(await readCommand(terminal)).toBe('getinfo');
    terminal.write(commandAnswer('ok'));
    expect((await list()).items).toHaveLength(1);
  } finally {
    terminal.abort();
  }
});

it('a command that too many wait behind is refused for this vehicle alone', async () => {
  const [, full = '', free = ''] = own;
  const send = (vehicle_ids: string[]) =>
    dealer.ask(terminalCommandRoutes.sendMany, { body: { kind: 'position', vehicle_ids } });
  const { most } = quotas.waiting_commands;
  for (let count = 1; count < most; count += 1) expect((await send([full])).done).toEqual([full]);
  const { done, refused } = await send([full, free]);
  expect(done).toEqual([free]);
  expect(refused).toMatchObject([{ code: 'quota_exceeded', vehicle_ids: [full] }]);
});

it('many vehicles are snoozed at once, each once', async () => {
  const body = { vehicle_ids: [...own, hidden], duration_s: 600, note: 'in the workshop' };
  const expected = { done: own, refused: [], not_found: [hidden] };
  expect(await anna.ask(notificationRoutes.snoozeVehicles, { body })).toEqual(expected);
  expect(await anna.ask(notificationRoutes.snoozeVehicles, { body })).toEqual(expected);
  const { items } = await anna.ask(notificationRoutes.snoozes);
  expect(items.map((it) => it.vehicle_id).toSorted()).toEqual(own.toSorted());
  expect(items.every((it) => it.note === 'in the workshop')).toBe(true);
});

it('clips of one span are requested of many vehicles, and those without cameras are named', async () => {
  const [filmed = '', ...others] = own;
  await dealer.ask(videoRoutes.createProfile, {
    body: {
      ...{ vehicle_id: filmed, kind: 'simulated' },
      channels: [1, 2].map((channel) => ({ channel, name: `${channel}` })),
    },
  });
  const iso = (ms: number) => new Date(ms).toISOString();
  const span = { from: iso(clock.now() - 60_000), to: iso(clock.now() - 30_000) };
  const body = { vehicle_ids: [...own, hidden], ...span };
  const headers = { 'Idempotency-Key': 'clips' };
  const expected = {
    ...{ done: [filmed], refused: [], not_found: [hidden], without_cameras: others, tasks: 2 },
  };
  expect(await anna.ask(videoRoutes.createTasks, { body, headers })).toEqual(expected);
  expect(await anna.ask(videoRoutes.createTasks, { body, headers })).toEqual(expected);
  expect((await anna.ask(videoRoutes.tasks)).items.map((it) => it.channel).toSorted()).toEqual([1, 2]);

  const ofChannel = { ...body, vehicle_ids: [filmed], channels: [2, 7] };
  expect(await anna.ask(videoRoutes.createTasks, { body: ofChannel })).toMatchObject({ tasks: 1 });
  const missing = { ...ofChannel, channels: [7] };
  expect((await anna.ask(videoRoutes.createTasks, { body: missing })).refused).toMatchObject([
    { detail: 'The vehicle has none of these channels.', vehicle_ids: [filmed] },
  ]);
  const late = { ...body, to: iso(clock.now() + 3_600_000) };
  expect(await anna.outcome(videoRoutes.createTasks, { body: late })).toBe('400 validation_failed');
  const crowd = { ...body, vehicle_ids: Array.from({ length: maxVehiclesOfOrder + 1 }, () => unknown) };
  expect(await anna.outcome(videoRoutes.createTasks, { body: crowd })).toBe('400 validation_failed');
});
