import { createHmac } from 'node:crypto';
import { keptPerUser } from '../contract/quotas.ts';
import type { Once } from '../store/acts.ts';
import type { Store } from '../store/operations.ts';
import { ActRefused } from '../store/storeErrors.ts';
import { ApiError, invalid } from './apiError.ts';

interface Attempt {
  user_id: string;
  operation: string;
  key: string;
  body: unknown;
}

/** What is answered to whoever added something. */
export interface Presented {
  reply: unknown;
  /** Of one thing that was added; left out for many. */
  location?: string;
}

export type Idempotency = ReturnType<typeof createIdempotency>;

/** So seldom are a user's old responses looked for. */
const actsPerTrim = 1_000;

/** @param deps.key secret, of this host: fingerprints of bodies, which may hold passwords, are made with it */
export function createIdempotency({
  store,
  key: secret,
}: {
  store: Pick<Store, 'idempotent'>;
  key: Uint8Array;
}) {
  const underWay = new Set<string>();
  /** How many acts of each user there were since its oldest responses went. */
  const acts = new Map<string, number>();

  /** How many responses of the user are to stay; null: all of them, this time. */
  function trimNowAndThen(user_id: string): number | null {
    const count = (acts.get(user_id) ?? 0) + 1;
    acts.set(user_id, count % actsPerTrim);
    return count === actsPerTrim ? keptPerUser.idempotency_keys : null;
  }

  async function stored(
    { user_id, operation, key }: Attempt,
    fingerprint: Buffer,
  ): Promise<Presented | null> {
    const known = await store.idempotent({ user_id, operation, key });
    if (known === null) return null;
    if (Buffer.compare(known.fingerprint, fingerprint) !== 0)
      throw invalid('Idempotency-Key', 'was sent with another body before');
    return JSON.parse(known.response) as Presented;
  }

  return {
    /**
     * Runs `act` the first time that this user sends this key to this operation; later gives the first response again.
     * `act` is to store what `present` makes of its result in the transaction that does the work, as `Acts.run` does.
     *
     * @throws ApiError 400 when the key was sent with another body, 409 while the first attempt is still under way
     */
    async once<T>(
      attempt: Attempt,
      act: (once: Once<T>) => Promise<unknown>,
      present: (result: T) => Presented,
    ): Promise<Presented> {
      const { user_id, operation, key, body } = attempt;
      if (key.length < 1 || key.length > 200) throw invalid('Idempotency-Key', 'takes 1 to 200 characters');
      const fingerprint = createHmac('sha256', secret)
        .update(JSON.stringify(body ?? null))
        .digest();
      const name = JSON.stringify([user_id, operation, key]);
      if (underWay.has(name)) {
        throw new ApiError('in_use', 'The first request with this Idempotency-Key is still under way.');
      }
      underWay.add(name);
      try {
        const known = await stored(attempt, fingerprint);
        if (known !== null) return known;
        // Staged again, an act may make another one: the last is the one that is stored.
        const last: { presented: Presented | null } = { presented: null };
        const max = trimNowAndThen(user_id);
        await act({
          ...{ user_id, operation, key, fingerprint, max },
          present(result) {
            last.presented = present(result);
            return JSON.stringify(last.presented);
          },
        }).catch(async (error: unknown) => {
          if (!(error instanceof ActRefused && error.reason === 'key_used')) throw error;
          last.presented = await stored(attempt, fingerprint);
        });
        if (last.presented === null) throw new Error(`${operation} stored no response`);
        return last.presented;
      } finally {
        underWay.delete(name);
      }
    },
  };
}
