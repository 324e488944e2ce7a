import { createServer } from 'node:net';
import { z } from 'zod';
import { addCrash } from './crashRecords.ts';
import { newWatchAddress, readMessages } from './watchLine.ts';
import { createWatchState, TICK_MS, type ProgramEnd, type WatchState } from './watchState.ts';

/** What the program gives to the process that is to watch over it, as JSON in this variable. */
export const WATCH_ORDER = 'FLEETDECK_WATCH';
/** Where the process that started the program again expects its reports. */
export const WATCH_ADDRESS = 'FLEETDECK_WATCH_ADDRESS';

export const watchOrder = z.object({
  address: z.string(),
  /** Of this program's own files. */
  folder: z.string(),
  program: z.string(),
  args: z.array(z.string()),
  hungAfterMs: z.number(),
  pausesMs: z.array(z.number()),
});
export type WatchOrder = z.infer<typeof watchOrder>;

export interface WatchTiming {
  /** Unix milliseconds. */
  now: () => number;
  /** Milliseconds that never go back. */
  monotonic: () => number;
  /** Calls once; returns its undo. */
  after: (ms: number, call: () => void) => () => void;
}

/** The program, as it was started. */
export interface StartedProgram {
  /** Undefined: it could not be started. */
  readonly pid?: number | undefined;
  once: (event: 'exit', listener: (code: number | null) => void) => unknown;
}

export interface WatcherDeps {
  timing: WatchTiming;
  platform: NodeJS.Platform;
  /** Starts the program, which is to report to `address`. */
  start: (address: string) => StartedProgram;
  kill: (pid: number) => void;
  /** Asks the operator whether to start it again. */
  ask: (end: ProgramEnd) => Promise<boolean>;
  exit: () => void;
  /** An end could not be recorded. */
  warn: (error: unknown) => void;
}

/** Watches over the program until it ends on purpose. */
export function runWatcher(order: WatchOrder, deps: WatcherDeps): void {
  const { timing } = deps;
  const now = () => timing.monotonic();

  const state: WatchState = createWatchState(
    order,
    {
      start() {
        const address = newWatchAddress(order.folder, deps.platform);
        const program = deps.start(address);
        const pid = program.pid ?? null;
        if (pid === null) return null;
        program.once('exit', (code) => state.programEnded(code, now()));
        listen(address, () => deps.kill(pid));
        return pid;
      },
      kill: (pid) => deps.kill(pid),
      record(end) {
        try {
          addCrash(order.folder, { ...end, at: new Date(timing.now()).toISOString() });
        } catch (error) {
          // A full disk may be why it ended; it is started again all the same.
          deps.warn(error);
        }
      },
      ask: (end) => void deps.ask(end).then((again) => state.chosen(again, now())),
      exit: () => deps.exit(),
    },
    now(),
  );

  /** Takes one connection. */
  function listen(address: string, onError: () => void): void {
    const server = createServer((socket) => {
      server.close();
      socket.on('error', () => socket.destroy());
      socket.once('close', () => state.disconnected(now()));
      readMessages(socket, (message) => {
        switch (message.kind) {
          case 'hello':
            state.connected(message.pid, now());
            break;
          case 'beat':
            state.beat(message.memory);
            break;
          case 'failing':
            state.failing(message.detail);
            break;
          case 'goodbye':
            state.goodbye();
        }
      });
    });
    server.maxConnections = 1;
    server.once('error', onError);
    server.listen(address);
  }

  function tick(): void {
    state.tick(now());
    timing.after(TICK_MS, tick);
  }

  listen(order.address, () => deps.exit());
  timing.after(TICK_MS, tick);
}
