import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findElectron } from '../../electron/findElectron.ts';

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
    ['linux', 'electron'],
    ['win32', 'electron.exe'],
    ['darwin', 'Electron.app/Contents/MacOS/Electron'],
  ] as const)('the Electron program is found in the package on %s', (platform, program) => {
    const path = put('dist', program);
    expect(findElectron(folder, {}, platform)).toBe(path);
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

it('Electron is asked for in one line where there is none, which names another way to see Fleetdeck', async () => {
  const start = fileURLToPath(new URL('../../electron/start.ts', import.meta.url));
  const env = { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: folder };
  await expect(promisify(execFile)(process.execPath, [start], { env })).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'fleetdeck: no Electron binary here; `npm run demo` shows Fleetdeck in a browser.\n',
  });
});
