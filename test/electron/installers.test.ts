import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { platformsOf, reasonOf } from '../../electron/installers.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

describe('npm run installers', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetdeck-installers-'));
    spawnSync(process.execPath, [join(ROOT, '.ci', 'console.mjs')]);
  }, 240_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('npm run installers fails with one line that says why', () => {
    const ended = spawnSync('npm', ['run', '--silent', 'installers'], {
      cwd: ROOT,
      encoding: 'utf8',
      shell: process.platform === 'win32',
      env: { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: folder },
    });
    expect({ code: ended.status, out: ended.stdout, said: ended.stderr }).toEqual({
      code: 1,
      out: '',
      said: `fleetdeck: ELECTRON_OVERRIDE_DIST_PATH is ${folder}, where no Electron program lies.\n`,
    });
  });

  it('npm run installers names the reason that electron-builder gives among all that it says', () => {
    const output = [
      '  • electron-builder  version=26.17.0 os=6.1',
      '  • packaging       platform=linux arch=x64',
      '  ⨯ connect ECONNREFUSED 127.0.0.1:9  failedTask=build stackTrace=RequestError: connect ECONNREFUSED',
      '    at ClientRequest.emit (node:events:526:24)',
    ].join('\n');
    expect(reasonOf(output)).toBe('connect ECONNREFUSED 127.0.0.1:9');
    expect(reasonOf('  ⨯ cannot find icon\n')).toBe('cannot find icon');
    const nested =
      '  ⨯ failed to build AppImage  error=getaddrinfo ENOTFOUND failedTask=build stackTrace=Error';
    expect(reasonOf(nested)).toBe('failed to build AppImage: getaddrinfo ENOTFOUND');
    expect(reasonOf('Killed\n')).toBe('Killed');
  });

  it('npm run installers builds for its own platform unless a switch names others', () => {
    expect(platformsOf([], 'win32')).toEqual(['win32']);
    expect(platformsOf(['--dir'], 'darwin')).toEqual(['darwin']);
    expect(platformsOf(['--win', '-w', '--linux'], 'linux')).toEqual(['win32', 'linux']);
  });
});
