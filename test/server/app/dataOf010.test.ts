import { writeFile } from 'node:fs/promises';
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
  const events = (await dealer.get('/api/v1/events?limit=1000')).body.items as { kind: string }[];
  expect(events.filter((it) => it.kind !== 'offline')).toHaveLength(8);

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
      recoveries: [{ document: 'users', read_from: 'bak', set_aside: [expect.stringContaining('users')] }],
    },
  });
  await dealer.ask(serviceRoutes.confirmRecoveries, { body: { documents: ['users'] } });
  expect(await login()).toBe(200);
});
