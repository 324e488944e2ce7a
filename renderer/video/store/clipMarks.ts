import { z } from 'zod';

/** A moment that an operator marked, kept with the clips that show it. */
export const clipMark = z.object({
  /** Milliseconds since 1970; there is one mark of a moment. */
  at: z.number(),
  /** What the operator wrote; empty for nothing. */
  note: z.string(),
});
export type ClipMark = z.infer<typeof clipMark>;

/** The marks of several clips as one list, by time. Each clip of an order has them all: any may be dropped first. */
export function marksOf(clips: Iterable<{ marks: readonly ClipMark[] } | undefined>): ClipMark[] {
  const byMoment = new Map<number, ClipMark>();
  for (const clip of clips) for (const mark of clip?.marks ?? []) byMoment.set(mark.at, mark);
  return [...byMoment.values()].sort((a, b) => a.at - b.at);
}
