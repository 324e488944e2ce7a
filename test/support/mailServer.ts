import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { CERT, KEY } from '../server/http/frontServerCertificate.ts';

export interface Mail {
  from: string;
  to: string[];
  secure: boolean;
  user: string | undefined;
  /** Headers and body as they came. */
  raw: string;
}

/** A mail server on a port of its own that keeps what it takes, until it is closed. */
export async function startMailServer(options: SMTPServerOptions = {}) {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    key: KEY,
    cert: CERT,
    authOptional: true,
    onAuth: ({ username, password }, _session, done) => {
      if (username === 'fleet' && password === 'right') done(null, { user: username });
      else done(new Error('Invalid username or password'));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map((it) => it.address),
          secure: session.secure,
          user: session.user,
          raw: Buffer.concat(chunks).toString('utf8'),
        });
        done();
      });
    },
    ...options,
  });
  // A client that refuses the certificate hangs up.
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  if (!listening.listening) await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  let closed = false;
  async function close(): Promise<void> {
    if (closed) return;
    closed = true;
    await new Promise<void>((resolve) => {
      server.close(resolve);
    });
  }
  return { port, mails, close };
}
