import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loginResponse } from '../../server/contract/auth.ts';
import { freePorts } from '../support/freePorts.ts';
import { callerFor, type Caller } from '../support/testHost.ts';
import {
  fusesOf,
  headlessProgram,
  makePackedDealer,
  packApp,
  runPacked,
  startPackedHost,
  type PackedApp,
  type PackedHost,
} from './packedApp.ts';
import { desktopSurvives } from './packedDesktop.ts';
import { printsReports, rendersClips, takesInPositions } from './packedWork.ts';

/** Building the console on a busy machine takes most of it. */
const PACKING_MS = 240_000;
const RECORDING_MS = 90_000;
/** Four starts of a desktop, one of them after fifteen seconds of silence. */
const SURVIVAL_MS = 240_000;
const dealer = { login: 'dealer', password: 'a dealer of the depot' };
const terminal = 'packed-1';
/** What each part of the packed program may take, in MB; a part that grows beyond wants a reason, not a larger number. */
const BUDGET_MB = {
  'code of the host and the shell': 12,
  'fonts of printed reports': 7,
  // With the page of a link to a vehicle, which is a bundle of its own.
  'code of the console': 7,
  'maps and fonts of the console': 24,
  // Of the code and the maps, which would be four times as much to load from a depot far away.
  'what browsers are sent of both': 9,
  'all else': 1,
};

function partOf(path: string): keyof typeof BUDGET_MB {
  const [, folder] = path.split(sep);
  if (folder === 'app') {
    if (path.endsWith('.woff')) return 'fonts of printed reports';
    return /[.]c?js$/.test(path) ? 'code of the host and the shell' : 'all else';
  }
  if (folder !== 'console') return 'all else';
  if (path.endsWith('.gz')) return 'what browsers are sent of both';
  return /[.](js|css|html)$/.test(path) ? 'code of the console' : 'maps and fonts of the console';
}

