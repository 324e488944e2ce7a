import { expect, test } from 'vitest';
import type { DeliveryRow } from '../../../../server/store/telemetry/rows.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { actWith, batch, event, morning, notification, position, task } from './sampleRows.ts';
import { openSampleStore, wholeTrack } from './sampleStore.ts';

const words = { 'Fahrer/Größe': 'Zoë “Ж” 東京 🚚', listener: true, fuel: 0.1, seal: null, '': '\u0000\n"' };

const details = {
  measured: 93.5,
  threshold: 60,
  unit: 'km/h',
  duration_s: 12.25,
  alarm: 'čep',
  limit_source: 'geofence' as const,
  ended_at: '2026-11-21T08:00:12.000Z',
  fixes: [{ time: '2026-11-21T08:00:00.000Z', lat: 1e-7, lon: 180, speed_kmh: null }],
};

test('a position comes back as it was written, with every field and with none', async () => {
  const store = await openSampleStore();
  const full = position({
    vehicle_id: 'vän',
    altitude_m: -3.25,
    speed_kmh: 93.5,
    course_deg: 359.9,
    accuracy_m: 0,
    satellites: 12,
    hdop: 0.7,
    valid: false,
    ignition: false,
    odometer_m: 123_456_789.5,
    battery_pct: 100,
    alarms: ['sos', 'power_cut'],
    attributes: words,
  });
  const bare = position();
  await store.commit(batch({ positions: [full, bare] }));

  expect(await wholeTrack(store, 'vän')).toEqual([full]);
  expect(await store.positionsAt([bare, full, { vehicle_id: 'van', time_ms: 1 }])).toEqual([bare, full]);
  expect(await wholeTrack(store, 'nobody')).toEqual([]);
});

test('a merged position takes the place of what stood at its vehicle and time', async () => {
  const store = await openSampleStore();
  await store.commit(batch({ positions: [position({ speed_kmh: 1, attributes: words })] }));
  const merged = position({ speed_kmh: 2, alarms: ['sos'] });
  await store.commit(batch({ positions: [merged] }));

  expect(await wholeTrack(store, 'van')).toEqual([merged]);
});

test('the access log of a video is returned newest first', async () => {
  const store = await openSampleStore();
  const row = (task_id: string, action: 'read' | 'exported', at_ms: number) => ({
    ...{ task_id, action, at_ms },
    user_id: 'user',
  });
  await store.saveAccess([row('a', 'read', 1), row('b', 'read', 2)]);
  await store.saveAccess([row('a', 'exported', 3), row('a', 'read', 3)]);

  expect(await store.accessOf('a')).toEqual([
    row('a', 'read', 3),
    row('a', 'exported', 3),
    row('a', 'read', 1),
  ]);
  expect(await store.accessOf('nothing')).toEqual([]);
});

test('events, notifications and tasks come back as they were written, and as they were last changed', async () => {
  const store = await openSampleStore();
  const rows = {
    events: [
      event(),
      event({ event_id: 'full', late: true, lat: 1.5, lon: -2.5, geozone_id: 'zone', details }),
    ],
    notifications: [
      notification(),
      notification({
        notification_id: 'full',
        late: true,
        quiet: true,
        sound: 'bell',
        geozone_id: 'zone',
        ongoing_until_ms: morning + 5,
        details,
        lat: 1.5,
        lon: -2.5,
        event_ids: ['a', 'b'],
        ack: { user_id: 'user', at_ms: morning + 9, note: 'Привет 👋' },
        state: 'acknowledged',
      }),
    ],
    tasks: [
      task(),
      task({
        task_id: 'full',
        event_id: 'event',
        stream: 'sub',
        main_task_id: 'task',
        rule_id: 'rule',
        status: 'failed',
        important: true,
        attempts: 3,
        next_attempt_ms: morning + 1,
        error: { code: 'bad_media', detail: 'bøx' },
        file: {
          size_bytes: 3_000_000_000,
          duration_s: 30.04,
          content_type: 'video/mp4',
          sha256: 'ab',
          width: 640,
          height: 360,
          starts_at: '2026-11-19T11:05:00.000Z',
        },
        file_name: 'a.mp4',
        done_ms: morning + 2,
        expires_ms: morning + 3,
        version: 7,
      }),
    ],
  };
  await store.commit(batch(rows));
  const byId =
    <Row>(key: keyof Row) =>
    (a: Row, b: Row) =>
      String(a[key]).localeCompare(String(b[key]));

  expect((await store.events({ limit: 9 })).toSorted(byId('event_id'))).toEqual(rows.events);
  const ids = ['full', 'notification', 'task', 'nothing'];
  expect((await store.notificationsById(ids)).toSorted(byId('notification_id'))).toEqual(
    rows.notifications.toSorted(byId('notification_id')),
  );
  expect((await store.tasksById(ids)).toSorted(byId('task_id'))).toEqual(
    rows.tasks.toSorted(byId('task_id')),
  );

  const ended = event({ event_id: 'event', details });
  const acknowledged = notification({ state: 'acknowledged', count: 2 });
  const done = task({ status: 'done', version: 2 });
  await store.commit(batch({ events: [ended] }));
  await store.saveNotifications([acknowledged]);
  await store.saveTasks([done]);
  expect(await store.events({ limit: 9, event_ids: ['event'] })).toEqual([ended]);
  expect(await store.notificationsById(['notification'])).toEqual([acknowledged]);
  expect(await store.tasksById(['task'])).toEqual([done]);
});

