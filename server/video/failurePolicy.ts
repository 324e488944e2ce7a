import type { TaskErrorCode } from '../contract/video.ts';
import { DiskFull } from '../store/storeErrors.ts';
import { errorCode } from '../store/documents/Files.ts';
import { MediaError } from './media/mediaError.ts';
import { type FailureReason, TerminalError } from './terminals/terminal.ts';

/**
 * What a fault means for a task: its error code, and how many attempts may end so. A camera that hangs up half-way has
 * sent much over a mobile network each time, so that is not tried for a whole day; what is refused stays refused.
 */
const meaning: Record<FailureReason, { code: TaskErrorCode; attempts: number }> = {
  offline: { code: 'terminal_offline', attempts: Infinity },
  busy: { code: 'terminal_offline', attempts: Infinity },
  disk_full: { code: 'disk_full', attempts: Infinity },
  hung_up: { code: 'terminal_offline', attempts: 6 },
  failed: { code: 'internal', attempts: 3 },
  refused: { code: 'terminal_refused', attempts: 1 },
  declined: { code: 'terminal_refused', attempts: 4 },
  no_recording: { code: 'no_recording', attempts: 1 },
  bad_media: { code: 'bad_media', attempts: 1 },
};

/** A task that still fails after this long is given up. */
export const retryWindowMs = 24 * 3_600_000;

const pausesMs = [5_000, 15_000, 45_000, 120_000, 300_000, 600_000];

/** The pause after so many failures in a row: short after a hiccup, then easy on the camera's battery and data plan. */
export function pauseAfter(failures: number): number {
  return pausesMs[Math.min(Math.max(failures, 1), pausesMs.length) - 1] ?? 600_000;
}

export interface Failure {
  fault: FailureReason;
  detail: string;
}

/** What went wrong in an attempt, whoever threw it. */
export function failureOf(error: unknown): Failure {
  if (error instanceof TerminalError) return { fault: error.fault, detail: error.message };
  if (error instanceof MediaError) {
    switch (error.code) {
      case 'bad_media':
        return { fault: 'bad_media', detail: sentence(error.message) };
      case 'disk_full':
        return { fault: 'disk_full', detail: noRoom };
      case 'failed':
      case 'closed':
        return { fault: 'failed', detail: sentence(error.message) };
    }
  }
  if (error instanceof DiskFull || ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '')) {
    return { fault: 'disk_full', detail: noRoom };
  }
  return { fault: 'failed', detail: 'Internal error; see the server log.' };
}

const noRoom = 'The server’s disk has no free space for the video.';

/** Media errors are phrases: "damaged: ..." */
function sentence(phrase: string): string {
  const text = `${phrase.slice(0, 1).toUpperCase()}${phrase.slice(1)}`;
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

export interface RetryDecision {
  happening: 'terminal_away' | 'postpone' | 'give_up';
  error: { code: TaskErrorCode; detail: string };
}

/**
 * @param alike how many attempts in a row have ended with this fault, this one included
 * @param over whether the task's retry window has ended
 */
export function decideRetry({ fault, detail }: Failure, alike: number, over: boolean): RetryDecision {
  const { code, attempts } = meaning[fault];
  const error = { code, detail };
  if (over || alike >= attempts) return { happening: 'give_up', error };
  return { happening: fault === 'offline' ? 'terminal_away' : 'postpone', error };
}

interface Away {
  misses: number;
  /** Null: believed to be back. */
  askAt: number | null;
}

/** Which terminals are off line, and when each is asked again; by the id of the video profile. */
export function createOfflineTerminals() {
  const known = new Map<string, Away>();
  const off = () => [...known].flatMap(([id, { askAt }]) => (askAt === null ? [] : [{ id, askAt }]));

  return {
    /** Off line as far as is known. */
    ids: (): ReadonlySet<string> => new Set(off().map((it) => it.id)),
    /** It could not be reached; the next question comes after a pause that grows. */
    missed(profileId: string, now_ms: number): void {
      const misses = (known.get(profileId)?.misses ?? 0) + 1;
      known.set(profileId, { misses, askAt: now_ms + pauseAfter(misses) });
    },
    /** It answered the question: it may be tried. The pauses stay long until it gives what is asked for. */
    returned(profileId: string): void {
      const away = known.get(profileId);
      if (away !== undefined) known.set(profileId, { ...away, askAt: null });
    },
    /** It gave what it was asked for, or somebody changed where it is. */
    forget: (profileId: string): void => void known.delete(profileId),
    /** Off line as a host before this one knew it: asked at once. */
    remember(profileId: string): void {
      known.set(profileId, { misses: 0, askAt: 0 });
    },
    due: (now_ms: number): string[] => off().flatMap(({ id, askAt }) => (askAt <= now_ms ? [id] : [])),
    /** When the next one is due, in Unix ms. */
    nextAt: (): number | null =>
      off().reduce<number | null>((first, { askAt }) => Math.min(first ?? askAt, askAt), null),
  };
}
