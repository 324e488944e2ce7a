import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import type { Logger } from 'pino';
import { decodeText } from '../contract/textEncoding.ts';
import type { BodyOf, ParamsOf, QueryOf, ReplyOf, Route } from '../contract/route.ts';
import type { Once } from '../store/acts.ts';
import { asCaller } from '../store/caller.ts';
import { ApiError, invalidBy } from './apiError.ts';
import type { Idempotency, Presented } from './idempotency.ts';
import { maxFields, nestingError } from './jsonNesting.ts';
import { createLines } from './lines.ts';
import { SerializedPage } from './serializedJson.ts';
import { createUnreadAnswers, minCounted, type UnreadAnswers } from './unreadAnswers.ts';
import { contextOf } from './requestContext.ts';
import type { WorkAsk } from '../workerChannel.ts';
import { missingRight, type Viewer } from './viewer.ts';

/** One call of an operation, parsed by its contract. */
export interface OpenCall<R extends Route> {
  params: ParamsOf<R>;
  query: QueryOf<R>;
  body: BodyOf<R>;
  /** The body as it stood, of an operation that also takes text; else null. */
  text: string | null;
  /** The whole body of an operation that takes bytes whole; else none. */
  bytes: Buffer;
  /** The version that the caller's `If-Match` names. */
  ifMatch: number | null;
  address: string;
  request: Request;
  response: Response;
  log: Logger;
  /**
   * To be called before an answer of bytes begins, with how many it holds in memory; a client that does not read it is
   * cut off. @throws ApiError 429 when too much is held for this user, or the address of who is none
   */
  holds: (bytes: number) => void;
}

export interface Call<R extends Route> extends OpenCall<R> {
  viewer: Viewer;
  /**
   * Adds something by `act`, and answers what `present` makes of it, with its address where it has one. Of an operation that takes
   * `Idempotency-Key`, and whose caller sent one, `act` gets what stores this response with what it brings about; with
   * the same key again the stored one is answered, and `act` is not called.
   *
   * @param ownerId of what it is added to, where there is more than one: there the same key is another one
   */
  once: <T>(
    act: (once: Once<T> | undefined) => Promise<T>,
    present: (added: T) => { reply: ReplyOf<R>; location?: string },
    ownerId?: string,
  ) => Promise<ReplyOf<R>>;
}

/** An operation that answers bytes writes them to `response` itself; one that can be long may have its JSON ready. */
type Answer<R extends Route> = [ReplyOf<R>] extends [undefined]
  ? Promise<void>
  : ReplyOf<R> | SerializedPage | Promise<ReplyOf<R>>;

export interface Api {
  /** Handles an operation that needs a user; rights are checked before `answer` is called. */
  handle<R extends Route>(route: R, answer: (call: Call<R>) => Answer<R>): void;
  /** Handles an operation that anybody may call. */
  handleOpen<R extends Route>(route: R, answer: (call: OpenCall<R>) => Answer<R>): void;
  router: Router;
}

const oneMebibyte = 1024 * 1024;
const bodyMethods = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * @param options.onExport called on behalf of the caller when an answer that is a file has left, whole or in part
 * @param options.checkReplies also parses each reply by its contract and fails with 500 when it differs; for tests
 */
export function createApi(options: {
  idempotency: Idempotency;
  checkReplies: boolean;
  unread?: UnreadAnswers;
  onExport?: (operation: string, asked: object) => void;
}): Api {
  const router = express.Router();
  const unread = options.unread ?? createUnreadAnswers();
  const oneLargeBody = createLargeBodyGate();

  function onceFor<R extends Route>(
    route: R,
    { request, response }: OpenCall<R>,
    { user: { user_id }, token }: Viewer,
  ): Call<R>['once'] {
    return async (act, present, ownerId) => {
      const key = route.idempotent === true ? request.get('idempotency-key') : undefined;
      const attempt = {
        user_id,
        // What a token may not see is not answered to it again, either.
        operation: [route.id, ...[ownerId, token?.token_id].filter((it) => it !== undefined)].join(' '),
        body:
          route.bytesBody === undefined ? (request.body as unknown) : [sha256Of(request.body), request.query],
      };
      const { reply, location }: Presented =
        key === undefined
          ? present(await act(undefined))
          : await options.idempotency.once({ ...attempt, key }, act, present);
      if (location !== undefined) response.set('Location', location);
      // It was of this form when it was stored.
      return reply as ReplyOf<R>;
    };
  }

  function register<R extends Route>(route: R, answer: (call: Call<R>) => Answer<R>): void {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const verb = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    async function respond(request: Request, response: Response): Promise<void> {
      const { viewer, address } = contextOf(response);
      const holds = (bytes: number) => unread.add(viewer?.user.user_id ?? address, response, bytes);
      const call = { ...parseCall(route, request, response), holds } as Call<R>;
      if (viewer !== null) Object.assign(call, { viewer, once: onceFor(route, call, viewer) });
      const query = (call.query ?? {}) as Record<string, unknown>;
      if (route.exports === true && request.method === 'GET' && query['format'] !== 'json') {
        const asCalled = AsyncLocalStorage.snapshot();
        response.once('close', () => {
          if (!response.headersSent || response.statusCode >= 400) return;
          asCalled(() => options.onExport?.(route.id, { ...(call.params as object | undefined), ...query }));
        });
      }
      const run = async () => {
        const reply: unknown = await Promise.resolve(answer(call));
        if (route.bytes === undefined && options.checkReplies) checkReply(route, reply);
        return reply;
      };
      if (route.bytes !== undefined) {
        await run();
        return;
      }
      sendReply(response, route.status, await run(), holds);
    }

    router[verb](path, ...readBody(route, oneLargeBody), (request, response) => {
      const { viewer, address, request_id } = contextOf(response);
      if (viewer === null) return respond(request, response);
      const { user_id, login } = viewer.user;
      const token = viewer.token && { token_id: viewer.token.token_id, name: viewer.token.name };
      const caller = { user_id, login, address, request_id, ...(token && { token }) };
      return asCaller(caller, () => respond(request, response));
    });
  }

  return {
    router,
    handle(route, answer) {
      if (route.access === 'anybody') throw new Error(`${route.id} is open to anybody: use handleOpen`);
      register(route, answer);
    },
    handleOpen(route, answer) {
      if (route.access !== 'anybody') throw new Error(`${route.id} needs a user: use handle`);
      register(route, answer);
    },
  };
}

