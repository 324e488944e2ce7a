import { Agent } from 'node:http';
import { connect as connectPlain, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { Clock } from '../clock.ts';
import type { Cause } from '../contract/causes.ts';
import { causeOf, detailOf } from '../contract/causeTexts.ts';
import { certificateError, connectionErrors, portOf } from '../http/outgoingCall.ts';
import { hostnameOf, isOnThisMachine, serverNameOf, type RemoteHost } from './remoteHost.ts';

/** From the resolution of the name to the end of the handshake. */
const connectWithin_ms = 10_000;

/** No answer of a host of ours: why, as the rest of a sentence about the host (`it refuses the connection`). */
export class Unreachable extends Error {
  override name = 'Unreachable';
  readonly causes: Cause[];

  constructor(cause: Cause, options?: ErrorOptions) {
    super(detailOf([cause]), options);
    this.causes = [cause];
  }
}

/** It has a certificate that no authority vouches for, and none was confirmed by hand; nothing was sent. */
export class CertificateUntrusted extends Error {
  override name = 'CertificateUntrusted';
  readonly fingerprint: string;

  constructor(fingerprint: string, reason: string) {
    super(`its certificate ${fingerprint} is not trusted: ${reason}`);
    this.fingerprint = fingerprint;
  }
}

/** It shows another certificate than the one that was confirmed; nothing was sent. */
export class CertificateChanged extends Error {
  override name = 'CertificateChanged';
  readonly expected: string;
  readonly found: string;

  constructor(expected: string, found: string) {
    super(`its certificate has changed: it was ${expected} and is now ${found}`);
    this.expected = expected;
    this.found = found;
  }
}

/** It would be called without TLS beyond this machine, which nobody has confirmed. */
export class Insecure extends Error {
  override name = 'Insecure';

  constructor() {
    super('it would be called without encryption, which was not confirmed');
  }
}

type ConnectClock = Pick<Clock, 'after'>;

/**
 * A connection whose other end was checked, before a byte of a request could be sent by it.
 *
 * @throws {Unreachable | CertificateUntrusted | CertificateChanged | Insecure}
 */
function connectChecked(host: RemoteHost, clock: ConnectClock): Promise<Socket> {
  const { url } = host;
  const isTls = url.protocol === 'https:';
  if (!isTls && !host.insecure && !isOnThisMachine(url)) return Promise.reject(new Insecure());
  const at = { host: hostnameOf(url), port: portOf(url), noDelay: true };
  const servername = serverNameOf(url);
  return new Promise((resolve, reject) => {
    const socket = isTls
      ? connectTls({
          ...at,
          ...(servername !== undefined && { servername }),
          ALPNProtocols: ['http/1.1'],
          // Judged below: a certificate that was confirmed by hand needs no authority.
          rejectUnauthorized: false,
        })
      : connectPlain(at);
    const stopTimer = clock.after(connectWithin_ms, () =>
      refuse(new Unreachable(causeOf('outgoing.too_late', { seconds: connectWithin_ms / 1_000 }))),
    );
    const onError = (error: Error) => refuse(asUnreachable(error));
    const onClose = () => refuse(new Unreachable(causeOf('outgoing.closed')));
    function refuse(error: Error): void {
      stopTimer();
      // A late error of a socket that nobody waits for.
      socket.on('error', () => undefined);
      socket.destroy();
      reject(error);
    }
    socket.once('error', onError);
    socket.once('close', onClose);
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      const fault = 'getPeerCertificate' in socket ? certificateFault(host, socket) : null;
      if (fault !== null) {
        refuse(fault);
        return;
      }
      stopTimer();
      socket.off('error', onError);
      socket.off('close', onClose);
      resolve(socket);
    });
  });
}

function certificateFault(
  { fingerprint }: RemoteHost,
  socket: ReturnType<typeof connectTls>,
): CertificateUntrusted | CertificateChanged | null {
  // Empty where the other side has shown none.
  const found = (socket.getPeerCertificate() as { fingerprint256?: string }).fingerprint256 ?? 'none';
  if (fingerprint !== null) return found === fingerprint ? null : new CertificateChanged(fingerprint, found);
  if (socket.authorized) return null;
  // Declared as an error; it is the code of one.
  return new CertificateUntrusted(found, String(socket.authorizationError));
}

function asUnreachable(error: Error): Unreachable {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = certificateError.test(code) ? causeOf('outgoing.certificate') : connectionErrors[code];
  const isNoTls = /^(ERR_SSL_|EPROTO)/.test(code);
  return new Unreachable(
    isNoTls
      ? causeOf('outgoing.no_tls')
      : (known ?? causeOf('outgoing.unreachable', { reason: error.message })),
    { cause: error },
  );
}

/**
 * Keeps connections to one host. It speaks HTTP over what `connectChecked` gives, TLS or not: requests are made by
 * `node:http`, so that none is written before the check.
 */
export class CheckedAgent extends Agent {
  readonly #host: RemoteHost;
  readonly #clock: ConnectClock;

  constructor(host: RemoteHost, clock: ConnectClock, options: { keepAlive: boolean; maxSockets: number }) {
    super({ ...options, maxFreeSockets: 8, timeout: 60_000 });
    this.#host = host;
    this.#clock = clock;
  }

  override createConnection(
    _options: unknown,
    callback?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    connectChecked(this.#host, this.#clock).then(
      (socket) => callback?.(null, socket),
      // Declared as if there were always a socket.
      (error: unknown) => (callback as ((error: unknown) => void) | undefined)?.(error),
    );
  }
}
