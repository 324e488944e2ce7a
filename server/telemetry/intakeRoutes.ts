import { terminalKey } from '../contract/sameKeys.ts';
import {
  intakeRoutes,
  type ListenerName,
  type IntakeState,
  type Transport,
  type DecodedReport,
  type IntakeMessage,
} from '../contract/intake.ts';
import type { Api } from '../http/api.ts';
import type { LastMessage, MessageLog } from './intake/messageLog.ts';
import { isoTime } from './presentPosition.ts';
import type { TerminalReport } from './terminalReport.ts';

/** A listener whose messages can be listed. */
export interface WatchedListener {
  name: ListenerName;
  transports: readonly Transport[];
  messages: MessageLog;
}

export interface IntakeRouteDeps {
  state: () => IntakeState;
  listeners: () => readonly WatchedListener[];
}

export function addIntakeRoutes(api: Api, { state, listeners }: IntakeRouteDeps): void {
  api.handle(intakeRoutes.state, () => state());

  api.handle(intakeRoutes.messages, ({ query }) => {
    const { listener: target, terminal_id, limit } = query;
    const found = listeners()
      .filter(({ name }) => target === undefined || name === target)
      .flatMap((listener) =>
        messagesOf(listener.messages, terminal_id).map((message) => ({ listener, message })),
      );
    // Each listener counts separately.
    found.sort((a, b) => b.message.at_ms - a.message.at_ms || b.message.number - a.message.number);
    return {
      messages: found.slice(0, limit).map(({ listener, message }) => presentMessage(message, listener)),
    };
  });
}

/** Of a terminal also its last one, when others have spoken more often since. */
function messagesOf(messages: MessageLog, terminalId: string | undefined): LastMessage[] {
  if (terminalId === undefined) return messages.latest();
  const key = terminalKey(terminalId);
  const own = messages
    .latest()
    .filter((it) => it.terminal_id !== null && terminalKey(it.terminal_id) === key);
  const last = messages.ofTerminal(terminalId);
  return last === null || own.includes(last) ? own : [...own, last];
}

/** ECMA-262, 21.4.1.1: no date lies further from 1970. */
const farthestMs = 8.64e15;

/** A message of a listener as the API shows it. */
export function presentMessage(
  message: LastMessage,
  listener: { name: ListenerName; transports: readonly Transport[] },
): IntakeMessage {
  const { number, address, terminal_id, length, note, decoded, answer } = message;
  return {
    listener: listener.name,
    sequence: number,
    at: isoTime(message.at_ms),
    transport: listener.transports.includes(message.transport) ? message.transport : 'http',
    address,
    terminal_id,
    hex: hexOf(message.bytes),
    masked: message.isRedacted,
    size_bytes: length,
    summary: note,
    undecodable: message.isUnreadable,
    report_count: decoded,
    reports: message.reports.map(presentReport),
    outcomes: { ...message.outcomes },
    codes: { ...message.codes },
    response_hex: answer === null ? null : hexOf(answer),
  };
}

function presentReport({ time_ms, place, ...rest }: TerminalReport): DecodedReport {
  return {
    ...rest,
    time: time_ms === null || !(Math.abs(time_ms) <= farthestMs) ? null : isoTime(time_ms),
    lat: place?.lat ?? null,
    lon: place?.lon ?? null,
  };
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
