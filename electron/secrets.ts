import { randomBytes } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import type { SafeStorage } from 'electron';
import { z } from 'zod';
import { boxOf, type SecretBox } from '../server/app.ts';
import { readStateFile, writeKept } from './stateFile.ts';

export type KeyStore = Pick<
  SafeStorage,
  'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync' | 'getSelectedStorageBackend'
>;

const KEY_BYTES = 32;
const keyFile = z.object({ wrapped: z.string() });
/** Chromium marks so on Linux what it encrypts by a password that stands in its source. */
const BUILT_IN_PASSWORD = 'v10';

/**
 * The box of this user's secrets; null where the system keeps no key. The system keeps one key, and that encrypts the
 * secrets: they are read and written at any time, and the system is asked once a start, since it may ask the user
 * (https://www.electronjs.org/docs/latest/api/safe-storage). After the `ready` event only.
 *
 * @param file where the key lies, encrypted by the system
 */
export async function openSecretBox(deps: {
  storage: KeyStore;
  platform: NodeJS.Platform;
  file: string;
  now: () => number;
  warn: (words: string, details?: unknown) => void;
}): Promise<SecretBox | null> {
  const { storage, platform, file, now, warn } = deps;
  try {
    const kind = await kindOf(storage, platform);
    if (kind === null) {
      warn(
        'the system keeps no keys for programs: passwords and keys are stored unencrypted in the data folder',
      );
      return null;
    }
    return boxOf(kind, (await readKey()) ?? (await makeKey()));
  } catch (error) {
    warn('the system keeps no key for this program: passwords and keys are stored unencrypted', error);
    return null;
  }

  async function readKey(): Promise<Buffer | null> {
    if (!existsSync(file)) return null;
    try {
      const { wrapped } = keyFile.parse(readStateFile(file));
      const { result, shouldReEncrypt } = await storage.decryptStringAsync(Buffer.from(wrapped, 'base64'));
      const key = Buffer.from(result, 'base64');
      if (key.length !== KEY_BYTES) throw new Error('it is no key');
      if (shouldReEncrypt) await keep(key);
      return key;
    } catch (error) {
      // So Electron says that the key store is locked: with this key it is read again at a later start.
      if (error instanceof Error && error.message.includes('temporarily unavailable')) throw error;
      // Of another user or computer, or the system has lost its key. It may come back: nothing is deleted.
      const aside = `${file}.unreadable-${now()}`;
      renameSync(file, aside);
      warn(
        `the key of this user's secrets cannot be read and was set aside as ${aside}; a new one is made`,
        error,
      );
      return null;
    }
  }

  async function makeKey(): Promise<Buffer> {
    const key = randomBytes(KEY_BYTES);
    await keep(key);
    return key;
  }

  async function keep(key: Buffer): Promise<void> {
    const wrapped = await storage.encryptStringAsync(key.toString('base64'));
    writeKept(file, { wrapped: wrapped.toString('base64') });
  }
}

/** What keeps the key; null: nothing that protects it. */
async function kindOf(storage: KeyStore, platform: NodeJS.Platform): Promise<string | null> {
  if (!(await storage.isAsyncEncryptionAvailable())) return null;
  if (platform === 'win32') return 'Windows';
  if (platform === 'darwin') return 'Keychain';
  const backend = storage.getSelectedStorageBackend();
  if (backend === 'basic_text' || backend === 'unknown') return null;
  // The two ways to encrypt look for key stores in different manners; only the result says which was found.
  const probe = await storage.encryptStringAsync('probe');
  return probe.subarray(0, BUILT_IN_PASSWORD.length).toString('latin1') === BUILT_IN_PASSWORD
    ? null
    : backend;
}
