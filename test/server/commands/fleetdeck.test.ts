import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';
import { parse } from 'acorn';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bundlePrograms } from '../../../server/build.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { logIn } from '../../support/caller.ts';
import { freePorts } from '../../support/freePorts.ts';
import { startProgram } from '../../support/program.ts';

const STARTER = 'server/commands/fleetdeck.cjs';
const fromRoot = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const manifest = z
  .object({
    version: z.string(),
    scripts: z.record(z.string(), z.string()),
    devDependencies: z.object({ node: z.string() }),
  })
  .parse(JSON.parse(await readFile(fromRoot('package.json'), 'utf8')));

async function fleetdeck(...args: string[]) {
  const program = startProgram(STARTER, args);
  const { code } = await program.ended;
  return { code, out: program.stdout(), said: program.stderr() };
}

describe('fleetdeck', () => {
  it('fleetdeck says its version, which is that of the package', async () => {
    const version = { code: 0, out: `fleetdeck ${manifest.version}\n`, said: '' };
    expect(await fleetdeck('--version')).toEqual(version);
  });

  it('fleetdeck --help names each command with what it does, and each command explains itself', async () => {
    const { code, out, said } = await fleetdeck('--help');
    expect({ code, said }).toEqual({ code: 0, said: '' });
    const commands = [...out.matchAll(/^ {2}(\w+) +\w.*$/gm)].map(([, name]) => name ?? '');
    expect(commands).toEqual(
      expect.arrayContaining(['serve', 'dealer', 'backup', 'restore', 'verify', 'replay', 'demo']),
    );
    const helps = await Promise.all(commands.map((name) => fleetdeck(name, '--help')));
    for (const [at, help] of helps.entries()) {
      expect(help).toEqual({ code: 0, out: expect.stringContaining(`fleetdeck ${commands[at]} `), said: '' });
    }
  });

  it('fleetdeck without a command lists them and fails', async () => {
    expect(await fleetdeck()).toEqual({ code: 2, out: '', said: expect.stringContaining('  serve ') });
  });

  it.each(['sevre', '--data', 'constructor', ''])(
    'fleetdeck answers the unknown command %j with one line and exit code 2',
    async (name) => {
      const said = `fleetdeck: there is no command "${name}"; see fleetdeck --help.\n`;
      expect(await fleetdeck(name)).toEqual({ code: 2, out: '', said });
    },
  );

  it('fleetdeck is what the npm scripts of its commands start', () => {
    for (const name of ['serve', 'dealer', 'backup', 'restore', 'health', 'verify', 'replay', 'demo'])
      expect(manifest.scripts[name]).toBe(`node .ci/setup.mjs ${name}`);
    expect(readFileSync(fromRoot('.ci/setup.mjs'), 'utf8')).toContain(`['${STARTER}', job]`);
  });
});

describe('the bundle of fleetdeck', { timeout: 240_000 }, () => {
  let folder: string;
  let bundle: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fleetdeck bundle-'));
    await bundlePrograms(join(folder, 'built'), { fleetdeck: 'server/commands/fleetdeck.ts' });
    // Elsewhere than where it was built, as in an unpacked archive.
    bundle = join(folder, 'unpacked', 'dist', 'app');
    await mkdir(join(folder, 'unpacked'));
    await writeFile(join(folder, 'unpacked', 'package.json'), '{"type":"module"}');
    await cp(join(folder, 'built'), bundle, { recursive: true });
    await rm(join(folder, 'built'), { recursive: true });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** In another folder, by a Node that is found by its own path alone. */
  function start(args: string[], environment: Record<string, string> = {}) {
    const child = spawn(process.execPath, args, { cwd: tmpdir(), env: { PATH: '', ...environment } });
    child.stdin.end();
    const ended = once(child, 'close').then(([code]) => code as number | null);
    return { child, ended, said: text(child.stderr) };
  }
  const starter = () => join(bundle, 'fleetdeck.cjs');

  it('the bundle of fleetdeck, moved elsewhere and with an empty PATH, says its version, adds a dealer and serves the login', async () => {
    const data = join(folder, 'data');
    const version = start([starter(), '--version']);
    expect(await text(version.child.stdout)).toBe(`fleetdeck ${manifest.version}\n`);

    const password = 'a dealer of the depot';
    const added = start([starter(), 'dealer', '--data', data, '--login', 'boss'], {
      FLEETDECK_PASSWORD: password,
    });
    expect(await added.said).toBe('Dealer boss is made.\n');
    expect(await added.ended).toBe(0);

    const host = start([starter(), 'serve', '--data', data, ...freePorts()]);
    try {
      const [line] = (await once(host.child.stdout.setEncoding('utf8'), 'data')) as [string];
      const { url } = z.object({ url: z.string() }).parse(JSON.parse(line));
      const boss = await logIn(url, 'boss', password);
      expect((await boss.ask(userRoutes.me)).role).toBe('dealer');

      const reset = start([starter(), 'dealer', '--data', data, '--reset', 'boss'], {
        FLEETDECK_PASSWORD: 'the second one',
      });
      expect(await reset.said).toContain('its sessions are ended');
      expect(await boss.outcome(userRoutes.me)).toBe('401 session_revoked');
      await logIn(url, 'boss', 'the second one');
    } finally {
      host.child.kill('SIGTERM');
    }
    expect(await host.ended).toBe(0);
  });

  it('the bundle of fleetdeck without the data of the demo says so in one line', async () => {
    const demo = start([starter(), 'demo']);
    expect(await demo.said).toBe('fleetdeck: This package is without the data of the demo.\n');
    expect(await demo.ended).toBe(1);
  });

  it.each(['0.10.48', '8.17.0', '20.20.2', '23.11.1'])(
    'the bundle of fleetdeck fails with one line under Node %s',
    async (version) => {
      const asIf = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
      const { ended, said } = start(['--eval', `${asIf}; require(process.argv[1])`, starter(), 'serve']);
      const [needed] = manifest.devDependencies.node.split('.');
      expect(await said).toBe(
        `fleetdeck: Node ${needed} or newer is needed, this is ${version} (${process.execPath}).\n`,
      );
      expect(await ended).toBe(1);
    },
  );

  it('what starts fleetdeck is read by any Node: it has no syntax that is younger than ES5', async () => {
    const source = await readFile(starter(), 'utf8');
    const es5 = { ecmaVersion: 5, sourceType: 'script', allowHashBang: true } as const;
    expect(() => parse(source, es5)).not.toThrow();
    expect(() => parse('let younger;', es5)).toThrow();
  });
});
