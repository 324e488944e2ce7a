import { causeOf } from '../contract/causeTexts.ts';
import { ApiError } from '../http/apiError.ts';
import { hashesAtOnce } from './passwordHasher.ts';

/** On whose behalf a password is hashed: an anonymous caller's address, normalised, or a user. These take turns. */
export interface Requester {
  kind: 'address' | 'user';
  id: string;
}

/**
 * Whose turn comes first. `trusted`: users, and addresses with a recent login; `failing`: addresses that had a turn
 * lately and did not log in; `unknown`: all others, of which the newest comes first. Nothing distinguishes an honest
 * one from a flood of them, but each has one turn only: the newest waits for those that come after it, not for all
 * before it.
 */
export type Standing = 'trusted' | 'unknown' | 'failing';

/** The queue before all work on passwords. */
export interface HashQueue {
  /**
   * Runs `work`, which hashes once, when it is its requester's turn. At most `hashesAtOnce` run, one for each
   * requester.
   *
   * @param gone takes the work out of the queue while it waits
   * @throws ApiError `unavailable` with `Retry-After` when too much waits; the reason of `gone`
   */
  run<T>(requester: Requester, work: () => Promise<T>, gone?: AbortSignal): Promise<T>;
  /** How many wait at this moment. */
  waiting(): number;
}

/** By two threads the last of them is answered within about a minute, see `secondsPerHash`. */
const maxWaiting = 120;
/** So many of a better standing go before one that has waited longer; then it has its turn, so that nobody starves. */
const maxPassedOver = 3;
/** What `Retry-After` reckons with: measured are 0.5 s alone, and 1.1 to 1.4 s beside another on two busy cores. */
const secondsPerHash = 1.2;

const order: readonly Standing[] = ['trusted', 'unknown', 'failing'];

interface Attempt {
  start: () => void;
  refuse: (error: unknown) => void;
}

interface Source {
  requester: Requester;
  /** Never empty. */
  attempts: Attempt[];
}

export function createHashQueue(standingOf: (requester: Requester) => Standing): HashQueue {
  /** Those with waiting attempts; whoever has waited longest for a turn stands first. */
  const sources = new Map<string, Source>();
  const running = new Map<string, Standing>();
  let waiting = 0;
  let passedOver = 0;

  /** Those that wait, whose turn is first in front. `place` is the lower, the longer one has waited. */
  function inTurnOrder() {
    const all = [...sources].map(([key, source], place) => ({
      key,
      source,
      place,
      standing: standingOf(source.requester),
    }));
    return order.flatMap((standing) => {
      const alike = all.filter((it) => it.standing === standing);
      return standing === 'unknown' ? alike.reverse() : alike;
    });
  }

  /** The one whose turn it is; those whose standing is `failing` share one place, so that they never hold all. */
  function choose() {
    const failingRuns = [...running.values()].includes('failing');
    const ready = inTurnOrder().filter(
      ({ key, standing }) => !running.has(key) && !(standing === 'failing' && failingRuns),
    );
    const [best] = ready;
    if (best === undefined) return undefined;
    const first = ready.reduce((longest, it) => (it.place < longest.place ? it : longest));
    const isOwed = best !== first && passedOver >= maxPassedOver;
    passedOver = best === first || isOwed ? 0 : passedOver + 1;
    return isOwed ? first : best;
  }

  function startNext(): void {
    while (running.size < hashesAtOnce) {
      const chosen = choose();
      if (chosen === undefined) return;
      const { key, source, standing } = chosen;
      const [attempt] = source.attempts;
      if (attempt === undefined) throw new Error(`${key} waits with no attempt`);
      // To the end: its next attempt waits until all others had their turn.
      sources.delete(key);
      sources.set(key, source);
      remove(key, attempt);
      running.set(key, standing);
      attempt.start();
    }
  }

  function remove(key: string, attempt: Attempt): void {
    const source = sources.get(key);
    const place = source?.attempts.indexOf(attempt) ?? -1;
    if (source === undefined || place < 0) return;
    source.attempts.splice(place, 1);
    waiting -= 1;
    if (source.attempts.length === 0) sources.delete(key);
  }

  /**
   * Makes way for one more attempt. A place that is free is anybody's; when none is, each requester is left one, and
   * then whoever would have its turn last gives way.
   */
  function makeWay(requester: Requester, current: number): void {
    const standing = standingOf(requester);
    if (current > 0 && standing !== 'trusted') throw busy();
    if (waiting < maxWaiting) return;
    const last = inTurnOrder().reduce((max, it) =>
      it.source.attempts.length >= max.source.attempts.length ? it : max,
    );
    const { attempts } = last.source;
    const isGreedy = attempts.length > current + 1;
    const isLater =
      order.indexOf(last.standing) > order.indexOf(standing) ||
      (last.standing === 'unknown' && standing === 'unknown');
    const dropped = attempts.at(-1);
    if (dropped === undefined || !(isGreedy || (attempts.length === current + 1 && isLater))) throw busy();
    remove(last.key, dropped);
    dropped.refuse(busy());
  }

  function busy(): ApiError {
    const seconds = Math.ceil(((waiting + running.size) * secondsPerHash) / hashesAtOnce);
    return new ApiError('unavailable', causeOf('login.busy', { seconds }), {
      headers: { 'Retry-After': String(seconds) },
    });
  }

  return {
    waiting: () => waiting,

    async run(requester, work, gone) {
      gone?.throwIfAborted();
      const key = `${requester.kind} ${requester.id}`;
      const current = sources.get(key)?.attempts ?? [];
      makeWay(requester, current.length);
      let leave = (): void => undefined;
      try {
        await new Promise<void>((start, refuse) => {
          const attempt = { start, refuse };
          sources.set(key, { requester, attempts: [...current, attempt] });
          waiting += 1;
          leave = () => {
            remove(key, attempt);
            refuse(gone?.reason as Error);
          };
          gone?.addEventListener('abort', leave, { once: true });
          startNext();
        });
      } finally {
        gone?.removeEventListener('abort', leave);
      }
      try {
        return await work();
      } finally {
        running.delete(key);
        startNext();
      }
    },
  };
}
