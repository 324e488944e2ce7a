import { randomBytes, scryptSync } from 'node:crypto';

const [cost, blockSize, parallelization] = [16, 8, 1];

/** A password hash of the store's own form whose work factor is next to nothing. */
export function quickHash(password: string): string {
  const salt = randomBytes(16);
  const key = scryptSync(password, salt, 32, { cost, blockSize, parallelization });
  const parts = ['scrypt', cost, blockSize, parallelization];
  return [...parts, salt.toString('base64url'), key.toString('base64url')].join('$');
}
