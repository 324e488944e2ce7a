import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readCrashes } from '../../electron/crashRecords.ts';
import { WATCH_ORDER, type WatchOrder } from '../../electron/watcher.ts';
import { newWatchAddress, sendMessage } from '../../electron/watchLine.ts';
import type { Published } from './fakeElectron.ts';
import { withFakeElectron } from './withFakeElectron.ts';

const WATCH_PROCESS = fileURLToPath(new URL('../../electron/watchProcess.ts', import.meta.url));
/** Notes by which variables it was started, and ends at once as the second instance of a program does. */
const PROGRAM =
  "require('node:fs').writeFileSync(process.argv[1], JSON.stringify(Object.keys(process.env).filter((it) => it.startsWith('FLEETDECK_WATCH'))))";

let folder: string;
let watching: ChildProcess | null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetdeck-watch-'));
  watching = null;
});
afterEach(() => {
  watching?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

it('the process that watches asks the operator about a program that ended too often, starts it again, and ends when another one runs', async () => {
  const started = join(folder, 'started.json');
  const order: WatchOrder = {
    address: newWatchAddress(folder, process.platform),
    ...{ folder, program: process.execPath, args: ['-e', PROGRAM, started] },
    ...{ hungAfterMs: 0, pausesMs: [] },
  };
  const child = fork(WATCH_PROCESS, ['--watch'], {
    execArgv: [],
    env: { ...process.env, ...withFakeElectron(folder), [WATCH_ORDER]: JSON.stringify(order) },
  });
  watching = child;
  const ended = once(child, 'exit');
  const asked = once(child, 'message') as Promise<[Published]>;
  await vi.waitFor(
    async () => {
      const line = createConnection(order.address);
      await once(line, 'connect');
      sendMessage(line, { kind: 'hello', pid: process.pid });
      line.end();
    },
    { timeout: 60_000, interval: 50 },
  );
  expect((await asked)[0]).toMatchObject({
    published: 'box',
    text: expect.stringMatching(/ended several times[^]*ended by another program or by the system/) as string,
  });
  // The stand-in presses the first button.
  expect(await ended).toEqual([0, null]);
  expect(readCrashes(folder)).toMatchObject([{ reason: 'killed' }]);
  expect(existsSync(started)).toBe(true);
  expect(JSON.parse(readFileSync(started, 'utf8'))).toEqual(['FLEETDECK_WATCH_ADDRESS']);
});
