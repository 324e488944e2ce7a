import { expect, it } from 'vitest';
import { keptPerUser } from '../../../server/contract/quotas.ts';
import { createIdempotency } from '../../../server/http/idempotency.ts';
import { openMemoryStore } from '../../../server/store/memoryStore.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

it('a user who sends keys without end has its old answers trimmed once in a thousand calls', async () => {
  const trimmed: unknown[] = [];
  const clock = createFakeClock();
  const idempotency = createIdempotency(
    openMemoryStore(clock, { trimIdempotent: (those) => Promise.resolve(void trimmed.push(those)) }),
    clock,
  );
  const answer = { status: 201, reply: {}, location: undefined };
  for (let at = 0; at < 2_500; at += 1) {
    const attempt = { user_id: 'robot', operation: 'createVehicle', key: `key ${at}`, body: {} };
    await idempotency.once(attempt, () => Promise.resolve(answer));
  }
  const once = { user_id: 'robot', max: keptPerUser.idempotency_keys };
  expect(trimmed).toEqual([once, once]);
});
