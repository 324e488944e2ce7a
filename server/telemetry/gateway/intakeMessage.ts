import { keptReport, keptText } from '../keptReport.ts';
import type { Origin } from '../report.ts';
import type { Accept } from './accept.ts';
import type { Answer, Message } from './intakeProtocol.ts';
import { firstBytes, keptReports, type LastMessage } from './lastMessages.ts';
import type { TurnedAway } from './turnedAway.ts';
import type { WorkRoom } from './workRoom.ts';

/** A message that waits for the store takes up its bytes, whatever it holds. */
const bytesOfReport = 1_024;

/** A message for a conversation, which keeps the record of what is made of it. */
export function createIntakeMessage(parts: {
  bytes: Buffer;
  origin: Origin;
  accept: Accept;
  work: WorkRoom;
  turnedAway: TurnedAway;
  entry: LastMessage;
  /** Told who sent it, as far as its reports say. */
  onSender: (terminalId: string) => void;
  onIgnored?: () => void;
}): { message: Message; answered: (answer: Answer) => void } {
  const { entry } = parts;
  const noteAnswer = (bytes: Uint8Array) => {
    entry.answer = firstBytes(entry.answer === null ? bytes : Buffer.concat([entry.answer, bytes]));
  };
  return {
    message: {
      bytes: parts.bytes,
      async accept(reports) {
        const [first] = reports;
        if (first === undefined) return [];
        if (entry.terminal_id === null) parts.onSender(first.terminal_id);
        const room = keptReports - entry.reports.length;
        entry.reports = [...entry.reports, ...reports.slice(0, room).map(keptReport)];
        entry.decoded += reports.length;
        const leave = parts.work.add(
          Math.max(reports.length, Math.floor(parts.bytes.length / bytesOfReport)),
        );
        try {
          const outcomes = await parts.accept(reports, parts.origin);
          for (const { status } of outcomes) entry.outcomes[status] = (entry.outcomes[status] ?? 0) + 1;
          return outcomes;
        } finally {
          leave();
        }
      },
      note: (words) => void (entry.note = keptText(words)),
      ignore(words) {
        entry.note = keptText(words);
        parts.onIgnored?.();
      },
      unreadable(words) {
        const detail = keptText(words);
        entry.note = detail;
        const { address } = parts.origin;
        parts.turnedAway.add('unreadable', { address, first: parts.bytes, detail });
      },
      answered: noteAnswer,
    },
    answered(answer) {
      if (answer !== null) noteAnswer(answer);
    },
  };
}
