import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { freePorts } from '../support/freePorts.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));

/** What cmd.exe and sh read alike: programs with plain arguments, one after the other. */
function faultOf(script: string): string | null {
  // Quotes, variables, pipes, redirections, globs and lists by a semicolon: each is read by one of them alone.
  const special = /['"`$%;|<>*?()\\^]|(?<!&)&(?!&)/.exec(script);
  if (special !== null) return `the character ${special[0]}`;
  const programs = ['node', 'npm', ...readdirSync(join(ROOT, 'node_modules', '.bin'))];
  const [strange] = script
    .split('&&')
    .map((command) => command.trim().split(/\s+/)[0] ?? '')
    .filter((program) => !programs.includes(program));
  return strange === undefined ? null : `the program "${strange}"`;
}

describe('the scripts of package.json', () => {
  it('the scripts of package.json are read by cmd.exe as by sh', () => {
    const faults = Object.entries(scripts).map(([name, script]) => [name, faultOf(script)]);
    expect(faults.filter(([, fault]) => fault !== null)).toEqual([]);
  });

  it.each([
    'exec node a.ts',
    'NODE_ENV=test node a.ts',
    'node a.ts; node b.ts',
    'node a.ts &',
    "node -e '1'",
    'rm -rf dist',
    'prettier --check *.ts',
  ])('the script %s would be found', (script) => {
    expect(faultOf(script)).not.toBeNull();
  });

  it('the scripts of package.json start no file that is not there', () => {
    const files = Object.values(scripts).flatMap((script) =>
      [...script.matchAll(/(?:^|\s)(\S+[.](?:ts|mjs|cjs))(?=\s|$)/g)].map(([, path]) => path ?? ''),
    );
    expect(files).toContain('.ci/setup.mjs');
    expect(files.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('a host that npm has started', { timeout: 240_000 }, () => {
  let folder: string;
  // Whoever comes first builds the console; a busy machine takes long.
  beforeAll(() => void execFileSync(process.execPath, [join(ROOT, '.ci', 'console.mjs')]), 240_000);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetdeck-npm-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** It stays while the script runs, and dies of a signal without passing it on. */
  function stayingShell(): string {
    const shell = join(folder, 'shell');
    writeFileSync(shell, '#!/bin/sh\n/bin/sh "$@"\nstatus=$?\nexit $status\n');
    chmodSync(shell, 0o755);
    return shell;
  }

  it('a host that npm has started ends within 5 seconds of SIGTERM to npm', () => endsWith('SIGTERM'));

  it('a host that npm has started by a shell which stays ends within 5 seconds of SIGTERM to npm', () =>
    endsWith('SIGTERM', { npm_config_script_shell: stayingShell() }));

  it('a host that npm has started ends within 5 seconds when npm is killed', () => endsWith('SIGKILL'));

  async function endsWith(signal: NodeJS.Signals, settings: Record<string, string> = {}): Promise<void> {
    const data = join(folder, 'data');
    const args = ['run', '--silent', 'serve', '--', '--data', data, ...freePorts()];
    const npm = spawn('npm', args, {
      cwd: ROOT,
      env: { ...process.env, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = text(npm.stderr);
    // What npm has started holds the other end of its output: it is closed when the last of them is gone.
    const gone = once(npm, 'close');
    try {
      const over = gone.then(async () => Promise.reject(new Error(`npm has ended before: ${await said}`)));
      const [line] = (await Promise.race([once(createInterface(npm.stdout), 'line'), over])) as [string];
      expect(JSON.parse(line)).toMatchObject({ ready: true });
      npm.kill(signal);
      const late = pause(5_000, 'still there 5 seconds later');
      expect(await Promise.race([gone.then(() => 'ended'), late])).toBe('ended');
      // It has closed its folder, and was not just killed.
      expect(readdirSync(data)).not.toContain('control');
      expect(await said).toContain('"signal":"SIG');
    } finally {
      npm.kill('SIGKILL');
    }
  }
});
