import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { intakeRoutes } from '../../../server/contract/intake.ts';
import { serviceRoutes, settingsFields } from '../../../server/contract/settings.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { standardLimits } from '../../../server/telemetry/intake/protocolHandler.ts';
import { connectFakeTeltonika, type FakeTeltonika } from '../../support/fakeTeltonika.ts';
import { startTestHost, type TestHost } from '../../support/testHost.ts';

const imei = '352093081234567';
const other = '352093081234568';
const fix = { lat: 56.9, lon: 24.1 };

async function start(options: Parameters<typeof startTestHost>[0] = {}): Promise<TestHost> {
  const host = await startTestHost(options);
  onTestFinished(() => host.close());
  return host;
}

async function connect(host: TestHost, as = imei): Promise<FakeTeltonika> {
  const terminal = await connectFakeTeltonika({ port: host.teltonikaPort, imei: as });
  onTestFinished(() => terminal.abort());
  return terminal;
}

it('limits of connections hold as soon as they are set, and end none of a known terminal', async () => {
  const host = await start();
  const dealer = await host.login();
  for (const terminal_id of [imei, other])
    await dealer.ask(vehicleRoutes.create, { body: { terminal_id, name: terminal_id } });
  const set = (body: object) => dealer.ask(serviceRoutes.patchSettings, { body });
  const first = await connect(host);
  expect(await first.logIn()).toBe(1);

  await set({ intake_connections_per_address: 1 });
  await (
    await connect(host)
  ).ended;
  const time_ms = Date.now() - 60_000;
  expect(await first.send([{ ...fix, time_ms }])).toBe(1);

  await set({ intake_connections_per_address: 2 });
  expect(await (await connect(host, other)).logIn()).toBe(1);
  await (
    await connect(host)
  ).ended;
  expect(await first.send([{ ...fix, time_ms: time_ms + 1_000 }])).toBe(1);

  const { listeners } = await dealer.ask(intakeRoutes.state);
  const teltonika = listeners.find((it) => it.name === 'teltonika');
  expect(teltonika).toMatchObject({ connections: 2, stored: 2, rejections: { limit: 2 } });
});

it('a connection without a known terminal gives way to a new one when the limit was lowered, as its description says', async () => {
  const host = await start();
  const dealer = await host.login();
  for (const terminal_id of [imei, other])
    await dealer.ask(vehicleRoutes.create, { body: { terminal_id, name: terminal_id } });
  const [known, oldest] = [await connect(host), await connect(host)];
  expect(await known.logIn()).toBe(1);
  await dealer.ask(serviceRoutes.patchSettings, { body: { intake_connections_per_address: 2 } });
  expect(await (await connect(host, other)).logIn()).toBe(1);
  await oldest.ended;
  expect(await known.send([{ ...fix, time_ms: Date.now() - 60_000 }])).toBe(1);
  expect(settingsFields.shape.intake_connections.meta()?.description).toMatch(
    /a new connection closes the oldest one without a known terminal/,
  );
});

it('settings that were kept before there were limits to set have the standard ones', async () => {
  const host = await start();
  await (await host.login()).ask(serviceRoutes.patchSettings, { body: { intake_idle_s: 60 } });
  await host.stop();
  const file = join(host.data, 'settings.json');
  const kept = await readFile(file, 'utf8');
  const older = kept.replaceAll(/"intake_(connections|connections_per_address|idle_s)":\d+,/g, '');
  expect(older.length).toBeLessThan(kept.length);
  await writeFile(file, older);
  const again = await start({ data: host.data });
  expect(await (await again.login()).ask(serviceRoutes.settings)).toMatchObject({
    intake_connections: 10_000,
    intake_connections_per_address: 2_000,
    intake_idle_s: 600,
  });
  expect((await (await again.login()).ask(serviceRoutes.status)).store.recoveries).toEqual([]);
});

it('the settings begin with the default limits of listeners', () => {
  const { intake_connections, intake_connections_per_address, intake_idle_s } = settingsFields.parse({});
  expect(standardLimits).toMatchObject({
    connections: intake_connections,
    connectionsPerAddress: intake_connections_per_address,
    idleMs: intake_idle_s * 1_000,
  });
});
