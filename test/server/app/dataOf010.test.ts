import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { serviceRoutes } from '../../../server/contract/settings.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { folderOf010, soonAfter } from '../../support/folderOf010.ts';
import { startTestHost } from '../../support/testHost.ts';

test('a host starts on a data folder of 0.1.0 and finds everything that is in it', async () => {
  const host = await startTestHost({ data: await folderOf010(), clock: createFakeClock(soonAfter) });
  onTestFinished(() => host.close());
  const dealer = await host.login();
  await host.login('anna', 'anna on the night shift');
  const namesOf = async (path: string) => {
    const { body } = await dealer.get(path);
    return (body.items as { name: string }[]).map((it) => it.name).sort();
  };

  expect(await namesOf('/api/v1/vehicles')).toEqual(['Truck 1', 'Truck 2', 'Truck 3']);
  expect(await namesOf('/api/v1/geozones')).toEqual(['Quay 4', 'Ring road', 'Yard']);
  expect(await namesOf('/api/v1/notifications/rules')).toContain('Quay at night');
  const events = (await dealer.get('/api/v1/events?limit=1000')).body.items as {
    kind: string;
    details: object;
  }[];
  expect(events.filter((it) => it.kind !== 'offline')).toHaveLength(8);
  const speeding = events.filter((it) => it.kind === 'overspeed').map((it) => it.details);
  expect(speeding).toMatchObject([{ limit_source: 'rule' }, { limit_source: 'rule' }]);
  const { items } = (await dealer.get('/api/v1/notifications')).body as { items: { details: object }[] };
  for (const details of [...speeding, ...items.map((it) => it.details)]) {
    expect(details).toHaveProperty('limit_source');
    expect(details).not.toHaveProperty('limit_from');
  }
  expect((await dealer.get('/api/v1/positions/rejected')).body.items).toMatchObject([
    { code: 'time_in_future' },
  ]);

  const tasks = (await dealer.get('/service/vsvc/api/tasks?status=done')).body.items as { task_id: string }[];
  const clip = await dealer.get(`/service/vsvc/api/tasks/file/${tasks[0]?.task_id ?? ''}`);
  expect(clip.status).toBe(200);

  const recipients = (await dealer.get('/api/v1/notifications/recipients')).body.items as {
    address: string;
    state: string;
  }[];
  expect(recipients.map((it) => [it.address, it.state]).sort()).toEqual([
    ['duty@depot.invalid', 'to_review'],
    ['friend@private.invalid', 'to_review'],
    ['http://hooks.depot.invalid', 'to_review'],
    ['partner@elsewhere.invalid', 'to_review'],
  ]);
});

test('the settings of 0.1.0 hold under the names that they have now, also after the first change', async () => {
  const data = await folderOf010();
  const path = join(data, 'settings.json');
  const written = JSON.parse(await readFile(path, 'utf8')) as { data: object };
  const old = {
    ...{ moving_kmh: 6, idle_kmh: 4, late_s: 901, future_s: 601, overspeed_quiet_s: 11, unseen_way_s: 301 },
    ...{ video_downloads: 5, video_reserve_pct: 11, video_reserve_bytes: 2_000_000_001 },
    ...{ keep_positions_days: 366, keep_events_days: 731, keep_video_days: 31, keep_video_bytes: 7 },
  };
  await writeFile(path, JSON.stringify({ ...written, data: { ...written.data, ...old } }));
  const now = {
    ...{
      moving_speed_kmh: 6,
      idle_speed_kmh: 4,
      late_after_s: 901,
      max_future_s: 601,
      overspeed_clear_s: 11,
    },
    ...{ crossing_max_gap_s: 301, video_max_downloads: 5, video_min_free_pct: 11 },
    ...{ video_min_free_bytes: 2_000_000_001, positions_retention_days: 366, events_retention_days: 731 },
    ...{ video_retention_days: 31, video_quota_bytes: 7, depot_name: 'Harbour depot' },
  };
  const host = await startTestHost({ data, clock: createFakeClock(soonAfter) });
  onTestFinished(() => host.close());
  const dealer = await host.login();
  const held = await dealer.ask(serviceRoutes.settings);
  expect(held).toMatchObject(now);
  for (const name of Object.keys(old)) expect(held).not.toHaveProperty(name);

  await dealer.ask(serviceRoutes.patchSettings, { body: { late_after_s: 902 } });
  const file = JSON.parse(await readFile(path, 'utf8')) as { data: object };
  expect(file.data).toMatchObject({ ...now, late_after_s: 902 });
  for (const name of Object.keys(old)) expect(file.data).not.toHaveProperty(name);
});

test('users of 0.1.0 that were read from their backup are blocked until a dealer has confirmed them', async () => {
  const data = await folderOf010();
  await writeFile(join(data, 'users.json'), 'torn');
  const host = await startTestHost({ data, clock: createFakeClock(soonAfter) });
  onTestFinished(() => host.close());
  const login = async () => {
    const body = { login: 'anna', password: 'anna on the night shift' };
    const answer = await host.anybody.post('/auth/login?jwt=1', body);
    return answer.code ?? answer.status;
  };
  expect(await login()).toBe('user_blocked');
  const dealer = await host.login();
  expect(await dealer.ask(serviceRoutes.status)).toMatchObject({
    users_blocked_until_confirmed: true,
    store: {
      recoveries: [
        { document: 'users', restored_from: 'bak', quarantined_as: [expect.stringContaining('users')] },
      ],
    },
  });
  await dealer.ask(serviceRoutes.confirmRecoveries, { body: { documents: ['users'] } });
  expect(await login()).toBe(200);
});
