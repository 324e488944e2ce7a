import { hkdfSync, randomBytes } from 'node:crypto';
import { chmod, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const keyBytes = 32;

/** The key that signs JWTs: made at the first start, readable by its owner alone. Losing it only ends all sessions. */
export async function loadSecretKey(folder: string): Promise<Uint8Array> {
  const path = join(folder, 'jwt.key');
  try {
    const found = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64url');
    if (found.length === keyBytes) {
      await chmod(path, 0o600);
      return found;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const key = randomBytes(keyBytes);
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(key.toString('base64url'));
    await file.sync();
  } finally {
    await file.close();
  }
  return key;
}

/** A key for one purpose alone: none of them gives away another one, or the key that they are made of. */
export function deriveKey(secret: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', purpose, keyBytes));
}
