import { createHmac } from 'node:crypto';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Clock } from '../../clock.ts';
import {
  certificateError,
  guardedLookup,
  hostError,
  portOf,
  retryAfterOf,
  type Resolve,
} from '../../http/outgoingCall.ts';
import type { Cause } from '../../contract/causes.ts';
import { causeOf, detailOf, said } from '../../contract/causeTexts.ts';
import type { IsOwnAddress } from '../ruleChannels.ts';
import { withDeadline, away, type Message, type Send, type SendResult } from './sender.ts';

export interface WebhookDeps {
  /** The key of the signature; null: calls are not signed. */
  secret: () => string | null;
  /** Asked again for what a name stands for. */
  isOwnAddress: IsOwnAddress;
  clock: Pick<Clock, 'now' | 'after'>;
  /** Another resolver of names; for tests. */
  resolve?: Resolve;
}

export const signatureRule =
  'Fleetdeck-Signature: sha256=<hex of HMAC-SHA256, by this key, of the header Fleetdeck-Timestamp (Unix seconds), a full stop and the body as it came>';

const maxCallMs = 10_000;
/**
 * One text for whatever is no answer of HTTP: refused, filtered, silent, reset, or something else that listens. By
 * different ones, a test of a rule would reveal which ports of a network are open.
 */
const noConnection = causeOf('webhook.no_connection');
/** Timed out, too early, too many calls: later it may work. */
const passing = new Set([408, 425, 429]);

/** Calls another server with `POST` and JSON. Redirects are not followed: the address was checked, theirs was not. */
export function createWebhook(deps: WebhookDeps): Send {
  return (message, signal) =>
    withDeadline(
      deps.clock,
      maxCallMs,
      signal,
      (both) => call(message, both, deps),
      () => away(noConnection),
    );
}

async function call(message: Message, signal: AbortSignal, deps: WebhookDeps): Promise<SendResult> {
  const url = new URL(message.target);
  const body = bodyOf(message, deps.clock.now());
  try {
    const response = await post(url, body, headersOf(message, body, deps), signal, deps);
    return resultOf(response, deps.clock.now());
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AddressRefused) return { outcome: 'refused', ...said(...error.why) };
    return away(certificateError.test(codeOf(error)) ? causeOf('webhook.certificate') : noConnection);
  }
}

function bodyOf(message: Message, now_ms: number): Buffer {
  const { type, depot, text, notification, escalation, place, rule, vehicle, driver } = message;
  const sent_at = new Date(now_ms).toISOString();
  return Buffer.from(
    JSON.stringify({ type, depot, text, notification, escalation, place, rule, vehicle, driver, sent_at }),
  );
}

function headersOf(message: Message, body: Buffer, { secret, clock }: WebhookDeps): Record<string, string> {
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
  { isOwnAddress, resolve }: WebhookDeps,
): Promise<IncomingMessage> {
  const refusal = (host: string): AddressRefused | null => {
    if (isOwnAddress(host, portOf(url))) return new AddressRefused([causeOf('webhook.own_address')]);
    const fault = hostError(host);
    return fault === null ? null : new AddressRefused([causeOf('webhook.address'), fault]);
  };
  return new Promise((accept, reject) => {
    const refused = refusal(url.hostname);
    if (refused !== null) throw refused;
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const lookup = guardedLookup(refusal, resolve);
    const request = send(url, { method: 'POST', headers, agent: false, lookup, signal });
    request.once('response', accept);
    // Faults after the answer's head show in its body.
    request.on('error', reject);
    request.end(body);
  });
}

class AddressRefused extends Error {
  readonly why: readonly Cause[];

  constructor(why: readonly Cause[]) {
    super(detailOf(why));
    this.why = why;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Only the status of a response is returned: a rule test must not be a way to read other servers. */
function resultOf(response: IncomingMessage, now_ms: number): SendResult {
  const { statusCode = 0 } = response;
  response.destroy();
  const answered = said(causeOf('webhook.answered', { status: statusCode }));
  if (statusCode >= 200 && statusCode < 300) return { outcome: 'sent', ...answered };
  if (statusCode >= 500 || passing.has(statusCode)) {
    const retryAfterS = retryAfterOf(response.headers['retry-after'], now_ms);
    return { outcome: 'later', ...answered, retryAfterS, isUnreachable: false };
  }
  if (statusCode >= 300 && statusCode < 400) {
    return { outcome: 'refused', ...said(causeOf('webhook.redirect', { status: statusCode })) };
  }
  return { outcome: 'refused', ...answered };
}
