import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  askHost,
  controlAddress,
  controlOperation,
  HostRefused,
  NoHost,
  openControlSocket,
  type ControlRun,
  type RunnableOperation,
} from '../../../server/app/controlSocket.ts';
import { ApiError } from '../../../server/http/apiError.ts';
import { currentCaller } from '../../../server/store/caller.ts';
import { DiskFull } from '../../../server/store/storeErrors.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

const onWindows = process.platform === 'win32';

const add = {
  operation: 'add',
  request: z.strictObject({ a: z.int(), b: z.int() }),
  reply: z.strictObject({ sum: z.int() }),
};
const sum = controlOperation(add, ({ a, b }) => Promise.resolve({ sum: a + b }));
const wait = { operation: 'wait', request: z.strictObject({}), reply: z.null() };

let folder: string;
let clock: ReturnType<typeof createFakeClock>;
let undo: (() => Promise<void> | void)[];
let logged: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleetdeck-'));
  clock = createFakeClock();
  undo = [];
  logged = [];
});
afterEach(async () => {
  for (const step of undo.reverse()) await step();
  await rm(folder, { recursive: true, force: true });
});

async function open(
  operations: RunnableOperation[],
  { data = folder, runtimeFolder = folder }: { data?: string; runtimeFolder?: string } = {},
) {
  const log = pino({ base: null }, { write: (line: string) => void logged.push(line) });
  const surroundings = { platform: process.platform, runtimeFolder };
  const socket = await openControlSocket({ folder: data, operations, clock, log, surroundings });
  undo.push(() => socket.close());
  return socket;
}

/** A connection that reads all that comes. */
async function connect(address: string) {
  const socket = createConnection(address);
  undo.push(() => void socket.destroy());
  await once(socket, 'connect');
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  const ended = once(socket, 'end').then(() => lines());
  const lines = (): unknown[] =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  return { socket, ended };
}

