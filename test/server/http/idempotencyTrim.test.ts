import { expect, it } from 'vitest';
import { keptPerUser } from '../../../server/contract/quotas.ts';
import { createIdempotency } from '../../../server/http/idempotency.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

it('a user who sends keys without end has its old answers trimmed once in a thousand calls', async () => {
  const trimmed: [string, number][] = [];
  const idempotency = createIdempotency(
    {
      idempotent: () => Promise.resolve(null),
      saveIdempotent: () => Promise.resolve(),
      trimIdempotent: (userId, max) => {
        trimmed.push([userId, max]);
        return Promise.resolve();
      },
    },
    createFakeClock(),
  );
  const answer = { status: 201, reply: {}, location: undefined };
  for (let at = 0; at < 2_500; at += 1) {
    const attempt = { user_id: 'robot', operation: 'createVehicle', key: `key ${at}`, body: {} };
    await idempotency.once(attempt, () => Promise.resolve(answer));
  }
  const once = ['robot', keptPerUser.idempotency_keys];
  expect(trimmed).toEqual([once, once]);
});
