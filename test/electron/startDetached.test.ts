import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startDetached } from '../../electron/startDetached.ts';

it('a process that outlives this one gets its environment, but not the variable that makes it plain Node', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleetdeck-detached-'));
  const file = join(folder, 'environment.json');
  const program = `require('node:fs').writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.env))`;
  const given = { ...process.env, FLEETDECK_ORDER: 'watch', ELECTRON_RUN_AS_NODE: '1' };
  const child = startDetached(process.execPath, ['-e', program], given);
  expect(child.spawnargs).toContain(program);
  await once(child, 'exit');
  const environment = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  expect(environment['FLEETDECK_ORDER']).toBe('watch');
  expect(environment).not.toHaveProperty('ELECTRON_RUN_AS_NODE');
  rmSync(folder, { recursive: true, force: true });
});

it('a program that is not there has no process id, and ends nothing', async () => {
  const child = startDetached(join(tmpdir(), 'no such program'), [], process.env);
  await once(child, 'close').catch(() => undefined);
  expect(child.pid).toBe(undefined);
});
