import type { DoorName, IntakeMessage } from '../../server/contract/intake.ts';
import type { Say } from '../i18n/text.ts';
import { hexText } from './hexLines.ts';
import { codeText, outcomeText, reportFacts, saysMore } from './intakeWords.ts';

/** A door and how the message came by it: "Teltonika, TCP". */
export function wayText(message: { door: DoorName; transport: string }, say: Say): string {
  return `${say(`protocol.${message.door}`)}, ${message.transport.toUpperCase()}`;
}

/** How many bytes a message had, and how many of them are shown. */
export function lengthText({ hex, length }: Pick<IntakeMessage, 'hex' | 'length'>, say: Say): string {
  const shown = hex.length / 2;
  return shown < length
    ? say('intake.bytes_first', { shown, count: length })
    : say('intake.bytes', { count: length });
}

/** All that is known of a message, as a text for the support of the terminal's maker; moments are UTC. */
export function messageText(message: IntakeMessage, say: Say): string {
  const head: [string, string][] = [
    [say('intake.came'), message.at],
    [say('intake.by'), wayText(message, say)],
    [say('intake.from'), message.address ?? say('intake.no_address')],
    [say('fact.terminal'), message.terminal_id ?? say('intake.nobody')],
    [say('intake.length'), lengthText(message, say)],
    ...(message.note === null ? [] : [[say('intake.note'), message.note] satisfies [string, string]]),
    [say('intake.became'), outcomeText(message, say)],
    ...(codeText(message) === '' ? [] : [[say('intake.code'), codeText(message)] satisfies [string, string]]),
  ];
  const receivedAt = Date.parse(message.at);
  const utc = (ms: number) => new Date(ms).toISOString();
  const parts = [
    factLines(head),
    block(say('intake.hex'), hexText(message.hex), message.masked ? say('intake.masked') : null),
    ...message.reports
      .filter(saysMore)
      .map((report, index) =>
        block(
          say('intake.report', { number: index + 1, of: message.decoded }),
          factLines(reportFacts(report, receivedAt, say, utc)),
        ),
      ),
    message.answer_hex === null
      ? say('intake.not_answered')
      : block(say('intake.answer'), hexText(message.answer_hex)),
  ];
  return `${parts.join('\n\n')}\n`;
}

function block(title: string, text: string, remark: string | null = null): string {
  return [`${title}:`, ...(remark === null ? [] : [remark]), text].join('\n');
}

function factLines(facts: readonly [string, string][]): string {
  return facts.map(([name, value]) => `${name}: ${value}`).join('\n');
}
