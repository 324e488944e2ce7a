import type { Cause } from '../../contract/causes.ts';
import { detailOf } from '../../contract/causeTexts.ts';
import type { Recording } from '../../contract/video.ts';
import type { ProfileRecord } from '../profileRecord.ts';

export interface Fragment {
  channel: { channel: number; name: string };
  from_ms: number;
  to_ms: number;
}

export interface FragmentRequest extends Fragment {
  vehicle_id: string;
  /** Of the vehicle, as it is now. */
  terminal_id: string;
  connection: ProfileRecord['connection'];
  secret: string | null;
  /** Where the bytes go; a file that is there is replaced. */
  output: string;
  signal: AbortSignal;
  /**
   * Called as the bytes come: with the share received, 0 to 1 (0 if the size is unknown), and the bytes;
   * null where none are sent.
   */
  onProgress: (fraction: number, bytes: ReceivedBytes | null) => void;
}

export interface ReceivedBytes {
  received: number;
  /** Null where the terminal does not say. */
  total: number | null;
}

export interface RecordingsOrder extends Pick<
  FragmentRequest,
  'vehicle_id' | 'terminal_id' | 'connection' | 'from_ms' | 'to_ms' | 'signal'
> {
  /** Those asked for, by number. */
  channels: readonly number[];
}

/** One kind of video terminal. */
export interface Terminal {
  /**
   * Writes what the terminal recorded of the fragment to `output`, as it comes. Answers when its first picture was
   * recorded, in Unix ms; null if the terminal does not report it.
   * @throws {TerminalError}, or the signal's reason
   */
  fetchFragment(order: FragmentRequest): Promise<number | null>;
  /**
   * Whether the terminal can be reached now: at once where that is known, a promise where it must be asked. Rejects only
   * with the signal's reason.
   */
  isOnline(line: Pick<FragmentRequest, 'terminal_id' | 'connection' | 'signal'>): boolean | Promise<boolean>;
  /**
   * What the terminal still has of a period, in any order; left out where this kind has no such list.
   * @throws {TerminalError} `offline`, `refused`, `declined`; or the signal's reason
   */
  recordings?(order: RecordingsOrder): Promise<Recording[]>;
}

/**
 * Why a fragment did not come. `offline`: the terminal cannot be reached; `busy`: it answered that it cannot now;
 * `hung_up`: it stopped in the middle; `refused`: it does not let us;
 * `declined`: it says no without a reason, which may pass; `no_recording`: it has nothing of that time;
 * `bad_media`: the response is not video; `disk_full`: no disk space here; `failed`: an error of this server.
 */
export type FailureReason =
  | 'offline'
  | 'busy'
  | 'hung_up'
  | 'refused'
  | 'declined'
  | 'no_recording'
  | 'bad_media'
  | 'disk_full'
  | 'failed';

export class TerminalError extends Error {
  override name = 'TerminalError';
  readonly fault: FailureReason;
  /** Of which the message consists; undefined where that has no codes. */
  readonly causes: Cause[] | undefined;

  /** @param detail for an operator, a sentence */
  constructor(fault: FailureReason, detail: string | Cause, options?: ErrorOptions) {
    super(typeof detail === 'string' ? detail : detailOf([detail]), options);
    this.fault = fault;
    this.causes = typeof detail === 'string' ? undefined : [detail];
  }
}
