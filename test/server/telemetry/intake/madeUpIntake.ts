import type { Accept, Outcome, TerminalReport } from '../../../../server/telemetry/terminalReport.ts';

/** What becomes of what a terminal with a vehicle hands in. */
export type Answer = Outcome | ((report: TerminalReport) => Promise<Outcome> | Outcome);

/** What a listener calls, and what it received. */
export interface SeenIntake {
  /** The numbers that vehicles have. */
  known: Set<string>;
  /** What was handed in, in order. */
  taken: TerminalReport[];
  /** Whose signs of life were noted. */
  heard: string[];
}

/** What takes reports in, made up: it knows one terminal. */
export function createFakeListenerContext(
  terminalId: string,
  answer: Answer = { status: 'stored' },
): { seen: SeenIntake; accept: Accept; isKnown(id: string): boolean; heard(id: string): Promise<void> } {
  const seen: SeenIntake = { known: new Set([terminalId]), taken: [], heard: [] };
  return {
    seen,
    accept(reports) {
      seen.taken.push(...reports);
      return Promise.all(
        reports.map(async (report): Promise<Outcome> => {
          if (!seen.known.has(report.terminal_id)) return { status: 'unknown' };
          return typeof answer === 'function' ? answer(report) : answer;
        }),
      );
    },
    isKnown: (id) => seen.known.has(id),
    heard(id) {
      seen.heard.push(id);
      return Promise.resolve();
    },
  };
}
