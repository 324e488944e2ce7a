import { pauseAfter } from './failurePolicy.ts';

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