/** An operation that runs until it is let go; each call of it is there as soon as it runs. */
function held() {
  const runs: { under: ControlRun; letGo: () => void }[] = [];
  const waiting: (() => void)[] = [];
  const operation = controlOperation(wait, async (_, under) => {
    await new Promise<void>((resolve) => {
      runs.push({ under, letGo: resolve });
      waiting.shift()?.();
    });
    return null;
  });
  return {
    operation,
    runs,
    untilRunning: async (count: number) => {
      while (runs.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}

const errorOf = (code: string, detail: string) => ({
  error: expect.objectContaining({ code, detail: expect.stringContaining(detail) }),
});
const gone = (socket: Socket) => (socket.closed ? Promise.resolve() : once(socket, 'close'));

describe('the control socket', () => {
  it('the control socket answers a command of the same user, who is the host machine to the store', async () => {
    const caller = z.object({ login: z.string() }).nullable();
    const who = { operation: 'who', request: z.strictObject({}), reply: caller };
    await open([sum, controlOperation(who, () => Promise.resolve(currentCaller()))]);
    expect(await askHost(folder, add, { a: 1, b: 2 })).toEqual({ sum: 3 });
    expect(await askHost(folder, who, {})).toEqual({ login: 'host machine' });
  });

  it.skipIf(onWindows)(
    'the control socket may be opened by its owner alone, whatever the umask is',
    async () => {
      const before = process.umask(0);
      try {
        await mkdir(join(folder, 'control'), { mode: 0o777 });
        const { address } = await open([]);
        expect((await stat(address)).mode & 0o777).toBe(0o600);
        expect((await stat(dirname(address))).mode & 0o777).toBe(0o700);
        expect(dirname(dirname(address))).toBe(folder);
      } finally {
        expect(process.umask(before)).toBe(0);
      }
    },
  );

  it.skipIf(onWindows)(
    'something else that lies where the control socket belongs is not replaced',
    async () => {
      await writeFile(join(folder, 'control'), 'notes');
      await expect(open([])).rejects.toThrow('is not a folder of the user who runs the host');
      expect(await readFile(join(folder, 'control'), 'utf8')).toBe('notes');
    },
  );

  it('progress comes before the result, in order', async () => {
    const count = { operation: 'count', request: z.strictObject({ to: z.int() }), reply: z.literal('done') };
    await open([
      controlOperation(count, async ({ to }, { progress }) => {
        for (let at = 1; at <= to; at++) progress({ at });
        return Promise.resolve('done' as const);
      }),
    ]);
    const progress: unknown[] = [];
    const result = await askHost(folder, count, { to: 3 }, { onProgress: (it) => void progress.push(it) });
    expect({ result, progress }).toEqual({ result: 'done', progress: [{ at: 1 }, { at: 2 }, { at: 3 }] });
  });

  it('an error of an operation is answered by its code, and a fault of the program is logged and not shown', async () => {
    const fail = { operation: 'fail', request: z.strictObject({ by: z.int() }), reply: z.null() };
    const errors = [new ApiError('in_use', 'It is used.'), new DiskFull('x'), new Error('the secret')];
    await open([controlOperation(fail, ({ by }) => Promise.reject(errors[by] ?? new Error()))]);
    const failures = await Promise.all(
      errors.map((_, by) => askHost(folder, fail, { by }).catch((error: unknown) => error)),
    );
    expect(failures).toEqual([
      new HostRefused('in_use', 'It is used.'),
      new HostRefused('disk_full', 'The disk is full; nothing was stored.'),
      new HostRefused('internal', 'Internal error; see the log of the host.'),
    ]);
    expect(logged.filter((line) => line.includes('the secret'))).toHaveLength(1);
  });

  it('a request that no operation can run is answered with an error', async () => {
    const { address } = await open([sum]);
    const refusals: [string, ReturnType<typeof errorOf>][] = [
      ['nonsense', errorOf('malformed_json', 'not one line of JSON')],
      ['[]', errorOf('validation_failed', '')],
      ['{"a":1}', errorOf('validation_failed', 'operation')],
      ['{"operation":"constructor"}', errorOf('not_found', 'no operation "constructor"')],
      ['{"operation":"add","a":1,"b":"2"}', errorOf('validation_failed', 'b')],
      ['{"operation":"add","a":1,"b":2,"c":3}', errorOf('validation_failed', 'c')],
    ];
    for (const [request, answer] of refusals) {
      const { socket, ended } = await connect(address);
      socket.write(`${request}\n`);
      expect(await ended, request).toEqual([answer]);
    }
  });

  it('a request of more than 64 KiB is refused before it ends, and one of 64 KiB is read', async () => {
    const { address } = await open([sum]);
    const longest = '{"operation":"add","a":1,"b":2}'.padEnd(64 * 1_024);
    const read = await connect(address);
    read.socket.write(`${longest}\n`);
    expect(await read.ended).toEqual([{ result: { sum: 3 } }]);
    const refused = await connect(address);
    refused.socket.write(`${longest} `);
    expect(await refused.ended).toEqual([errorOf('too_large', '64 KiB')]);
  });

  it('a connection that has sent no whole request in 10 s is closed', async () => {
    const { address } = await open([sum]);
    const { socket, ended } = await connect(address);
    socket.write('{"operation"');
    // The host has taken the connection when it answers another one that came later.
    await askHost(folder, add, { a: 1, b: 2 });
    clock.advance(9_999);
    expect(socket.readableEnded).toBe(false);
    clock.advance(1);
    expect(await ended).toEqual([errorOf('malformed_json', 'within 10 seconds')]);
    await gone(socket);
  });

  it('the control socket serves four commands at a time and refuses the fifth until one has ended', async () => {
    const { operation, runs, untilRunning } = held();
    await open([operation]);
    const asked = [1, 2, 3, 4].map(() => askHost(folder, wait, {}));
    await untilRunning(4);
    await expect(askHost(folder, wait, {})).rejects.toEqual(
      new HostRefused('queue_full', 'The host serves 4 commands at a time; try again when one has ended.'),
    );
    runs[0]?.letGo();
    await Promise.race(asked);
    const fifth = askUntilServed();
    await untilRunning(5);
    for (const { letGo } of runs) letGo();
    expect(await Promise.all([...asked, fifth])).toEqual([null, null, null, null, null]);

    /** The host hears of the end of a connection in its own time. */
    async function askUntilServed(): Promise<null> {
      for (;;) {
        try {
          return await askHost(folder, wait, {});
        } catch (error) {
          if (!(error instanceof HostRefused && error.code === 'queue_full')) throw error;
        }
      }
    }
  });

  it('an operation whose client is gone hears of it, and keeps its place until it has ended', async () => {
    const { operation, runs, untilRunning } = held();
    const { address } = await open([operation]);
    const clients = await Promise.all([1, 2, 3, 4].map(() => connect(address)));
    for (const { socket } of clients) socket.write('{"operation":"wait"}\n');
    await untilRunning(4);
    for (const { socket } of clients) socket.destroy();
    for (const { under } of runs) if (!under.signal.aborted) await once(under.signal, 'abort');
    await expect(askHost(folder, wait, {})).rejects.toThrow('4 commands at a time');
    for (const { letGo } of runs) letGo();
  });

  it('a command that gives up aborts its operation', async () => {
    const { operation, runs, untilRunning } = held();
    await open([operation]);
    const givesUp = new AbortController();
    const asked = askHost(folder, wait, {}, { signal: givesUp.signal });
    await untilRunning(1);
    givesUp.abort();
    await expect(asked).rejects.toThrow();
    const signal = runs[0]?.under.signal;
    if (signal?.aborted === false) await once(signal, 'abort');
    runs[0]?.letGo();
  });

  it('a host that closes aborts what is under way, lets it answer, and leaves no socket behind', async () => {
    const stopped = controlOperation(wait, async (_, { signal }) => {
      await once(signal, 'abort');
      throw new ApiError('unavailable', 'It was stopped.');
    });
    const socket = await open([stopped]);
    const idle = await connect(socket.address);
    const asked = askHost(folder, wait, {}).catch((error: unknown) => error);
    while (!logged.some((line) => line.includes('operation started'))) await new Promise(setImmediate);
    await socket.close();
    expect(await asked).toEqual(new HostRefused('unavailable', 'It was stopped.'));
    expect(await idle.ended).toEqual([errorOf('unavailable', 'shutting down')]);
    expect(await readdir(folder)).toEqual([]);
    await expect(askHost(folder, wait, {})).rejects.toThrow(NoHost);
  });

  it('a command says plainly that no host runs: on a folder that is not there, and on one without a host', async () => {
    const missing = join(folder, 'nowhere');
    await expect(askHost(missing, add, { a: 1, b: 2 })).rejects.toEqual(new NoHost(missing));
    await expect(askHost(folder, add, { a: 1, b: 2 })).rejects.toThrow(
      `No host runs on the data folder ${folder}.`,
    );
  });

  it('a command says so when what listens there speaks something else', async () => {
    const answers = ['SSH-2.0\n', '{"result":{"sum":"3"}}\n', ''];
    if (!onWindows) await mkdir(join(folder, 'control'));
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(answers.shift() ?? '');
    });
    server.listen(controlAddress(folder, process.platform));
    await once(server, 'listening');
    undo.push(() => void server.close());
    const ask = () => askHost(folder, add, { a: 1, b: 2 });
    await expect(ask()).rejects.toThrow('no answer of the kind');
    await expect(ask()).rejects.toThrow(z.ZodError);
    await expect(ask()).rejects.toThrow('ended the connection before it answered');
  });
});

describe.skipIf(onWindows)('a socket in the file system', () => {
  /** A process that listens at the path until it is killed, so that its socket stays. */
  async function killedListener(path: string): Promise<void> {
    const listens =
      "require('node:net').createServer().listen(process.argv[1], () => console.log('listening'))";
    const listener = spawn(process.execPath, ['-e', listens, path]);
    await once(listener.stdout, 'data');
    listener.kill('SIGKILL');
    await once(listener, 'exit');
    expect(existsSync(path)).toBe(true);
  }

  it('the socket of a host that was killed means that no host runs, and the next host replaces it', async () => {
    await mkdir(join(folder, 'control'));
    await killedListener(controlAddress(folder, process.platform));
    await expect(askHost(folder, add, { a: 1, b: 2 })).rejects.toThrow(NoHost);
    await open([sum]);
    expect(await askHost(folder, add, { a: 1, b: 2 })).toEqual({ sum: 3 });
  });

  it('a data folder whose path is too long for a socket has its socket in a private folder elsewhere', async () => {
    const data = join(folder, 'x'.repeat(110));
    await mkdir(data);
    const first = await open([sum], { data });
    const short = dirname(first.address);
    expect(dirname(short)).toBe(folder);
    expect((await stat(short)).mode & 0o777).toBe(0o700);
    expect((await stat(first.address)).mode & 0o777).toBe(0o600);
    const addressFile = join(data, 'control', 'address');
    expect((await stat(addressFile)).mode & 0o777).toBe(0o600);
    expect(await askHost(data, add, { a: 1, b: 2 })).toEqual({ sum: 3 });
    await first.close();
    expect(existsSync(short)).toBe(false);
    expect(existsSync(addressFile)).toBe(false);
    await expect(askHost(data, add, { a: 1, b: 2 })).rejects.toThrow(NoHost);
  });

  it('the private folder elsewhere of a host that was killed is removed by the next one', async () => {
    const data = join(folder, 'x'.repeat(110));
    const left = join(folder, 'fleetdeck-left00');
    await mkdir(join(data, 'control'), { recursive: true });
    await mkdir(left);
    await killedListener(join(left, 'host.sock'));
    await writeFile(join(data, 'control', 'address'), join(left, 'host.sock'));
    await expect(askHost(data, add, { a: 1, b: 2 })).rejects.toThrow(NoHost);
    const { address } = await open([sum], { data });
    expect(existsSync(left)).toBe(false);
    expect(await readFile(join(data, 'control', 'address'), 'utf8')).toBe(address);
  });

  it('an address file that names something else removes nothing', async () => {
    const kept = join(folder, 'fleetdeck-kept00');
    await mkdir(kept);
    for (const name of ['host.sock', 'jwt.key']) await writeFile(join(kept, name), '');
    for (const address of [join(kept, 'jwt.key'), join(kept, 'host.sock')]) {
      await mkdir(join(folder, 'control'));
      await writeFile(join(folder, 'control', 'address'), address);
      await (await open([sum])).close();
      expect(existsSync(join(kept, 'jwt.key'))).toBe(true);
    }
  });

  it.skipIf(process.getuid?.() === 0)(
    'a command of another user reads that the host is not theirs',
    async () => {
      const { address } = await open([sum]);
      await chmod(address, 0o000);
      await expect(askHost(folder, add, { a: 1, b: 2 })).rejects.toThrow('Only the user who runs the host');
    },
  );
});

describe('the address of the control socket', () => {
  it('the address of the control socket on Windows is a named pipe that follows from the data folder alone', () => {
    const of = (folder: string) => controlAddress(folder, 'win32');
    expect(of('C:\\ProgramData\\Fleetdeck')).toMatch(/^\\\\\.\\pipe\\fleetdeck-[0-9a-f]{32}$/);
    expect(of('c:/programdata/fleetdeck/')).toBe(of('C:\\ProgramData\\Fleetdeck'));
    expect(of('C:\\ProgramData\\Fleetdeck2')).not.toBe(of('C:\\ProgramData\\Fleetdeck'));
    // The longest name of a pipe is 256 characters, whatever the folder is.
    expect(of(`C:\\${'x'.repeat(2_000)}`)).toHaveLength(of('C:\\x').length);
  });

  it('the address of the control socket on Unix lies in the data folder', () => {
    expect(controlAddress('/var/lib/fleetdeck', 'linux')).toBe('/var/lib/fleetdeck/control/host.sock');
  });
});
