import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readCrashes } from '../../electron/crashRecords.ts';
import { createWatched } from '../../electron/watched.ts';
import { runWatcher, type StartedProgram, type WatcherDeps } from '../../electron/watcher.ts';
import { newWatchAddress, sendMessage, type WatchMessage } from '../../electron/watchLine.ts';
import { createFakeClock } from '../support/fakeClock.ts';

let folder: string;
let undo: (() => void)[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetdeck-watch-'));
  undo = [];
});
afterEach(() => {
  for (const step of undo) step();
  rmSync(folder, { recursive: true, force: true });
});

const platform = process.platform;
/** What comes by itself comes late on a busy machine. */
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 10 });

/** A process that watches, with a hand-driven clock and real sockets. */
function watching() {
  const clock = createFakeClock();
  const address = newWatchAddress(folder, platform);
  const starts: string[] = [];
  const deps = {
    platform,
    timing: clock,
    start: vi.fn<(address: string) => StartedProgram>((at) => {
      starts.push(at);
      return { pid: 4_000_000 + starts.length, once: () => undefined };
    }),
    kill: vi.fn<WatcherDeps['kill']>(),
    ask: vi.fn<WatcherDeps['ask']>(() => Promise.resolve(true)),
    exit: vi.fn<WatcherDeps['exit']>(),
    warn: vi.fn<WatcherDeps['warn']>(),
  };
  const order = {
    address,
    folder,
    program: '',
    args: [],
    hungAfterMs: 30_000,
    pausesMs: [1_000, 5_000],
  };
  runWatcher(order, deps);
  return { clock, address, starts, ...deps };
}

/** What the program would say. */
async function connect(address: string): Promise<Socket> {
  const socket = createConnection(address);
  undo.push(() => socket.destroy());
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  sendMessage(socket, { kind: 'hello', pid: 77 });
  return socket;
}

describe('the process that watches', () => {
  it('the process that watches starts a program whose line ends, and listens for it at a new address', async () => {
    const { clock, address, starts } = watching();
    (await connect(address)).destroy();
    await eventually(() => expect(readCrashes(folder)).toMatchObject([{ reason: 'killed', is_seen: false }]));
    clock.advance(1_000);
    expect(starts).toHaveLength(1);
    expect(starts[0]).not.toBe(address);
    (await connect(starts[0] ?? '')).destroy();
    await eventually(() => expect(readCrashes(folder)).toHaveLength(2));
  });

  it('the process that watches ends with a program that says goodbye', async () => {
    const { address, exit, starts } = watching();
    const line = await connect(address);
    sendMessage(line, { kind: 'goodbye' });
    line.end();
    await eventually(() => expect(exit).toHaveBeenCalledOnce());
    expect(starts).toEqual([]);
    expect(readCrashes(folder)).toEqual([]);
  });

  it('the process that watches ends a program that hangs, by its process id', async () => {
    const { clock, address, kill } = watching();
    await connect(address);
    await eventually(() => {
      clock.advance(30_000);
      expect(kill).toHaveBeenCalledWith(77);
    });
  });

  it('the process that watches takes a line that sends something else for a program that has ended', async () => {
    const { address } = watching();
    const line = await connect(address);
    line.write('{"kind":"unheard of"}\n');
    await eventually(() => expect(readCrashes(folder)).toHaveLength(1));
  });

  it('the process that watches starts the program again also when its end cannot be recorded', async () => {
    const { clock, address, starts, warn } = watching();
    // What would become the file.
    mkdirSync(join(folder, 'crashes.json.part'));
    (await connect(address)).destroy();
    await eventually(() => expect(warn).toHaveBeenCalledOnce());
    clock.advance(1_000);
    expect(starts).toHaveLength(1);
  });
});

