import type { Cause } from '../contract/causes.ts';
import { causeOf, detailOf } from '../contract/causeTexts.ts';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Clock } from '../clock.ts';
import {
  certificateError,
  connectionErrors,
  guardedLookup,
  hostError,
  portOf,
  type Resolve,
} from './outgoingCall.ts';

export interface OutgoingDeps {
  /** Whether an address, with a port, is one of this host's own. */
  isOwnAddress: (host: string, port: number) => boolean;
  /** `Fleetdeck/0.1.0`; providers of tiles refuse callers that they cannot tell apart. */
  userAgent: string;
  clock: Pick<Clock, 'after'>;
  /** Another resolver of names; for tests. */
  resolve?: Resolve;
}

export interface OutgoingAsk {
  url: URL;
  headers?: Record<string, string>;
  /** Of the answer's body, as it comes and inflated. */
  maxBytes: number;
}

export interface OutgoingAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** Why there is no answer, as the rest of a sentence about the source: `it refuses the connection`. */
export class OutgoingError extends Error {
  override name = 'OutgoingError';
  /** Of one answer; the server itself is there. */
  readonly isOfAnswer: boolean;
  /** Of which the message consists. */
  readonly causes: Cause[];

  constructor(
    causes: Cause | Cause[],
    { isOfAnswer = false, cause }: { isOfAnswer?: boolean; cause?: unknown } = {},
  ) {
    super(detailOf([causes].flat()), { cause });
    this.isOfAnswer = isOfAnswer;
    this.causes = [causes].flat();
  }
}

/** From the name's resolution to the last byte. */
const longest_ms = 10_000;
const maxRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);
const connections = { keepAlive: true, maxSockets: 8, maxFreeSockets: 4, timeout: 30_000 };

export type OutgoingGet = ReturnType<typeof createOutgoingGet>;

/** Fetches from servers that dealers name. Every address is checked as it is resolved, those of redirects too. */
export function createOutgoingGet({ isOwnAddress, userAgent, clock, resolve }: OutgoingDeps) {
  const agents = { 'http:': new HttpAgent(connections), 'https:': new HttpsAgent(connections) };

  function head(
    ask: Pick<OutgoingAsk, 'url' | 'headers'>,
    signal: AbortSignal,
    isAgain = false,
  ): Promise<IncomingMessage> {
    const { url, headers } = ask;
    const isHttps = url.protocol === 'https:';
    const refusal = (host: string): OutgoingError | null => {
      if (isOwnAddress(host, portOf(url))) return new OutgoingError(causeOf('outgoing.own'));
      const fault = hostError(host);
      return fault === null ? null : new OutgoingError([causeOf('outgoing.address'), fault]);
    };
    return new Promise((accept, reject) => {
      const refused = refusal(url.hostname);
      if (refused !== null) throw refused;
      const request = (isHttps ? httpsRequest : httpRequest)(url, {
        headers: { 'User-Agent': userAgent, 'Accept-Encoding': 'gzip', ...headers },
        agent: isAgain ? false : agents[isHttps ? 'https:' : 'http:'],
        lookup: guardedLookup(refusal, resolve),
        signal,
      });
      request.once('response', accept);
      request.on('error', (error) => {
        // The server closed a connection that was idle just as it was used again.
        if (request.reusedSocket && codeOf(error) === 'ECONNRESET' && !signal.aborted)
          head(ask, signal, true).then(accept, reject);
        else reject(error);
      });
      request.end();
    });
  }

  async function follow(ask: OutgoingAsk, signal: AbortSignal): Promise<OutgoingAnswer> {
    let { url } = ask;
    for (let redirected = 0; ; redirected++) {
      const response = await head({ ...ask, url }, signal);
      const { statusCode: status = 0, headers } = response;
      if (redirects.has(status) && headers.location !== undefined) {
        response.resume();
        if (redirected === maxRedirects) throw new OutgoingError(causeOf('outgoing.redirects'));
        url = redirectedTo(headers.location, url);
        continue;
      }
      return { status, headers, body: await bodyOf(response, ask.maxBytes) };
    }
  }

  return {
    /** @throws OutgoingError */
    get: async (ask: OutgoingAsk): Promise<OutgoingAnswer> => {
      const abort = new AbortController();
      const stopTimer = clock.after(longest_ms, () =>
        abort.abort(new OutgoingError(causeOf('outgoing.too_late', { seconds: longest_ms / 1_000 }))),
      );
      try {
        return await follow(ask, abort.signal);
      } catch (error) {
        throw abort.signal.aborted ? (abort.signal.reason as Error) : asOutgoingError(error);
      } finally {
        stopTimer();
      }
    },
    close(): void {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function redirectedTo(location: string, from: URL): URL {
  const url = URL.parse(location, from.href);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && from.protocol === 'http:')) return url;
  throw new OutgoingError(causeOf('outgoing.redirect_refused'));
}

async function bodyOf(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const tooLarge = () =>
    new OutgoingError(causeOf('outgoing.too_large', { mb: maxBytes / 1024 / 1024 }), { isOfAnswer: true });
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks, length);
  const encoding = response.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding === 'identity' || length === 0) return body;
  if (encoding !== 'gzip')
    throw new OutgoingError(causeOf('outgoing.packing', { packing: encoding.slice(0, 20) }), {
      isOfAnswer: true,
    });
  try {
    return await inflate(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw new OutgoingError(causeOf('outgoing.not_inflated'), { isOfAnswer: true, cause: error });
  }
}
const inflate = promisify(gunzip) as (
  packed: Buffer,
  options: { maxOutputLength: number },
) => Promise<Buffer>;

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function asOutgoingError(error: unknown): OutgoingError {
  if (error instanceof OutgoingError) return error;
  const code = codeOf(error);
  const reason = error instanceof Error ? error.message : String(error);
  const known = certificateError.test(code) ? causeOf('outgoing.certificate') : connectionErrors[code];
  return new OutgoingError(known ?? causeOf('outgoing.unreachable', { reason }), { cause: error });
}
