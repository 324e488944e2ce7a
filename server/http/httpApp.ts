import { causeOf } from '../contract/causeTexts.ts';
import { randomUUID } from 'node:crypto';
import express, {
  type Express,
  type Request,
  type RequestHandler,
  type Response,
  type ErrorRequestHandler,
} from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Route } from '../contract/route.ts';
import { shareTokenHeader } from '../contract/shares.ts';
import type { Api } from './api.ts';
import { ApiError, ofStore, ofWork } from './apiError.ts';
import type { Caller, Identify, Viewer } from './viewer.ts';
import { countUnauthorized, type CallLimits, normalizeAddress, type RateLimitResult } from './rateLimit.ts';
import { createLines } from './lines.ts';
import type { AllowedHosts } from './allowedHosts.ts';
import { contextOf, setContext } from './requestContext.ts';
import { problems, type Problem } from '../contract/problem.ts';
import { WorkFailed } from '../workerChannel.ts';

export interface HttpAppDeps {
  api: Api;
  routes: readonly Route[];
  ownNames: AllowedHosts;
  identify: Identify;
  /** Of each call that is within the limits. */
  onAdmitted: (viewer: Viewer) => void;
  limits: CallLimits;
  /** Whether a link of this token shows a vehicle now. */
  isShown: (shareToken: string | undefined) => boolean;
  clock: Clock;
  log: Logger;
  /** Called after each answer with its status. */
  onReply?: (status: number) => void;
  /** Serves what lies outside the API: the console's files, the documents of the API. */
  pages: RequestHandler;
  /** Whether browsers shall call this host by HTTPS alone from then on. */
  hsts: boolean;
}

/** The steps of a request, in order. */
export function createHttpApp(deps: HttpAppDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.use(beginRequest(deps.log, deps.onReply));
  app.use(securityHeaders(deps.hsts));
  app.use((request, _response, next) => {
    request.url = deps.ownNames.check(request);
    next();
  });
  app.use(neverStored);
  app.use(admit(deps));
  app.use(deps.api.router);
  app.use(refuseUnknown(deps.routes));
  app.use(deps.pages);
  app.use(() => {
    throw new ApiError('not_found', 'There is nothing at this address.');
  });
  app.use(createErrorHandler());
  return app;
}

export function beginRequest(log: Logger, onReply: HttpAppDeps['onReply']): RequestHandler {
  return (request, response, next) => {
    const request_id = randomUUID();
    response.set('X-Request-Id', request_id);
    if (onReply !== undefined) response.once('finish', () => onReply(response.statusCode));
    setContext(response, {
      request_id,
      address: normalizeAddress(request.socket.remoteAddress),
      viewer: null,
      anonymous: null,
      log: log.child({ request_id }),
    });
    next();
  };
}

/** Maps and video come as blobs; styles are set by the map's and the player's own code. */
export function securityHeaders(hsts: boolean): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        mediaSrc: ["'self'", 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: hsts,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  });
}

export function isApi(path: string): boolean {
  return /^\/(auth|service|api)(\/|$)|^\/(setup|metrics)\/?$/i.test(path);
}

/**
 * Only these paths count towards the limits; the console's own files and documents do not, nor what anybody may ask:
 * how the host does, and whether it has its first dealer. With a JWT the first of these is a call as any other.
 */
function counts({ path, method, headers }: Request): boolean {
  if (/^\/api\/v1\/health\/?$/i.test(path)) return headers.authorization !== undefined;
  return isApi(path) && !(/^\/setup\/?$/i.test(path) && method !== 'POST');
}

const isTile = ({ method, path }: Request): boolean =>
  method === 'GET' && /^\/api\/v1\/maps\/[\w-]+(\/\d+){3}\/?$/i.test(path);

const isSharedTile = ({ method, path }: Request): boolean =>
  method === 'GET' && /^\/api\/v1\/shared\/maps\/streets(\/\d+){3}\/?$/i.test(path);

/** What the API answers is of this moment and for this caller: no browser shall keep it. */
const neverStored: RequestHandler = (request, response, next) => {
  if (isApi(request.path)) response.set('Cache-Control', 'no-store');
  next();
};

/**
 * Identifies the caller and counts the call; past a limit it ends here. Of the calls of one caller one begins in each
 * turn of the event loop: as many as are allowed in a minute may come at once, and would else be worked on before
 * anything else.
 */