test('engine state, sessions, remembered answers and refusals come back as they were written', async () => {
  const store = await openSampleStore();
  const refusal = {
    terminal_id: '007',
    received_ms: morning,
    code: 'time_in_future' as const,
    detail: 'über',
    protocol: 'osmand',
    raw: 'a\u0000\u{1F600}',
  };
  await store.commit(
    batch({
      states: [
        { vehicle_id: 'van', state: '{"ж":1}' },
        { vehicle_id: 'bus', state: '' },
      ],
      rejected: [refusal, { ...refusal, detail: 'second' }, { ...refusal, detail: 'third' }],
    }),
  );
  await store.commit(batch({ states: [{ vehicle_id: 'bus', state: 'new' }] }));
  expect(await store.vehicleStates()).toEqual([
    { vehicle_id: 'bus', state: 'new' },
    { vehicle_id: 'van', state: '{"ж":1}' },
  ]);
  const newest = await store.rejected({ limit: 2 });
  expect(newest.map((row) => row.detail)).toEqual(['third', 'second']);
  const older = await store.rejected({ limit: 2, before: newest[1]?.rejected_id ?? 0 });
  expect(older).toEqual([{ ...refusal, rejected_id: 1 }]);

  const session = {
    session_id: 's1',
    user_id: 'ü',
    created_ms: 1,
    last_seen_ms: 2,
    expires_ms: 3,
    ip_address: null,
    user_agent: null,
    earlier_seen_ms: null,
  };
  const other = {
    ...session,
    session_id: 's2',
    ip_address: '::1',
    user_agent: 'Браузер',
    earlier_seen_ms: 2,
  };
  await store.saveSessions([session, other]);
  await store.saveSessions([{ ...session, last_seen_ms: 9 }]);
  expect(await store.sessions()).toEqual([{ ...session, last_seen_ms: 9 }, other]);
  await store.deleteSessions(['s1', 'nobody']);
  expect(await store.sessions()).toEqual([other]);

  const answer = {
    user_id: 'u',
    operation: 'createTask',
    key: 'ключ',
    fingerprint: Uint8Array.of(0, 255, 7),
    response: '{"é":1}',
    at_ms: 5,
  };
  await store.act([actWith(answer)]);
  expect(await store.idempotent(answer)).toEqual(answer);
  expect(await store.idempotent({ ...answer, user_id: 'v' })).toBeNull();
});

test('the newest stored answers of a user stay when they are trimmed', async () => {
  const store = await openSampleStore();
  const answer = { operation: 'createTask', fingerprint: Uint8Array.of(1), response: '{}' };
  for (let at_ms = 1; at_ms <= 5; at_ms += 1) {
    for (const user_id of ['u', 'v'])
      await store.act([
        actWith({ ...answer, user_id, key: `${at_ms}`, at_ms }, at_ms === 5 && user_id === 'u' ? 2 : null),
      ]);
  }
  const kept = async (user_id: string) => {
    const keys = ['1', '2', '3', '4', '5'];
    const rows = await Promise.all(
      keys.map((key) => store.idempotent({ user_id, operation: 'createTask', key })),
    );
    return rows.flatMap((row) => row?.key ?? []);
  };
  expect([await kept('u'), await kept('v')]).toEqual([
    ['4', '5'],
    ['1', '2', '3', '4', '5'],
  ]);
});

test('messages of an unknown terminal are counted, and those silent for longest are dropped beyond a thousand', async () => {
  const store = await openSampleStore();
  const unknownTerminal = {
    terminal_id: 'a',
    protocol: 'osmand',
    first_seen_ms: 10,
    last_seen_ms: 10,
    message_count: 2,
    address: '::1',
    lat: 1,
    lon: 2,
  };
  await store.noteUnknown([unknownTerminal]);
  await store.noteUnknown([
    {
      ...unknownTerminal,
      first_seen_ms: 20,
      last_seen_ms: 20,
      message_count: 3,
      address: null,
      lat: null,
      lon: null,
    },
  ]);
  expect(await store.unknownTerminals()).toEqual([
    { ...unknownTerminal, last_seen_ms: 20, message_count: 5 },
  ]);

  await store.noteUnknown(
    Array.from({ length: 1_000 }, (_, index) => ({
      ...unknownTerminal,
      terminal_id: `t${index}`,
      first_seen_ms: 100 + index,
      last_seen_ms: 100 + index,
    })),
  );
  const kept = await store.unknownTerminals();
  expect(kept).toHaveLength(1_000);
  expect(kept.map((row) => row.terminal_id)).not.toContain('a');
  expect(kept[0]?.terminal_id).toBe('t999');

  await store.forgetUnknown(['t999', 't998']);
  expect((await store.unknownTerminals())[0]?.terminal_id).toBe('t997');
});

