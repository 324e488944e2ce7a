import type { TaskErrorCode } from '../contract/video.ts';
import { DiskFull } from '../store/storeErrors.ts';
import { errorCode } from '../store/documents/Files.ts';
import { MediaError } from './media/mediaError.ts';
import { TerminalError, type FailureReason } from './terminals/terminal.ts';

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
