import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPromise } from 'yauzl';
import { loginResponse } from '../../server/contract/auth.ts';
import { buildHost } from '../../server/build.ts';
import { NotPacked, packHost, runtimeFor, serviceWrapper } from '../../server/build/packHost.ts';
import { freePorts } from '../support/freePorts.ts';
import { callerFor } from '../support/testHost.ts';
import { makePackedDealer, runPacked, startPackedHost, type PackedProgram } from './packedApp.ts';
import { rendersClips, takesInPositions } from './packedWork.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const onUnix = process.platform !== 'win32';
const own = `${onUnix ? process.platform : 'win'}-${process.arch}`;
const PACKING_MS = 240_000;
const dealer = { login: 'dealer', password: 'a dealer of the depot' };
const read = (...path: string[]) => readFileSync(join(ROOT, ...path), 'utf8');

describe('a packed host', { timeout: 240_000 }, () => {
  let folder: string;
  let bundle: string;
  /** As the Dockerfile sees it. */
  let context: string;
  let unpacked: string;

  beforeAll(async () => {
    execFileSync(process.execPath, [join(ROOT, '.ci', 'console.mjs')]);
    folder = mkdtempSync(join(tmpdir(), 'fleetdeck host-'));
    // Another user starts what lies there.
    chmodSync(folder, 0o755);
    bundle = join(folder, 'bundle');
    await buildHost(bundle);
    context = join(folder, 'context');
    mkdirSync(join(context, 'dist', 'host'), { recursive: true });
    const parts = { platform: own, bundle, runtime: runtimeFor(own), wrapper: null };
    const archive = await packHost(parts, join(context, 'dist', 'host'));
    unpacked = join(folder, 'unpacked here');
    mkdirSync(unpacked);
    if (onUnix) execFileSync('tar', ['xzf', archive, '-C', unpacked]);
  }, PACKING_MS);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The unpacked one, where no program is found by its name. */
  const installed = (): PackedProgram => ({
    start: [join(unpacked, 'fleetdeck', 'fleetdeck')],
    environment: { PATH: '' },
    cwd: tmpdir(),
  });

  it.skipIf(!onUnix)('a packed host runs elsewhere with an empty PATH, from login to clip', async () => {
    const data = join(folder, 'data');
    await makePackedDealer(installed(), data, dealer);
    const host = await startPackedHost(installed(), ['serve', '--data', data, ...freePorts()]);
    try {
      const login = await callerFor(host.url, '').post('/auth/login?jwt=1', dealer);
      const caller = callerFor(host.url, loginResponse.parse(login.body).jwt);
      await takesInPositions(host, caller, 'packed-2');
      await rendersClips(host, caller, 'packed-2');
      const page = await fetch(`${host.url}/`);
      expect(page.status).toBe(200);
      expect(await page.text()).toContain('<script');
      const { stdout } = await runPacked(installed(), ['health', '--data', data]);
      expect(stdout).toBe('ok\n');
    } finally {
      expect(await host.end()).toBe(0);
    }
    await expect(runPacked(installed(), ['health', '--data', data])).rejects.toMatchObject({
      code: 1,
      stderr: `fleetdeck: No host runs on the data folder ${data}.\n`,
    });
  });

  it.skipIf(!onUnix)('a packed host is started by a link to it, too', () => {
    const [program] = installed().start;
    symlinkSync(join('unpacked here', 'fleetdeck', 'fleetdeck'), join(folder, 'link'));
    symlinkSync(join(folder, 'link'), join(folder, 'link to the link'));
    const versions = [program, join(folder, 'link to the link')].map((file) =>
      execFileSync(file, ['--version'], { encoding: 'utf8', env: { PATH: '' } }),
    );
    expect(versions[1]).toBe(versions[0]);
    expect(versions[0]).toMatch(/^fleetdeck \d/);
  });

  it.skipIf(!onUnix)(
    'a packed host may be read by all and changed by root alone, whatever the mask of who packs it',
    () => {
      const paths = readdirSync(join(unpacked, 'fleetdeck'), { recursive: true, encoding: 'utf8' });
      const modes = Object.groupBy(paths, (path) => {
        const { mode } = statSync(join(unpacked, 'fleetdeck', path));
        return (mode & 0o777).toString(8);
      });
      const programs = (modes['755'] ?? []).filter((path) =>
        statSync(join(unpacked, 'fleetdeck', path)).isFile(),
      );
      expect(Object.keys(modes).sort()).toEqual(['644', '755']);
      expect(programs.sort()).toEqual(['fleetdeck', join('runtime', 'node')]);
    },
  );

  it('a packed host holds its bundle, its console, Node and its licences, and no package, source or map', () => {
    const packed = join(context, 'dist', 'host', own);
    const files = readdirSync(packed, { recursive: true, encoding: 'utf8' });
    expect(files.filter((path) => /node_modules|[.]map$|[.]tsx?$|electron/.test(path))).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.txt',
        join('app', 'licences.txt'),
        join('app', 'fleetdeck.cjs'),
        join('runtime', 'LICENSE'),
        join('console', 'index.html'),
      ]),
    );
    const text = readFileSync(join(packed, 'app', 'licences.txt'), 'utf8');
    for (const name of ['express', 'maplibre-gl', 'zod']) expect(text).toContain(`\n${name} `);
  });

  it('a packed host for Windows holds the Node of Windows, its service and its programs', async ({
    skip,
  }) => {
    let runtime = '';
    try {
      runtime = runtimeFor('win-x64');
    } catch (error) {
      if (!(error instanceof NotPacked)) throw error;
      process.stderr.write(`NOT TESTED, the archive for Windows: ${error.message}\n`);
      skip(error.message);
    }
    const wrapper = join(folder, 'wrapper.exe');
    writeFileSync(wrapper, 'MZ');
    const archive = await packHost(
      { platform: 'win-x64', bundle, runtime, wrapper },
      join(folder, 'windows'),
    );
    const zip = await openPromise(archive);
    const found = new Map<string, number>();
    for await (const entry of zip.eachEntry()) found.set(entry.fileName, entry.uncompressedSize);
    expect([...found.keys()].filter((path) => !path.startsWith('fleetdeck/'))).toEqual([]);
    for (const path of [
      'fleetdeck.cmd',
      'README.txt',
      'app/fleetdeck.cjs',
      'app/fleetdeck.js',
      'app/writer.worker.js',
      'console/index.html',
      'runtime/node.exe',
      'service/fleetdeck-service.exe',
      'service/fleetdeck-service.xml',
      'service/install-service.cmd',
    ])
      expect(found.get(`fleetdeck/${path}`), path).toBeGreaterThan(0);
    expect(found.has('fleetdeck/fleetdeck')).toBe(false);
    expect(found.get('fleetdeck/runtime/node.exe')).toBe(statSync(runtime).size);
    // The header of a program of Windows (PE), for x64.
    const program = readFileSync(runtime);
    const header = program.readUInt32LE(0x3c);
    expect(program.toString('latin1', header, header + 4)).toBe('PE\0\0');
    expect(program.readUInt16LE(header + 4)).toBe(0x8664);
    const command = readFileSync(join(folder, 'windows', 'win-x64', 'fleetdeck.cmd'), 'utf8');
    expect(command).toBe('@echo off\r\n"%~dp0runtime\\node.exe" "%~dp0app\\fleetdeck.cjs" %*\r\n');
  });

  it('a packed host for macOS is not made elsewhere, which is said in one line', ({ skip }) => {
    if (process.platform === 'darwin') skip('this is macOS');
    const script = join(ROOT, 'server', 'build', 'packHost.ts');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, 'darwin-arm64'], {
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'fleetdeck: linux-x64, linux-arm64 and win-x64 are packed here; darwin-arm64 is packed on macOS itself.\n',
    });
  });

  it('the service wrapper of Windows is WinSW of one release and nothing else', async () => {
    const other = join(folder, 'other.exe');
    writeFileSync(other, 'MZ');
    await expect(serviceWrapper(other)).rejects.toThrow('is not WinSW-x64.exe 2.12.0');
    await expect(serviceWrapper(join(folder, 'none.exe'))).rejects.toThrow('is not there');
    const xml = read('resources', 'service', 'fleetdeck-service.xml');
    // In a comment two hyphens are no XML.
    for (const [, comment] of xml.matchAll(/<!--(.*?)-->/gs)) expect(comment).not.toContain('--');
    const value = (name: string) => new RegExp(`<${name}>(.*)</${name}>`).exec(xml)?.[1];
    expect(value('id')).toBe('fleetdeck');
    expect(value('executable')).toBe('%BASE%\\..\\runtime\\node.exe');
    expect(value('arguments')).toContain('"%BASE%\\..\\app\\fleetdeck.cjs" serve --data "%ProgramData%');
    expect(read('resources', 'service', 'install-service.cmd')).toContain(
      `sc.exe config ${value('id') ?? ''} obj=`,
    );
  });

  describe.skipIf(process.platform !== 'linux')('the systemd unit', () => {
    const unit = read('resources', 'service', 'fleetdeck.service');

    it('the systemd unit starts what the archive holds, on a data folder that systemd makes, as its own user', () => {
      const settings = new Map([...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
      const sections = [...unit.matchAll(/^\[(\w+)\]$/gm)].map(([, name]) => name);
      expect(sections).toEqual(['Unit', 'Service', 'Install']);
      const [program = '', ...args] = settings.get('ExecStart')?.split(' ') ?? [];
      expect(existsSync(join(unpacked, program.replace(/^[/]opt[/]/, '')))).toBe(true);
      expect(args).toEqual(['serve', '--data', `/var/lib/${settings.get('StateDirectory') ?? ''}`]);
      expect(settings.get('User')).toBe('fleetdeck');
      // The host itself gives up on closing after 4.5 seconds.
      expect(Number(settings.get('TimeoutStopSec'))).toBeGreaterThan(5);
    });

    it('the systemd unit passes systemd-analyze verify', ({ skip }) => {
      const file = join(folder, 'fleetdeck.service');
      // systemd takes a path with a space only in quotes.
      symlinkSync(unpacked, `${folder.replaceAll(' ', '-')}-opt`);
      writeFileSync(file, unit.replaceAll('/opt/', `${folder.replaceAll(' ', '-')}-opt/`));
      const verified = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
      rmSync(`${folder.replaceAll(' ', '-')}-opt`);
      if (verified.error !== undefined) skip('systemd-analyze is not installed');
      expect({ code: verified.status, said: verified.stderr }).toEqual({ code: 0, said: '' });
    });
  });

  describe.skipIf(process.platform !== 'linux')('the container', () => {
    /** Instruction and rest of each line, continued lines joined. */
    const steps = read('Dockerfile')
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => ({ step: line.split(' ')[0] ?? '', rest: line.slice(line.indexOf(' ') + 1) }));
    const only = (name: string) => {
      const found = steps.filter(({ step }) => step === name);
      expect(found, name).toHaveLength(1);
      return found[0]?.rest ?? '';
    };
    const listOf = (json: string) => JSON.parse(json) as string[];

    it('the container starts as a user without rights, has a volume and asks for health', () => {
      expect(steps.map(({ step }) => step)).toEqual([
        ...[
          'FROM',
          'ARG',
          'RUN',
          'COPY',
          'ENV',
          'USER',
          'VOLUME',
          'EXPOSE',
          'HEALTHCHECK',
          'ENTRYPOINT',
          'CMD',
        ],
      ]);
      expect(only('FROM')).toMatch(/^debian:\d+-slim$/);
      const [, uid] = /^(\d+):\1$/.exec(only('USER')) ?? [];
      expect(Number(uid)).toBeGreaterThan(0);
      expect(only('RUN')).toContain(`--uid ${uid ?? ''} `);
      expect(only('RUN')).toContain(` --mode=0700 ${only('VOLUME')}`);
      const ignored = read('.dockerignore').trim().split('\n');
      expect(ignored).toEqual(['*', '!dist/host/linux-*']);
    });

    it('the container copies the host and runs it as its own user, healthy while it runs', async ({
      skip,
    }) => {
      if (process.getuid?.() !== 0) skip('only root may start a program as another user');
      const root = join(folder, 'container');
      const inRoot = (path: string) => (path.startsWith('/') ? join(root, path) : path);
      const [from = '', to = ''] = only('COPY').replace('${PLATFORM}', own).split(' ');
      mkdirSync(join(root, dirname(to)), { recursive: true });
      cpSync(join(context, from), join(root, to), { recursive: true });
      const uid = Number.parseInt(only('USER'), 10);
      const volume = inRoot(only('VOLUME'));
      mkdirSync(volume, { mode: 0o700 });
      chownSync(volume, uid, uid);
      const environment = Object.fromEntries(
        only('ENV')
          .split(' ')
          .map((setting) => setting.split('=') as [string, string])
          .map(([name, value]) => [name, inRoot(value)]),
      );
      expect(environment['FLEETDECK_HOST']).toBe('0.0.0.0');
      const [program = '', ...args] = listOf(only('ENTRYPOINT')).map(inRoot);
      const container: PackedProgram = {
        start: [program, ...args],
        environment: { ...environment, FLEETDECK_HOST: '127.0.0.1', FLEETDECK_INTAKE_HOST: '127.0.0.1' },
        cwd: '/',
        uid,
      };
      const [, asked = ''] = /CMD (.*)$/.exec(only('HEALTHCHECK')) ?? [];
      const [checker = '', ...question] = listOf(asked).map(inRoot);
      expect(checker).toBe(program);
      const host = await startPackedHost(container, [...listOf(only('CMD')), ...freePorts()]);
      try {
        expect(host.url).toMatch(/^https:/);
        expect(statSync(join(volume, 'telemetry.db'))).toMatchObject({ uid });
        expect((await runPacked(container, question)).stdout).toBe('ok\n');
      } finally {
        expect(await host.end()).toBe(0);
      }
      await expect(runPacked(container, question)).rejects.toMatchObject({ code: 1 });
    });
  });
});
