import type { Clock } from '../clock/clock.ts';
import type { AlarmNotice, Platform } from '../platform/platform.ts';

/** So many alarms within a span are still looked at one by one; a burst is over when for one nothing was gathered. */
const MOST_SINGLE = 3;
const SPAN_MS = 10_000;
/** How often the number of a burst is shown anew: each time it moves on the screen. */
const GATHERED_EVERY_MS = 3_000;
/** As many titles of a burst are named. */
const MOST_NAMED = 3;

/**
 * Shows notices of the system, and gathers a burst: after the third within ten seconds one notice says how many more
 * there are. Critical ones are counted apart, so that no burst of others hides them.
 */
export function createNoticeGatherer(deps: {
  notify: Platform['notify'];
  clock: Clock;
  /** The notice of a burst. */
  gathered: (count: number, titles: readonly string[]) => Pick<AlarmNotice, 'title' | 'body' | 'onOpen'>;
}) {
  const shown = new Map<string, () => void>();
  const bursts = { critical: createBurst('critical'), normal: createBurst('normal') };

  function show(notice: AlarmNotice): void {
    shown.set(notice.tag, deps.notify(notice));
  }

  function withdraw(tag: string): void {
    shown.get(tag)?.();
    shown.delete(tag);
  }

  function createBurst(urgency: AlarmNotice['urgency']) {
    /** When those of the last ten seconds were shown. */
    let single: number[] = [];
    let more = 0;
    let titles: string[] = [];
    let endPause = (): void => undefined;
    let endWait: (() => void) | null = null;

    function showGathered(): void {
      endWait = null;
      const words = deps.gathered(more, titles);
      show({ ...words, tag: `gathered-${urgency}`, urgency, actions: [] });
    }

    return {
      add(notice: AlarmNotice): void {
        const now = deps.clock.now();
        single = single.filter((at) => now - at < SPAN_MS);
        if (single.length < MOST_SINGLE) {
          single.push(now);
          show(notice);
          return;
        }
        more++;
        titles = [...titles, notice.title].slice(-MOST_NAMED);
        endPause();
        endPause = deps.clock.after(SPAN_MS, () => {
          more = 0;
          titles = [];
        });
        endWait ??= deps.clock.after(GATHERED_EVERY_MS, showGathered);
      },
      /** Forgets what it has gathered. */
      end(): void {
        endPause();
        endWait?.();
        endWait = null;
        more = 0;
        titles = [];
      },
    };
  }

  function endBursts(): void {
    bursts.critical.end();
    bursts.normal.end();
  }

  return {
    add(notice: AlarmNotice): void {
      // What is announced again is a notice of its own: one that only changed would not be seen.
      withdraw(notice.tag);
      bursts[notice.urgency].add(notice);
    },
    /** Takes away the notices of what is no longer open. */
    keepOnly(isOpen: (tag: string) => boolean, anyOpen: boolean): void {
      // A number that is still to be shown would stand there with nothing open.
      if (!anyOpen) endBursts();
      for (const tag of [...shown.keys()]) {
        if (tag.startsWith('gathered-') ? !anyOpen : !isOpen(tag)) withdraw(tag);
      }
    },
    stop(): void {
      endBursts();
      for (const tag of [...shown.keys()]) withdraw(tag);
    },
  };
}
