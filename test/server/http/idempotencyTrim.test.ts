import { expect, it } from 'vitest';
import { keptPerUser } from '../../../server/contract/quotas.ts';
import { createIdempotency } from '../../../server/http/idempotency.ts';

it('a user who sends keys without end has its old answers trimmed once in a thousand calls', async () => {
  const trimmed: unknown[] = [];
  const idempotency = createIdempotency({
    store: { idempotent: () => Promise.resolve(null) },
    key: new Uint8Array(32),
  });
  for (let at = 0; at < 2_500; at += 1) {
    const attempt = { user_id: 'robot', operation: 'createVehicle', key: `key ${at}`, body: {} };
    await idempotency.once<null>(
      attempt,
      ({ user_id, max, present }) => {
        if (max !== null) trimmed.push({ user_id, max });
        return Promise.resolve(present(null));
      },
      () => ({ reply: {}, location: '/' }),
    );
  }
  const once = { user_id: 'robot', max: keptPerUser.idempotency_keys };
  expect(trimmed).toEqual([once, once]);
});
