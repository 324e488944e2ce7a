import { join } from 'node:path';
import { z } from 'zod';
import { createRedact } from '../server/app.ts';
import type { ProblemFacts, UpdateState } from './bridge/channels.ts';
import type { BoxWords, Say, Words } from './language.ts';
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

/** One sentence or two. */
export function crashWords(
  say: Say,
  { reason, detail, memory }: Pick<CrashRecord, 'reason' | 'detail' | 'memory'>,
): string {
  if (reason === 'out_of_memory' && memory !== null) return usageWords(say, memory);
  // What an error says is quoted; of the others the kind says it all, in the language of the operator.
  return say(`crash.${reason}`, { cause: detail === null ? '' : `: ${detail}` });
}

function usageWords(say: Say, { heap_used_bytes, heap_limit_bytes, free_bytes }: Memory): string {
  const megabytes = (bytes: number) => Math.round(bytes / 1_048_576);
  const usage = { used: megabytes(heap_used_bytes), limit: megabytes(heap_limit_bytes) };
  return free_bytes === null
    ? say('crash.out_of_memory_used', usage)
    : say('crash.out_of_memory_free', { ...usage, free: megabytes(free_bytes) });
}

/** What the operator reads at the start after them; null without any. */
export function restartNotice({ say, moment }: Words, unseen: readonly CrashRecord[]): BoxWords | null {
  const last = unseen.at(-1);
  if (last === undefined) return null;
  const ends = unseen.length;
  const values = { crash: crashWords(say, last), time: moment(Date.parse(last.at)), ends };
  return {
    message: say('restart.title'),
    detail: say(ends === 1 ? 'restart.one_end' : 'restart.ends', values),
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
