import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { runReplay } from '../../../../server/commands/replay/runReplay.ts';
import { fakeIntake, type FakeIntake } from '../fakeIntake.ts';
import { fakePace } from './fakePace.ts';

const TRACK = `vehicle,time_utc_iso,lat,lon,speed_kmh,course_deg
Bus 1,2017-04-18T22:10:00Z,30.20,-97.70,36,10
Bus 2,2017-04-18T22:10:00Z,30.30,-97.80,,
Bus 1,2017-04-18T22:10:10Z,30.21,-97.71,37.04,20
Bus 2,2017-04-18T22:10:12Z,30.31,-97.81,0,
Bus 1,2017-04-18T22:10:20Z,30.22,-97.72,,30
`;
const NOW_MS = Date.UTC(2026, 10, 19, 11);

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
});

async function trackFile(content = TRACK): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'replay-'));
  undo.push(() => rm(folder, { recursive: true }));
  await writeFile(path.join(folder, 'track.csv'), content);
  return path.join(folder, 'track.csv');
}

async function intake(...answer: Parameters<typeof fakeIntake>): Promise<FakeIntake> {
  const started = await fakeIntake(...answer);
  undo.push(() => started.close());
  return started;
}

interface HostCall {
  call: string;
  authorization: string | undefined;
  body: unknown;
}

