import { copyFile, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
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
interface Recovery {
  document: string;
  restored_from: string;
  quarantined_as: string[];
}

const recoveries = async ({ dealer }: Depot) =>
  (await dealer.get('/api/v1/status')).body.store.recoveries as Recovery[];
const recovered = async (depot: Depot) =>
  Object.fromEntries((await recoveries(depot)).map((it) => [it.document, it.restored_from]));
/** What a database that was begun anew has recovered. */
const restored = {
  'telemetry.db': 'initial',
  users: 'bak',
  groups: 'bak',
  vehicles: 'bak',
  geofences: 'bak',
  rules: 'bak',
  profiles: 'bak',
};

const fileOf = ({ host }: Depot) => join(host.data, 'telemetry.db');
const copyOf = ({ host }: Depot) => join(host.data, 'depot-copy.json');

/** What the depot is from now on the copy does not know, once it is brought back. */
async function restartAfterCopy(depot: Depot): Promise<Depot> {
  await depot.host.stop();
  await copyFile(copyOf(depot), `${copyOf(depot)}.kept`);
  return reopenDepot(depot);
}

const bringBackCopy = (depot: Depot) => rename(`${copyOf(depot)}.kept`, copyOf(depot));

test('users are read from the copy when the database is broken, and only dealers may log in until a dealer confirms it', async () => {
  let depot = await openDepot();
  const ann = await addAnn(depot);
  depot = await restartAfterCopy(depot);
  // What the copy does not know: that she is blocked.
  expect((await depot.dealer.post(`/api/v1/users/${ann}/block`)).status).toBe(200);
  await depot.host.stop();
  await bringBackCopy(depot);
  const broken = (await readFile(fileOf(depot))).subarray(0, 10_000);
  await writeFile(fileOf(depot), broken);

  const after = await reopenDepot(depot);
  expect(await logInAsAnn(after)).toMatchObject({ status: 403, body: { code: 'user_blocked' } });
  const status = (await after.dealer.get('/api/v1/status')).body;
  expect(status.users_blocked_until_confirmed).toBe(true);
  expect(await recovered(after)).toEqual(restored);
  const { quarantined_as } = (await recoveries(after)).find((it) => it.document === 'telemetry.db') ?? {
    quarantined_as: [],
  };
  expect(quarantined_as[0]).toMatch(/^telemetry\.db\.broken-/);
  expect(await readFile(join(depot.host.data, quarantined_as[0] ?? ''))).toEqual(broken);
  expect((await after.host.anybody.get('/api/v1/health')).body.status).toBe('degraded');
  await after.host.stop();

  // It is still unconfirmed after another start.
  const again = await reopenDepot(after);
  expect(await logInAsAnn(again)).toMatchObject({ status: 403, body: { code: 'user_blocked' } });
  const users = (await again.dealer.get('/api/v1/users')).body.items as { login: string; blocked: boolean }[];
  expect(users.find((it) => it.login === 'ann')).toMatchObject({ blocked: false });
  expect((await again.dealer.post(`/api/v1/users/${ann}/block`)).status).toBe(200);
  const documents = (await recoveries(again)).map((it) => it.document);
  const confirmed = await again.dealer.post('/api/v1/status/recoveries/confirm', { documents });
  expect(confirmed.body).toMatchObject({ store: { recoveries: [] }, users_blocked_until_confirmed: false });
  expect((await again.host.anybody.get('/api/v1/health')).body.status).toBe('ok');
  expect(await logInAsAnn(again)).toMatchObject({ status: 403, body: { code: 'user_blocked' } });
  expect((await again.dealer.post(`/api/v1/users/${ann}/unblock`)).status).toBe(200);
  expect((await logInAsAnn(again)).status).toBe(200);
});

test.each(['null', '{"schema":1,"data":null}', '\0\0\0\0'])(
  'a database that reads %j is set aside, and the vehicles of the copy are there',
  async (text) => {
    let depot = await openDepot();
    await addVehicle(depot.dealer, '1');
    depot = await restartAfterCopy(depot);
    await addVehicle(depot.dealer, '2');
    await depot.host.stop();
    await bringBackCopy(depot);
    await writeFile(fileOf(depot), text);
    const after = await reopenDepot(depot);
    expect(await recovered(after)).toEqual(restored);
    const { items } = (await after.dealer.get('/api/v1/vehicles')).body;
    expect(items).toMatchObject([{ terminal_id: '1' }]);
    expect(await after.terminal.send({ id: '1', lat: 1, lon: 2 })).toBe(200);
    expect(await after.terminal.send({ id: '2', lat: 1, lon: 2 })).toBe(404);
  },
);

test('a host whose database and its copy are both broken does not start, and says so in one line', async () => {
  const depot = await openDepot();
  await addVehicle(depot.dealer, '1');
  await depot.host.stop();
  const files = ['telemetry.db', 'depot-copy.json'].map((name) => join(depot.host.data, name));
  for (const file of files) await writeFile(file, 'null');
  const error: unknown = await reopenDepot(depot).catch((error: unknown) => error);
  expect(startRefusal(error)).toMatch(/^[^\n]*telemetry\.db[^\n]*depot-copy\.json[^\n]*$/);
  for (const file of files) expect(await readFile(file, 'utf8')).toBe('null');
  expect((await readdir(depot.host.data)).filter((name) => name.includes('.broken-'))).toEqual([]);
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
  expect(await recovered(after)).toEqual(restored);
  expect((await recoveries(after)).find((it) => it.document === 'telemetry.db')?.quarantined_as).toEqual([
    expect.stringMatching(/^telemetry\.db\.broken-/),
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
