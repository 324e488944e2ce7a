import type { Response } from 'express';
import type { Clock } from '../clock.ts';
import { authRoutes, setupRoute, type LoginResponse } from '../contract/auth.ts';
import type { User } from '../contract/users.ts';
import type { Api } from '../http/api.ts';
import { ApiError, forbidden } from '../http/apiError.ts';
import { hangUpOf, contextOf } from '../http/requestContext.ts';
import { setRateHeaders, tooMany } from '../http/httpApp.ts';
import type { CallLimits } from '../http/rateLimit.ts';
import type { HashQueue, Requester, Standing } from '../users/hashQueue.ts';
import { type Authorization, sessionCookie } from './authorization.ts';
import type { FirstRun } from './firstRun.ts';
import type { Sessions } from './sessions.ts';

export interface AuthRouteDeps {
  authorization: Authorization;
  sessions: Sessions;
  firstRun: FirstRun;
  limits: CallLimits;
  hashQueue: HashQueue;
  clock: Clock;
  tls: boolean;
}

/** Who waits for a hash before whom. On the machine of the depot itself, scripts and people log in from one address. */
export function standingOf(
  requester: Requester,
  { sessions, limits, clock }: Pick<AuthRouteDeps, 'sessions' | 'limits' | 'clock'>,
): Standing {
  const { kind, id } = requester;
  if (kind === 'user' || id === '127.0.0.1' || sessions.hasBegunFrom(id)) return 'trusted';
  return limits.tried.check(id, clock.monotonic()).allowed ? 'unknown' : 'failing';
}

export function addAuthRoutes(api: Api, deps: AuthRouteDeps): void {
  const { authorization, sessions, firstRun, limits, hashQueue, clock } = deps;

  /** Runs an attempt; one that is answered 401 counts, and past the limit none is even tried. */
  async function attempt<T>(address: string, response: Response, run: () => Promise<T>): Promise<T> {
    const before = limits.failed.check(address, clock.monotonic());
    if (!before.allowed) throw tooMany(before);
    try {
      return await run();
    } catch (error) {
      if (error instanceof ApiError && error.code === 'credentials_invalid') countFailure(address, response);
      throw error;
    }
  }

  function countFailure(address: string, response: Response): void {
    const verdict = limits.failed.count(address, clock.monotonic());
    setRateHeaders(response, verdict);
    if (!verdict.allowed) throw tooMany(verdict);
  }

  async function setCookie(
    user: Pick<User, 'user_id' | 'role' | 'rights'>,
    sessionId: string,
    response: Response,
  ): Promise<void> {
    const { value, maxAgeS } = await authorization.cookieFor(user, sessionId);
    response.append('Set-Cookie', sessionCookie(authorization, value, maxAgeS, deps.tls));
  }

  function reply({ jwt, expires_at, user }: LoginResponse): LoginResponse {
    return { jwt, expires_at, user };
  }

  api.handleOpen(authRoutes.login, async ({ body, query, address, request, response }) => {
    const before = limits.failed.check(address, clock.monotonic());
    if (!before.allowed) throw tooMany(before);
    // One at a time of an address: what runs side by side could slip past the limit together.
    const user = await hashQueue.run(
      { kind: 'address', id: address },
      () =>
        attempt(address, response, () => {
          limits.tried.count(address, clock.monotonic());
          return authorization.checkPassword(body.login, body.password);
        }),
      hangUpOf(response),
    );
    const isWeb = query.jwt !== '1';
    if (!isWeb) authorization.checkGranted(user);
    const from = { address, userAgent: request.get('user-agent') ?? null };
    const granted = await authorization.begin(user, from, isWeb);
    if (isWeb) await setCookie(user, granted.session_id, response);
    return reply(granted);
  });

  api.handleOpen(authRoutes.refresh, async ({ address, query, response }) => {
    const { viewer, anonymous } = contextOf(response);
    if (viewer !== null) {
      const before = sessions.get(viewer.session_id)?.expires_ms;
      const granted = await authorization.renew(viewer, query.unattended === '1');
      const isProlonged = sessions.get(viewer.session_id)?.expires_ms !== before;
      // The browser forgets it otherwise, and a page that loads again has no other proof.
      if (isProlonged && viewer.isWeb === true) await setCookie(granted.user, viewer.session_id, response);
      return granted;
    }
    // A grant that was taken away is no guess at a JWT.
    if (anonymous?.code !== 'api_not_granted') countFailure(address, response);
    throw (
      anonymous ?? new ApiError('jwt_missing', 'The header Authorization refresh with the JWT is missing.')
    );
  });

  api.handle(authRoutes.logout, async ({ viewer, response }) => {
    if (viewer.token !== undefined) throw forbidden('An API token has no session: revoke it instead.');
    await sessions.end(viewer.user.user_id, viewer.session_id);
    response.append('Set-Cookie', sessionCookie(authorization, '', 0, deps.tls));
  });

  api.handleOpen(setupRoute, async ({ body, address, request, response }) => {
    // A wrong code is known before anything is waited for, so that no two can slip past the limit together.
    const user = await attempt(address, response, () =>
      firstRun.makeDealer(body, { address, origin: request.get('origin') }),
    );
    const from = { address, userAgent: request.get('user-agent') ?? null };
    const granted = await authorization.begin(user, from, true);
    await setCookie(user, granted.session_id, response);
    return reply(granted);
  });
}
