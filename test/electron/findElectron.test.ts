import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { findElectron, getElectron, NoElectron } from '../../electron/findElectron.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetdeck-electron-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(...path: string[]): string {
  const file = join(folder, ...path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  return file;
}

describe('the Electron program', () => {
  it('the Electron program is not found where the package has none', () => {
    expect(findElectron(folder, {}, 'linux')).toBeNull();
  });

  it.each([
    ['linux', '/srv/electron', '/srv/electron/dist/electron'],
    ['win32', 'C:\\depot\\electron', 'C:\\depot\\electron\\dist\\electron.exe'],
    ['darwin', '/opt/electron', '/opt/electron/dist/Electron.app/Contents/MacOS/Electron'],
  ] as const)('the Electron program is found in the package on %s', (platform, packageFolder, program) => {
    const files = { exists: (path: string) => path === program, read: () => '' };
    expect(findElectron(packageFolder, {}, platform, files)).toBe(program);
  });

  it('the Electron program is the one that the package names', () => {
    const path = put('dist', 'other');
    writeFileSync(join(folder, 'path.txt'), 'other');
    expect(findElectron(folder, {}, 'linux')).toBe(path);
  });

  it('the Electron program is looked for where the environment says, and nowhere else', () => {
    put('dist', 'electron');
    const environment = { ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'elsewhere') };
    expect(findElectron(folder, environment, 'linux')).toBeNull();
    const path = put('elsewhere', 'electron');
    expect(findElectron(folder, environment, 'linux')).toBe(path);
  });
});

describe('npm start without an Electron program', () => {
  const start = fileURLToPath(new URL('../../electron/start.ts', import.meta.url));
  const environment = (settings: Record<string, string>) => ({ ...process.env, ...settings });

  it('npm start says in one line that the folder named for Electron has none', async () => {
    const env = environment({ ELECTRON_OVERRIDE_DIST_PATH: folder });
    await expect(promisify(execFile)(process.execPath, [start], { env })).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: `fleetdeck: ELECTRON_OVERRIDE_DIST_PATH is ${folder}, where no Electron program lies.\n`,
    });
  });

  it('npm start fetches Electron, and says in one line why that failed and how to get it', () => {
    const electron = fileURLToPath(new URL('../../node_modules/electron', import.meta.url));
    for (const file of ['install.js', 'package.json', 'checksums.json'])
      cpSync(join(electron, file), join(folder, file));
    symlinkSync(join(electron, '..'), join(folder, 'node_modules'), 'junction');
    // Nobody listens there.
    const env = environment({ ELECTRON_MIRROR: 'http://127.0.0.1:9/', electron_config_cache: folder });
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
    const said: string[] = [];
    const machine = { platform: process.platform, arch: process.arch };
    const zip = `electron-v${version}-${process.platform}-${process.arch}.zip`;
    expect(() => getElectron(folder, env, machine, (line) => said.push(line))).toThrow(
      new NoElectron(
        "npm does not bring Electron's program along, and fetching it failed (TypeError: fetch failed). " +
          `Name a mirror in ELECTRON_MIRROR, or unpack ${zip} from github.com/electron/electron/releases into a ` +
          'folder and name that in ELECTRON_OVERRIDE_DIST_PATH. ' +
          'Without it, `npm run demo` shows Fleetdeck in a browser.',
      ),
    );
    expect(said).toEqual([expect.stringContaining(`fetching Electron ${version}`)]);
  });
});
