import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Clock } from '../../clock.ts';
import { causeOf, said } from '../../contract/causeTexts.ts';
import { formatDecimal } from '../../contract/coordinates.ts';
import { createServerWords, type ServerWords } from '../../contract/texts/serverWords.ts';
import type { Smtp } from './channelSettings.ts';
import { withDeadline, away, type Message, type Send, type SendResult } from './sender.ts';

export interface EmailDeps {
  /** The mail server as it is set up now; null for none. */
  smtp: () => Smtp | null;
  clock: Pick<Clock, 'after'>;
}

/** Mail servers delay unknown clients on purpose before they greet. */
const maxTalkMs = 60_000;
const connectMs = 20_000;
/** Of a file of some megabytes, by a slow line. */
const maxFileTalkMs = 300_000;

/** Sends a mail to one address by the depot's mail server. */
export function createEmail({ smtp, clock }: EmailDeps): Send {
  return async (message, signal) => {
    const server = smtp();
    if (server === null) return away(causeOf('mail.none'));
    return withDeadline(
      clock,
      maxTalkMs,
      signal,
      (both) => send(mailOf(message, server), server, both),
      () => away(causeOf('mail.too_late', { seconds: maxTalkMs / 1_000 })),
    );
  };
}

/** A file for one address. */
export interface ReportMail {
  to: string;
  /** The name of the depot. */
  depot: string;
  subject: string;
  text: string;
  /** The same at each try. */
  message_id: string;
  file: { name: string; contentType: string; content: Buffer };
}

/** Never rejects but with the signal's reason. */
export type SendReportMail = (mail: ReportMail, signal: AbortSignal) => Promise<SendResult>;

/** Sends reports by the depot's mail server. */
export function createReportMail({ smtp, clock }: EmailDeps): SendReportMail {
  return async ({ to, depot, subject, text, message_id, file }, signal) => {
    const server = smtp();
    if (server === null) return away(causeOf('mail.none'));
    const mail = {
      ...envelopeOf({ to, depot, message_id }, server),
      subject: inOneLine(subject).slice(0, maxSubject),
      text,
      attachments: [{ filename: file.name, contentType: file.contentType, content: file.content }],
    };
    return withDeadline(
      clock,
      maxFileTalkMs,
      signal,
      (both) => send(mail, server, both),
      () => away(causeOf('mail.too_late', { seconds: maxFileTalkMs / 1_000 })),
    );
  };
}

async function send(mail: SendMailOptions, server: Smtp, signal: AbortSignal): Promise<SendResult> {
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
    await transport.sendMail({ ...mail, signal });
    return { outcome: 'sent', ...said(causeOf('mail.taken')) };
  } catch (error) {
    signal.throwIfAborted();
    return resultOf(error);
  } finally {
    transport.close();
  }
}

