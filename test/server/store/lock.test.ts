import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { LockHeld, acquireLock } from '../../../server/store/lock.ts';
import { temporaryFolder } from './temporaryFolder.ts';

const holder = new URL('./lockHolder.ts', import.meta.url);

async function startHolder(file: string): Promise<{ child: ChildProcess; says: string }> {
  const child = spawn(process.execPath, [fileURLToPath(holder), file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = await once(child.stdout, 'data');
  return { child, says: said.join('').trim() };
}

test('the lock refuses a second host in the same process, and is free after the first lets go', async () => {
  const file = join(await temporaryFolder(), 'lock.db');
  const first = acquireLock(file);
  expect(() => acquireLock(file)).toThrow(LockHeld);
  first.release();
  first.release();
  acquireLock(file).release();
});

test.each(['linux', 'win32'] as const)(
  'a lock that is discarded leaves no file that it has made on %s',
  async (platform) => {
    const folder = await temporaryFolder();
    acquireLock(join(folder, 'lock.db'), platform).discard();
    expect(await readdir(folder)).toEqual([]);
    const kept = join(folder, 'kept.db');
    await writeFile(kept, '');
    acquireLock(kept, platform).discard();
    expect(await readdir(folder)).toEqual(['kept.db']);
  },
);

test('a refused attempt does not loosen the lock that stands', async () => {
  const file = join(await temporaryFolder(), 'lock.db');
  const first = acquireLock(file);
  expect(() => acquireLock(file)).toThrow(LockHeld);
  const { says } = await startHolder(file);
  expect(says).toBe('held');
  first.release();
});

test('the lock refuses a worker of the process that holds it', async () => {
  const file = join(await temporaryFolder(), 'lock.db');
  const lock = acquireLock(file);
  const held = new Worker(holder, { workerData: file });
  expect(await once(held, 'message')).toEqual(['held']);
  lock.release();
  const free = new Worker(holder, { workerData: file });
  expect(await once(free, 'message')).toEqual(['taken']);
  await Promise.all([held.terminate(), free.terminate()]);
});

test('the lock refuses while another process holds it, and is free after that one is killed', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'lock.db');
  const { child, says } = await startHolder(file);
  expect(says).toBe('taken');
  expect(() => acquireLock(file)).toThrow(LockHeld);

  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  expect(await gone).toEqual([null, 'SIGKILL']);

  expect(await readdir(folder)).toEqual(['lock.db']);
  acquireLock(file).release();
});

test('the lock leaves one empty file, for its owner alone', async () => {
  const folder = await temporaryFolder();
  acquireLock(join(folder, 'lock.db')).release();
  expect(await readdir(folder)).toEqual(['lock.db']);
  const { size, mode } = await stat(join(folder, 'lock.db'));
  expect(size).toBe(0);
  expect(mode & 0o777).toBe(0o600);
});

test('the lock names the file when it is no lock', async () => {
  const file = join(await temporaryFolder(), 'lock.db');
  await writeFile(file, 'somebody put a text here, longer than the header of a database. '.repeat(4));
  expect(() => acquireLock(file)).toThrow(`${file}: file is not a database`);
});

test('a lock that is discarded leaves no file that it has made, and one that was there', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'lock.db');
  acquireLock(file).discard();
  expect(await readdir(folder)).toEqual([]);
  acquireLock(file).release();
  const again = acquireLock(file);
  again.discard();
  again.discard();
  expect(await readdir(folder)).toEqual(['lock.db']);
  acquireLock(file).release();
});

test('a lock that is discarded keeps others out until it is', async () => {
  const file = join(await temporaryFolder(), 'lock.db');
  const first = acquireLock(file);
  expect(() => acquireLock(file)).toThrow(LockHeld);
  first.discard();
  const next = acquireLock(file);
  expect(() => acquireLock(file)).toThrow(LockHeld);
  next.release();
});
