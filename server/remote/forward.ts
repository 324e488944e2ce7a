import {
  request as httpRequest,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import type { RequestHandler, Response } from 'express';
import type { Clock } from '../clock.ts';
import { ApiError } from '../http/apiError.ts';
import {
  CertificateChanged,
  CertificateUntrusted,
  CheckedAgent,
  Insecure,
  Unreachable,
} from './checkedConnection.ts';
import { passedCookies, replyCookies } from './cookies.ts';
import type { RemoteHost } from './remoteHost.ts';

/** Requests under way at once: a console has one stream, and six connections of a browser to an origin. */
const maxRequests = 64;
/** A request that came through so: one that comes twice runs in a circle. */
const via = '1.1 fleetdeck';

/**
 * Of one connection to the next (RFC 9110, 7.6.1), what this end says itself, and what only says which page asks: it
 * was checked here.
 */
const notPassed = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['proxy-authorization', 'proxy-authenticate', 'expect', 'host', 'origin', 'cookie', 'referer', 'via'],
  ...['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'],
]);

/** All that an answer may say: the rest (policies, cookies of other names, redirects) would be taken for our own. */
const passedOn = new Set([
  ...['accept-ranges', 'allow', 'cache-control', 'content-disposition', 'content-encoding', 'content-length'],
  ...['content-range', 'content-type', 'etag', 'last-modified', 'ratelimit-limit', 'ratelimit-remaining'],
  ...['ratelimit-reset', 'retry-after', 'vary', 'x-request-id'],
]);

/** Whatever the other host sends can never act as a page of this origin. */
const noPage = "default-src 'none'; frame-ancestors 'none'; sandbox";

/**
 * Passes calls of the API on to a host elsewhere, and its answers back, as they come: neither side is read faster
 * than the other takes it in, and one that ends ends the other.
 *
 * @param options.cookiePrefix of the names that its cookies get in the browser
 */
export function createForward(options: {
  host: RemoteHost;
  cookiePrefix: string;
  clock: Pick<Clock, 'after'>;
}) {
  const { host, cookiePrefix, clock } = options;
  const kept = new CheckedAgent(host, clock, { keepAlive: true, maxSockets: maxRequests });
  // The other side may close a kept connection just as it is used again, and what is not a question is not asked twice.
  const once = new CheckedAgent(host, clock, { keepAlive: false, maxSockets: maxRequests });
  let active = 0;
  const cookieNames = new Set<string>();

  function begin(request: IncomingMessage, isAgain: boolean): ClientRequest {
    const isQuestion = request.method === 'GET' || request.method === 'HEAD';
    return httpRequest({
      agent: isQuestion && !isAgain ? kept : once,
      // The agent connects; this names the pool.
      host: host.url.hostname,
      port: host.url.port,
      method: request.method,
      path: request.url,
      headers: requestHeaders(request.headers, host.url, cookiePrefix),
      setHost: false,
    });
  }

  async function pass(request: IncomingMessage, response: Response): Promise<void> {
    const { answer, asked } = await ask(request, response, (isAgain) => begin(request, isAgain));
    response.once('close', () => {
      request.unpipe(asked);
      asked.destroy();
    });
    const status = answer.statusCode ?? 502;
    if (status >= 300 && status < 400 && status !== 304) {
      answer.resume();
      throw new ApiError('remote_unreachable', 'The remote host redirects; a host of Fleetdeck never does.');
    }
    response.status(status);
    setReplyHeaders(response, answer.headers);
    const cookies = replyCookies(answer.headers['set-cookie'], cookiePrefix, cookieNames);
    if (cookies.length > 0) response.setHeader('Set-Cookie', cookies);
    response.flushHeaders();
    await copied(answer, response);
  }

  return {
    handler: (async (request, response) => {
      checkCaller(request);
      if (active >= maxRequests)
        throw new ApiError('unavailable', `${maxRequests} requests to the remote host are under way.`, {
          headers: { 'Retry-After': '5' },
        });
      active += 1;
      try {
        await pass(request, response);
      } finally {
        active -= 1;
      }
    }) satisfies RequestHandler,
    close(): void {
      kept.destroy();
      once.destroy();
    },
  };
}

