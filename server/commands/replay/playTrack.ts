import { addResult, noneSent, type OsmandFix, type OsmandSender, type SendResult } from '../osmandSender.ts';
import { CommandError } from '../restClient.ts';
import type { TrackRow } from './trackFile.ts';
import { setTimeout as timer } from 'node:timers/promises';

export interface PlayOptions {
  rows: AsyncIterable<TrackRow>;
  terminalIdOf(vehicle: string): string;
  sender: OsmandSender;
  pace: Pace;
  /** A multiple of the recorded speed, or as fast as the host acknowledges. */
  speed: number | 'max';
  /** Stamp each fix with the instant of sending rather than with its own time. */
  now: boolean;
  /** About every five seconds. */
  onProgress?: (result: SendResult, recordedAt: Date) => void;
  signal: AbortSignal;
}

/** At full speed so many fixes are under way together: enough to keep the connections busy, few to hold in memory. */
const LOT_SIZE = 256;
const PROGRESS_MS = 5000;

/**
 * Plays recorded rows, in order of time, into an intake until they end or the signal aborts.
 * @throws CommandError when nobody answers at all, and what reading the rows throws.
 */
export async function playTrack(options: PlayOptions): Promise<SendResult> {
  const { pace, speed, signal, sender } = options;
  const total = noneSent();
  const stampOf = stamper(pace);
  let lot: TrackRow[] = [];
  let startedAt: { wallMs: number; recordedMs: number } | null = null;
  let reportedMs = pace.now();

  async function sendLot(): Promise<void> {
    const last = lot.at(-1);
    if (last === undefined) return;
    const fixes = lot.map((row): OsmandFix => {
      const { vehicle, time, ...rest } = row;
      const terminalId = options.terminalIdOf(vehicle);
      return { ...rest, terminalId, time: options.now ? stampOf(terminalId) : time };
    });
    lot = [];
    addResult(total, await sender.send(fixes));
    if (total.byCode[0] === total.sent && !signal.aborted) {
      throw new CommandError('nobody answers at the OsmAnd intake');
    }
    if (pace.now() - reportedMs >= PROGRESS_MS) {
      reportedMs = pace.now();
      options.onProgress?.(total, last.time);
    }
  }

  for await (const row of options.rows) {
    startedAt ??= { wallMs: pace.now(), recordedMs: row.time.getTime() };
    if (speed !== 'max') {
      const dueMs = startedAt.wallMs + (row.time.getTime() - startedAt.recordedMs) / speed;
      if (dueMs > pace.now()) {
        await sendLot();
        // Sending has taken time of its own.
        const leftMs = dueMs - pace.now();
        if (leftMs > 0) await pace.sleep(leftMs, signal);
      }
    }
    if (signal.aborted) return total;
    lot.push(row);
    if (lot.length >= LOT_SIZE) await sendLot();
  }
  await sendLot();
  return total;
}

/** Two fixes of a vehicle never bear the same instant: the second would pass for a repetition of the first. */
function stamper(pace: Pace): (terminalId: string) => Date {
  const lastMs = new Map<string, number>();
  return (terminalId) => {
    const stampMs = Math.max(pace.now(), (lastMs.get(terminalId) ?? 0) + 1);
    lastMs.set(terminalId, stampMs);
    return new Date(stampMs);
  };
}

/** Time as a replay knows it; tests pass one that is driven by hand. */
export interface Pace {
  /** Unix milliseconds. */
  now(): number;
  /** Returns after `ms` milliseconds, or at once when the signal aborts; never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const realPace: Pace = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    try {
      await timer(ms, undefined, { signal });
    } catch {
      // Aborted: whoever sleeps looks at the signal next.
    }
  },
};
