import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loginResponse } from '../../server/contract/auth.ts';
import { position } from '../../server/contract/positions.ts';
import { task, type Task } from '../../server/contract/video.ts';
import { profile } from '../../server/contract/videoProfiles.ts';
import { callerFor, type Caller } from '../support/testHost.ts';
import { makePackedDealer, packApp, startPackedHost, type PackedHost } from './packedApp.ts';

/** Building the console on a busy machine takes most of it. */
const PACKING_MS = 240_000;
const RECORDING_MS = 90_000;
const dealer = { login: 'dealer', password: 'a dealer of the depot' };
const terminal = 'packed-1';

describe('the packed program', { timeout: RECORDING_MS }, () => {
  let folder: string;
  let app: string;
  let host: PackedHost;
  let caller: Caller;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fleetdeck-package-'));
    app = await packApp(folder);
    const data = join(folder, 'data');
    await makePackedDealer(app, data, dealer.login, dealer.password);
    host = await startPackedHost(app, data);
    const login = await callerFor(host.url, '').post('/auth/login?jwt=1', dealer);
    caller = callerFor(host.url, loginResponse.parse(login.body).jwt);
  }, PACKING_MS);
  afterAll(() => {
    // Undefined when packing has failed.
    (host as PackedHost | undefined)?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  it('the packed program is its bundle, its console and its icon, and no package, source or map', () => {
    const files = readdirSync(app, { recursive: true, encoding: 'utf8' });
    expect(readdirSync(app).sort()).toEqual(['dist', 'package.json', 'resources']);
    expect(readdirSync(join(app, 'dist')).sort()).toEqual(['app', 'console']);
    expect(files.filter((path) => /node_modules|[.]map$|[.]tsx?$/.test(path))).toEqual([]);
    expect(files).toContain(join('resources', 'icons', 'icon.png'));
    expect(files).toContain(join('dist', 'app', 'preload.cjs'));
    const start = z.object({ main: z.string(), type: z.literal('module') });
    const { main } = start.parse(JSON.parse(readFileSync(join(app, 'package.json'), 'utf8')));
    expect(files).toContain(join(...main.split('/')));
  });

  it('the packed program runs where no package can be found', () => {
    const require = createRequire(join(app, 'dist', 'app', 'fleetdeck.js'));
    for (const name of ['express', 'electron', 'mediabunny']) expect(() => require.resolve(name)).toThrow();
  });

  it('the packed program brings the licence of each package that its programs and its page are made from', () => {
    const text = readFileSync(join(app, 'dist', 'app', 'licences.txt'), 'utf8');
    const built = fileURLToPath(new URL('../../dist', import.meta.url));
    const maps = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((it) =>
      it.endsWith('.map'),
    );
    const sources = maps.flatMap(
      (file) =>
        z.object({ sources: z.array(z.string()) }).parse(JSON.parse(readFileSync(join(built, file), 'utf8')))
          .sources,
    );
    const packages = new Set(
      sources.flatMap((source) => /.*node_modules[/]((?:@[^/]+[/])?[^/]+)/.exec(source)?.[1] ?? []),
    );
    expect([...packages]).toEqual(
      expect.arrayContaining(['react', 'maplibre-gl', 'video.js', 'express', 'zod']),
    );
    expect(
      [...packages].filter((name) => !text.includes(`\n${name} `) && !text.startsWith(`${name} `)),
    ).toEqual([]);
    // What no map names: fonts.
    expect(text).toContain('@fontsource-variable/inter ');
  });

  it('the packed program serves the console with all that its page asks for', async () => {
    const page = await fetch(`${host.url}/`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain('script-src');
    const paths = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path);
    expect(paths.filter((path) => path?.endsWith('.js'))).not.toEqual([]);
    for (const path of paths) {
      const asset = await fetch(new URL(path ?? '', `${host.url}/`));
      expect(asset.status, path).toBe(200);
      expect(asset.headers.get('content-type'), path).not.toContain('text/html');
      await asset.arrayBuffer();
    }
  });

  it('the packed program takes in what a tracker sends', async () => {
    const vehicle = { terminal_id: terminal, name: 'Packed van', plate: 'PV 1' };
    expect((await caller.post('/api/v1/vehicles', vehicle)).status).toBe(201);
    const seconds = Math.floor(Date.now() / 1_000);
    const query = `id=${terminal}&lat=52.5&lon=13.4&speed=10&timestamp=${seconds}`;
    expect(await statusOf(`http://127.0.0.1:${host.osmandPort}/?${query}`)).toBe(200);
    const latest = await caller.get('/api/v1/positions/latest');
    const { positions } = z.object({ positions: z.array(position) }).parse(latest.body);
    expect(positions).toMatchObject([{ terminal_id: terminal, lat: 52.5, lon: 13.4 }]);
  });

  it('the packed program renders clips in its workers and returns the whole clip', async () => {
    const made = await caller.post('/service/vsvc/api/profiles', {
      terminal_id: terminal,
      kind: 'simulated',
      channels: [{ channel: 1, name: 'Road' }],
    });
    const { profile_id } = profile.parse(made.body);
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
    const order = { profile_id, channel: 1, from: ago(20), to: ago(16) };
    const ordered = task.parse((await caller.post('/service/vsvc/api/tasks', order)).body);
    const { file } = await finished(ordered);

    const response = await fetch(`${host.url}/service/vsvc/api/tasks/file/${ordered.task_id}`, {
      headers: { Authorization: `JWT ${caller.jwt}` },
    });
    expect(response.headers.get('content-type')).toBe('video/mp4');
    const clip = Buffer.from(await response.arrayBuffer());
    expect(clip.toString('latin1', 4, 8)).toBe('ftyp');
    expect(clip.length).toBe(file?.size_bytes);
    expect(createHash('sha256').update(clip).digest('hex')).toBe(file?.sha256);
  });

  it('the packed program ends on request', async () => {
    expect(await host.end()).toBe(0);
  });

  async function finished(ordered: Task): Promise<Task> {
    let now = ordered;
    while (['queued', 'waiting', 'downloading', 'processing'].includes(now.status)) {
      const answer = await caller.get(`/service/vsvc/api/tasks/${now.task_id}?wait=20`);
      now = task.parse(answer.body);
    }
    expect(now).toMatchObject({ status: 'done', error: null });
    return now;
  }
});

/** As a tracker asks: fetch would bear the marks of a browser, which the intake turns away. */
async function statusOf(url: string): Promise<number | undefined> {
  const answered: unknown[] = await once(get(url), 'response');
  const [response] = answered as [IncomingMessage];
  response.resume();
  return response.statusCode;
}