describe('the packed program', { timeout: RECORDING_MS }, () => {
  let folder: string;
  let packed: PackedApp;
  let app: string;
  let host: PackedHost;
  let caller: Caller;
  let survival: Promise<void>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fleetdeck-package-'));
    packed = await packApp(folder);
    app = packed.app;
    const data = join(folder, 'data');
    const program = headlessProgram(packed);
    await makePackedDealer(program, data, dealer);
    host = await startPackedHost(program, ['serve', '--data', data, ...freePorts()]);
    // It mostly waits: the other tests go on meanwhile.
    survival = desktopSurvives(join(app, 'dist', 'entry.js'), join(folder, 'desktop'), (data, who) =>
      makePackedDealer(program, data, who),
    );
    survival.catch(() => undefined);
    const login = await callerFor(host.url, '').post('/auth/login?jwt=1', dealer);
    caller = callerFor(host.url, loginResponse.parse(login.body).jwt);
  }, PACKING_MS);
  afterAll(async () => {
    // Undefined when packing has failed.
    await (survival as Promise<void> | undefined)?.catch(() => undefined);
    (host as PackedHost | undefined)?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  it('the packed program is its bundle, its console and its icon, and no package, source or map', () => {
    const files = readdirSync(app, { recursive: true, encoding: 'utf8' });
    expect(readdirSync(app).sort()).toEqual(['dist', 'package.json', 'resources']);
    expect(readdirSync(join(app, 'dist')).sort()).toEqual(['app', 'console', 'entry.js']);
    expect(files.filter((path) => /node_modules|[.]map$|[.]tsx?$/.test(path))).toEqual([]);
    expect(files).toContain(join('resources', 'icons', 'icon.png'));
    expect(files).toContain(join('dist', 'app', 'preload.cjs'));
    const start = z.object({ main: z.string(), type: z.literal('module') });
    const { main } = start.parse(JSON.parse(readFileSync(join(app, 'package.json'), 'utf8')));
    expect(files).toContain(join(...main.split('/')));
  });

  it('the packed program has its entry and its console in the archive, and what threads start from outside of it', () => {
    const resources = join(packed.installed, 'resources');
    expect(readdirSync(resources).filter((it) => it.startsWith('app'))).toEqual([
      'app-update.yml',
      'app.asar',
      'app.asar.unpacked',
    ]);
    const unpacked = join(resources, 'app.asar.unpacked');
    const outside = readdirSync(unpacked, { recursive: true, withFileTypes: true });
    expect(readdirSync(join(unpacked, 'dist'))).toEqual(['app']);
    expect(outside.filter((it) => it.isFile()).length).toBe(
      readdirSync(join(app, 'dist', 'app'), { recursive: true, withFileTypes: true }).filter((it) =>
        it.isFile(),
      ).length,
    );
    expect(outside.filter((it) => it.isFile() && !it.parentPath.includes(join('dist', 'app')))).toEqual([]);
    expect(readdirSync(join(packed.installed, 'locales')).sort()).toEqual(['en-US.pak', 'zh-CN.pak']);
    // It is whole without the archive, which a plain Node cannot read.
    const version = execFileSync(
      process.execPath,
      [join(unpacked, 'dist', 'app', 'fleetdeck.cjs'), '--version'],
      { encoding: 'utf8' },
    );
    expect(version).toMatch(/^fleetdeck \d/);
  });

  it('the packed program keeps to its budget of bytes', () => {
    const sizes = new Map<keyof typeof BUDGET_MB, number>();
    for (const path of readdirSync(app, { recursive: true, encoding: 'utf8' })) {
      const found = statSync(join(app, path));
      const part = partOf(path);
      if (found.isFile()) sizes.set(part, (sizes.get(part) ?? 0) + found.size / 1_000_000);
    }
    for (const [part, limit] of Object.entries(BUDGET_MB)) {
      const size = sizes.get(part as keyof typeof BUDGET_MB) ?? 0;
      expect(size, part).toBeGreaterThan(0);
      expect(size, part).toBeLessThan(limit);
    }
  });

  it('the packed program has the fuses off by which others could make it run their code, and keeps cookies encrypted', () => {
    const fuses = [
      'run as node',
      'cookie encryption',
      'NODE_OPTIONS',
      'inspect',
      'asar integrity',
      'asar alone',
      'own V8 snapshot',
      'file: privileges',
      'wasm trap handlers',
    ];
    const signs = fusesOf(packed);
    expect(fuses.filter((_, at) => signs[at] === '1')).toEqual([
      'cookie encryption',
      'asar integrity',
      'asar alone',
      'wasm trap handlers',
    ]);
    expect(signs).toHaveLength(fuses.length);
  });

  it('the packed program runs a command without a window, and says by its exit code how it went', async () => {
    const program = headlessProgram(packed);
    await expect(runPacked(program, ['fly', '--url', 'http://127.0.0.1/', '--x'])).rejects.toMatchObject({
      code: 2,
      stderr: 'fleetdeck: there is no command "fly"; see fleetdeck --help.\n',
    });
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
    // What bundlers of others put in the place of what they leave out is an empty file.
    const written = sources.filter((source) => !source.endsWith('/_empty.js'));
    const packages = new Set(
      written.flatMap((source) => /.*node_modules[/]((?:@[^/]+[/])?[^/]+)/.exec(source)?.[1] ?? []),
    );
    expect([...packages]).toEqual(
      expect.arrayContaining(['react', 'maplibre-gl', 'video.js', 'express', 'zod']),
    );
    expect(
      [...packages].filter((name) => !text.includes(`\n${name} `) && !text.startsWith(`${name} `)),
    ).toEqual([]);
    // What no map names: fonts, and Electron, which brings those of Chromium in a file of its own.
    expect(text).toContain('@fontsource-variable/inter ');
    expect(text).toContain('\nelectron 45');
    expect(readdirSync(packed.installed)).toContain('LICENSES.chromium.html');
    const shown = readFileSync(join(app, 'dist', 'console', 'licences.json'), 'utf8');
    expect(shown).toContain('"name":"electron"');
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

  it('the packed program takes in what a tracker sends', () => takesInPositions(host, caller, terminal));

  it('the packed program prints reports in any script, and writes them as workbooks', () =>
    printsReports(host, caller));

  it('the packed program renders clips in its workers and returns the whole clip', () =>
    rendersClips(host, caller, terminal));

  it(
    'the packed program is back by itself as a desktop that hung, ran out of memory or was killed, and has lost nothing',
    () => survival,
    SURVIVAL_MS,
  );

  it('the packed program ends on request', async () => {
    expect(await host.end()).toBe(0);
  });
});
