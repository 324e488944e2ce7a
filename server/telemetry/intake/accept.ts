import type { RejectionCode } from '../../contract/positions.ts';
import type { Origin, TerminalReport } from '../terminalReport.ts';

/** What became of one report, once it is known for good. */
export type Outcome =
  | { status: 'stored' | 'duplicate' | 'merged' }
  /** For good, and recorded: the terminal is answered, or it would send it for ever. */
  | { status: 'rejected'; code: RejectionCode; detail: string }
  /** No vehicle has this terminal; not acknowledged. */
  | { status: 'unknown' }
  /** The store could not take it; not acknowledged. */
  | { status: 'failed'; code: 'disk_full' | 'unavailable'; detail: string };

/** Why a report was rejected, or could not be stored. */
export type OutcomeCode = Extract<Outcome, { code: string }>['code'];

/** Takes reports in; resolves after the commit that holds them, with an outcome for each in their order. */
export type Accept = (reports: readonly TerminalReport[], origin: Origin) => Promise<Outcome[]>;