/** Only the console's own code, and programs of this machine: no page of another origin, and no page at all in its place. */
function checkCaller({ headers }: IncomingMessage): void {
  const site = headers['sec-fetch-site'] ?? 'same-origin';
  if (site !== 'same-origin' && site !== 'none')
    throw new ApiError('origin_not_allowed', 'Web pages of other origins may not call this host.');
  if ((headers['sec-fetch-dest'] ?? 'empty') !== 'empty')
    throw new ApiError('not_found', 'What a remote host answers is not shown as a page.');
  if (headers.via?.includes(via) === true)
    throw new ApiError('remote_unreachable', 'The connection leads back to itself.');
}

/** The head of the answer. A question whose kept connection was closed is asked again by a new one. */
function ask(
  request: IncomingMessage,
  response: Response,
  begin: (isAgain: boolean) => ClientRequest,
  isAgain = false,
): Promise<{ answer: IncomingMessage; asked: ClientRequest }> {
  return new Promise((resolve, reject) => {
    const asked = begin(isAgain);
    const onHangUp = () => asked.destroy();
    response.once('close', onHangUp);
    asked.once('response', (answer) => {
      response.off('close', onHangUp);
      // From here on its end is that of the answer.
      asked.off('error', onError).on('error', () => undefined);
      resolve({ answer, asked });
    });
    asked.once('error', onError);
    function onError(error: Error): void {
      response.off('close', onHangUp);
      request.unpipe(asked);
      if (response.destroyed) reject(new DOMException('the caller has gone', 'AbortError'));
      else if (asked.reusedSocket && !isAgain) ask(request, response, begin, true).then(resolve, reject);
      else reject(asApiError(error));
    }
    if (hasBody(request)) request.pipe(asked);
    else asked.end();
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** To the end of either side; half an answer ends as half an answer. */
function copied(answer: IncomingMessage, response: Response): Promise<void> {
  return new Promise((resolve) => {
    answer.once('error', () => response.destroy());
    answer.once('close', () => {
      if (!answer.complete) response.destroy();
    });
    response.once('close', () => {
      answer.destroy();
      resolve();
    });
    answer.pipe(response);
  });
}

function requestHeaders(headers: IncomingHttpHeaders, url: URL, cookiePrefix: string): OutgoingHttpHeaders {
  const named = new Set((headers.connection ?? '').split(',').map((it) => it.trim().toLowerCase()));
  // Without its length a body would be taken for the next request.
  named.delete('content-length');
  const passed = Object.entries(headers).filter(
    ([name]) => !notPassed.has(name) && !named.has(name) && !name.startsWith('sec-'),
  );
  const cookies = passedCookies(headers.cookie, cookiePrefix);
  return {
    ...Object.fromEntries(passed),
    host: url.host,
    via,
    // It was ours; there it has to be the host's own.
    ...(headers.origin !== undefined && { origin: url.origin }),
    ...(cookies !== null && { cookie: cookies }),
    ...(headers['transfer-encoding'] !== undefined && { 'transfer-encoding': 'chunked' }),
  };
}

function setReplyHeaders(response: Response, headers: IncomingHttpHeaders): void {
  for (const [name, value] of Object.entries(headers))
    if (passedOn.has(name) && value !== undefined) response.setHeader(name, value);
  response.setHeader('Content-Security-Policy', noPage);
  // Another scheme would have the browser ask for a password in a window of its own.
  if (headers['www-authenticate'] === 'JWT') response.setHeader('WWW-Authenticate', 'JWT');
  if (headers.location?.startsWith('/api/') === true) response.setHeader('Location', headers.location);
}

function asApiError(error: Error): ApiError {
  const isOfCertificate =
    error instanceof CertificateChanged || error instanceof CertificateUntrusted || error instanceof Insecure;
  if (isOfCertificate)
    return new ApiError('certificate_refused', `The remote host was not called: ${error.message}.`, {
      cause: error,
    });
  const reason = error instanceof Unreachable ? error.message : 'it closed the connection without an answer';
  return new ApiError('remote_unreachable', `The remote host cannot be reached: ${reason}.`, {
    cause: error,
  });
}
