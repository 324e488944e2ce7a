import { z } from 'zod';
import { isOfMoment, spanOf } from './cachedContext.ts';
import type { ClipFiles, Locks } from './clipStorage.ts';

/** A moment that an operator marked, kept with the clips that show it. */
const clipMark = z.object({
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

export const INDEX_NAME = 'index.json';

const clip = z.object({
  task_id: z.string(),
  vehicle_id: z.string(),
  channel: z.number(),
  from: z.string(),
  to: z.string(),
  /** Of the whole file. */
  size_bytes: z.number(),
  sha256: z.string(),
  /** The ETag that a part was fetched under; a part without one cannot be continued. */
  etag: z.string().nullable(),
  whole: z.boolean(),
  pinned: z.boolean(),
  /** When it was last wanted, milliseconds since 1970. */
  used_at: z.number(),
  /** Lists that were written before there were marks have none. */
  marks: z.array(clipMark).default([]),
  /** When its first picture was recorded; null where the terminal did not report it. */
  starts_at: z.string().nullable().default(null),
  /** Another clip that plays here shows the same in better quality. */
  spare: z.boolean().default(false),
});
/** What is known of a file in the store. */
export type Clip = z.infer<typeof clip>;

const document = z.object({ format: z.literal(1), clips: z.array(clip) });

export const clipName = (taskId: string): string => `${taskId}.mp4`;

/**
 * The list of what is kept, a JSON file beside the clips. One that does not parse counts as empty: clips are copies of
 * what the depot has, and are fetched again. It is read in turn with the changes, since while one is written a browser
 * says of the file that it is not there or cannot be read (measured in Chromium).
 */
export function createClipIndex(files: ClipFiles, locks: Locks) {
  const readNow = async (): Promise<Clip[]> => {
    const text = await files.text(INDEX_NAME);
    if (text === null) return [];
    try {
      return document.parse(JSON.parse(text)).clips;
    } catch {
      return [];
    }
  };
  /** Does something while no tab changes the list, which is handed over. Takes no other turn at the list inside. */
  const during = <T>(run: (clips: Clip[]) => Promise<T>): Promise<T> =>
    locks.hold('index', async () => run(await readNow()));
  return {
    read: () => during((clips) => Promise.resolve(clips)),
    during,
    /** Changes the list as it stands in the store now, after all tabs; answers the new one. */
    change: (edit: (clips: Clip[]) => Clip[]) =>
      during(async (before) => {
        const clips = edit(before);
        await files.replaceText(INDEX_NAME, JSON.stringify({ format: 1, clips }));
        return clips;
      }),
  };
}

export type ClipIndex = ReturnType<typeof createClipIndex>;

/**
 * Which clips have to go so that `roomBytes` more fit under the limit: spare ones and then the least recently wanted
 * first, never a pinned or held one. A part counts as the whole that it will be. Null when even that is not enough.
 */
export function clipsToDrop(
  clips: readonly Clip[],
  filter: { roomBytes: number; limitBytes: number; isHeld: (taskId: string) => boolean },
): Clip[] | null {
  let over = clips.reduce((sum, it) => sum + it.size_bytes, 0) + filter.roomBytes - filter.limitBytes;
  const dropped: Clip[] = [];
  const free = clips.filter((it) => !it.pinned && !filter.isHeld(it.task_id));
  // Marks and their notes are somebody's work: what bears none goes first.
  const order = (a: Clip, b: Clip) =>
    Number(b.spare) - Number(a.spare) ||
    Number(a.marks.length > 0) - Number(b.marks.length > 0) ||
    a.used_at - b.used_at;
  for (const it of free.toSorted(order)) {
    if (over <= 0) break;
    dropped.push(it);
    over -= it.size_bytes;
  }
  return over <= 0 ? dropped : null;
}

/** What is left when these are dropped; a spare clip whose better one goes is a spare no more. */
export function clipsWithout(clips: readonly Clip[], dropped: readonly Clip[]): Clip[] {
  const better = dropped.filter((it) => !it.spare);
  const isFreed = (clip: Clip) =>
    clip.spare && better.some((it) => it.channel === clip.channel && isOfMoment(clip, spanOf(it)));
  return clips
    .filter((it) => !dropped.includes(it))
    .map((it) => (isFreed(it) ? { ...it, spare: false } : it));
}
