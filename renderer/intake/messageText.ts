import type { ListenerName, IntakeMessage } from '../../server/contract/intake.ts';
import type { Translate } from '../i18n/text.ts';
import { formatCodes, formatOutcome, reportFacts, saysMore } from './intakeLabels.ts';

/** A protocol and its transport: "Teltonika, TCP". */
export function formatTransport(
  message: { listener: ListenerName; transport: string },
  t: Translate,
): string {
  return `${t(`protocol.${message.listener}`)}, ${message.transport.toUpperCase()}`;
}

/** How many bytes a message had, and how many of them are shown. */
export function formatLength(
  { hex, size_bytes: length }: Pick<IntakeMessage, 'hex' | 'size_bytes'>,
  t: Translate,
): string {
  const shown = hex.length / 2;
  return shown < length
    ? t('intake.bytes_first', { shown, count: length })
    : t('intake.bytes', { count: length });
}

/** All that is known of a message, as a text for the support of the terminal's maker; moments are UTC. */
export function formatMessage(message: IntakeMessage, t: Translate): string {
  const head: [string, string][] = [
    [t('intake.came'), message.at],
    [t('intake.by'), formatTransport(message, t)],
    [t('intake.from'), message.address ?? t('intake.no_address')],
    [t('fact.terminal'), message.terminal_id ?? t('intake.nobody')],
    [t('intake.length'), formatLength(message, t)],
    ...(message.summary === null ? [] : [[t('intake.note'), message.summary] satisfies [string, string]]),
    [t('intake.became'), formatOutcome(message, t)],
    ...(formatCodes(message) === ''
      ? []
      : [[t('intake.code'), formatCodes(message)] satisfies [string, string]]),
  ];
  const receivedAt = Date.parse(message.at);
  const utc = (ms: number) => new Date(ms).toISOString();
  const parts = [
    factLines(head),
    block(t('intake.hex'), formatHex(message.hex), message.masked ? t('intake.masked') : null),
    ...message.reports
      .filter(saysMore)
      .map((report, index) =>
        block(
          t('intake.report', { number: index + 1, of: message.report_count }),
          factLines(reportFacts(report, receivedAt, t, utc)),
        ),
      ),
    message.response_hex === null
      ? t('intake.not_answered')
      : block(t('intake.answer'), formatHex(message.response_hex)),
  ];
  return `${parts.join('\n\n')}\n`;
}

function block(title: string, text: string, remark: string | null = null): string {
  return [`${title}:`, ...(remark === null ? [] : [remark]), text].join('\n');
}

function factLines(facts: readonly [string, string][]): string {
  return facts.map(([name, value]) => `${name}: ${value}`).join('\n');
}

/** A line of a hex dump: where it begins, its bytes in two groups, and what of them is text. */
export interface HexLine {
  offset: string;
  hex: string;
  text: string;
}

const lineBytes = 8;
const groupBytes = 4;

/**
 * Bytes as people compare them with a maker's description: eight to a line, with their place and their text.
 *
 * @param hex two digits a byte, with nothing between them
 */
export function hexLines(hex: string): HexLine[] {
  const bytes = hex.match(/../g) ?? [];
  const lines: HexLine[] = [];
  for (let at = 0; at < bytes.length; at += lineBytes) {
    const line = bytes.slice(at, at + lineBytes);
    lines.push({
      offset: at.toString(16).padStart(4, '0'),
      hex: groupsOf(line).join('  '),
      text: line.map(printed).join(''),
    });
  }
  return lines;
}

/** The dump as one text, its columns in line. */
export function formatHex(hex: string): string {
  const width = lineBytes * 3;
  return hexLines(hex)
    .map((line) => `${line.offset}  ${line.hex.padEnd(width)}  ${line.text}`)
    .join('\n');
}

function groupsOf(bytes: readonly string[]): string[] {
  const groups: string[] = [];
  for (let at = 0; at < bytes.length; at += groupBytes)
    groups.push(bytes.slice(at, at + groupBytes).join(' '));
  return groups;
}

/** A byte as the letter that it is in ASCII; a point for all that cannot be printed. */
function printed(byte: string): string {
  const code = Number.parseInt(byte, 16);
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : '.';
}
