import type { Recording, Recordings } from '../contract/video.ts';
import { ApiError, invalid } from '../http/apiError.ts';
import type { Clock } from '../clock.ts';
import type { ProfileRecord } from './profileRecord.ts';
import { TerminalError, type Terminal } from './terminals/terminal.ts';

export interface RecordingsDeps {
  terminals: Record<ProfileRecord['kind'], Terminal>;
  terminalOf: (profile: ProfileRecord) => string;
  clock: Pick<Clock, 'now'>;
}

export interface RecordingsQuery {
  from: string;
  to: string;
  channel?: number | undefined;
}

export type AskRecordings = (
  profile: ProfileRecord,
  query: RecordingsQuery,
  signal: AbortSignal,
) => Promise<Recordings>;

/**
 * Asks a terminal what it still has. Throws 400 for a channel that the profile lacks, `terminal_offline`,
 * `terminal_refused`, or the signal's reason.
 */
export function createAskRecordings({ terminals, terminalOf, clock }: RecordingsDeps): AskRecordings {
  return async (profile, { from, to, channel }, signal) => {
    const known = profile.channels.map((it) => it.channel);
    if (channel !== undefined && !known.includes(channel)) {
      throw invalid('channel', 'is not a channel of this video profile', 'unknown');
    }
    const channels = channel === undefined ? known : [channel];
    const terminal = terminals[profile.kind];
    const asked_at = new Date(clock.now()).toISOString();
    if (terminal.recordings === undefined) return { supported: false, items: [], asked_at };
    try {
      const { vehicle_id, connection } = profile;
      const items = await terminal.recordings({
        vehicle_id,
        terminal_id: terminalOf(profile),
        connection,
        channels,
        from_ms: Date.parse(from),
        to_ms: Date.parse(to),
        signal,
      });
      return { supported: true, items: inOrder(items, channels), asked_at };
    } catch (error) {
      throw asApiError(error);
    }
  };
}

/** Some terminals answer for all their channels, whichever were asked for. */
function inOrder(items: readonly Recording[], channels: readonly number[]): Recording[] {
  return items
    .filter((it) => channels.includes(it.channel))
    .toSorted((a, b) => a.channel - b.channel || Date.parse(a.from) - Date.parse(b.from));
}

function asApiError(error: unknown): unknown {
  if (!(error instanceof TerminalError)) return error;
  switch (error.fault) {
    case 'offline':
    case 'busy':
    case 'hung_up':
      return new ApiError('terminal_offline', error.message, { cause: error });
    case 'refused':
    case 'declined':
    case 'no_recording':
    case 'bad_media':
      return new ApiError('terminal_refused', error.causes ?? error.message, { cause: error });
    case 'disk_full':
    case 'failed':
      return error;
  }
}
