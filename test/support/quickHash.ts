import { randomBytes, scryptSync } from 'node:crypto';
import { isPassword } from '../../server/users/password.ts';
import type { PasswordHasher } from '../../server/users/passwordHasher.ts';

const [cost, blockSize, parallelization] = [16, 8, 1];

/** A password hash of the store's own form whose work factor is next to nothing. */
export function quickHash(password: string): string {
  const salt = randomBytes(16);
  const key = scryptSync(password, salt, 32, { cost, blockSize, parallelization });
  const parts = ['scrypt', cost, blockSize, parallelization];
  return [...parts, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Works at once and without a thread. */
export const quickHasher: PasswordHasher = {
  hash: (password) => Promise.resolve(quickHash(password)),
  isPassword: (password, hash) => Promise.resolve(isPassword(password, hash)),
  close: () => Promise.resolve(),
};
