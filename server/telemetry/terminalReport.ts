import type { PositionRow } from '../store/telemetry/rows.ts';
import type { RejectionCode } from '../contract/positions.ts';

// What is kept of what terminals say beyond the named fields: what the contract allows an attribute, and how many.

export const maxKey = 64;
export const maxText = 2_000;
/** Of one message; terminals with a vehicle's bus behind them name some dozens. What is beyond is left out. */
export const maxAttributes = 128;

/** What a terminal may measure beside time and place. Units: km/h, metres, degrees (course clockwise from north). */
export type Measured = Omit<PositionRow, 'vehicle_id' | 'time_ms' | 'received_ms' | 'lat' | 'lon'>;

/** One message of a terminal, decoded: what every protocol's decoder gives. */
export interface TerminalReport extends Measured {
  terminal_id: string;
  /** By the terminal's own clock, Unix milliseconds; null: it said no time, the time of receipt holds. */
  time_ms: number | null;
  /** WGS 84. Null: a message without a position. */
  place: { lat: number; lon: number } | null;
  /** Why nothing can be read of it, though it came as it was sent: it is rejected for good, and recorded. */
  undecodable?: string;
  /** True: `time_ms` is not by the terminal's clock, it is right whatever that is set to. */
  isTimeRight?: boolean;
  /** True: it says no more than that the terminal is there. */
  isSignOfLife?: boolean;
}

/** Where a report came from; for the log, unknown terminals and rejected positions. */
export interface Origin {
  protocol: string;
  address: string | null;
}

export const nothingMeasured: Measured = {
  altitude_m: null,
  speed_kmh: null,
  course_deg: null,
  accuracy_m: null,
  satellites: null,
  hdop: null,
  valid: true,
  ignition: null,
  odometer_m: null,
  battery_pct: null,
  alarms: [],
  attributes: {},
};

export const emptyReport: Omit<TerminalReport, 'terminal_id'> = {
  time_ms: null,
  place: null,
  ...nothingMeasured,
};

/** The maximum size in a row of the rejected positions, beside the rest of a report. */
const maxShown = 3_500;

/**
 * What came as the terminal sent it, and can never be read. It is handed in like any other report: it may be
 * acknowledged when it is recorded, which it is whole. What is too long for one report is several, their order said in
 * `why`.
 *
 * @param why in words
 * @param came the bytes in hex, or the text, of what cannot be read
 * @param heard what of it is sure nevertheless: nobody is called to help by the log of what was rejected
 */
export function unreadableReports(
  terminal_id: string,
  why: string,
  came: { hex: string } | { text: string },
  heard: Partial<Pick<TerminalReport, 'time_ms' | 'alarms'>> = {},
): TerminalReport[] {
  const [key, value] = 'hex' in came ? ['hex', came.hex] : ['text', came.text];
  const pieces = piecesOf(value);
  return pieces.map((piece, at) => ({
    ...emptyReport,
    terminal_id,
    ...(at === 0 ? heard : {}),
    undecodable: pieces.length === 1 ? why : `${why} (${at + 1} of ${pieces.length})`,
    attributes: { [key]: piece },
  }));
}

/** One at least. A row holds JSON: a quote takes two characters in it, a control character six. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let at = 0;
  do {
    let piece = text.slice(at, at + maxShown);
    for (;;) {
      const written = JSON.stringify(piece).length - 2;
      if (written <= maxShown) break;
      piece = piece.slice(0, Math.floor((piece.length * maxShown) / written));
    }
    pieces.push(piece);
    at += piece.length;
  } while (at < text.length);
  return pieces;
}

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
