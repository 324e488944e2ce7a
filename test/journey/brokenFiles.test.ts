import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startRefusal } from '../../server/app.ts';
import { startTestHost } from '../support/testHost.ts';
import { startHostProcess } from './hostProcess.ts';
import { addVehicle, openDepot, reopenDepot, type Depot } from './depot.ts';

const annsPassword = 'a user of the depot';

async function addAnn({ dealer }: Depot): Promise<string> {
  const answer = await dealer.post('/api/v1/users', { login: 'ann', password: annsPassword });
  expect(answer.status).toBe(201);
  return answer.body.user_id as string;
}

const logInAsAnn = ({ host }: Depot) =>
  host.anybody.post('/auth/login?jwt=1', { login: 'ann', password: annsPassword });
const recoveries = async ({ dealer }: Depot) => (await dealer.get('/api/v1/status')).body.store.recoveries;

test('broken users are read from the backup, and only dealers may log in until a dealer confirms it', async () => {
  const depot = await openDepot();
  const ann = await addAnn(depot);
  // What the copy does not know: that she is blocked.
  expect((await depot.dealer.post(`/api/v1/users/${ann}/block`)).status).toBe(200);
  await depot.host.stop();
  const file = join(depot.host.data, 'users.json');
  const broken = (await readFile(file, 'utf8')).slice(0, -30);
  await writeFile(file, broken);

  const after = await reopenDepot(depot);
  expect(await logInAsAnn(after)).toMatchObject({ status: 403, body: { code: 'user_blocked' } });
  const status = (await after.dealer.get('/api/v1/status')).body;
  expect(status.users_blocked_until_confirmed).toBe(true);
  const [recovery] = status.store.recoveries;
  expect(status.store.recoveries).toEqual([
    {
      document: 'users',
      set_aside: [expect.stringMatching(/^users\.json\.broken-/)],
      read_from: 'bak',
      at: expect.any(String),
    },
  ]);
  expect(await readFile(join(depot.host.data, recovery.set_aside[0]), 'utf8')).toBe(broken);
  expect((await after.host.anybody.get('/api/v1/health')).body.status).toBe('degraded');
  await after.host.stop();

  // It is still unconfirmed after another start.
  const again = await reopenDepot(after);
  expect(await logInAsAnn(again)).toMatchObject({ status: 403, body: { code: 'user_blocked' } });
  const users = (await again.dealer.get('/api/v1/users')).body.items as { login: string; blocked: boolean }[];
  expect(users.find((it) => it.login === 'ann')).toMatchObject({ blocked: false });
  expect((await again.dealer.post(`/api/v1/users/${ann}/block`)).status).toBe(200);
  const confirmed = await again.dealer.post('/api/v1/status/recoveries/confirm', { documents: ['users'] });
  expect(confirmed.body).toMatchObject({ store: { recoveries: [] }, users_blocked_until_confirmed: false });
  expect((await again.host.anybody.get('/api/v1/health')).body.status).toBe('ok');
  expect(await logInAsAnn(again)).toMatchObject({ status: 403, body: { code: 'user_blocked' } });
  expect((await again.dealer.post(`/api/v1/users/${ann}/unblock`)).status).toBe(200);
  expect((await logInAsAnn(again)).status).toBe(200);
});

test.each(['null', '{"schema":1,"data":null}', '\0\0\0\0'])(
  'vehicles that read %j are set aside, and those of the copy before are there',
  async (text) => {
    const depot = await openDepot();
    await addVehicle(depot.dealer, '1');
    await addVehicle(depot.dealer, '2');
    await depot.host.stop();
    await writeFile(join(depot.host.data, 'vehicles.json'), text);
    const after = await reopenDepot(depot);
    expect(await recoveries(after)).toMatchObject([{ document: 'vehicles', read_from: 'bak' }]);
    const { items } = (await after.dealer.get('/api/v1/vehicles')).body;
    expect(items).toMatchObject([{ terminal_id: '1' }]);
    expect(await after.terminal.send({ id: '1', lat: 1, lon: 2 })).toBe(200);
    expect(await after.terminal.send({ id: '2', lat: 1, lon: 2 })).toBe(404);
    // Users are not in doubt.
    expect((await after.dealer.get('/api/v1/status')).body.users_blocked_until_confirmed).toBe(false);
  },
);

test('both copies are kept and the document starts afresh when the backup is broken as well', async () => {
  const depot = await openDepot();
  await addVehicle(depot.dealer, '1');
  await addVehicle(depot.dealer, '2');
  await depot.host.stop();
  for (const name of ['vehicles.json', 'vehicles.json.bak'])
    await writeFile(join(depot.host.data, name), 'null');
  const after = await reopenDepot(depot);
  const [recovery] = await recoveries(after);
  expect(recovery).toMatchObject({ document: 'vehicles', read_from: 'initial' });
  expect(recovery.set_aside).toHaveLength(2);
  expect((await after.dealer.get('/api/v1/vehicles')).body.items).toEqual([]);
});

test('a broken telemetry database is set aside and reported, and a new one takes positions', async () => {
  const depot = await openDepot();
  await addVehicle(depot.dealer, '1');
  expect(await depot.terminal.send({ id: '1', lat: 1, lon: 2 })).toBe(200);
  await depot.host.stop();
  const file = join(depot.host.data, 'telemetry.db');
  await rm(`${file}-wal`, { force: true });
  await writeFile(file, Buffer.alloc(8_192, 'not a database '));

  const after = await reopenDepot(depot);
  expect(await recoveries(after)).toMatchObject([
    {
      document: 'telemetry.db',
      read_from: 'initial',
      set_aside: [expect.stringMatching(/^telemetry\.db\.broken-/)],
    },
  ]);
  const names = await readdir(depot.host.data);
  expect(names.filter((name) => name.startsWith('telemetry.db.broken-'))).toHaveLength(1);
  expect((await after.dealer.get('/api/v1/positions/latest')).body).toEqual({ positions: [] });
  expect(await after.terminal.send({ id: '1', lat: 1, lon: 2 })).toBe(200);
  expect((await after.dealer.get('/api/v1/positions/latest')).body.positions).toHaveLength(1);
});

test('a second host on the same folder is refused in one line, and the first one goes on', async () => {
  const { host, dealer, terminal } = await openDepot();
  await addVehicle(dealer, '1');
  const second = await startTestHost({ data: host.data }).then(
    () => null,
    (error: unknown) => error,
  );
  expect(startRefusal(second)).toMatch(/^[^\n]*another[^\n]*$/);
  const child = startHostProcess(host.data);
  expect(await child.ended).toEqual([1, null]);
  expect(child.said()).toMatch(/^fleetdeck: [^\n]*\n$/);
  expect(await terminal.send({ id: '1', lat: 1, lon: 2 })).toBe(200);
});
