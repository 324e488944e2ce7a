import { keptReport, keptText } from '../keptReport.ts';
import type { Origin } from '../report.ts';
import type { Accept, Outcome } from './accept.ts';
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
  /** Told who sent it, as far as it says. */
  onSender: (terminalId: string) => void;
  onIgnored?: () => void;
}): { message: Message; answered: (answer: Answer) => void } {
  const { entry } = parts;
  const noteAnswer = (bytes: Uint8Array) => {
    entry.answer = firstBytes(entry.answer === null ? bytes : Buffer.concat([entry.answer, bytes]));
  };
  const from = (terminalId: string) => {
    if (entry.terminal_id === null) parts.onSender(terminalId);
  };
  return {
    message: {
      bytes: parts.bytes,
      // Not async: one that waits for the store would keep the reports.
      accept(reports) {
        const [first] = reports;
        if (first === undefined) return Promise.resolve([]);
        from(first.terminal_id);
        const room = keptReports - entry.reports.length;
        entry.reports = [...entry.reports, ...reports.slice(0, room).map(keptReport)];
        entry.decoded += reports.length;
        const leave = parts.work.add(
          Math.max(reports.length, Math.floor(parts.bytes.length / bytesOfReport)),
        );
        try {
          return noted(parts.accept(reports, parts.origin), entry).finally(leave);
        } catch (error) {
          leave();
          throw error;
        }
      },
      from,
      note: (words) => void (entry.note = keptText(words)),
      ignore(words) {
        noteUnreadable(entry, words);
        parts.onIgnored?.();
      },
      unreadable(words) {
        const detail = noteUnreadable(entry, words);
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

/**
 * Notes of a message that it cannot be read.
 *
 * @returns why, as far as that is kept
 */
export function noteUnreadable(entry: LastMessage, words: string): string {
  entry.isUnreadable = true;
  entry.note = keptText(words);
  return entry.note;
}

async function noted(accepted: Promise<Outcome[]>, entry: LastMessage): Promise<Outcome[]> {
  const outcomes = await accepted;
  for (const outcome of outcomes) noteOutcome(entry, outcome);
  return outcomes;
}

function noteOutcome({ outcomes, codes }: LastMessage, outcome: Outcome): void {
  outcomes[outcome.status] = (outcomes[outcome.status] ?? 0) + 1;
  if ('code' in outcome) codes[outcome.code] = (codes[outcome.code] ?? 0) + 1;
}
