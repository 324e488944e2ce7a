import { readdirSync, rmSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import type { App } from 'electron';
import { switchesOfNextStart } from './loginStart.ts';
import { startDetached } from './startDetached.ts';
import { WATCH_ADDRESS, WATCH_ORDER, type WatchOrder, type WatchTiming } from './watcher.ts';
import { isWatchSocket, newWatchAddress, sendMessage, type Memory } from './watchLine.ts';
import type { WatchTimes } from './watchState.ts';

const BEAT_MS = 1_000;
/** A heap that is filling up is full some looks later, and then nothing can be reported. */
const LOOK_MS = 250;
/** Of the heap's limit: so much more in use is reported at once. */
const GROWN = 0.05;
const CONNECT_AGAIN_MS = 100;
/** So long a watching process may take to start. */
const CONNECTED_WITHIN_MS = 60_000;
/** What waits in the line of one that reads no more: a quarter of an hour. */
const MOST_WAITING_BYTES = 128 * 1_024;
/** Before another one is started in the place of one that has ended. */
const PAUSES_MS = [1_000, 5_000, 30_000, 120_000];
const LONGEST_PAUSE_MS = 600_000;
const WELL_AFTER_MS = 600_000;

export interface Watched {
  /** Starts to report. */
  begin: () => void;
  /** Whether there is somebody who starts the program again when it has ended. */
  isWatched: () => boolean;
  /** The program is about to end and is to be started again. */
  failing: (detail: string) => void;
  /** The program ends on purpose; nothing that it said before counts less. */
  goodbye: () => void;
}

/** For this process, as it was started. */
export function watchThisProgram(
  app: Pick<App, 'isPackaged' | 'getAppPath'>,
  folder: string,
  times: WatchTimes,
  log: (words: string) => void,
): Watched {
  // An AppImage is mounted for as long as its program runs: each process needs a mount of its own
  // (https://github.com/electron-userland/electron-builder/issues/1727).
  const program = process.env['APPIMAGE'] ?? process.execPath;
  const switches = switchesOfNextStart(process.argv).filter((it) => it !== '--watch');
  const args = app.isPackaged ? switches : [app.getAppPath(), ...switches];
  const { [WATCH_ADDRESS]: address = null, ...environment } = process.env;
  Reflect.deleteProperty(process.env, WATCH_ADDRESS);
  return createWatched({
    folder,
    isWanted: times.pausesMs.length > 0,
    address,
    startWatcher(address) {
      const order: WatchOrder = { address, folder, program, args, ...times, pausesMs: [...times.pausesMs] };
      startDetached(program, [...args, '--watch'], { ...environment, [WATCH_ORDER]: JSON.stringify(order) });
    },
    timing: {
      monotonic: () => performance.now(),
      after(ms, call) {
        const timer = setTimeout(call, ms);
        return () => clearTimeout(timer);
      },
    },
    log,
  });
}

/**
 * Reports to the process that watches over this one, and starts one where there is none.
 *
 * @param deps.address of the one that has started this program; null: the operator has
 * @param deps.startWatcher starts a process that listens there
 * @param deps.log reports what becomes of that process
 */
export function createWatched(deps: {
  folder: string;
  /** False: nobody starts the program again, as a developer with a debugger wants it. */
  isWanted: boolean;
  address: string | null;
  startWatcher: (address: string) => void;
  timing: Pick<WatchTiming, 'monotonic' | 'after'>;
  log: (words: string) => void;
}): Watched {
  const { timing } = deps;
  let line: Socket | null = null;
  let isEnding = false;
  let inARow = 0;

  function begin(): void {
    if (isEnding) return;
    const address = newWatchAddress(deps.folder, process.platform);
    deps.startWatcher(address);
    connect(address, timing.monotonic());
  }

  function beginLater(): void {
    const pause_ms = PAUSES_MS[inARow] ?? LONGEST_PAUSE_MS;
    inARow++;
    timing.after(pause_ms, begin);
  }

  function connect(address: string, since_ms: number): void {
    const socket = createConnection(address);
    // `close` follows.
    socket.on('error', () => undefined);
    const onFailed = () => {
      if (isEnding) return;
      if (timing.monotonic() - since_ms < CONNECTED_WITHIN_MS) {
        timing.after(CONNECT_AGAIN_MS, () => connect(address, since_ms));
        return;
      }
      deps.log('the process that watches over the program cannot be reached');
      beginLater();
    };
    socket.once('close', onFailed);
    socket.once('connect', () => {
      socket.off('close', onFailed);
      if (isEnding) socket.destroy();
      else report(socket);
    });
  }

  function report(socket: Socket): void {
    line = socket;
    const since_ms = timing.monotonic();
    sendMessage(socket, { kind: 'hello', pid: process.pid });
    let stopTimer = () => {};
    let sent: { at_ms: number; memory: Memory } | null = null;
    const beat = () => {
      stopTimer = timing.after(LOOK_MS, beat);
      const memory = memoryNow();
      const now = timing.monotonic();
      const grown_bytes = memory.heap_used_bytes - (sent?.memory.heap_used_bytes ?? 0);
      if (sent !== null && now - sent.at_ms < BEAT_MS && grown_bytes < GROWN * memory.heap_limit_bytes)
        return;
      if (socket.writableLength > MOST_WAITING_BYTES) {
        // Should it wake up it reads this and ends, too.
        sendMessage(socket, { kind: 'goodbye' });
        socket.destroySoon();
        lost();
        return;
      }
      sent = { at_ms: now, memory };
      sendMessage(socket, { kind: 'beat', memory });
    };
    function lost(): void {
      if (line !== socket) return;
      line = null;
      stopTimer();
      if (isEnding) return;
      if (timing.monotonic() - since_ms >= WELL_AFTER_MS) inARow = 0;
      deps.log('the process that watches over the program has ended; another one is started');
      beginLater();
    }
    socket.once('close', lost);
    socket.resume();
    beat();
  }

  return {
    begin() {
      if (!deps.isWanted) return;
      if (deps.address === null) {
        removeSockets(deps.folder);
        begin();
      } else {
        connect(deps.address, timing.monotonic());
      }
    },
    isWatched: () => line !== null,
    failing(detail) {
      if (isEnding || line === null) return;
      isEnding = true;
      sendMessage(line, { kind: 'failing', detail });
    },
    goodbye() {
      if (isEnding) return;
      isEnding = true;
      if (line !== null) sendMessage(line, { kind: 'goodbye' });
    },
  };
}

/** Of watching processes that were killed; one that still waits for its program does so in vain, and ends. */
function removeSockets(folder: string): void {
  for (const name of readdirSync(folder))
    if (isWatchSocket(name)) rmSync(join(folder, name), { force: true });
}

function memoryNow(): Memory {
  const { used_heap_size, heap_size_limit } = getHeapStatistics();
  return {
    rss_bytes: process.memoryUsage.rss(),
    heap_used_bytes: used_heap_size,
    heap_limit_bytes: heap_size_limit,
    free_bytes: process.platform === 'darwin' ? null : process.availableMemory(),
  };
}