/** Authorizes the caller before the body is read: an anonymous caller's megabytes are not read. */
function readBody(route: Route, oneLargeBody: RequestHandler): RequestHandler[] {
  const guard: RequestHandler = (_request, response, next) => {
    const context = contextOf(response);
    if (route.access !== 'anybody') {
      if (context.viewer === null)
        throw context.anonymous ?? new ApiError('jwt_missing', 'This call needs a JWT.');
      const missing =
        missingRight(context.viewer, route.access) ?? missingRight(context.viewer, route.alsoNeeds ?? 'user');
      if (missing !== null) throw new ApiError('forbidden', missing);
    }
    next();
  };
  if (route.ignoresBody === true) return [guard];
  if (route.bytesBody !== undefined) {
    const { contentType: type, most: limit, isWhole = false } = route.bytesBody;
    const whole = isWhole ? [oneLargeBody, express.raw({ limit, type })] : [];
    return [guard, checkContentType([type]), ...whole];
  }
  if (route.body === undefined) return [guard, refuseBody];
  const limit = route.bodyLimit ?? oneMebibyte;
  const texts = textTypes(route);
  const parsers: RequestHandler[] =
    route.jsonAsText === true
      ? []
      : [express.json({ limit, strict: false, type: jsonTypes(route), verify: refuseCostlyJson })];
  // Not by `text`, which takes for UTF-8 what states no charset.
  if (texts.length > 0) parsers.push(express.raw({ limit, type: texts }));
  return [guard, checkContentType([...jsonTypes(route), ...texts]), oneLargeBody, ...parsers];
}

/** Where many calls are made, bodies are smaller. */
const largeBody = 64 * 1024;
/** A client that has stopped sending holds up the others of its user for no longer. */
const largeBodyTurnMs = 10_000;

/**
 * Large bodies of one caller are read and worked on one at a time, so that what they take of memory, and of the main
 * thread before anybody else has a turn, is that of one. The others stay in their sockets meanwhile.
 */
function createLargeBodyGate(): RequestHandler {
  const lines = createLines();
  return async (request, response, next) => {
    const length = Number(request.headers['content-length'] ?? Infinity);
    if (!hasBody(request) || length <= largeBody) {
      next();
      return;
    }
    const { viewer, address } = contextOf(response);
    const leave = await lines.enter(viewer?.user.user_id ?? address);
    if (response.closed) {
      leave();
      return;
    }
    const timer = setTimeout(leave, largeBodyTurnMs);
    response.once('close', () => {
      clearTimeout(timer);
      leave();
    });
    next();
  };
}

function refuseCostlyJson(_request: IncomingMessage, _response: unknown, body: Buffer): void {
  const fault = nestingError(body, maxFields);
  if (fault !== null) throw new ApiError('malformed_json', [fault]);
}

/** What is handed on as text. */
function textTypes(route: Route): string[] {
  return [...(route.jsonAsText === true ? jsonTypes(route) : []), ...(route.alsoTakes ?? [])];
}

/** An operation without a body takes none, so that nobody believes that one was read. */
const refuseBody: RequestHandler = (request, _response, next) => {
  if (bodyMethods.has(request.method) && hasBody(request)) {
    throw new ApiError('validation_failed', 'This operation takes no body.', {
      faults: [{ path: '', message: 'takes no body' }],
    });
  }
  next();
};