/** The three calls of the host's REST API that a replay makes. */
async function fakeHost(osmandPort: number | null): Promise<{ url: string; calls: HostCall[] }> {
  const calls: HostCall[] = [];
  const counts = {
    connections: 0,
    messages: 0,
    stored: 0,
    duplicate: 0,
    merged: 0,
    rejected: 0,
    unknown: 0,
    last_message_at: null,
  };
  const osmand = osmandPort === null ? null : { port: osmandPort, host: '127.0.0.1', ...counts };
  const server = createServer((request, response) => {
    void (async () => {
      const body: unknown = request.method === 'POST' ? await json(request) : null;
      const call = `${request.method ?? ''} ${request.url ?? ''}`;
      calls.push({ call, authorization: request.headers.authorization, body });
      const answer = (status: number, reply: unknown): void => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
      };
      if (call === 'POST /auth/login?jwt=1') {
        const isRight = (body as { password: string }).password === 'the right one';
        if (isRight) answer(200, { jwt: 'a.b.c' });
        else answer(401, { title: 'Wrong username or password', detail: '' });
      } else if (call === 'GET /api/v1/status') {
        answer(200, { intake: { osmand, teltonika: null, wialon: null, jt808: null, jt1078: null } });
      } else if (call === 'POST /api/v1/vehicles/import') {
        answer(200, { created: (body as unknown[]).length, exists: 0, invalid: 0, results: [] });
      } else answer(404, {});
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  undo.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}

async function replay(argv: string[], environment: NodeJS.ProcessEnv = {}) {
  const said: string[] = [];
  const noted: string[] = [];
  const pace = fakePace(NOW_MS);
  const code = await runReplay(argv, {
    environment,
    pace,
    say: (line) => said.push(line),
    note: (line) => noted.push(line),
    signal: new AbortController().signal,
  });
  return { code, said, noted, pace };
}

const stampsOf = (forms: URLSearchParams[], id: string): string[] =>
  forms
    .filter((form) => form.get('id') === id)
    .map((form) => new Date(Number(form.get('timestamp'))).toISOString());

describe('fleetdeck replay', () => {
  it("fleetdeck replay plays a file into an intake: each vehicle's fixes in order, with their own times", async () => {
    const { url, forms } = await intake();
    const { code, said, pace } = await replay([await trackFile(), '--intake', url]);
    expect(code).toBe(0);
    expect(said).toEqual(['sent 5, stored 5, rejected 0, unknown 0, failed 0']);
    expect(stampsOf(forms, 'Bus-1')).toEqual([
      '2017-04-18T22:10:00.000Z',
      '2017-04-18T22:10:10.000Z',
      '2017-04-18T22:10:20.000Z',
    ]);
    expect(stampsOf(forms, 'Bus-2')).toEqual(['2017-04-18T22:10:00.000Z', '2017-04-18T22:10:12.000Z']);
    expect(forms.find((form) => form.get('lat') === '30.21')?.get('speed')).toBe('20');
    expect(forms.find((form) => form.get('lat') === '30.22')?.has('speed')).toBe(false);
    expect(pace.sleptMs.reduce((sum, ms) => sum + ms, 0)).toBe(20_000);
  });

  it('fleetdeck replay stamps with the instant of sending with --now, at the requested speed', async () => {
    const { url, forms } = await intake();
    await replay([await trackFile(), '--intake', url, '--now', '--speed', '2']);
    expect(stampsOf(forms, 'Bus-1')).toEqual([
      '2026-11-19T11:00:00.000Z',
      '2026-11-19T11:00:05.000Z',
      '2026-11-19T11:00:10.000Z',
    ]);
  });

  it('fleetdeck replay with a dealer asks the host for its intake and makes the vehicles first, in one call', async () => {
    const { url: intakeUrl, forms } = await intake();
    const host = await fakeHost(Number(new URL(intakeUrl).port));
    const argv = [await trackFile(), '--url', host.url, '--login', 'dealer', '--create', '--speed', 'max'];
    const { code, noted } = await replay(argv, { FLEETDECK_PASSWORD: 'the right one' });
    expect(code).toBe(0);
    expect(noted).toEqual(['2 vehicles created, 0 were there']);
    expect(host.calls).toEqual([
      {
        call: 'POST /auth/login?jwt=1',
        authorization: undefined,
        body: { login: 'dealer', password: 'the right one' },
      },
      {
        call: 'POST /api/v1/vehicles/import',
        authorization: 'JWT a.b.c',
        body: [
          { terminal_id: 'Bus-1', name: 'Bus 1' },
          { terminal_id: 'Bus-2', name: 'Bus 2' },
        ],
      },
      { call: 'GET /api/v1/status', authorization: 'JWT a.b.c', body: null },
    ]);
    expect(forms).toHaveLength(5);
  });

  it('fleetdeck replay distinguishes unknown and refused fixes from stored ones', async () => {
    const { url } = await intake((form) =>
      form.get('id') === 'Bus-2' ? 404 : form.get('lat') === '30.22' ? 400 : 200,
    );
    const { code, said } = await replay([await trackFile(), '--intake', url]);
    expect({ code, said }).toEqual({ code: 0, said: ['sent 5, stored 2, rejected 1, unknown 2, failed 0'] });
  });

  it('fleetdeck replay explains itself', async () => {
    const { code, said } = await replay(['--help']);
    expect(code).toBe(0);
    expect(said[0]).toContain('fleetdeck replay FILE.csv');
  });

  it.each([
    [[], {}, 'name one track file'],
    [['a.csv', 'b.csv'], {}, 'name one track file'],
    [['a.csv'], {}, 'give the address of the OsmAnd intake by --intake'],
    [['a.csv', '--intake', 'http://127.0.0.1:1', '--create'], {}, '--create needs a dealer'],
    [['a.csv', '--login', 'dealer'], {}, 'FLEETDECK_PASSWORD'],
    [['a.csv', '--intake', 'http://127.0.0.1:1', '--speed', 'fast'], {}, '--speed takes'],
    [['a.csv', '--intake', 'http://127.0.0.1:1', '--speed', '0'], {}, '--speed takes'],
    [['a.csv', '--intake', '127.0.0.1:5055'], {}, '--intake takes an address'],
    [['a.csv', '--intake', 'http://127.0.0.1:1', '--faster'], {}, '--faster'],
    [['/nowhere/a.csv', '--intake', 'http://127.0.0.1:1'], {}, 'cannot read /nowhere/a.csv'],
  ])(
    'fleetdeck replay answers %j with one clear line and exit code 1',
    async (argv, environment, message) => {
      const { code, said, noted } = await replay(argv, environment);
      expect({ code, said }).toEqual({ code: 1, said: [] });
      expect(noted).toHaveLength(1);
      expect(noted[0]).toContain(message);
      expect(noted[0]?.trim()).not.toContain('\n');
    },
  );

  it('fleetdeck replay says that a login was refused, that a host is away, and that it has no intake', async () => {
    const host = await fakeHost(null);
    const file = await trackFile();
    const rejected = await replay([file, '--url', host.url, '--login', 'dealer'], {
      FLEETDECK_PASSWORD: 'a wrong one',
    });
    expect(rejected).toMatchObject({
      code: 1,
      noted: ['replay: the host answers 401: Wrong username or password (/auth/login?jwt=1)'],
    });
    const without = await replay([file, '--url', host.url, '--login', 'dealer'], {
      FLEETDECK_PASSWORD: 'the right one',
    });
    expect(without.noted[0]).toContain('has no OsmAnd intake');
    const gone = await fakeIntake();
    await gone.close();
    const away = await replay([file, '--url', gone.url, '--login', 'dealer'], {
      FLEETDECK_PASSWORD: 'the right one',
    });
    expect(away.code).toBe(1);
    expect(away.noted[0]).toContain('does not answer');
  });

  it('fleetdeck replay as a program ends at SIGINT with its summary', async () => {
    const { url, forms } = await intake();
    const entry = fileURLToPath(new URL('../../../../server/commands/fleetdeck.cjs', import.meta.url));
    const child = spawn(process.execPath, [entry, 'replay', await trackFile(), '--intake', url]);
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const ended = once(child, 'exit');
    while (forms.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    expect(said).toBe('sent 2, stored 2, rejected 0, unknown 0, failed 0\n');
  });
});
