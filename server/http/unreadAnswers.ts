import type { Response } from 'express';
import { queueFull } from './apiError.ts';

const mebibyte = 1024 * 1024;

/** What may be held in memory for clients that have not read it yet. */
export interface UnreadBounds {
  per_user_bytes: number;
  all_bytes: number;
  /** A client that takes nothing for so long is cut off. */
  stall_ms: number;
}

/** The largest report, or some hundred streams, of a user; what a host of 2 GB can spare, of all. */
const unreadBounds: UnreadBounds = {
  per_user_bytes: 192 * mebibyte,
  all_bytes: 512 * mebibyte,
  stall_ms: 60_000,
};

/** An answer that is sent piece by piece holds a piece, and what lies in buffers on its way. */
export const streamBytes = mebibyte;
/** The system's own buffers take what is smaller. */
export const minCounted = 65_536;

export type UnreadAnswers = ReturnType<typeof createUnreadAnswers>;

export function createUnreadAnswers(bounds: UnreadBounds = unreadBounds) {
  const buffered = new Map<string, Map<Response, number>>();

  const bytesOf = (user_id: string) => sum(buffered.get(user_id)?.values() ?? []);
  const allBytes = () => sum([...buffered.keys()].map(bytesOf));

  function remove(user_id: string, response: Response): void {
    const answers = buffered.get(user_id);
    answers?.delete(response);
    if (answers?.size === 0) buffered.delete(user_id);
  }

  function cutOldest(): void {
    const [max] = [...buffered.keys()].sort((a, b) => bytesOf(b) - bytesOf(a));
    const [oldest] = buffered.get(max ?? '')?.keys() ?? [];
    if (max === undefined || oldest === undefined) return;
    remove(max, oldest);
    oldest.destroy();
  }

  return {
    /**
     * Counts bytes of an answer until it is sent or its connection ends. When all answers together hold too much, the
     * oldest ones of the user who holds the most are cut off.
     * @throws ApiError 429 `queue_full` when the user's do
     */
    add(user_id: string, response: Response, bytes: number): void {
      if (response.destroyed) return;
      const own = bytesOf(user_id);
      if (own > 0 && own + bytes > bounds.per_user_bytes) {
        throw queueFull(
          `Answers of ${mebibytes(own)} MB to this user are not read yet: this one of ${mebibytes(bytes)} MB would be too much.`,
          bounds.stall_ms / 1_000,
        );
      }
      while (buffered.size > 0 && allBytes() + bytes > bounds.all_bytes) cutOldest();
      const answers = buffered.get(user_id) ?? new Map<Response, number>();
      buffered.set(user_id, answers);
      const counted = answers.get(response);
      answers.set(response, (counted ?? 0) + bytes);
      if (counted !== undefined) return;
      response.once('close', () => remove(user_id, response));
      response.setTimeout(bounds.stall_ms, () => response.destroy());
    },
    bytes: (user_id?: string): number => (user_id === undefined ? allBytes() : bytesOf(user_id)),
  };
}

function sum(numbers: Iterable<number>): number {
  let all = 0;
  for (const number of numbers) all += number;
  return all;
}

function mebibytes(bytes: number): string {
  return (bytes / mebibyte).toFixed(1);
}
