import { detailOf } from '../../contract/causeTexts.ts';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Clock } from '../../clock.ts';
import {
  certificateError,
  connectionErrors,
  guardedLookup,
  hostError,
  portOf,
  type Resolve,
} from '../../http/outgoingCall.ts';
import type { IsOwnAddress } from '../ownAddress.ts';
import { TerminalError, type FragmentRequest } from './terminal.ts';
import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface CameraRequestDeps {
  isOwnAddress: IsOwnAddress;
  clock: Pick<Clock, 'after'>;
  /** How long a camera may take to accept the connection, and then to begin its answer. */
  connectMs: number;
  answerMs: number;
  /** Another resolver of names; for tests. */
  resolve?: Resolve;
}

export interface CameraRequest {
  method: 'GET' | 'HEAD';
  url: URL;
  headers: Record<string, string>;
  signal: AbortSignal;
}

/**
 * One request on a connection of its own; resolves with the answer's head. Addresses of this host, and those that
 * `hostFault` names, are refused as they are resolved, so that a name which changes its mind after the profile was made
 * gains nothing.
 * @throws {TerminalError} `offline`, `refused` (an address, a certificate); or the signal's reason
 */
export function requestCamera(
  { method, url, headers, signal }: CameraRequest,
  deps: CameraRequestDeps,
): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = portOf(url);
  const refusal = (address: string): TerminalError | null => {
    if (deps.isOwnAddress(address, port)) return ownAddress(host, port);
    const fault = hostError(address);
    return fault === null
      ? null
      : new TerminalError('refused', `The address of ${host} ${detailOf([fault])}.`);
  };

  return new Promise((accept, reject) => {
    signal.throwIfAborted();
    const refused = refusal(host);
    if (refused !== null) throw refused;
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const lookup = guardedLookup(refusal, deps.resolve);
    const request = send(url, { method, headers, agent: false, lookup, signal });
    let stopTimer = deps.clock.after(deps.connectMs, () =>
      request.destroy(new TerminalError('offline', `The camera at ${url.host} does not answer.`)),
    );
    request.once('finish', () => {
      stopTimer();
      stopTimer = deps.clock.after(deps.answerMs, () =>
        request.destroy(
          new TerminalError('offline', `The camera at ${url.host} took the request and did not answer it.`),
        ),
      );
    });
    request.once('response', (response) => {
      stopTimer();
      accept(response);
    });
    request.on('error', (error) => {
      stopTimer();
      reject(signal.aborted ? (signal.reason as Error) : asTerminalError(error, url));
    });
    request.end();
  });
}

function ownAddress(host: string, port: number): TerminalError {
  return new TerminalError(
    'refused',
    `${isIP(host) === 6 ? `[${host}]` : host}:${port} is this host itself, not a camera.`,
  );
}

function asTerminalError(error: Error, url: URL): TerminalError {
  if (error instanceof TerminalError) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (certificateError.test(code)) {
    return new TerminalError('refused', `The certificate of ${url.host} is not trusted: ${error.message}.`, {
      cause: error,
    });
  }
  const known = connectionErrors[code];
  return new TerminalError(
    'offline',
    `The camera at ${url.host} cannot be reached: ${known === undefined ? error.message : detailOf([known])}.`,
    {
      cause: error,
    },
  );
}

export interface ReceiveDeps {
  clock: Pick<Clock, 'after'>;
  /** How long a camera may send nothing in the middle of its answer. */
  idleMs: number;
  maxBytes: number;
  /** Rejects when the disk has no more space for video. */
  checkQuota: () => Promise<void>;
}

const ownerOnly = 0o600;
/** Between two looks at the disk: a second or two of a fast camera. */
const bytesBetweenLooks = 32 * 1024 * 1024;

/**
 * Writes an answer's body to a file as it comes; answers its length in bytes.
 * @throws {TerminalError} `hung_up`, `bad_media` (too large), what `checkRoom` throws; the system's errors of writing;
 *   or the signal's reason
 */
export async function receiveBody(
  response: IncomingMessage,
  output: string,
  { signal, onProgress }: Pick<FragmentRequest, 'signal' | 'onProgress'>,
  deps: ReceiveDeps,
): Promise<number> {
  const stated = statedLength(response);
  if (stated !== null && stated > deps.maxBytes) {
    response.destroy();
    throw tooLarge(deps.maxBytes);
  }
  let received = 0;
  let lookAt = bytesBetweenLooks;
  const hungUp = (how: string) =>
    new TerminalError('hung_up', `The camera ${how} after ${sizes(received, stated)}.`);

  const watch = () =>
    deps.clock.after(deps.idleMs, () =>
      response.destroy(hungUp(`sent nothing more for ${Math.round(deps.idleMs / 1000)} s`)),
    );
  let stopTimer = watch();

  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      stopTimer();
      received += chunk.length;
      if (received > deps.maxBytes) {
        done(tooLarge(deps.maxBytes));
        return;
      }
      onProgress(stated === null ? 0 : received / stated, { received, total: stated });
      const pass = () => {
        stopTimer = watch();
        done(null, chunk);
      };
      if (received < lookAt) {
        pass();
        return;
      }
      lookAt = received + bytesBetweenLooks;
      deps.checkQuota().then(pass, done);
    },
  });

  try {
    await pipeline(response, meter, createWriteStream(output, { mode: ownerOnly }), { signal });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    // Node reports a body that ends before its stated length, or before its last chunk, as a reset connection.
    const isReset = error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
    throw isReset ? hungUp('disconnected') : error;
  } finally {
    stopTimer();
  }
  return received;
}

function statedLength(response: IncomingMessage): number | null {
  const text = response.headers['content-length'];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
}

function tooLarge(maxBytes: number): TerminalError {
  return new TerminalError('bad_media', `The camera's answer is larger than ${maxBytes} bytes.`);
}

function sizes(received: number, stated: number | null): string {
  return stated === null ? `${received} bytes` : `${received} of ${stated} bytes`;
}
