import type { Cause } from '../../contract/causes.ts';
import { causeOf, detailOf } from '../../contract/causeTexts.ts';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { BlockList, isIP } from 'node:net';
import { pause, type Clock } from '../../clock.ts';
import {
  certificateError,
  guardedLookup,
  hostError,
  portOf,
  urlError,
  type Resolve,
} from '../../http/outgoingCall.ts';

/** By what a file at a source is known to be still the same. */
export interface SourceVersion {
  bytes: number;
  etag: string | null;
  modified: string | null;
}

/**
 * `refused`: asking again changes nothing; `changed`: it is another file than before; `away`: later it may work.
 */
export class SourceError extends Error {
  override name = 'SourceError';
  readonly code: 'refused' | 'changed' | 'away';
  readonly retryAfterS: number | null;
  /** Of which the message consists. */
  readonly causes: Cause[];

  constructor(
    code: SourceError['code'],
    causes: Cause | Cause[],
    more: { retryAfterS?: number | null } = {},
  ) {
    super(detailOf([causes].flat()));
    this.code = code;
    this.causes = [causes].flat();
    this.retryAfterS = more.retryAfterS ?? null;
  }
}

export interface RangeSourceDeps {
  /** Whether a host name or address, with a port, leads to this host itself. */
  isOwnAddress: (host: string, port: number) => boolean;
  clock: Pick<Clock, 'after' | 'now'>;
  /** Another resolver of names; for tests. */
  resolve?: Resolve;
}

/** Requests at a time; each has a connection of its own, which is used again. */
export const parallelRequests = 4;
/** Until an answer begins, and between two parts of it. */
const silenceMs = 30_000;
const maxRedirects = 4;
/** Growing to a minute: together some ten minutes. */
const pauseMs = (attempt: number) => Math.min(60_000, 1_000 * 2 ** attempt);
const maxAttempts = 15;
const maxRetryAfterS = 300;

/** Timed out, too early, too many calls. */
const passing = new Set([408, 425, 429]);
const redirects = new Set([301, 302, 303, 307, 308]);

// RFC 1122, 1918, 6598, 4193: what no server of others may lead us to.
const inside = new BlockList();
for (const [net, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
] as const) {
  inside.addSubnet(net, prefix, 'ipv4');
}
const inside6 = new BlockList();
inside6.addSubnet('fc00::', 7, 'ipv6');
inside6.addAddress('::1', 'ipv6');

/** Why a URL that somebody wrote is not called; null when it may be. */
export function sourceUrlError(written: string, { isOwnAddress }: RangeSourceDeps): Cause | null {
  const url = new URL(written);
  if (url.username !== '' || url.password !== '') return causeOf('address.credentials');
  if (isOwnAddress(url.hostname, portOf(url))) return causeOf('address.own');
  return urlError(written, url);
}

export type RangeSource = ReturnType<typeof createRangeSource>;

/**
 * A file that a server of HTTP hands out in ranges. The first answer decides which file it is; one of another file
 * fails.
 *
 * @param known of an earlier run, which the file must still be
 * @param onInterruption called with why a request failed when it is tried again, and with null when it worked
 */
