import type { IncomingMessage } from 'node:http';
import type { Clock } from '../clock.ts';
import type { LoginResponse } from '../contract/auth.ts';
import { isReadOnly } from '../contract/rights.ts';
import type { User } from '../contract/users.ts';
import { ApiError } from '../http/apiError.ts';
import type { Caller, Viewer } from '../http/viewer.ts';
import type { AllowedHosts } from '../http/allowedHosts.ts';
import { hashOfNoPassword } from '../users/password.ts';
import type { PasswordHasher } from '../users/passwordHasher.ts';
import { presentUser, type UserRecord } from '../users/userRecord.ts';
import type { Users } from '../users/users.ts';
import type { Sessions } from './sessions.ts';
import type { ApiTokens } from './apiTokens.ts';
import type { Proof, Tokens } from './tokens.ts';

export type Authorization = ReturnType<typeof createAuthorization>;

export interface AuthorizationDeps {
  users: Users;
  sessions: Sessions;
  tokens: Tokens;
  apiTokens: Pick<ApiTokens, 'viewerOf'>;
  /** `granted`: JWTs for programs only for users with a grant, those of the web login only with its cookie. */
  apiAccess: 'open' | 'granted';
  hasher: Pick<PasswordHasher, 'isPassword'>;
  ownNames: AllowedHosts;
  clock: Clock;
  instanceId: string;
  jwtTtlS: () => number;
  /** True while the users were read from a backup that no dealer has confirmed: then only dealers may log in. */
  usersUnconfirmed: () => boolean;
}

