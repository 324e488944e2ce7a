import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

// Work factors of OWASP's password storage cheat sheet: 128 MiB a try, off the event loop.
const cost = 2 ** 17;
const blockSize = 8;
const parallelization = 1;
const keyLength = 32;

export type HashPassword = (password: string) => Promise<string>;

/** `scrypt$N$r$p$salt$key`, salt and key in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return written(salt, await derive(password, salt, { cost, blockSize, parallelization }));
}

/** A hash that no password leads to, and against which any takes as long to check as against a real one. */
export function hashOfNoPassword(): string {
  return written(randomBytes(16), randomBytes(keyLength));
}

function written(salt: Buffer, key: Buffer): string {
  const parts = ['scrypt', cost, blockSize, parallelization];
  return [...parts, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Compares in constant time; false for a hash that is not of our form. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [scheme, n, r, p, salt, key] = hash.split('$');
  if (scheme !== 'scrypt' || salt === undefined || key === undefined) return false;
  const expected = Buffer.from(key, 'base64url');
  const found = await derive(password, Buffer.from(salt, 'base64url'), {
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
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { ...work, maxmem: 256 * work.cost * work.blockSize };
    scrypt(password.normalize('NFKC'), salt, keyLength, options, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}
