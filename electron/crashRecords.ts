import { join } from 'node:path';
import { z } from 'zod';
import { createRedact } from '../server/app.ts';
import type { ProblemFacts, UpdateState } from './bridge/channels.ts';
import { readStateFile, writeKept } from './stateFile.ts';
import { memory, type Memory } from './watchLine.ts';

/** Those of a bad week; beyond them the oldest are dropped. */
const MOST_RECORDS = 50;
/** An error's message can quote a whole file. */
const LONGEST_DETAIL = 500;

const crashRecord = z.object({
  /** RFC 3339, UTC. */
  at: z.iso.datetime(),
  /** `killed`: ended from outside; `error`: nobody caught it; `not_started`: it ended before it was running. */
  reason: z.enum(['killed', 'out_of_memory', 'hung', 'error', 'not_started']),
  /** What the program or the system said of it; null: nothing. */
  detail: z.string().nullable(),
  /** How long the program had run. */
  ran_s: z.number(),
  /** At its last report; null: it made none. */
  memory: memory.nullable(),
  /** Whether the operator was shown it. */
  is_seen: z.boolean(),
});
export type CrashRecord = z.infer<typeof crashRecord>;

const fileOf = (folder: string) => join(folder, 'crashes.json');

/** Ends of the program that nobody asked for, the oldest first. */
export function readCrashes(folder: string): CrashRecord[] {
  const parsed = z.array(crashRecord).safeParse(readStateFile(fileOf(folder)));
  return parsed.success ? parsed.data : [];
}

/** Throws what the file system throws. */
export function addCrash(folder: string, crash: Omit<CrashRecord, 'is_seen'>): void {
  const record = { ...crash, detail: crash.detail?.slice(0, LONGEST_DETAIL) ?? null, is_seen: false };
  writeKept(fileOf(folder), [...readCrashes(folder), record].slice(-MOST_RECORDS));
}

/** Those that the operator has not been shown, the oldest first. */
export const unseenCrashes = (folder: string): CrashRecord[] =>
  readCrashes(folder).filter((it) => !it.is_seen);

/**
 * The operator has been shown all of them.
 *
 * @param warn called when that could not be written: they come again at the next start
 */
export function markCrashesSeen(folder: string, warn: (error: unknown) => void): void {
  try {
    writeKept(
      fileOf(folder),
      readCrashes(folder).map((it) => ({ ...it, is_seen: true })),
    );
  } catch (error) {
    warn(error);
  }
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576)} MB`;

function usage({ heap_used_bytes, heap_limit_bytes, free_bytes }: Memory): string {
  const free = free_bytes === null ? '' : `, with ${megabytes(free_bytes)} free on this computer`;
  return `${megabytes(heap_used_bytes)} in use of ${megabytes(heap_limit_bytes)}${free}`;
}

/** One sentence or two. */
export function crashWords({
  reason,
  detail,
  memory,
}: Pick<CrashRecord, 'reason' | 'detail' | 'memory'>): string {
  const cause = detail === null ? '' : `: ${detail}`;
  switch (reason) {
    case 'killed':
      return 'Fleetdeck was ended by another program or by the system.';
    case 'out_of_memory':
      return memory === null
        ? 'Fleetdeck ran out of memory.'
        : `Fleetdeck ran out of memory. It last reported ${usage(memory)}.`;
    case 'hung':
      return `Fleetdeck did not respond and was ended${cause}.`;
    case 'error':
      return `Fleetdeck stopped after an unexpected error${cause}.`;
    case 'not_started':
      return `Fleetdeck did not start${cause}.`;
  }
}

/** What the operator reads at the start after them; null without any. */
export function restartNotice(unseen: readonly CrashRecord[]): { message: string; detail: string } | null {
  const last = unseen.at(-1);
  if (last === undefined) return null;
  const time = new Date(last.at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
  const count = unseen.length === 1 ? '' : ` It was the last of ${unseen.length} such ends.`;
  return {
    message: 'Fleetdeck was restarted automatically',
    detail: `${crashWords(last)} This was on ${time}.${count} Positions that terminals were acknowledged are stored.`,
  };
}

/** As many lines as a host's report has of its log. */
const MOST_LOG_LINES = 1_000;

/**
 * What a problem report has of the desktop, without secrets: its last ends that nobody wanted, and its log.
 *
 * @param log lines of which no host reports
 */
export function desktopFacts(
  version: string,
  crashes: readonly CrashRecord[],
  { phase, found, settings }: Pick<UpdateState, 'phase' | 'found' | 'settings'>,
  log: readonly string[],
): ProblemFacts {
  const redact = createRedact();
  return {
    facts: {
      version,
      updates: settings.on,
      updates_phase: phase,
      updates_found: found,
      crashes: crashes.length,
    },
    lines: [
      ...crashes.map((crash) => redact.text(JSON.stringify(crash))),
      ...log.slice(-MOST_LOG_LINES).map(redact.logLine),
    ],
  };
}