describe('the program that is watched', () => {
  interface Listening {
    server: Server;
    messages: WatchMessage[];
    sockets: Socket[];
  }

  /** Starts processes that listen as those that watch do. */
  function watched(address: string | null = null) {
    const clock = createFakeClock();
    const started: Listening[] = [];
    const listen = (at: string) => {
      const messages: WatchMessage[] = [];
      const sockets: Socket[] = [];
      const server = createServer((socket) => {
        sockets.push(socket);
        socket.on('error', () => undefined).setEncoding('utf8');
        socket.on('data', (text: string) => {
          for (const line of text.trim().split('\n')) messages.push(JSON.parse(line) as WatchMessage);
        });
      });
      server.listen(at);
      started.push({ server, messages, sockets });
      undo.push(() => {
        server.close();
        for (const socket of sockets) socket.destroy();
      });
    };
    const program = createWatched({
      folder,
      isWanted: true,
      address,
      startWatcher: listen,
      timing: clock,
      log: () => undefined,
    });
    undo.push(() => program.goodbye());
    return { clock, started, listen, program };
  }

  it('the program that is watched starts the process that watches, and reports its memory', async () => {
    const { clock, started, program } = watched();
    program.begin();
    await eventually(() => expect(program.isWatched()).toBe(true));
    clock.advance(1_000);
    await eventually(() =>
      expect(started[0]?.messages.map((it) => it.kind)).toEqual(['hello', 'beat', 'beat']),
    );
    const beat = started[0]?.messages[1];
    if (beat?.kind !== 'beat') throw new Error('no beat');
    expect(beat.memory.heap_used_bytes).toBeGreaterThan(1e6);
    expect(beat.memory.heap_limit_bytes).toBeGreaterThan(beat.memory.heap_used_bytes);
  });

  it('the program that is watched starts another process when the one that watches has ended', async () => {
    const { clock, started, program } = watched();
    program.begin();
    await eventually(() => expect(started[0]?.messages).toHaveLength(2));
    started[0]?.sockets[0]?.destroy();
    await eventually(() => expect(program.isWatched()).toBe(false));
    expect(started).toHaveLength(1);
    clock.advance(1_000);
    await eventually(() => expect(program.isWatched()).toBe(true));
    expect(started).toHaveLength(2);
  });

  it('the program that is watched reports to the process that has started it again, and starts none', async () => {
    const address = newWatchAddress(folder, platform);
    const { clock, started, listen, program } = watched(address);
    // The other process is there some moments later.
    program.begin();
    await eventually(() => {
      if (started.length === 0) listen(address);
      clock.advance(100);
      expect(program.isWatched()).toBe(true);
    });
    expect(started).toHaveLength(1);
    await eventually(() => expect(started[0]?.messages[0]).toEqual({ kind: 'hello', pid: process.pid }));
  });

  it('the program that is watched starts a process of its own when the one that started it cannot be reached', async () => {
    const { clock, started, program } = watched(newWatchAddress(folder, platform));
    program.begin();
    await eventually(() => {
      clock.advance(30_000);
      expect(program.isWatched()).toBe(true);
    });
    expect(started).toHaveLength(1);
  });

  it('the program that is watched says why it fails, and its quit after that is no goodbye', async () => {
    const { started, program } = watched();
    program.begin();
    await eventually(() => expect(program.isWatched()).toBe(true));
    program.failing('TypeError: unforeseen');
    program.goodbye();
    await eventually(() =>
      expect(started[0]?.messages.at(-1)).toEqual({ kind: 'failing', detail: 'TypeError: unforeseen' }),
    );
  });

  it('the program that is watched says goodbye, and starts no other process after that', async () => {
    const { clock, started, program } = watched();
    program.begin();
    await eventually(() => expect(program.isWatched()).toBe(true));
    program.goodbye();
    await eventually(() => expect(started[0]?.messages.at(-1)).toEqual({ kind: 'goodbye' }));
    started[0]?.sockets[0]?.destroy();
    await eventually(() => expect(program.isWatched()).toBe(false));
    clock.advance(3_600_000);
    expect(started).toHaveLength(1);
  });

  it('the program that is watched removes what is left of processes that were killed', async () => {
    const { server } = await new Promise<{ server: Server }>((resolve) => {
      const it = createServer().listen(newWatchAddress(folder, platform), () => resolve({ server: it }));
    });
    undo.push(() => server.close());
    const { program } = watched();
    program.begin();
    await eventually(() => expect(program.isWatched()).toBe(true));
    expect(readdirSync(folder).filter((it) => it.endsWith('.sock'))).toHaveLength(1);
  });
});

it('the address of a line fits into what sockets take, wherever the folder lies', () => {
  const deep = `/${'deep/'.repeat(40)}`;
  expect(Buffer.byteLength(newWatchAddress(deep, 'linux'))).toBeLessThan(104);
  expect(newWatchAddress('/home/ann', 'darwin')).toMatch(/^[/]home[/]ann[/]watch-.*[.]sock$/);
  expect(newWatchAddress('C:\\Users\\ann', 'win32')).toMatch(/^\\\\[.]\\pipe\\fleetdeck-watch-/);
});
