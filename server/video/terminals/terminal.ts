import type { ProfileRecord } from '../profileRecord.ts';

export interface Fragment {
  channel: { channel: number; name: string };
  from_ms: number;
  to_ms: number;
}

export interface FragmentOrder extends Fragment {
  vehicle_id: string;
  connection: ProfileRecord['connection'];
  secret: string | null;
  /** Where the bytes go; a file that is there is replaced. */
  output: string;
  signal: AbortSignal;
  /** Called with the share received, 0 to 1, where the terminal tells how much will come. */
  onProgress: (share: number) => void;
}

/** One kind of video terminal. */
export interface Terminal {
  /**
   * Writes what the terminal recorded of the fragment to `output`, as it comes.
   * @throws {TerminalError}, or the signal's reason
   */
  fetchFragment(order: FragmentOrder): Promise<void>;
  /** Whether the terminal can be reached now; rejects only with the signal's reason. */
  isOnline(line: Pick<FragmentOrder, 'connection' | 'signal'>): Promise<boolean>;
}

/**
 * Why a fragment did not come. `offline`: the terminal cannot be reached; `busy`: it answered that it cannot now;
 * `hung_up`: it stopped in the middle; `refused`: it does not let us; `no_recording`: it has nothing of that time;
 * `bad_media`: what came is no video; `disk_full`: no room here; `failed`: something here went wrong.
 */
export type Fault =
  'offline' | 'busy' | 'hung_up' | 'refused' | 'no_recording' | 'bad_media' | 'disk_full' | 'failed';

export class TerminalError extends Error {
  override name = 'TerminalError';
  readonly fault: Fault;

  /** @param detail for an operator, a sentence */
  constructor(fault: Fault, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.fault = fault;
  }
}
