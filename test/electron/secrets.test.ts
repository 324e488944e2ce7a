import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSecretBox, type KeyStore } from '../../electron/secrets.ts';

let folder: string;
let warnings: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetdeck-secrets-'));
  warnings = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const file = () => join(folder, 'secrets-key.json');

/** What the system of one user does: it reads what it has written, and nothing else. */
function keyStore(
  user: string,
  over: Partial<KeyStore> & { prefix?: string; rotated?: boolean } = {},
): KeyStore {
  const { prefix = 'v11', rotated = false, ...rest } = over;
  return {
    isAsyncEncryptionAvailable: () => Promise.resolve(true),
    getSelectedStorageBackend: () => 'gnome_libsecret',
    encryptStringAsync: (text) =>
      Promise.resolve(Buffer.from(`${prefix}${user}:${Buffer.from(text).toString('hex')}`, 'latin1')),
    decryptStringAsync: (sealed) => {
      const [owner, hex = ''] = sealed.toString('latin1').slice(prefix.length).split(':');
      if (owner !== user) return Promise.reject(new Error('Error while decrypting the ciphertext'));
      return Promise.resolve({ result: Buffer.from(hex, 'hex').toString(), shouldReEncrypt: rotated });
    },
    ...rest,
  };
}
const open = (storage: KeyStore, platform: NodeJS.Platform = 'linux') =>
  openSecretBox({ storage, platform, file: file(), now: () => 7, warn: (words) => warnings.push(words) });

describe('the box of secrets', () => {
  it('a later start reads what an earlier one encrypted, and the key lies nowhere as text', async () => {
    const sealed = (await open(keyStore('ann')))?.encrypt('a password') ?? '';
    expect(sealed).not.toContain('password');
    const again = await open(keyStore('ann'));
    expect(again?.kind).toBe('gnome_libsecret');
    expect(again?.decrypt(sealed)).toBe('a password');
    expect(warnings).toEqual([]);
  });

  it('two encryptions of one text differ, and a changed one is refused', async () => {
    const box = await open(keyStore('ann'));
    const [one = '', two] = [box?.encrypt('x'), box?.encrypt('x')];
    expect(one).not.toBe(two);
    expect(() => box?.decrypt(`${one.slice(0, -2)}AA`)).toThrow();
  });

  it('the key of another user is set aside, a new one is made, and both are said in the log', async () => {
    const sealed = (await open(keyStore('ann')))?.encrypt('a password') ?? '';
    const box = await open(keyStore('ben'));
    expect(() => box?.decrypt(sealed)).toThrow();
    expect(box?.decrypt(box.encrypt('new'))).toBe('new');
    expect(readdirSync(folder)).toEqual(['secrets-key.json', 'secrets-key.json.unreadable-7']);
    expect(warnings).toEqual([expect.stringMatching(/set aside/)]);
  });

  it('a key store that is locked for now costs no key: with it all is read again at a later start', async () => {
    const sealed = (await open(keyStore('ann')))?.encrypt('a password') ?? '';
    const locked = () =>
      Promise.reject(new Error('decryptStringAsync is temporarily unavailable. Please try again.'));
    expect(await open(keyStore('ann', { decryptStringAsync: locked }))).toBeNull();
    expect(warnings).toEqual([expect.stringMatching(/stored unencrypted/)]);
    expect((await open(keyStore('ann')))?.decrypt(sealed)).toBe('a password');
  });

  it('a key that the system has rotated is encrypted anew', async () => {
    await open(keyStore('ann'));
    const before = readFileSync(file(), 'utf8');
    await open(
      keyStore('ann', { rotated: true, encryptStringAsync: () => Promise.resolve(Buffer.from('v12new')) }),
    );
    expect(readFileSync(file(), 'utf8')).not.toBe(before);
  });

  it.each([
    ['has no key store', keyStore('ann', { isAsyncEncryptionAvailable: () => Promise.resolve(false) })],
    [
      'obfuscates by a password in its source',
      keyStore('ann', { getSelectedStorageBackend: () => 'basic_text' }),
    ],
    ['encrypts by a password in its source', keyStore('ann', { prefix: 'v10' })],
    ['fails', keyStore('ann', { encryptStringAsync: () => Promise.reject(new Error('locked')) })],
  ])('on a Linux that %s there is no box, and the log says so', async (_what, storage) => {
    expect(await open(storage)).toBeNull();
    expect(warnings).toEqual([expect.stringMatching(/stored unencrypted/)]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('on macOS and Windows the system itself is the key store', async () => {
    expect((await open(keyStore('ann', { prefix: 'v10' }), 'darwin'))?.kind).toBe('Keychain');
    expect((await open(keyStore('ann', { prefix: 'v10' }), 'win32'))?.kind).toBe('Windows');
  });
});