test('a track is read in pages and in order, and a reader that has enough stops the reading', async () => {
  const store = await openSampleStore();
  const positions = Array.from({ length: 4_500 }, (_, index) =>
    position({ time_ms: morning + index * 1_000 }),
  );
  await store.commit(batch({ positions: positions.toReversed() }));

  expect(await wholeTrack(store, 'van')).toEqual(positions);
  const from_ms = morning + 1_000;
  for await (const page of store.track({ vehicle_id: 'van', from_ms, to_ms: morning + 3_000 })) {
    expect(page).toEqual(positions.slice(1, 4));
  }
  let pages = 0;
  for await (const page of store.track({ vehicle_id: 'van', from_ms: 0, to_ms: Infinity })) {
    expect(page.length).toBeLessThan(4_500);
    pages++;
    break;
  }
  expect(pages).toBe(1);
});

test('acknowledged data outlives the store, and the database keeps its name', async () => {
  const folder = await temporaryFolder();
  const before = await openSampleStore({ folder });
  await before.commit(batch({ positions: [position()] }));
  const { epoch } = before;
  await before.close();
  const after = await openSampleStore({ folder });
  expect(after.epoch).toBe(epoch);
  expect(await wholeTrack(after, 'van')).toEqual([position()]);
  await expect(before.lastSeq()).rejects.toThrow('closed');
});

test('rules as they were, snoozes and deliveries come back as they were written', async () => {
  const store = await openSampleStore();
  const version = { rule_id: 'rule', version: 2, rule: '{"name":"Överfart"}' };
  const delivery: DeliveryRow = {
    delivery_id: 'first',
    notification_id: 'notification',
    rule_id: 'rule',
    vehicle_id: 'van',
    channel: 'webhook',
    target: 'http://127.0.0.1:1/hook',
    status: 'waiting',
    attempts: 0,
    next_attempt_ms: morning + 1,
    last_error: null,
    created_ms: morning,
    sent_ms: null,
    step: null,
    user_id: null,
  };
  const later = {
    ...delivery,
    step: 1,
    user_id: 'zoë',
    delivery_id: 'second',
    channel: 'email' as const,
    created_ms: morning + 1,
  };
  await store.commit(batch({ rules: [version], deliveries: [later, delivery] }));
  await store.commit(batch({ rules: [{ ...version, rule: '{"name":"rewritten"}' }] }));
  expect(await store.ruleVersion({ rule_id: 'rule', version: 2 })).toEqual(version);
  expect(await store.ruleVersion({ rule_id: 'rule', version: 3 })).toBeNull();
  expect(await store.waitingDeliveries()).toEqual([delivery, later]);

  const sent: DeliveryRow = {
    ...delivery,
    status: 'sent',
    attempts: 2,
    next_attempt_ms: null,
    last_error: 'HTTP 503',
    sent_ms: morning + 40_000,
  };
  await store.saveDeliveries([sent]);
  expect(await store.waitingDeliveries()).toEqual([later]);
  expect(await store.deliveriesOf('notification')).toEqual([sent, later]);

  const snooze = {
    snooze_id: 'snooze',
    vehicle_id: 'van',
    rule_id: null,
    until_ms: morning + 900_000,
    note: 'workshop',
    created_by: 'user',
    created_ms: morning,
  };
  const saved = await store.changeSnoozes({ begun: [snooze], ended: [] });
  expect(saved.changes).toMatchObject([{ topic: 'snooze', resource_id: 'snooze', visible_to: null }]);
  expect(await store.snoozes()).toEqual([snooze]);
  const ended = await store.changeSnoozes({
    begun: [],
    ended: [{ ...snooze, visible_to: ['north'] }],
  });
  expect(ended.changes).toMatchObject([{ topic: 'snooze', resource_id: 'snooze', visible_to: ['north'] }]);
  expect(await store.snoozes()).toEqual([]);
});

test('a purged vehicle leaves no delivery and no snooze behind', async () => {
  const store = await openSampleStore();
  const of = (vehicle_id: string): DeliveryRow => ({
    delivery_id: vehicle_id,
    notification_id: vehicle_id,
    rule_id: 'rule',
    vehicle_id,
    channel: 'email',
    target: 'a@example.org',
    status: 'waiting',
    attempts: 0,
    next_attempt_ms: morning,
    last_error: null,
    created_ms: morning,
    sent_ms: null,
    step: null,
    user_id: null,
  });
  const snoozeOf = (vehicle_id: string) => ({
    snooze_id: vehicle_id,
    vehicle_id,
    rule_id: null,
    until_ms: morning,
    note: null,
    created_by: 'user',
    created_ms: morning,
  });
  await store.commit(batch({ deliveries: [of('van'), of('bus')] }));
  await store.changeSnoozes({ begun: [snoozeOf('van'), snoozeOf('bus')], ended: [] });
  await store.forgetVehicle('van');
  expect(await store.waitingDeliveries()).toEqual([of('bus')]);
  expect(await store.snoozes()).toEqual([snoozeOf('bus')]);
});
