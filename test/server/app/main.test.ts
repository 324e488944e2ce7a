import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { setupRoute, setupStateRoute, authRoutes } from '../../../server/contract/auth.ts';
import { healthRoutes } from '../../../server/contract/health.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { positionRoutes } from '../../../server/contract/positions.ts';
import { apiClientFor } from '../../support/caller.ts';
import { freePorts } from '../../support/freePorts.ts';
import { startProgram, type Program } from '../../support/program.ts';

const readyLine = z.strictObject({
  ready: z.literal(true),
  url: z.url(),
  urls: z.array(z.url()).min(1),
  certificate_sha256: z.string().nullable(),
  setup_code: z.string().nullable(),
  intake: z.strictObject({
    osmand: z.int().min(1),
    teltonika: z.int().min(1),
    wialon: z.int().min(1),
    jt808: z.int(),
    jt1078: z.int(),
  }),
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleetdeck-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const running = new Set<Program>();
afterEach(async () => {
  for (const program of running) program.child.kill('SIGKILL');
  await Promise.all([...running].map((it) => it.ended));
  running.clear();
});

function serve(...args: string[]): Program {
  const program = startProgram('server/commands/fleetdeck.cjs', ['serve', ...freePorts(), ...args]);
  running.add(program);
  return program;
}
const ready = async (program: Program) => readyLine.parse(JSON.parse(await program.firstLine()));

/** The one line of a start that could not be. */
async function refusal(program: Program): Promise<string> {
  expect(await program.ended).toEqual({ code: 1, signal: null });
  expect(program.stdout()).toBe('');
  const lines = program
    .stderr()
    .trimEnd()
    .split('\n')
    .filter((line) => line.startsWith('fleetdeck: '));
  expect(lines).toHaveLength(1);
  expect(program.stderr()).not.toMatch(/^\s+at /m);
  return lines[0] ?? '';
}

describe('fleetdeck serve', () => {
  it('fleetdeck serve says on one line that it is ready, ends cleanly at SIGTERM, also at two, and finds all again', async () => {
    const data = join(folder, 'whole');
    const first = serve('--data', data);
    const { url, urls, setup_code, intake } = await ready(first);
    expect(urls).toEqual([url]);
    expect(new URL(url).hostname).toBe('127.0.0.1');
    const anybody = apiClientFor(url, '');
    expect(await anybody.ask(healthRoutes.health)).toEqual({ status: 'ok' });
    expect(await anybody.ask(setupStateRoute)).toMatchObject({ setup_needed: true });

    const body = { code: setup_code, login: 'first', password: 'the first of all' };
    const made = await anybody.post(setupRoute.path, body, { Origin: url });
    const dealer = apiClientFor(url, authRoutes.login.reply.parse(made.body).jwt);
    await dealer.ask(vehicleRoutes.create, { body: { terminal_id: 'M1', name: 'van' } });
    const unknownTerminal = apiClientFor(`http://127.0.0.1:${intake.osmand}`, '');
    const answer = await unknownTerminal.get('/?id=M1&lat=56.9&lon=24.1&speed=0', {
      'User-Agent': 'terminal',
    });
    expect(answer.status).toBe(200);

    // An open stream and a kept-alive connection must not hold it.
    const stream = await fetch(`${url}/api/v1/stream`, { headers: { Authorization: `JWT ${dealer.jwt}` } });
    first.child.kill('SIGTERM');
    first.child.kill('SIGTERM');
    await stream.text();
    expect(await first.ended).toEqual({ code: 0, signal: null });
    expect(first.stdout().trimEnd().split('\n')).toHaveLength(1);

    const second = serve('--data', data);
    const again = await ready(second);
    expect(again.setup_code).toBeNull();
    const restarted = apiClientFor(again.url, dealer.jwt);
    const { positions } = z
      .object({ positions: z.array(z.unknown()) })
      .parse(await restarted.ask(positionRoutes.latest));
    expect(positions).toHaveLength(1);

    expect(await refusal(serve('--data', data))).toMatch(
      /^fleetdeck: The data folder .*whole is in use by another host\.$/,
    );
    second.child.kill('SIGINT');
    expect(await second.ended).toEqual({ code: 0, signal: null });
  });

  it('fleetdeck serve says in one line why it cannot start', async () => {
    expect(await refusal(serve('--data', join(folder, 'x'), '--nonsense'))).toContain('--nonsense');
    const log = ['--log-file', join(folder)];
    expect(await refusal(serve('--data', join(folder, 'x'), ...log))).toMatch(
      /--log-file .* cannot be written/,
    );
  });

  it('node server/main.ts writes its log into a file, as much as --log-level says, and why it cannot start', async () => {
    const file = join(folder, 'logs', 'host.log');
    const entries = async () =>
      (await readFile(file, 'utf8'))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { level: number; msg: string });
    const data = join(folder, 'logged');
    const first = serve('--data', data, '--log-file', file, '--tls', 'self');
    const { certificate_sha256 } = await ready(first);
    expect(certificate_sha256).toMatch(/^([\dA-F]{2}:){31}[\dA-F]{2}$/);
    expect((await entries()).map(({ msg }) => msg)).toContain('server accepts requests');
    expect(first.stderr()).toBe('');
    const sizeBefore = (await entries()).length;
    expect(await refusal(serve('--data', data, '--log-file', file, '--log-level', 'error'))).toContain(
      'in use',
    );
    first.child.kill('SIGTERM');
    await first.ended;
    const after = await entries();
    expect(after.some(({ level, msg }) => level === 60 && msg.includes('in use by another host'))).toBe(true);
    expect(after.length).toBeGreaterThan(sizeBefore);

    const quiet = join(folder, 'logs', 'quiet.log');
    const second = serve('--data', data, '--log-file', quiet, '--log-level', 'error');
    await ready(second);
    expect(await readFile(quiet, 'utf8')).toBe('');
    second.child.kill('SIGTERM');
    expect(await second.ended).toEqual({ code: 0, signal: null });
  });
});