export function createRangeSource(
  written: string,
  deps: RangeSourceDeps,
  {
    known = null,
    attempts = maxAttempts,
    onInterruption = () => undefined,
  }: {
    known?: SourceVersion | null;
    attempts?: number;
    onInterruption?: (causes: Cause[] | null) => void;
  } = {},
) {
  const agents = {
    'http:': new HttpAgent({ keepAlive: true, maxSockets: parallelRequests }),
    'https:': new HttpsAgent({ keepAlive: true, maxSockets: parallelRequests }),
  };
  const first = new URL(written);
  /** Where redirects have led, which may hold for a while only. */
  let current = first;
  let version = known;

  async function read(offset: number, length: number, signal: AbortSignal): Promise<Buffer<ArrayBuffer>> {
    for (let attempt = 0; ; attempt++) {
      try {
        const bytes = await readOnce(offset, length, signal);
        if (attempt > 0) onInterruption(null);
        return bytes;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof SourceError) || error.code !== 'away' || attempt + 1 >= attempts) throw error;
        onInterruption(error.causes);
        await pause(deps.clock, Math.max(pauseMs(attempt), 1_000 * (error.retryAfterS ?? 0)), signal);
      }
    }
  }

  async function readOnce(offset: number, length: number, signal: AbortSignal) {
    const response = await follow(offset, length, signal);
    try {
      return await take(response, offset, length);
    } finally {
      response.destroy();
    }
  }

  /** The answer to a range, after redirects. */
  async function follow(offset: number, length: number, signal: AbortSignal): Promise<IncomingMessage> {
    let url = current;
    for (let hop = 0; hop <= maxRedirects; hop++) {
      const response = await get(url, offset, length, signal);
      const { statusCode = 0, headers } = response;
      if (!redirects.has(statusCode) || headers.location === undefined) {
        const isStale = statusCode >= 400 && statusCode < 500 && statusCode !== 412 && current !== first;
        // An address that is good for a while only has run out: the first one knows another.
        current = isStale ? first : url;
        if (!isStale) return response;
        response.destroy();
        throw new SourceError('away', answered(url.host, statusCode));
      }
      response.destroy();
      url = redirected(url, headers.location);
    }
    throw new SourceError('refused', causeOf('region.redirects', { host: first.host, most: maxRedirects }));
  }

  function redirected(from: URL, location: string): URL {
    const url = URL.parse(location, from.href);
    const refuse = (why: Cause) =>
      new SourceError('refused', [causeOf('region.redirect', { host: from.host }), why]);
    if (url === null || !/^https?:$/.test(url.protocol)) throw refuse(causeOf('address.no_http'));
    if (from.protocol === 'https:' && url.protocol === 'http:')
      throw refuse(causeOf('address.not_encrypted'));
    const fault = url.host === from.host ? null : sourceUrlError(url.href, deps);
    if (fault !== null) throw refuse(fault);
    return url;
  }

  function get(url: URL, offset: number, length: number, signal: AbortSignal): Promise<IncomingMessage> {
    const isElsewhere = url.host !== first.host;
    const refusal = (address: string): SourceError | null => {
      if (deps.isOwnAddress(address, portOf(url))) {
        return new SourceError('refused', causeOf('region.own', { host: url.host }));
      }
      const fault =
        hostError(address) ?? (isElsewhere && isInside(address) ? causeOf('address.private') : null);
      return fault === null
        ? null
        : new SourceError('refused', [causeOf('region.address', { host: url.host }), fault]);
    };
    return new Promise((accept, reject) => {
      signal.throwIfAborted();
      const refused = refusal(url.hostname.replace(/^\[|\]$/g, ''));
      if (refused !== null) throw refused;
      const isTls = url.protocol === 'https:';
      const strong = version?.etag?.startsWith('"') === true ? { 'If-Match': version.etag } : {};
      const request = (isTls ? httpsRequest : httpRequest)(url, {
        agent: agents[isTls ? 'https:' : 'http:'],
        headers: {
          Accept: '*/*',
          'Accept-Encoding': 'identity',
          Range: `bytes=${offset}-${offset + length - 1}`,
          'User-Agent': 'Fleetdeck',
          ...strong,
        },
        lookup: guardedLookup(refusal, deps.resolve),
        signal,
      });
      const stopTimer = deps.clock.after(silenceMs, () => request.destroy(silent(url)));
      request.once('response', (response) => {
        stopTimer();
        accept(response);
      });
      request.on('error', (error) => {
        stopTimer();
        reject(signal.aborted ? (signal.reason as Error) : asSourceError(error, url));
      });
      request.end();
    });
  }

  /** The bytes of an answer, which must be those that were asked for; fewer only where the file ends. */
  async function take(response: IncomingMessage, offset: number, length: number) {
    const { statusCode = 0, headers } = response;
    const host = current.host;
    if (statusCode === 200) throw new SourceError('refused', causeOf('region.whole_files', { host }));
    if (statusCode === 412) throw changed(host);
    if (statusCode === 416) {
      throw version === null ? new SourceError('refused', causeOf('region.empty', { host })) : changed(host);
    }
    if (statusCode >= 500 || passing.has(statusCode)) {
      const retryAfterS = /^\d{1,6}$/.test(headers['retry-after'] ?? '') ? Number(headers['retry-after']) : 0;
      throw new SourceError('away', answered(host, statusCode), {
        retryAfterS: Math.min(maxRetryAfterS, retryAfterS),
      });
    }
    if (statusCode !== 206) throw new SourceError('refused', answered(host, statusCode));
    const encoding = headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity') {
      throw new SourceError('refused', causeOf('region.packed', { host, packing: encoding.slice(0, 20) }));
    }
    const stated = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(headers['content-range'] ?? '');
    const [from, to, bytes] = (stated?.slice(1) ?? []).map(Number);
    if (from === undefined || to === undefined || bytes === undefined) {
      throw new SourceError('refused', causeOf('region.no_range', { host }));
    }
    note(host, { bytes, etag: headers.etag ?? null, modified: headers['last-modified'] ?? null });
    if (from !== offset || to !== Math.min(offset + length, bytes) - 1) {
      throw new SourceError('refused', causeOf('region.other_range', { host }));
    }
    return body(response, to - from + 1, host);
  }

  function note(host: string, found: SourceVersion): void {
    version ??= found;
    const isSame =
      found.bytes === version.bytes &&
      weak(found.etag) === weak(version.etag) &&
      // With a tag, the time says nothing more.
      (version.etag !== null || found.modified === version.modified);
    if (!isSame) throw changed(host);
  }

  async function body(response: IncomingMessage, length: number, host: string) {
    const bytes = Buffer.alloc(length);
    const interrupted = () => new SourceError('away', causeOf('region.interrupted', { host }));
    const watch = () =>
      deps.clock.after(silenceMs, () =>
        response.destroy(new SourceError('away', causeOf('region.stalled', { host }))),
      );
    let stopTimer = watch();
    let at = 0;
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        stopTimer();
        if (at + chunk.length > length)
          throw new SourceError('refused', causeOf('region.too_much', { host }));
        at += chunk.copy(bytes, at);
        stopTimer = watch();
      }
    } catch (error) {
      throw error instanceof SourceError ? error : interrupted();
    } finally {
      stopTimer();
    }
    if (at < length) throw interrupted();
    return bytes;
  }

  return {
    /** Fewer bytes only where the file ends. @throws SourceError; the signal's reason */
    read,
    /** Of the first answer, or `known`. */
    version: () => version,
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function isInside(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return address.toLowerCase() === 'localhost';
  return family === 4 ? inside.check(address, 'ipv4') : inside6.check(address, 'ipv6');
}

/** Some caches weaken the tag of what they pass on. */
const weak = (etag: string | null) => etag?.replace(/^W\//, '') ?? null;

const changed = (host: string) => new SourceError('changed', causeOf('region.changed', { host }));

const silent = (url: URL) => new SourceError('away', causeOf('region.silent', { host: url.host }));

const answered = (host: string, status: number) =>
  causeOf('region.answered', { host, status: String(status) });

/** Codes of the system. */
const reasons = {
  ECONNREFUSED: 'region.refused',
  ECONNRESET: 'region.reset',
  ENOTFOUND: 'region.name_unknown',
  EAI_AGAIN: 'region.name_failed',
  EHOSTUNREACH: 'region.no_route',
  ENETUNREACH: 'region.no_route',
} as const;

function asSourceError(error: Error, url: URL): SourceError {
  if (error instanceof SourceError) return error;
  const { host } = url;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (certificateError.test(code)) {
    return new SourceError('refused', causeOf('region.certificate', { host, reason: error.message }));
  }
  return new SourceError(
    'away',
    code in reasons
      ? causeOf(reasons[code as keyof typeof reasons], { host })
      : causeOf('region.unreachable', { host, reason: error.message }),
  );
}
