import { createHash } from 'node:crypto';
import { keptPerUser } from '../contract/quotas.ts';
import type { Store } from '../store/operations.ts';
import type { Clock } from '../clock.ts';
import { ApiError, invalid } from './apiError.ts';

interface Attempt {
  user_id: string;
  operation: string;
  key: string;
  body: unknown;
}

interface Kept {
  status: number;
  reply: unknown;
  location: string | undefined;
}

export interface Idempotency {
  /**
   * Runs `act` the first time that this user sends this key to this operation; later gives the first answer again.
   * Throws 400 when the key was sent with another body, 409 while the first attempt is still under way.
   */
  once(attempt: Attempt, act: () => Promise<Kept>): Promise<Kept>;
}

/** So seldom are a user's old answers looked for. */
const savesPerTrim = 1_000;

export function createIdempotency(
  store: Pick<Store, 'idempotent' | 'saveIdempotent' | 'trimIdempotent'>,
  clock: Clock,
): Idempotency {
  const underWay = new Set<string>();
  /** How many answers of each user were kept since its oldest ones went. */
  const retained = new Map<string, number>();

  async function trimNowAndThen(user_id: string): Promise<void> {
    const count = (retained.get(user_id) ?? 0) + 1;
    retained.set(user_id, count % savesPerTrim);
    if (count === savesPerTrim) {
      await store.trimIdempotent({ user_id, max: keptPerUser.idempotency_keys });
    }
  }

  return {
    async once({ user_id, operation, key, body }, act) {
      if (key.length < 1 || key.length > 200) throw invalid('Idempotency-Key', 'takes 1 to 200 characters');
      const fingerprint = createHash('sha256')
        .update(JSON.stringify(body ?? null))
        .digest();
      const name = JSON.stringify([user_id, operation, key]);
      if (underWay.has(name)) {
        throw new ApiError('in_use', 'The first request with this Idempotency-Key is still under way.');
      }
      underWay.add(name);
      try {
        const known = await store.idempotent({ user_id, operation, key });
        if (known !== null) {
          if (Buffer.compare(known.fingerprint, fingerprint) !== 0)
            throw invalid('Idempotency-Key', 'was sent with another body before');
          return JSON.parse(known.response) as Kept;
        }
        // Before the call is carried out: what fails here has changed nothing.
        await trimNowAndThen(user_id);
        const answer = await act();
        await store.saveIdempotent({
          user_id,
          operation,
          key,
          fingerprint,
          response: JSON.stringify(answer),
          at_ms: clock.now(),
        });
        return answer;
      } finally {
        underWay.delete(name);
      }
    },
  };
}
