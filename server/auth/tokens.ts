import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { claims, type Claims } from '../contract/auth.ts';
import { effectiveRights } from '../contract/rights.ts';
import type { User } from '../contract/users.ts';
import type { UserRecord } from '../users/userRecord.ts';
import { hkdfSync, randomBytes } from 'node:crypto';
import { chmod, readFile, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { diskFiles, errorCode } from '../store/documents/Files.ts';
import { writeFileAtomically } from '../store/documents/writeFileAtomically.ts';
import { isUnreadable, type Sealing } from '../store/sealing.ts';
import { datedName } from '../store/telemetry/datedName.ts';

const algorithm = 'HS256';
const audience = 'fleetdeck';
const cookieAudience = 'fleetdeck-web';
const apiTokenAudience = 'fleetdeck-api';

/** What a token proves, whether or not its time is over. */
export interface Proof {
  claims: Claims;
  expired: boolean;
  isApiToken: boolean;
}

export type Tokens = ReturnType<typeof createTokens>;

/** @param issuer names this installation: a token of another depot is not ours even with the same key */
export function createTokens(key: Uint8Array, issuer: string, clock: { now(): number }) {
  function signed(
    user: Pick<User, 'user_id' | 'role' | 'rights'>,
    sessionId: string,
    { aud, issued_s, expires_s, web }: { aud: string; issued_s: number; expires_s: number; web?: boolean },
  ): Promise<string> {
    const rights = effectiveRights(user);
    return new SignJWT({ sid: sessionId, role: user.role, rights, ...(web === true && { web }) })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
      .setSubject(user.user_id)
      .setIssuer(issuer)
      .setAudience(aud)
      .setIssuedAt(issued_s)
      .setExpirationTime(expires_s)
      .sign(key);
  }

  async function verify(token: string, aud: string[]): Promise<Proof | null> {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [algorithm],
        issuer,
        audience: aud,
        currentDate: new Date(clock.now()),
        clockTolerance: 0,
      });
      return proofOf(payload, false);
    } catch (error) {
      // The signature and all other claims are checked before the expiry is.
      if (error instanceof errors.JWTExpired) return proofOf(error.payload, true);
      return null;
    }
  }

  return {
    /** A JWT that expires after `ttl_s` seconds. */
    async sign(
      user: UserRecord,
      sessionId: string,
      { ttl_s, web }: { ttl_s: number; web: boolean },
    ): Promise<{ jwt: string; expires_ms: number }> {
      const issued_s = Math.floor(clock.now() / 1_000);
      const expires_s = issued_s + ttl_s;
      const jwt = await signed(user, sessionId, { aud: audience, issued_s, expires_s, web });
      return { jwt, expires_ms: expires_s * 1_000 };
    },
    /** The value of the web login's session cookie, good until the session ends. */
    signCookie(
      user: Pick<User, 'user_id' | 'role' | 'rights'>,
      sessionId: string,
      expires_ms: number,
    ): Promise<string> {
      const issued_s = Math.floor(clock.now() / 1_000);
      const expires_s = Math.floor(expires_ms / 1_000);
      return signed(user, sessionId, { aud: cookieAudience, issued_s, expires_s });
    },
    /** The JWT of an API token, whose id stands in the place of a session's. */
    signApiToken({ token_id, user, expires_ms }: { token_id: string; user: User; expires_ms: number }) {
      const [issued_s, expires_s] = [clock.now(), expires_ms].map((ms) => Math.floor(ms / 1_000));
      return signed(user, token_id, {
        aud: apiTokenAudience,
        issued_s: issued_s ?? 0,
        expires_s: expires_s ?? 0,
      });
    },
    /** Of a session or an API token. Null for one that is not ours, in any way. */
    verify: (token: string): Promise<Proof | null> => verify(token, [audience, apiTokenAudience]),
    verifyCookie: (token: string): Promise<Proof | null> => verify(token, [cookieAudience]),
  };
}

function proofOf(payload: JWTPayload, expired: boolean): Proof | null {
  const parsed = claims.safeParse(payload);
  if (!parsed.success) return null;
  return { claims: parsed.data, expired, isApiToken: parsed.data.aud === apiTokenAudience };
}

const keyBytes = 32;

/**
 * The key that signs JWTs: made at the first start, readable by its owner alone, and sealed where the system keeps keys.
 * Losing it ends all sessions and API tokens, and nothing else. One that cannot be read is set aside.
 *
 * @param onUnreadable called with the name of the file that was set aside; null: it stays, and a key is made for this
 *   process alone
 */
export async function loadSecretKey(
  folder: string,
  sealing: Sealing,
  onUnreadable: ((aside: string) => void) | null,
): Promise<Uint8Array> {
  const path = join(folder, 'jwt.key');
  const stored = await textOf(path);
  const opened = stored === null ? null : sealing.open(stored);
  if (opened !== null && isUnreadable(opened)) {
    if (onUnreadable === null) return randomBytes(keyBytes);
    const aside = datedName(`${path}.unreadable`, Date.now());
    await rename(path, aside);
    onUnreadable(basename(aside));
  } else if (opened !== null) {
    const found = Buffer.from(opened, 'base64url');
    if (found.length === keyBytes) {
      await chmod(path, 0o600);
      if (sealing.isBare(opened) && opened === stored) await keepKey(path, found, sealing);
      return found;
    }
  }
  const key = randomBytes(keyBytes);
  await keepKey(path, key, sealing);
  return key;
}

async function textOf(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

const keepKey = (path: string, key: Buffer, sealing: Sealing): Promise<void> =>
  writeFileAtomically(diskFiles, path, sealing.seal(key.toString('base64url')), { backUp: false });

/** A key for one purpose alone: none of them gives away another one, or the key that they are made of. */
export function deriveKey(secret: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', purpose, keyBytes));
}