function jsonTypes(route: Route): string[] {
  return route.method === 'PATCH'
    ? ['application/json', 'application/merge-patch+json']
    : ['application/json'];
}

function checkContentType(types: string[]): RequestHandler {
  return (request, _response, next) => {
    if (hasBody(request) && request.is(types) === false) {
      throw new ApiError('unsupported_media_type', `This operation takes ${types.join(', ')}.`);
    }
    next();
  };
}

function hasBody(request: IncomingMessage): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  );
}

function parseCall<R extends Route>(
  route: R,
  request: Request,
  response: Response,
): Omit<OpenCall<R>, 'holds'> {
  const context = contextOf(response);
  const body: unknown = request.body;
  const texts = textTypes(route);
  const isText = Buffer.isBuffer(body) && texts.length > 0 && request.is(texts) !== false;
  return {
    params: parsePart(route.params, request.params, 'path') as ParamsOf<R>,
    query: parsePart(route.query, request.query, 'query') as QueryOf<R>,
    body: (isText || route.jsonAsText === true
      ? undefined
      : parsePart(route.body, body, 'body')) as BodyOf<R>,
    text: isText ? textOf(body, request) : null,
    bytes: bytesOf(body),
    ifMatch: route.versioned === true ? parseIfMatch(request.get('if-match')) : null,
    address: context.address,
    request,
    response,
    log: context.log,
  };
}

const bytesOf = (body: unknown): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

const sha256Of = (body: unknown): string => createHash('sha256').update(bytesOf(body)).digest('hex');

function textOf(body: Buffer, request: Request): string {
  const charset = /;\s*charset="?([^\s;"]{1,40})/i.exec(request.get('content-type') ?? '')?.[1] ?? null;
  try {
    const decoded = decodeText(body, charset);
    if (decoded !== null) return decoded.text;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ApiError('unsupported_media_type', `The charset ${charset ?? ''} is not known.`, {
      cause: error,
    });
  }
  throw new ApiError(
    'validation_failed',
    `The body is not text in ${charset ?? 'UTF-8, UTF-16 or Windows-1252; a workbook is first saved as CSV'}.`,
  );
}

function parsePart(schema: Route['params'], value: unknown, where: 'path' | 'query' | 'body'): unknown {
  if (schema === undefined) {
    const [extra] = where === 'query' ? Object.keys(value as object) : [];
    if (extra === undefined) return undefined;
    throw new ApiError('validation_failed', `query ${extra}: is unknown`, {
      faults: [{ path: extra, message: 'is unknown' }],
    });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  // A path parameter that cannot be one of ours names nothing.
  if (where === 'path') throw new ApiError('not_found', 'There is nothing of that name.');
  throw invalidBy(parsed.error, where);
}

function parseIfMatch(header: string | undefined): number | null {
  if (header === undefined || header.trim() === '*') return null;
  const match = /^\s*(?:W\/)?"?(\d{1,15})"?\s*$/.exec(header);
  if (match?.[1] === undefined) {
    throw new ApiError('validation_failed', 'If-Match: is not a version in quotes', {
      faults: [{ path: 'If-Match', message: 'is not a version in quotes' }],
    });
  }
  return Number(match[1]);
}

function checkReply(route: Route, given: unknown): void {
  const reply = given instanceof SerializedPage ? given.value() : given;
  if (route.reply === undefined) {
    if (reply !== undefined) throw new Error(`${route.id} answered a body that its contract does not know`);
    return;
  }
  const parsed = route.reply.safeParse(reply);
  if (!parsed.success) throw new Error(`${route.id} answered against its contract: ${parsed.error.message}`);
  const sent: unknown = JSON.parse(JSON.stringify(reply));
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(parsed.data)), sent)) {
    throw new Error(`${route.id} answered fields that its contract does not know`);
  }
}

function sendReply(response: Response, status: number, reply: unknown, holds: (bytes: number) => void): void {
  if (reply === undefined) {
    response.status(204).end();
    return;
  }
  const isReady = reply instanceof SerializedPage;
  const version = isReady ? null : (reply as { version?: unknown }).version;
  if (typeof version === 'number') response.set('ETag', `"${version}"`);
  // Not by `json`, which would answer 304 to the version: a vehicle's position moves without it.
  const body = isReady ? reply.bytes() : Buffer.from(JSON.stringify(reply));
  if (body.length >= minCounted) holds(body.length);
  // An operation may have set another of its `otherStatuses`.
  response
    .status(response.statusCode === 200 ? status : response.statusCode)
    .type('application/json')
    .set('Content-Length', String(body.length))
    .end(body);
}

/** Whoever made a call, until the connection closes. */
export function callerOf({ viewer, response }: Pick<Call<Route>, 'viewer' | 'response'>): WorkAsk {
  const gone = new AbortController();
  const onClose = () => gone.abort(new Error('the client has closed the connection'));
  response.once('close', onClose);
  if (response.closed) onClose();
  return { user_id: viewer.user.user_id, signal: gone.signal };
}
