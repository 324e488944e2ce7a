import { createHash } from 'node:crypto';
import type { TelemetryStore } from '../store/telemetry/telemetryStore.ts';
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

export function createIdempotency(
  store: Pick<TelemetryStore, 'idempotent' | 'saveIdempotent'>,
  clock: Clock,
): Idempotency {
  const underWay = new Set<string>();

  return {
    async once({ user_id, operation, key, body }, act) {
      if (key.length < 1 || key.length > 200) throw invalid('Idempotency-Key', 'takes 1 to 200 characters');
      const body_hash = createHash('sha256')
        .update(JSON.stringify(body ?? null))
        .digest('hex');
      const name = JSON.stringify([user_id, operation, key]);
      if (underWay.has(name)) {
        throw new ApiError('in_use', 'The first request with this Idempotency-Key is still under way.');
      }
      underWay.add(name);
      try {
        const known = await store.idempotent({ user_id, operation, key });
        if (known !== null) {
          if (known.body_hash !== body_hash)
            throw invalid('Idempotency-Key', 'was sent with another body before');
          return JSON.parse(known.reply) as Kept;
        }
        const kept = await act();
        await store.saveIdempotent({
          user_id,
          operation,
          key,
          body_hash,
          status: kept.status,
          reply: JSON.stringify(kept),
          at_ms: clock.now(),
        });
        return kept;
      } finally {
        underWay.delete(name);
      }
    },
  };
}