/** Addresses and names are given apart, so that nothing in them is read as a second one. */
function envelopeOf(
  { to, depot, message_id }: Pick<ReportMail, 'to' | 'depot' | 'message_id'>,
  { from }: Smtp,
) {
  return {
    from: { name: depot.replaceAll(/\p{Cc}+/gu, ' '), address: from },
    to: { name: '', address: to },
    // The same at each try, by which mail programs know a repeat.
    messageId: `<${message_id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    // RFC 3834, section 5: nobody's holiday note is to answer.
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

function mailOf(message: Message, server: Smtp): SendMailOptions {
  const { target: to, depot, delivery_id: message_id } = message;
  return {
    ...envelopeOf({ to, depot, message_id }, server),
    subject: subjectOf(message),
    text: textOf(message),
    html: htmlOf(message),
    ...(message.notification?.severity === 'alarm' ? { priority: 'high' as const } : {}),
  };
}

/** What nodemailer adds to its errors. */
interface MailError {
  code: string;
  command: string;
  response: string;
  permanent: boolean;
}

function mailErrorOf(error: object): MailError {
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
  if (!(error instanceof Error)) return away(causeOf('verbatim', { detail: String(error) }));
  const { code, command, response, permanent } = mailErrorOf(error);
  const reply = response === '' ? error.message : response;
  // What the server says of this address or this mail; anything else a dealer may put right meanwhile.
  const isOfTheMail = command === 'RCPT TO' || command === 'DATA';
  if (isOfTheMail && permanent) return { outcome: 'refused', ...said(causeOf('mail.rejected', { reply })) };
  if (isOfTheMail && response !== '') {
    return {
      outcome: 'later',
      ...said(causeOf('mail.deferred', { reply })),
      retryAfterS: null,
      isUnreachable: false,
    };
  }
  if (code === 'EAUTH') return away(causeOf('mail.credentials', { reply }));
  const fault = certificateError.test(error.message) ? 'mail.certificate' : 'mail.unreachable';
  return away(causeOf(fault, { reason: error.message }));
}

/** OpenSSL's words for chains and names that do not hold, as Node hands them on. */
const certificateError = /certificate|altnames|unable to (get|verify)/i;

const maxSubject = 200;

const inOneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ');

/** `[alarm] V 17: Overspeed, 94 km/h, limit 60`, in one line whatever the names hold. */
export function subjectOf({ type, text, notification, more, wording = {} }: Message): string {
  const { say } = createServerWords(wording);
  const mark =
    type === 'test'
      ? say('mail.test_mark')
      : notification === null
        ? ''
        : say(`mail.severity.${notification.severity}`);
  const ended = (subject: string): string => {
    const late = notification?.late === true ? say('mail.subject_late', { subject }) : subject;
    return more === undefined ? late : say('mail.and_more', { subject: late, count: more.count });
  };
  const line = inOneLine(`[${mark}] ${text}`);
  return ended(line.slice(0, maxSubject - ended('').length));
}

export function textOf(message: Message): string {
  const lines = linesOf(message).map(([name, value]) => `${name}: ${value}`);
  const more = moreOf(message);
  return [
    message.text,
    '',
    ...lines,
    ...(more === null ? [] : ['', more.title, ...more.lines.map((it) => `- ${it}`)]),
    '',
    closing(message),
    '',
  ].join('\n');
}

/** No pictures, styles or links from elsewhere: nothing is fetched, so nobody can track that it was read. */
export function htmlOf(message: Message): string {
  const rows = linesOf(message).map(
    ([name, value]) =>
      `<tr><td style="padding:2px 12px 2px 0;color:#666">${escaped(name)}</td><td>${escaped(value)}</td></tr>`,
  );
  const more = moreOf(message);
  return [
    '<!doctype html><html><body style="font-family:sans-serif;font-size:14px">',
    `<p style="font-size:16px"><strong>${escaped(message.text)}</strong></p>`,
    `<table style="border-collapse:collapse">${rows.join('')}</table>`,
    ...(more === null
      ? []
      : [
          `<p>${escaped(more.title)}</p>`,
          `<ul>${more.lines.map((it) => `<li>${escaped(it)}</li>`).join('')}</ul>`,
        ]),
    `<p style="color:#666">${escaped(closing(message))}</p>`,
    '</body></html>',
  ].join('\n');
}

function linesOf(message: Message): [string, string][] {
  const { notification, escalation, place, vehicle, driver, rule, timezone, wording = {} } = message;
  const words = createServerWords(wording);
  const { say } = words;
  const lines: [string, string][] = [];
  if (vehicle !== null) {
    lines.push([
      say('mail.vehicle'),
      vehicle.plate === null ? vehicle.name : `${vehicle.name}, ${vehicle.plate}`,
    ]);
  }
  if (driver !== null) {
    const name =
      driver.name ?? (driver.card === null ? null : say('mail.unknown_card', { card: driver.card }));
    lines.push([say('mail.driver'), [name, driver.phone].filter((it) => it !== null).join(', ')]);
  }
  if (notification !== null) {
    const { first_time, last_time, count, lat, lon, late, severity } = notification;
    lines.push([say('mail.time'), formatTime(first_time, timezone, words)]);
    if (count > 1)
      lines.push([
        say('mail.occurrences'),
        say('mail.occurrences_value', { count, time: formatTime(last_time, timezone, words) }),
      ]);
    if (late) lines.push([say('mail.late'), say('mail.late_why')]);
    if (lat !== null && lon !== null) {
      const coordinates = formatDecimal({ lat, lon });
      lines.push([say('mail.location'), place === null ? coordinates : `${place.text} (${coordinates})`]);
    }
    lines.push([say('mail.severity'), say(`mail.severity.${severity}`)]);
  }
  if (escalation !== null) lines.push([say('mail.escalation'), stepWords(escalation, say)]);
  lines.push([say('mail.rule'), rule.name]);
  return lines;
}

/** `step 3 of 4; missed while the server was not running: 1, 2` */
function stepWords(
  { step, steps, missed }: NonNullable<Message['escalation']>,
  say: ServerWords['say'],
): string {
  return missed.length === 0
    ? say('mail.step', { step, total: steps })
    : say('mail.step_missed', { step, total: steps, missed: missed.join(', ') });
}

/** What else happened since the last mail, which went out a short while ago. */
function moreOf({ more, timezone, wording = {} }: Message): { title: string; lines: string[] } | null {
  if (more === undefined) return null;
  const { count, listed } = more;
  const words = createServerWords(wording);
  const { say } = words;
  const rest = count - listed.length;
  return {
    title: say('mail.more', { count }),
    lines: [
      ...listed.map(
        ({ time, text, place, rule }) =>
          `${formatTime(time, timezone, words)}: ${text}${place === null ? '' : `, ${place}`} (${rule})`,
      ),
      ...(rest === 0 ? [] : [say('mail.more_listed', { count: rest })]),
    ],
  };
}

function closing({ type, depot, wording = {} }: Message): string {
  const { say } = createServerWords(wording);
  return say(type === 'test' ? 'mail.test_sent' : 'mail.sent', { depot });
}

/** In the time that the depot lives by: `21 Nov 2026, 06:43:00 (Europe/Berlin)`. */
function formatTime(
  time: string,
  timezone: string,
  { locale, hourCycle }: Pick<ServerWords, 'locale' | 'hourCycle'>,
): string {
  const format = new Intl.DateTimeFormat(locale, {
    timeZone: timezone,
    dateStyle: 'medium',
    timeStyle: 'medium',
    hourCycle,
  });
  return `${format.format(Date.parse(time))} (${timezone})`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
