import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { terminalCommandRoutes } from '../../server/contract/terminalCommands.ts';
import { userRoutes } from '../../server/contract/users.ts';
import { vehicleRoutes } from '../../server/contract/vehicles.ts';
import { videoRoutes } from '../../server/contract/video.ts';
import { startKillableHost } from './killableHost.ts';

const kills = 6;

test('kills double nothing that is sent again with its key: one vehicle, user, video task and command of each', async () => {
  const host = await startKillableHost(['7']);
  const first = await host.dealer();
  const [van] = (await first.ask(vehicleRoutes.list)).items;
  const vehicle_id = van?.vehicle_id ?? '';
  const { profile_id } = await first.ask(videoRoutes.createProfile, {
    body: { vehicle_id, kind: 'simulated', channels: [{ channel: 1, name: 'front' }] },
  });
  const newCalls = (at: number) => {
    // Their ends are still to come: they are not fetched meanwhile.
    const [from, to] = [-10_000, 100_000].map((ms) => new Date(Date.now() + at + ms).toISOString());
    return [
      { path: vehicleRoutes.create.path, body: { terminal_id: `K${at}`, name: `K${at}` } },
      { path: userRoutes.create.path, body: { login: `user${at}`, password: 'a long password' } },
      { path: videoRoutes.createTask.path, body: { profile_id, channel: 1, from, to } },
      { path: `/api/v1/vehicles/${vehicle_id}/commands`, body: { kind: 'text', text: `K${at}` } },
    ].map((it) => ({ ...it, headers: { 'Idempotency-Key': randomUUID() } }));
  };

  for (let at = 0; at < kills; at++) {
    const calls = newCalls(at);
    const dealer = await host.dealer();
    const sent = calls.map((it) => dealer.post(it.path, it.body, it.headers).catch(() => null));
    // At whatever instant of their way through the host; the first reply is mostly the vehicle's.
    if (at % 2 === 0) await Promise.race(sent);
    else await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));
    await host.kill();
    const answers = await Promise.all(sent);
    host.restart();
    const anew = await host.dealer();
    for (const [place, { path, body, headers }] of calls.entries()) {
      const again = await anew.post(path, body, headers);
      expect(again.status, again.text).toBe(201);
      const before = answers[place];
      if (before?.status === 201) expect(again.text).toBe(before.text);
      expect((await anew.post(path, body, headers)).text).toBe(again.text);
    }
  }

  const dealer = await host.dealer();
  const commands = await dealer.ask(terminalCommandRoutes.list, { params: { vehicle: vehicle_id } });
  expect({
    vehicles: (await dealer.ask(vehicleRoutes.list)).items.length - 1,
    users: (await dealer.ask(userRoutes.list)).items.length - 1,
    tasks: (await dealer.ask(videoRoutes.tasks)).items.length,
    commands: commands.items.length,
  }).toEqual({ vehicles: kills, users: kills, tasks: kills, commands: kills });
  await host.end();
}, 240_000);
