import { authRoutes, claims, type LoginResponse } from '../../server/contract/auth.ts';
import type { ProblemCode } from '../../server/contract/problem.ts';
import { readReply } from '../api/readReply.ts';
import { isProblem } from '../api/errors.ts';
import type { Transport } from '../api/transport.ts';
import type { Clock } from '../clock/clock.ts';

/** A JWT this close to its end is renewed before it is used. */
const RENEW_BEFORE_MS = 30_000;

/** There is no session to speak for: log in first. */
export class LoggedOut extends Error {
  override readonly name = 'LoggedOut';
}

/** Keeps the JWT, in memory alone. One renewal runs at a time, however many calls wait for it. */
export interface Tokens {
  /** A JWT that has not ended as far as this computer knows. Throws LoggedOut, Unreachable, ApiProblem. */
  current(): Promise<string>;
  /** A newer JWT than this one, which the server called expired. */
  renew(stale: string): Promise<string>;
  /** Takes what a login, a first run or a renewal granted. */
  grant(granted: LoginResponse): void;
  /** Takes up the session that the browser's cookie names; null when there is none. Throws Unreachable. */
  resume(): Promise<LoginResponse | null>;
  /** Forgets the session. */
  end(reason: ProblemCode | null): void;
  /** The session's id by the JWT, null while logged out. */
  sessionId(): string | null;
}

export interface TokenDeps {
  transport: Transport;
  clock: Clock;
  onEnd: (reason: ProblemCode | null) => void;
  /** Nobody is there to log in again: has a session that may change nothing last for as long as it is renewed. */
  unattended?: boolean;
}

interface Held {
  jwt: string;
  sessionId: string | null;
  /** By this computer's clock: it may differ from the server's, the lifetime does not. */
  renewAt: number;
}

export function createTokens({ transport, clock, onEnd, unattended = false }: TokenDeps): Tokens {
  let cached: Held | null = null;
  let renewal: Promise<LoginResponse> | null = null;

  const tokens: Tokens = {
    async current() {
      if (cached === null) throw new LoggedOut('nobody is logged in');
      if (clock.now() < cached.renewAt) return cached.jwt;
      return tokens.renew(cached.jwt);
    },

    async renew(stale) {
      if (cached === null) throw new LoggedOut('nobody is logged in');
      if (cached.jwt !== stale) return cached.jwt;
      renewal ??= refresh({ 'Authorization-Refresh': stale }).finally(() => {
        renewal = null;
      });
      try {
        return (await renewal).jwt;
      } catch (error) {
        if (isProblem(error, 'session_revoked', 'session_expired', 'jwt_invalid', 'jwt_missing'))
          tokens.end(error.code);
        throw error;
      }
    },

    grant(given) {
      const read = claimsOf(given.jwt);
      const lifetimeMs =
        read === null ? Date.parse(given.expires_at) - clock.now() : (read.exp - read.iat) * 1_000;
      // A lifetime about as short as the margin must not mean a renewal before every call.
      const usableMs = Math.max(lifetimeMs - RENEW_BEFORE_MS, lifetimeMs * 0.8);
      cached = { jwt: given.jwt, sessionId: read?.sid ?? null, renewAt: clock.now() + usableMs };
    },

    async resume() {
      try {
        return await refresh({});
      } catch (error) {
        if (isProblem(error)) return null;
        throw error;
      }
    },

    end(reason) {
      if (cached === null) return;
      cached = null;
      onEnd(reason);
    },

    sessionId: () => cached?.sessionId ?? null,
  };

  async function refresh(headers: Record<string, string>): Promise<LoginResponse> {
    const response = await transport.send(
      authRoutes.refresh,
      unattended ? { query: { unattended: '1' } } : {},
      headers,
    );
    const given = await readReply(authRoutes.refresh, response);
    tokens.grant(given);
    return given;
  }

  return tokens;
}

function claimsOf(jwt: string): { sid: string; iat: number; exp: number } | null {
  try {
    const part = jwt.split('.')[1] ?? '';
    const text = atob(part.replaceAll('-', '+').replaceAll('_', '/'));
    const parsed = claims.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