function admit(deps: HttpAppDeps): RequestHandler {
  const beginnings = createLines();
  return async (request, response, next) => {
    if (!counts(request)) {
      next();
      return;
    }
    const caller = await deps.identify(request);
    const context = contextOf(response);
    const now = deps.clock.monotonic();
    const key = caller.kind === 'stranger' ? context.address : userOf(caller);
    // With a token that is made up it is a call as any other, of which an address has few.
    const isOfLink = isSharedTile(request) && deps.isShown(request.get(shareTokenHeader));
    const verdict =
      caller.kind === 'stranger'
        ? isOfLink
          ? deps.limits.sharedTiles.count(key, now)
          : countUnauthorized(deps.limits, key, now)
        : (isOfLink || isTile(request) ? deps.limits.tiles : deps.limits.authorized).count(key, now);
    setRateHeaders(response, verdict);
    if (!verdict.allowed) throw tooMany(verdict);
    setImmediate(await beginnings.enter(key));
    if (caller.kind === 'live') {
      context.viewer = caller.viewer;
      deps.onAdmitted(caller.viewer);
    } else context.anonymous = refusalOf(caller);
    next();
  };
}

function userOf(caller: Exclude<Caller, { kind: 'stranger' }>): string {
  return caller.kind === 'live' ? caller.viewer.user.user_id : caller.userId;
}

function refusalOf(caller: Exclude<Caller, { kind: 'live' }>): ApiError {
  return caller.kind === 'expired'
    ? new ApiError('jwt_expired', caller.detail)
    : new ApiError(caller.code, caller.detail);
}

export function setRateHeaders(response: Response, verdict: RateLimitResult): void {
  response.set({
    'RateLimit-Limit': String(verdict.limit),
    'RateLimit-Remaining': String(verdict.remaining),
    'RateLimit-Reset': String(verdict.resetS),
  });
}

export function tooMany(verdict: RateLimitResult): ApiError {
  return new ApiError('rate_limited', `Too many requests. Try again in ${verdict.retryAfterS} s.`, {
    headers: { 'Retry-After': String(verdict.retryAfterS) },
  });
}

/** Under the API's own paths: 401 before 404 for anonymous callers, 405 where another method is known. */
function refuseUnknown(routes: readonly Route[]): RequestHandler {
  const known = routes.map((route) => ({
    method: route.method,
    pattern: new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i'),
  }));
  return (request, response, next) => {
    if (!isApi(request.path)) {
      next();
      return;
    }
    const methods = known.filter((it) => it.pattern.test(request.path)).map((it) => it.method);
    if (methods.length > 0) {
      const allowed = [...new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)].join(', ');
      throw new ApiError('method_not_allowed', `This address takes ${allowed}.`, {
        headers: { Allow: allowed },
      });
    }
    const context = contextOf(response);
    if (context.viewer === null && context.anonymous !== null) throw context.anonymous;
    throw new ApiError('not_found', 'There is nothing at this address.');
  };
}

/** The one place where errors become answers; registered last. */
export function createErrorHandler(): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    const context = contextOf(response);
    // Work was given up because the client has gone: nobody is there to be answered, and nothing has failed.
    if (response.closed && error instanceof Error && error.name === 'AbortError') return;
    const known = toApiError(error);
    const { status, title } = problems[known.code];
    if (known.headers['Retry-After'] !== undefined) context.log.debug({ code: known.code }, known.message);
    else if (status >= 500) context.log.error({ err: error, code: known.code }, 'request failed');
    if (response.headersSent) {
      // Too late for an answer: the connection is cut, so that nobody takes half a body for a whole one.
      response.destroy();
      next(error);
      return;
    }
    const body: Problem = {
      type: 'about:blank',
      title,
      status,
      detail: known.message,
      code: known.code,
      ...(known.causes === undefined ? {} : { causes: known.causes }),
      ...(known.faults === undefined ? {} : { errors: known.faults }),
      request_id: context.request_id,
    };
    response.set(known.headers);
    if (status === 401) response.set('WWW-Authenticate', 'JWT');
    response
      .status(status)
      .set('Content-Type', 'application/problem+json; charset=utf-8')
      .send(JSON.stringify(body));
  };
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return (
    ofStore(error) ??
    (error instanceof WorkFailed ? ofWork(error) : null) ??
    fromBodyParser(error) ??
    new ApiError('internal', 'Internal error; see the server log for the request ID.')
  );
}

/** body-parser and Express mark their errors by `type` and `status`. */
function fromBodyParser(error: unknown): ApiError | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof URIError) return new ApiError('not_found', 'There is nothing of that name.');
  const { type, status } = error as { type?: unknown; status?: unknown };
  switch (type) {
    case 'entity.parse.failed':
      return new ApiError('malformed_json', `The body is not JSON: ${error.message}`);
    case 'entity.too.large':
      return new ApiError('too_large', causeOf('body.too_large'));
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new ApiError('unsupported_media_type', error.message);
    case 'request.aborted':
    case 'request.size.invalid':
      return new ApiError('malformed_json', 'The body ended before its stated length.');
    default:
      return typeof status === 'number' && status >= 400 && status < 500
        ? new ApiError('malformed_json', error.message)
        : null;
  }
}
