import { expect, test } from 'vitest';
import { newIdempotencyKey } from '../../../renderer/api/client.ts';

test('keys are 32 hex digits, each another one', () => {
  const keys = Array.from({ length: 1_000 }, newIdempotencyKey);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(keys).size).toBe(1_000);
});
