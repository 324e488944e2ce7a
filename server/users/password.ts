import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

// Work factors of OWASP's password storage cheat sheet: 128 MiB and some hundred milliseconds a hash.
const cost = 2 ** 17;
const blockSize = 8;
const parallelization = 1;
const keyLength = 32;

/**
 * `scrypt$N$r$p$salt$key`, salt and key in base64url. Works on the calling thread: a running host calls it in the
 * threads of passwordHasher.ts alone.
 */
export function hashPassword(password: string): string {
  const salt = randomBytes(16);
  return written(salt, derive(password, salt, { cost, blockSize, parallelization }));
}

/** A hash that no password leads to, and against which any takes as long to check as against a real one. */
export function hashOfNoPassword(): string {
  return written(randomBytes(16), randomBytes(keyLength));
}

function written(salt: Buffer, key: Buffer): string {
  const parts = ['scrypt', cost, blockSize, parallelization];
  return [...parts, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Compares in constant time; false for a hash that is not of our form. Works on the calling thread, as `hashPassword`. */
export function isPassword(password: string, hash: string): boolean {
  const [scheme, n, r, p, salt, key] = hash.split('$');
  if (scheme !== 'scrypt' || salt === undefined || key === undefined) return false;
  const expected = Buffer.from(key, 'base64url');
  const found = derive(password, Buffer.from(salt, 'base64url'), {
    cost: Number(n),
    blockSize: Number(r),
    parallelization: Number(p),
  });
  return found.length === expected.length && timingSafeEqual(found, expected);
}

function derive(
  password: string,
  salt: Buffer,
  work: { cost: number; blockSize: number; parallelization: number },
): Buffer {
  const maxmem = 256 * work.cost * work.blockSize;
  return scryptSync(password.normalize('NFKC'), salt, keyLength, { ...work, maxmem });
}
