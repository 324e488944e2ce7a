import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Encrypts secrets by a key that the system keeps for one user of this computer. */
export interface SecretBox {
  /** What keeps the key, for people: `Windows`, `Keychain`, `gnome_libsecret`. */
  readonly kind: string;
  encrypt(text: string): string;
  /** @throws Error for what another key encrypted */
  decrypt(sealed: string): string;
}

/** What an encrypted secret begins with, in files, and in memory where it cannot be read. */
const MARK = 'fleetdeck-sealed:1:';

/** Whether a secret is encrypted by a key that is not here: it has to be entered again. */
export const isUnreadable = (secret: string): boolean => secret.startsWith(MARK);

/** A secret that can be used; null without one, and for one that has to be entered again. */
export const readable = (secret: string | null): string | null =>
  secret === null || isUnreadable(secret) ? null : secret;

export type Sealing = ReturnType<typeof createSealing>;

/**
 * Secrets on their way to and from files. One that cannot be read goes back into its file as it came, so that nothing is
 * lost when the key is there again.
 *
 * @param box null: this host keeps secrets as text in files that only its user can read
 */
export function createSealing(box: SecretBox | null) {
  /** A file has all its secrets anew at each write, and each is encrypted once. */
  const sealedBy = new Map<string, string>();

  return {
    kind: box?.kind ?? null,
    seal(secret: string): string {
      if (box === null || isUnreadable(secret)) return secret;
      const known = sealedBy.get(secret);
      if (known !== undefined) return known;
      const sealed = `${MARK}${box.encrypt(secret)}`;
      sealedBy.set(secret, sealed);
      return sealed;
    },
    open(stored: string): string {
      if (box === null || !isUnreadable(stored)) return stored;
      try {
        const secret = box.decrypt(stored.slice(MARK.length));
        sealedBy.set(secret, stored);
        return secret;
      } catch {
        return stored;
      }
    },
    /** Whether it lies in its file as text although it could be encrypted. */
    isBare: (stored: string): boolean => box !== null && !isUnreadable(stored),
  };
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** @param key 32 bytes, which whoever calls keeps safe */
export function boxOf(kind: string, key: Uint8Array): SecretBox {
  return {
    kind,
    encrypt(text) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return sealed.toString('base64url');
    },
    decrypt(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
  };
}
