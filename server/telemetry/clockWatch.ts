import { terminalKey } from '../contract/sameKeys.ts';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Accept, TerminalReport } from './terminalReport.ts';

interface Watched {
  seen: StampSeen[];
  /** What has been logged. */
  logged_s: number | null;
}

const keptStamps = 8;
/** Stamps closer than this say no more than one of them. */
const apartMs = 20_000;
const keptTerminals = 20_000;

/** @param deps.offsetOf what the vehicle of a terminal is set to, in seconds; null when no vehicle has it */
export function createClockWatch(deps: {
  offsetOf: (terminalId: string) => number | null;
  clock: Pick<Clock, 'now'>;
  log: Logger;
}) {
  const { clock, log, offsetOf } = deps;
  /** By terminal, the one that came longest ago first. */
  const watched = new Map<string, Watched>();

  function watchedOf(terminalId: string): Watched {
    const key = terminalKey(terminalId);
    const known = watched.get(key);
    if (known !== undefined) return known;
    if (watched.size >= keptTerminals) {
      const [oldest] = watched.keys();
      if (oldest !== undefined) watched.delete(oldest);
    }
    const fresh = { seen: [], logged_s: null };
    watched.set(key, fresh);
    return fresh;
  }

  function suggested(terminalId: string): number | null {
    const set_s = offsetOf(terminalId);
    const found_s = suggestClockOffset(watched.get(terminalKey(terminalId))?.seen ?? []);
    return set_s === null || found_s === set_s ? null : found_s;
  }

  function look(terminalId: string, stamp_ms: number): void {
    // Any client may send any ID: nothing is kept of unknown terminals.
    if (offsetOf(terminalId) === null) return;
    const one = watchedOf(terminalId);
    const received_ms = clock.now();
    if (received_ms - (one.seen.at(-1)?.received_ms ?? -Infinity) < apartMs) return;
    one.seen = [...one.seen, { stamp_ms, received_ms }].slice(-keptStamps);
    const offset_s = suggested(terminalId);
    if (offset_s === one.logged_s) return;
    one.logged_s = offset_s;
    if (offset_s === null) return;
    const about = { terminal_id: terminalId, clock_offset_s: offset_s, set_to_s: offsetOf(terminalId) };
    log.warn(about, "a terminal's clock is off by a zone's offset: its vehicle should be set to that");
  }

  return {
    /**
     * How far the terminal's clock seems to be ahead, in seconds, when that is not what its vehicle is set to; else null.
     */
    suggested,
    /** All terminals whose clock seems to be ahead, in seconds, by something else than their vehicle is set to. */
    suggestions: (): { terminal_id: string; suggested_clock_offset_s: number }[] =>
      [...watched.keys()].flatMap((terminal_id) => {
        const suggested_clock_offset_s = suggested(terminal_id);
        return suggested_clock_offset_s === null ? [] : [{ terminal_id, suggested_clock_offset_s }];
      }),
    /** Looks at the stamps of what passes through `accept`. */
    over:
      (accept: Accept): Accept =>
      (reports, origin) => {
        for (const [terminalId, stamp_ms] of newestStamps(reports)) look(terminalId, stamp_ms);
        return accept(reports, origin);
      },
  };
}

/** Of many that come at once, only the newest was not kept back. */
function newestStamps(reports: readonly TerminalReport[]): Map<string, number> {
  const newest = new Map<string, number>();
  for (const { terminal_id, time_ms } of reports)
    if (time_ms !== null) newest.set(terminal_id, Math.max(time_ms, newest.get(terminal_id) ?? -Infinity));
  return newest;
}

/** A moment by a terminal's clock, and when it came; Unix ms. */
export interface StampSeen {
  stamp_ms: number;
  received_ms: number;
}

/**
 * All zones there are lie on quarters of an hour, from UTC-12 to UTC+14. Of the times of JT/T 808 eight hours are taken
 * off before they come here: it prescribes UTC+8, and a terminal that does not follow it is behind by so much more.
 */
const step_s = 15 * 60;
const least_s = (-12 - 8) * 3_600;
const most_s = 14 * 3_600;
/** What a message may be under way, and a clock go wrong beside its zone. */
const tolerance_s = 60;
const fewest = 5;
/** Messages that were kept back come faster than they were made: in such a time that shows. */
const minMs = 2 * 60_000;

/**
 * How far a terminal's clock is ahead of the right time, in seconds, when that is the offset of a zone and the same in
 * all that was seen; 0 when it is right. Null when it is unknown: too little was seen, or the stamps do not keep
 * pace with the receipts, as those of messages that were kept back.
 */
export function suggestClockOffset(seen: readonly StampSeen[]): number | null {
  const received = seen.map((it) => it.received_ms);
  if (seen.length < fewest || Math.max(...received) - Math.min(...received) < minMs) return null;
  const aheads = seen.map((it) => (it.stamp_ms - it.received_ms) / 1_000);
  const [first = 0] = aheads;
  const offset_s = Math.round(first / step_s) * step_s + 0;
  const isSteady = aheads.every((it) => Math.abs(it - offset_s) <= tolerance_s);
  return isSteady && offset_s >= least_s && offset_s <= most_s ? offset_s : null;
}
