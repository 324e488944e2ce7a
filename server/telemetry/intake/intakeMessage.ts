import { boundedReport, truncateText } from '../boundedReport.ts';
import type { Origin, Accept, Outcome } from '../terminalReport.ts';
import type { Answer, Message } from './protocolHandler.ts';
import { firstBytes, keptReports, type LastMessage } from './messageLog.ts';
import type { Rejections } from './rejections.ts';
import type { Backlog } from './listenerContext.ts';

/** A message that waits for the store takes up its bytes, whatever it holds. */
const bytesOfReport = 1_024;

/** A message for a conversation, which keeps the record of what is made of it. */
export function createIntakeMessage(deps: {
  bytes: Buffer;
  origin: Origin;
  accept: Accept;
  work: Backlog;
  rejections: Rejections;
  entry: LastMessage;
  /** Called with the sender, as far as the message names it. */
  onSender: (terminalId: string) => void;
  onIgnored?: () => void;
}): { message: Message; answered: (answer: Answer) => void } {
  const { entry } = deps;
  const noteAnswer = (bytes: Uint8Array) => {
    entry.answer = firstBytes(entry.answer === null ? bytes : Buffer.concat([entry.answer, bytes]));
  };
  const from = (terminalId: string) => {
    if (entry.terminal_id === null) deps.onSender(terminalId);
  };
  return {
    message: {
      bytes: deps.bytes,
      // Not async: one that waits for the store would keep the reports.
      accept(reports) {
        const [first] = reports;
        if (first === undefined) return Promise.resolve([]);
        from(first.terminal_id);
        const room = keptReports - entry.reports.length;
        entry.reports = [...entry.reports, ...reports.slice(0, room).map(boundedReport)];
        entry.decoded += reports.length;
        const leave = deps.work.add(Math.max(reports.length, Math.floor(deps.bytes.length / bytesOfReport)));
        try {
          return noted(deps.accept(reports, deps.origin), entry).finally(leave);
        } catch (error) {
          leave();
          throw error;
        }
      },
      from,
      note: (words) => void (entry.note = truncateText(words)),
      ignore(words) {
        noteUnreadable(entry, words);
        deps.onIgnored?.();
      },
      undecodable(words) {
        const detail = noteUnreadable(entry, words);
        const { address } = deps.origin;
        deps.rejections.add('undecodable', { address, first: deps.bytes, detail });
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
  entry.note = truncateText(words);
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
