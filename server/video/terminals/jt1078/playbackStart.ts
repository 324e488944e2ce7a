import type { ClipMuxerBeginning } from './clipMuxer.ts';
import type { ListedRecording, Span } from './signalling.ts';

export interface PlaybackStartOrder extends Span {
  channel: number;
  /** Of the terminal's clock, in minutes ahead of UTC. */
  offsetMin: number;
  /** How long before the moment asked for a terminal may begin, and after its end it may go on. */
  margin_ms: number;
}

/**
 * When the first frame of a clip was recorded, in Unix ms; null if unknown. The standard's stamps count from anywhere,
 * but many terminals write the time of the recording, in UTC or by their own clock. Where they do not, the list that
 * answers the order says when the recording begins; it is played from there, or from the moment asked for.
 * @param listed empty where the terminal did not answer with a list
 */
export function playbackStart(
  { stamp_ms, afterFirstMs, length_ms }: ClipMuxerBeginning,
  listed: readonly ListedRecording[],
  { channel, from_ms, to_ms, offsetMin, margin_ms }: PlaybackStartOrder,
): number | null {
  const fits = (start_ms: number) =>
    start_ms >= from_ms - margin_ms && start_ms < to_ms && start_ms + length_ms <= to_ms + margin_ms;
  const byStamp = new Set([stamp_ms, stamp_ms - offsetMin * 60_000].filter(fits));
  const [start_ms] = byStamp;
  if (start_ms !== undefined && byStamp.size === 1) return start_ms;

  const begins = listed
    .filter((it) => it.channel === channel && it.to_ms > from_ms && it.from_ms < to_ms)
    .map((it) => Math.max(from_ms, it.from_ms));
  return begins.length === 0 ? null : Math.min(...begins) + afterFirstMs;
}
