import { lookup as resolve } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Clock } from '../../clock.ts';
import type { IsOwnAddress } from '../ownAddress.ts';
import { portOf } from './cameraUrl.ts';
import { TerminalError } from './terminal.ts';

export interface CameraRequestParts {
  isOwnAddress: IsOwnAddress;
  clock: Pick<Clock, 'after'>;
  /** How long a camera may take to accept the connection, and then to begin its answer. */
  connectMs: number;
  answerMs: number;
}

export interface CameraRequest {
  method: 'GET' | 'HEAD';
  url: URL;
  headers: Record<string, string>;
  signal: AbortSignal;
}

/**
 * One request on a connection of its own; resolves with the answer's head. Addresses of this host are refused as they
 * are resolved, so that a name which changes its mind after the profile was made gains nothing.
 * @throws {TerminalError} `offline`, `refused` (an own address, a certificate); or the signal's reason
 */
export function requestCamera(
  { method, url, headers, signal }: CameraRequest,
  parts: CameraRequestParts,
): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = portOf(url);
  const isOwn = (address: string) => parts.isOwnAddress(address, port);

  return new Promise((accept, reject) => {
    signal.throwIfAborted();
    if (isOwn(host)) throw ownAddress(host, port);
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send(url, { method, headers, agent: false, lookup: guardedLookup(isOwn, port), signal });
    let stopTimer = parts.clock.after(parts.connectMs, () =>
      request.destroy(new TerminalError('offline', `The camera at ${url.host} does not answer.`)),
    );
    request.once('finish', () => {
      stopTimer();
      stopTimer = parts.clock.after(parts.answerMs, () =>
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

/** Resolves a name, and refuses it when any of its addresses is this host's. IP addresses do not come this way. */
function guardedLookup(isOwn: (address: string) => boolean, port: number): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const own = error === null && addresses.some((it) => isOwn(it.address));
      const [first] = error === null ? addresses : [];
      if (error !== null) done(error, '', 0);
      else if (own) done(ownAddress(hostname, port), '', 0);
      else if (options.all === true) done(null, addresses);
      else if (first === undefined) done(new Error(`${hostname} has no address`), '', 0);
      else done(null, first.address, first.family);
    });
  };
}

function ownAddress(host: string, port: number): TerminalError {
  return new TerminalError(
    'refused',
    `${isIP(host) === 6 ? `[${host}]` : host}:${port} is this host itself, not a camera.`,
  );
}

/** https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const certificateError =
  /^(CERT_|UNABLE_TO_|SELF_SIGNED_CERT|DEPTH_ZERO_|ERR_TLS_CERT_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|PATH_LENGTH_)/;

function asTerminalError(error: Error, url: URL): TerminalError {
  if (error instanceof TerminalError) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (certificateError.test(code)) {
    return new TerminalError('refused', `The certificate of ${url.host} is not trusted: ${error.message}.`, {
      cause: error,
    });
  }
  return new TerminalError(
    'offline',
    `The camera at ${url.host} cannot be reached: ${reasons[code] ?? error.message}.`,
    {
      cause: error,
    },
  );
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'it refuses the connection',
  ECONNRESET: 'it closed the connection without an answer',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ETIMEDOUT: 'it does not answer',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
};
