import { createHmac } from 'node:crypto';
import { lookup as resolve } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Clock } from '../../clock.ts';
import { portOf, type IsOwnAddress } from '../ruleChannels.ts';
import { withDeadline } from './deadline.ts';
import { away, type Message, type Send, type SendResult } from './sending.ts';

export interface WebhookParts {
  /** The key of the signature; null: calls are not signed. */
  secret: () => string | null;
  /** Asked again for what a name stands for. */
  isOwnAddress: IsOwnAddress;
  clock: Pick<Clock, 'now' | 'after'>;
}

export const signatureRule =
  'Fleetdeck-Signature: sha256=<hex of HMAC-SHA256, by this key, of the header Fleetdeck-Timestamp (Unix seconds), a full stop and the body as it came>';

const longestCallMs = 10_000;
const mostErrorBytes = 1_024;
/** Timed out, too early, too many calls: later it may work. */
const passing = new Set([408, 425, 429]);

/** Calls another server with `POST` and JSON. Redirects are not followed: the address was checked, theirs was not. */
export function createWebhook(parts: WebhookParts): Send {
  return (message, signal) =>
    withDeadline(
      parts.clock,
      longestCallMs,
      signal,
      (both) => call(message, both, parts),
      () => away(`It did not answer within ${longestCallMs / 1_000} s.`),
    );
}

async function call(message: Message, signal: AbortSignal, parts: WebhookParts): Promise<SendResult> {
  const url = new URL(message.target);
  if (parts.isOwnAddress(url.hostname, portOf(url))) return ownAddress;
  const body = bodyOf(message, parts.clock.now());
  try {
    const response = await post(url, body, headersOf(message, body, parts), signal, parts.isOwnAddress);
    return await resultOf(response, parts.clock.now());
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof OwnAddress ? ownAddress : away(reasonOf(error));
  }
}

function bodyOf(message: Message, now_ms: number): Buffer {
  const { type, depot, text, notification, rule, vehicle } = message;
  const sent_at = new Date(now_ms).toISOString();
  return Buffer.from(JSON.stringify({ type, depot, text, notification, rule, vehicle, sent_at }));
}

function headersOf(message: Message, body: Buffer, { secret, clock }: WebhookParts): Record<string, string> {
  const key = secret();
  const timestamp = String(Math.floor(clock.now() / 1_000));
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(body.length),
    'User-Agent': 'Fleetdeck',
    'Fleetdeck-Delivery': message.delivery_id,
    'Fleetdeck-Timestamp': timestamp,
    ...(key === null ? {} : { 'Fleetdeck-Signature': `sha256=${signatureOf(key, timestamp, body)}` }),
  };
}

function signatureOf(key: string, timestamp: string, body: Buffer): string {
  return createHmac('sha256', key).update(`${timestamp}.`).update(body).digest('hex');
}

/** One request on a connection of its own; resolves with the answer's head. */
function post(
  url: URL,
  body: Buffer,
  headers: Record<string, string>,
  signal: AbortSignal,
  isOwnAddress: IsOwnAddress,
): Promise<IncomingMessage> {
  return new Promise((accept, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const lookup = guardedLookup((address) => isOwnAddress(address, portOf(url)));
    const request = send(url, { method: 'POST', headers, agent: false, lookup, signal });
    request.once('response', accept);
    // Faults after the answer's head show in its body.
    request.on('error', reject);
    request.end(body);
  });
}

class OwnAddress extends Error {}
const ownAddress: SendResult = { outcome: 'refused', detail: 'It is an address of this host itself.' };

/** Refuses a name when any of its addresses is this host's. IP addresses do not come this way. */
function guardedLookup(isOwn: (address: string) => boolean): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const own = error === null && addresses.some((it) => isOwn(it.address));
      const [first] = error === null ? addresses : [];
      if (error !== null) done(error, '', 0);
      else if (own) done(new OwnAddress(), '', 0);
      else if (options.all === true) done(null, addresses);
      else if (first === undefined) done(new Error(`${hostname} has no address`), '', 0);
      else done(null, first.address, first.family);
    });
  };
}

async function resultOf(response: IncomingMessage, now_ms: number): Promise<SendResult> {
  const { statusCode = 0 } = response;
  if (statusCode >= 200 && statusCode < 300) {
    response.destroy();
    return { outcome: 'sent', detail: `It answered ${statusCode}.` };
  }
  const said = await beginningOf(response);
  const detail = `It answered ${statusCode}${said === '' ? '.' : `: ${said}`}`;
  if (statusCode >= 500 || passing.has(statusCode)) {
    const retryAfter_s = secondsOf(response.headers['retry-after'], now_ms);
    return { outcome: 'later', detail, retryAfter_s, isAway: false };
  }
  if (statusCode >= 300 && statusCode < 400) {
    return { outcome: 'refused', detail: `It answered ${statusCode}; redirects are not followed.` };
  }
  return { outcome: 'refused', detail };
}

/** The first words of an answer, on one line. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= mostErrorBytes) break;
    }
  } catch {
    // The status says what became of the call; words that broke off are still words.
  } finally {
    response.destroy();
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, mostErrorBytes));
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** `Retry-After` is seconds or a date (RFC 9110, section 10.2.3). */
function secondsOf(header: string | undefined, now_ms: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const at_ms = Date.parse(header);
  return Number.isNaN(at_ms) ? null : Math.max(0, (at_ms - now_ms) / 1_000);
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'It refuses the connection.',
  ECONNRESET: 'It closed the connection without an answer.',
  EHOSTUNREACH: 'There is no way to it.',
  ENETUNREACH: 'There is no way to it.',
  ETIMEDOUT: 'It does not answer.',
  ENOTFOUND: 'Its name is not known.',
  EAI_AGAIN: 'Its name could not be looked up.',
};

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return reasons[code] ?? error.message;
}
