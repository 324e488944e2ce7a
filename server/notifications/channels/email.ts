import { createTransport } from 'nodemailer';
import type { Clock } from '../../clock.ts';
import type { Smtp } from './channelSettings.ts';
import { withDeadline } from './deadline.ts';
import { htmlOf, subjectOf, textOf } from './mailText.ts';
import { away, type Message, type Send, type SendResult } from './sender.ts';

export interface EmailDeps {
  /** The mail server as it is set up now; null for none. */
  smtp: () => Smtp | null;
  clock: Pick<Clock, 'after'>;
}

/** Mail servers delay unknown clients on purpose before they greet. */
const maxTalkMs = 60_000;
const connectMs = 20_000;

/** Sends a mail to one address by the depot's mail server. */
export function createEmail({ smtp, clock }: EmailDeps): Send {
  return async (message, signal) => {
    const server = smtp();
    if (server === null) return away('No mail server is set up.');
    return withDeadline(
      clock,
      maxTalkMs,
      signal,
      (both) => send(message, server, both),
      () => away(`The mail server did not take it within ${maxTalkMs / 1_000} s.`),
    );
  };
}

async function send(message: Message, server: Smtp, signal: AbortSignal): Promise<SendResult> {
  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.security === 'tls',
    requireTLS: server.security === 'starttls',
    ignoreTLS: server.security === 'none',
    ...(server.username === null
      ? {}
      : { auth: { user: server.username, pass: server.password ?? '' }, forceAuth: true }),
    connectionTimeout: connectMs,
    socketTimeout: maxTalkMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({ ...mailOf(message, server), signal });
    return { outcome: 'sent', detail: 'The mail server took it.' };
  } catch (error) {
    signal.throwIfAborted();
    return resultOf(error);
  } finally {
    transport.close();
  }
}

/** Addresses and names are given apart, so that nothing in them is read as a second one. */
function mailOf(message: Message, { from }: Smtp) {
  const host = from.slice(from.lastIndexOf('@') + 1);
  return {
    from: { name: message.depot.replaceAll(/\p{Cc}+/gu, ' '), address: from },
    to: { name: '', address: message.target },
    subject: subjectOf(message),
    text: textOf(message),
    html: htmlOf(message),
    // The same at each try, by which mail programs know a repeat.
    messageId: `<${message.delivery_id}@${host}>`,
    // RFC 3834, section 5: nobody's holiday note is to answer.
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...(message.notification?.severity === 'alarm' ? { priority: 'high' as const } : {}),
  };
}

/** What nodemailer adds to its errors. */
interface MailFault {
  code: string;
  command: string;
  response: string;
  permanent: boolean;
}

function faultOf(error: object): MailFault {
  const text = (key: string) => {
    const value: unknown = Reflect.get(error, key);
    return typeof value === 'string' ? value : '';
  };
  return {
    code: text('code'),
    command: text('command'),
    response: text('response'),
    permanent: Reflect.get(error, 'permanent') === true,
  };
}

function resultOf(error: unknown): SendResult {
  if (!(error instanceof Error)) return away(String(error));
  const { code, command, response, permanent } = faultOf(error);
  const said = response === '' ? error.message : response;
  // What the server says of this address or this mail; anything else a dealer may put right meanwhile.
  const isOfTheMail = command === 'RCPT TO' || command === 'DATA';
  if (isOfTheMail && permanent) return { outcome: 'refused', detail: `The mail server rejected it: ${said}` };
  if (isOfTheMail && response !== '') {
    return {
      outcome: 'later',
      detail: `The mail server deferred it: ${said}`,
      retryAfterS: null,
      isUnreachable: false,
    };
  }
  if (code === 'EAUTH') return away(`The mail server does not accept the user name or password: ${said}`);
  return away(`${certificateError.test(error.message) ? untrusted : unreachable}: ${error.message}`);
}

const untrusted = 'The certificate of the mail server is not trusted';
const unreachable = 'The mail server cannot be reached';
/** OpenSSL's words for chains and names that do not hold, as Node hands them on. */
const certificateError = /certificate|altnames|unable to (get|verify)/i;
