import type { CrashRecord } from './crashRecords.ts';
import type { Memory } from './watchLine.ts';

export interface WatchTimes {
  /** A program that reports nothing for so long is hung; 0: never. */
  hungAfterMs: number;
  /** Before the first restart in a row, the second and so on; after the last the operator is asked. None: no watch. */
  pausesMs: readonly number[];
}

/** How often `tick` is called. */
export const TICK_MS = 1_000;
/** A program that has run this long was well: the pauses start over. */
const WELL_AFTER_MS = 600_000;
/** From the start of the program to its first report; Electron on a cold disk takes up to half a minute. */
const STARTED_WITHIN_MS = 120_000;
/**
 * Of the heap's limit, at the last report, which is some moments old: V8 gives up below it by what it sets aside for young
 * objects, up to a third of a small heap.
 */
const FULL_HEAP = 0.6;
/** Linux ends the largest process somewhere below this. */
const FULL_COMPUTER_BYTES = 64 * 1_048_576;

export type ProgramEnd = Pick<CrashRecord, 'reason' | 'detail' | 'ran_s' | 'memory'>;

export interface WatchActs {
  /** Starts the program, which then reports by the line; its process id, null when it could not be started. */
  start: () => number | null;
  /** Ends this process at once. */
  kill: (pid: number) => void;
  record: (end: ProgramEnd) => void;
  /** Asks the operator whether to go on; `chosen` has the answer. */
  ask: (end: ProgramEnd) => void;
  /** Nothing is left to watch over. */
  exit: () => void;
}

type State =
  /** It was started and has not reported yet; `pid` is null for the one that has started this process. */
  | { is: 'awaited'; pid: number | null; silent_ms: number; isHung: boolean }
  | {
      is: 'running';
      pid: number;
      since_ms: number;
      silent_ms: number;
      memory: Memory | null;
      failure: string | null;
      isHung: boolean;
    }
  | { is: 'pausing'; until_ms: number }
  | { is: 'asking' }
  | { is: 'over' };

export type WatchState = ReturnType<typeof createWatchState>;

/**
 * What to do about a program that reports, or does not. Times are milliseconds of a clock that never goes back.
 *
 * @param now_ms the time of the first call, when the program that has started this process is about to report
 */
export function createWatchState(times: WatchTimes, acts: WatchActs, now_ms: number) {
  let state: State = { is: 'awaited', pid: null, silent_ms: 0, isHung: false };
  let ticked_ms = now_ms;
  let inARow = 0;

  function exit(): void {
    if (state.is === 'over') return;
    state = { is: 'over' };
    acts.exit();
  }

  function ended(end: ProgramEnd, now: number): void {
    acts.record(end);
    if (end.ran_s * 1_000 >= WELL_AFTER_MS) inARow = 0;
    const pause_ms = times.pausesMs[inARow];
    inARow++;
    if (pause_ms === undefined) {
      state = { is: 'asking' };
      acts.ask(end);
    } else {
      state = { is: 'pausing', until_ms: now + pause_ms };
    }
  }

  const notStarted = (detail: string, now: number) =>
    ended({ reason: 'not_started', detail, ran_s: 0, memory: null }, now);

  function start(now: number): void {
    const pid = acts.start();
    if (pid === null) notStarted('its program could not be run', now);
    else state = { is: 'awaited', pid, silent_ms: 0, isHung: false };
  }

  return {
    /** Its first report. */
    connected(pid: number, now: number): void {
      if (state.is !== 'awaited') return;
      state = {
        is: 'running',
        pid,
        since_ms: now,
        silent_ms: 0,
        memory: null,
        failure: null,
        isHung: false,
      };
    },
    beat(memory: Memory): void {
      if (state.is === 'running') state = { ...state, silent_ms: 0, memory };
    },
    /** It ends by itself, and is to be started again. */
    failing(detail: string): void {
      if (state.is === 'running') state = { ...state, silent_ms: 0, failure: detail };
    },
    /** It ends on purpose, however long that takes: a last message to the operator may stay open. */
    goodbye: exit,
    /** The line has ended, by which the program has. */
    disconnected(now: number): void {
      if (state.is === 'awaited') notStarted('it ended at once', now);
      if (state.is !== 'running') return;
      const { memory, failure, isHung, since_ms } = state;
      const more = { ran_s: Math.round((now - since_ms) / 1_000), memory };
      if (isHung) {
        const detail = `nothing was heard of it for ${Math.round(times.hungAfterMs / 1_000)} s`;
        ended({ reason: 'hung', detail, ...more }, now);
      } else if (failure !== null) ended({ reason: 'error', detail: failure, ...more }, now);
      else ended({ reason: isFull(memory) ? 'out_of_memory' : 'killed', detail: null, ...more }, now);
    },
    /** The process that `start` began is gone; `code` is null when a signal ended it. */
    programEnded(code: number | null, now: number): void {
      if (state.is !== 'awaited') return;
      // Another one runs already, and has its own watch; or it was closed at once.
      if (code === 0) exit();
      else if (state.isHung) notStarted('it did not report', now);
      else notStarted(code === null ? 'a signal ended it' : `it ended with code ${code}`, now);
    },
    /** To be called every `TICK_MS`. */
    tick(now: number): void {
      // Silence counts as far as this process itself was running: not while the computer slept.
      const gap_ms = Math.min(now - ticked_ms, 2 * TICK_MS);
      ticked_ms = now;
      if (state.is === 'pausing' && now >= state.until_ms) {
        start(now);
      } else if (state.is === 'awaited' || state.is === 'running') {
        const { pid } = state;
        const silent_ms = state.silent_ms + gap_ms;
        const limit_ms = state.is === 'awaited' ? STARTED_WITHIN_MS : times.hungAfterMs;
        if (limit_ms === 0 || silent_ms < limit_ms) {
          state = { ...state, silent_ms };
        } else if (pid === null) {
          exit();
        } else {
          state = { ...state, silent_ms: 0, isHung: true };
          acts.kill(pid);
        }
      }
    },
    /** The operator's answer. */
    chosen(again: boolean, now: number): void {
      if (state.is !== 'asking') return;
      if (!again) {
        exit();
        return;
      }
      inARow = 0;
      start(now);
    },
  };
}

function isFull(memory: Memory | null): boolean {
  if (memory === null) return false;
  const { heap_used_bytes, heap_limit_bytes, free_bytes } = memory;
  return (
    heap_used_bytes >= FULL_HEAP * heap_limit_bytes ||
    (free_bytes !== null && free_bytes < FULL_COMPUTER_BYTES)
  );
}