export function createAuthorization(deps: AuthorizationDeps) {
  const { users, sessions, tokens, clock } = deps;
  const cookieName = `fleetdeck_${deps.instanceId}`;
  // An unknown login is checked against this, so that it takes as long as a known one.
  const decoy = hashOfNoPassword();

  function anonymous(
    code: 'jwt_missing' | 'jwt_invalid' | 'session_revoked' | 'session_expired' | 'api_not_granted',
    detail: string,
  ): Caller {
    return { kind: 'stranger', code, detail };
  }

  /** Throws 403 for a user who may have no JWT for programs. */
  function checkGranted(user: UserRecord): void {
    if (!mayUseApi(user)) throw new ApiError('api_not_granted', notGranted);
  }

  const mayUseApi = (user: UserRecord) => deps.apiAccess === 'open' || user.api_access === true;

  /** The caller of a JWT in a header. */
  async function bearer(jwt: string, request: IncomingMessage, expiryMatters: boolean): Promise<Caller> {
    const proof = await tokens.verify(jwt);
    if (proof?.isApiToken === true) {
      return expiryMatters
        ? program(jwt, proof)
        : anonymous('jwt_invalid', 'An API token is not refreshed: it holds until it expires.');
    }
    if (proof === null || deps.apiAccess === 'open') return callerOf(proof, expiryMatters);
    if (proof.claims.web !== true) {
      const user = users.get(proof.claims.sub);
      return user === undefined || mayUseApi(user)
        ? callerOf(proof, expiryMatters)
        : anonymous('api_not_granted', notGranted);
    }
    const cookie = cookieNamed(cookieName, request.headers.cookie);
    const bound = cookie === null ? null : await tokens.verifyCookie(cookie);
    return bound?.claims.sid === proof.claims.sid
      ? callerOf(proof, expiryMatters)
      : anonymous('jwt_invalid', 'This JWT is that of a web login: it is valid only with its cookie.');
  }

  function program(jwt: string, { claims: { sub, sid }, expired }: Proof): Caller {
    const user = users.get(sub);
    const viewer = user === undefined || user.blocked ? null : deps.apiTokens.viewerOf(jwt, sid, user);
    if (user === undefined || viewer === null)
      return anonymous('session_revoked', 'The API token was revoked.');
    if (deps.usersUnconfirmed())
      return anonymous(
        'session_revoked',
        'API tokens were read from a backup: a dealer must confirm it first.',
      );
    if (!mayUseApi(user)) return anonymous('api_not_granted', notGranted);
    if (expired)
      return { kind: 'expired', userId: sub, detail: 'The API token has expired: create a new one.' };
    return { kind: 'live', viewer };
  }

  /** Of a session. */
  function callerOf(proof: Proof | null, expiryMatters: boolean): Caller {
    if (proof === null) return anonymous('jwt_invalid', 'Invalid JWT.');
    const { sub, sid, exp, web = false } = proof.claims;
    const user = users.get(sub);
    const state = sessions.state(sid, sub);
    if (user === undefined || user.blocked || state === 'ended' || isPast(user, sid)) {
      return anonymous('session_revoked', 'The session was ended: log in again.');
    }
    if (state === 'over')
      return anonymous('session_expired', 'The session has reached its last day: log in again.');
    if (proof.expired && expiryMatters) {
      return {
        kind: 'expired',
        userId: sub,
        detail: 'The JWT has expired: get a new one by POST /auth/refresh.',
      };
    }
    const viewer = { user: presentUser(user), session_id: sid, expires_ms: exp * 1_000, isWeb: web };
    return { kind: 'live', viewer };
  }

  function isPast({ sessions_since }: UserRecord, sessionId: string): boolean {
    const since_ms = Date.parse(sessions_since);
    // One that lies ahead was set by a clock that has been put back since, and would lock the user out until then.
    if (since_ms > clock.now()) return false;
    return (sessions.get(sessionId)?.created_ms ?? -Infinity) < since_ms;
  }

  async function refresher(request: IncomingMessage): Promise<Caller> {
    const header = request.headers['authorization-refresh'];
    if (typeof header === 'string') {
      return bearer(header.trim().replace(/^JWT\s+/i, ''), request, false);
    }
    const cookie = cookieNamed(cookieName, request.headers.cookie);
    // Cookies ignore ports: a page that another program serves on this machine can make the browser send it.
    if (cookie === null || !deps.ownNames.isOwnOrigin(request.headers.origin)) {
      return anonymous('jwt_missing', 'The header Authorization refresh with the JWT is missing.');
    }
    const caller = callerOf(await tokens.verifyCookie(cookie), true);
    return caller.kind === 'live' ? { ...caller, viewer: { ...caller.viewer, isWeb: true } } : caller;
  }

  async function grant(user: UserRecord, sessionId: string, web: boolean): Promise<LoginResponse> {
    const { jwt, expires_ms } = await tokens.sign(user, sessionId, { ttl_s: deps.jwtTtlS(), web });
    return { jwt, expires_at: new Date(expires_ms).toISOString(), user: presentUser(user) };
  }

  return {
    cookieName,
    /** Where browsers send the cookie: to all calls where JWTs are bound to it. */
    cookiePath: deps.apiAccess === 'granted' ? '/' : '/auth',
    checkGranted,

    /** Who a request comes from; for `POST /auth/refresh` by its refresh header or cookie, expired or not. */
    async identify(request: IncomingMessage): Promise<Caller> {
      const path = (request.url ?? '').split('?', 1)[0]?.replace(/\/$/, '').toLowerCase();
      if (path === '/auth/refresh') return refresher(request);
      if (path === '/auth/login' || path === '/setup')
        return anonymous('jwt_missing', 'This call needs no JWT.');
      const header = request.headers.authorization;
      if (header === undefined)
        return anonymous('jwt_missing', 'The header Authorization: JWT <token> is missing.');
      const token = /^JWT ([^\s]+)$/i.exec(header)?.[1];
      if (token === undefined) {
        return anonymous(
          'jwt_invalid',
          'The header Authorization takes the word JWT, one space and the token.',
        );
      }
      return bearer(token, request, true);
    },

    /** Hashes once. Throws 401 `credentials_invalid`, alike in text and time for a wrong login and a wrong password; 403 `user_blocked`. */
    async checkPassword(login: string, password: string): Promise<UserRecord> {
      const user = users.byLogin(login);
      const right = await deps.hasher.isPassword(password, user?.password_hash ?? decoy);
      if (user === undefined || !right)
        throw new ApiError('credentials_invalid', 'Wrong username or password.');
      // The store may have changed while the password was checked; the old one must not open a session any more.
      const current = users.get(user.user_id);
      if (current?.password_hash !== user.password_hash)
        throw new ApiError('credentials_invalid', 'Wrong username or password.');
      if (current.blocked) throw new ApiError('user_blocked', 'This user is blocked.');
      if (deps.usersUnconfirmed() && current.role !== 'dealer') {
        throw new ApiError(
          'user_blocked',
          'The users were read from a backup: a dealer must confirm them first.',
        );
      }
      return current;
    },

    /** A new session with its first JWT. */
    async begin(
      user: UserRecord,
      from: { address: string; userAgent: string | null },
      web: boolean,
    ): Promise<LoginResponse & { session_id: string }> {
      const session = await sessions.begin(user.user_id, from);
      return { ...(await grant(user, session.session_id, web)), session_id: session.session_id };
    },

    /**
     * A new JWT of the session that `viewer` has.
     *
     * @param unattended for a display that nobody logs in again: the session of a user who may change nothing then ends
     *   when it was not renewed for as many days as another one lasts
     */
    async renew(viewer: Viewer, unattended: boolean): Promise<LoginResponse> {
      const user = users.get(viewer.user.user_id);
      if (user === undefined) throw new ApiError('session_revoked', 'The session was ended: log in again.');
      await sessions.touch(viewer.session_id, unattended && isReadOnly(user));
      return grant(user, viewer.session_id, viewer.isWeb === true);
    },

    /** The cookie's value and how long the browser shall keep it. */
    async cookieFor(
      user: Pick<User, 'user_id' | 'role' | 'rights'>,
      sessionId: string,
    ): Promise<{ value: string; maxAgeS: number }> {
      const expires_ms = sessions.get(sessionId)?.expires_ms ?? clock.now();
      return {
        value: await tokens.signCookie(user, sessionId, expires_ms),
        maxAgeS: Math.max(0, Math.floor((expires_ms - clock.now()) / 1_000)),
      };
    },
  };
}

const notGranted =
  'This user has no grant for the API: it is given on the machine of the host by `fleetdeck dealer --grant-api`.';

/** The value of the cookie of this name in a `Cookie` header; null when it is not there. */
function cookieNamed(name: string, header: string | undefined): string | null {
  for (const part of header?.split(';') ?? []) {
    const at = part.indexOf('=');
    if (at >= 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return null;
}

/** A `Set-Cookie` value; an empty one takes the cookie away. */
export function sessionCookie(
  { cookieName, cookiePath }: Pick<Authorization, 'cookieName' | 'cookiePath'>,
  value: string,
  maxAgeS: number,
  tls: boolean,
): string {
  return `${cookieName}=${value}; Max-Age=${maxAgeS}; Path=${cookiePath}; HttpOnly; SameSite=Strict${tls ? '; Secure' : ''}`;
}
