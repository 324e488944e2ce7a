import { open, type FileHandle } from 'node:fs/promises';
import type { Cause } from '../../../contract/causes.ts';
import { causeOf } from '../../../contract/causeTexts.ts';
import type { Recording } from '../../../contract/video.ts';
import {
  TerminalRefusal,
  TerminalTimeout,
  type TerminalLink,
  type TerminalLinks,
} from '../../../telemetry/intake/terminalLinks.ts';
import { standardOffsetMin } from '../../../telemetry/protocols/jt808/encodings.ts';
import { TerminalError, type FailureReason, type FragmentRequest, type Terminal } from '../terminal.ts';
import type { MediaListener } from './mediaListener.ts';
import { margin_ms, receivePlayback, type Reception, type ReceivePlaybackParts } from './receivePlayback.ts';
import {
  isEmptyList,
  messageIds,
  playbackEnd,
  playbackRequest,
  readRecordings,
  recordingsQuery,
  type ListedRecording,
  type Span,
  type StreamChoice,
} from './signalling.ts';
import type { ClipMuxerBeginning } from './clipMuxer.ts';

export interface Jt1078Deps extends Omit<ReceivePlaybackParts, 'listener'> {
  links: TerminalLinks;
  listener: Pick<MediaListener, 'claim' | 'port'>;
  /**
   * Where terminals reach the media port when it is not where they reached this host: by a router that forwards it. The
   * host is an IP address or a name; a port that is null is the listener's.
   */
  publicAddress: { host: string; port: number | null } | null;
  /** How far the clock of a vehicle's terminals is off, in seconds, as its positions say it. */
  clockOffsetS: (vehicleId: string) => number;
}

interface Ways extends Jt1078Deps {
  shortEnds: TruncatedClips;
}

/** A recorder looks through its index; lists of a day come in many parts. */
const answerMs = 60_000;
/** After the first packet; it comes on another connection. */
const lateAnswerMs = 500;
const ownerOnly = 0o600;

/**
 * A terminal of JT/T 808 and 1078: asked on the connection that it keeps, it brings its recording to the media port.
 */
export function createJt1078Terminal(deps: Jt1078Deps): Terminal {
  const { links } = deps;
  const ways: Ways = { ...deps, shortEnds: createTruncatedClips() };

  function linkOf(terminalId: string): TerminalLink {
    const link = links.find(terminalId);
    if (link === null) throw new TerminalError('offline', 'The terminal is not connected.');
    return link;
  }

  return {
    async fetchFragment(order) {
      order.signal.throwIfAborted();
      const link = linkOf(order.terminal_id);
      const file = await open(order.output, 'w', ownerOnly);
      try {
        const choices = choicesOf(order.connection.stream);
        for (const stream of choices) {
          const isLast = stream === choices.at(-1);
          const clip = await fetchStream(stream, link, file, order, isLast, ways);
          if (clip !== null) return clip.starts_ms;
        }
      } finally {
        await file.close();
      }
      throw new TerminalError('no_recording', 'The terminal has no recording of this time.');
    },

    isOnline: ({ terminal_id }) => links.find(terminal_id) !== null,

    async recordings(order) {
      const { channels, from_ms, to_ms, signal } = order;
      const link = linkOf(order.terminal_id);
      const offsetMin = offsetOf(order, deps);
      const [only] = channels;
      const asked = channels.length === 1 && only !== undefined ? only : 0;
      const body = await askLink(link, {
        id: messageIds.queryRecordings,
        body: recordingsQuery(asked, { from_ms, to_ms }, offsetMin),
        silence: 'offline',
        signal,
      });
      return readRecordings(body, offsetMin)
        .filter((it) => channels.includes(it.channel) && it.to_ms > from_ms && it.from_ms < to_ms)
        .map(presentRecording);
    },
  };
}

/** The sub-stream is small and plays everywhere; where the terminal has none, what it has. */
function choicesOf(wanted: 'main' | 'sub' | undefined): StreamChoice[] {
  return wanted === undefined ? ['sub', 'either'] : [wanted];
}

/**
 * Of the terminal's clock, in minutes ahead of UTC; not always whole ones. What is said of the video alone goes first,
 * as some recorders timestamp recordings and positions differently.
 */
function offsetOf(
  { connection, vehicle_id }: Pick<FragmentRequest, 'connection' | 'vehicle_id'>,
  { clockOffsetS }: Pick<Jt1078Deps, 'clockOffsetS'>,
): number {
  return connection.utc_offset_min ?? standardOffsetMin + clockOffsetS(vehicle_id) / 60;
}

class NothingThere extends Error {}

/** Null when the terminal says that it has nothing of this time in this stream. */
async function fetchStream(
  stream: StreamChoice,
  link: TerminalLink,
  file: FileHandle,
  order: FragmentRequest,
  isLast: boolean,
  deps: Ways,
): Promise<{ starts_ms: number | null } | null> {
  const { signal, terminal_id, onProgress } = order;
  const { channel } = order.channel;
  const span_ms = order.to_ms - order.from_ms;
  const over = new AbortController();
  let stopGrace = (): void => undefined;
  const onBegun = () => {
    // Who sends has understood: an order without an answer would be sent again, and played again.
    stopGrace = deps.clock.after(lateAnswerMs, () => over.abort(new Error('the playback has begun')));
  };
  const asked = { ...order, stream };
  const renderJob = {
    ...{ sim: link.phoneBcd, channel, span_ms, file, onProgress, onBegun },
    lastEndMs: deps.shortEnds.of(asked),
    onShort: (length_ms: number) => deps.shortEnds.note(asked, length_ms),
  };
  const clip = receivePlayback(renderJob, deps);
  if (clip === null) throw new TerminalError('busy', 'The terminal is sending this channel already.');
  const stop = () => clip.fail(signal.reason);
  const lost = () => {
    // What is on its way comes by another connection.
    if (!clip.hasBegun()) clip.fail(new TerminalError('offline', 'The terminal’s connection ended.'));
  };
  signal.addEventListener('abort', stop, { once: true });
  link.ended.addEventListener('abort', lost, { once: true });
  const asking = requestPlayback(stream, link, clip, order, AbortSignal.any([signal, over.signal]), deps);
  let isPlaying = true;
  try {
    if (signal.aborted) stop();
    if (link.ended.aborted) lost();
    await clip.ended;
    deps.shortEnds.forget(asked);
    over.abort(new Error('the playback is over'));
    const listed = await asking;
    const beginning = clip.beginning();
    const { from_ms, to_ms } = order;
    const offsetMin = offsetOf(order, deps);
    return {
      starts_ms:
        beginning && playbackStart(beginning, listed, { channel, from_ms, to_ms, offsetMin, margin_ms }),
    };
  } catch (error) {
    isPlaying = !(error instanceof NothingThere);
    // Some terminals say no to a stream that they do not have, or send nothing of it.
    const saysNo =
      error instanceof TerminalError && ['refused', 'declined', 'no_recording'].includes(error.fault);
    if (isPlaying && (isLast || !saysNo)) throw error;
    return null;
  } finally {
    signal.removeEventListener('abort', stop);
    link.ended.removeEventListener('abort', lost);
    stopGrace();
    over.abort(new Error('the playback is over'));
    await asking;
    // By its newest connection: the one that took the order may be gone.
    if (isPlaying) deps.links.find(terminal_id)?.send(messageIds.playbackControl, playbackEnd(channel));
  }
}

/**
 * Answers what the terminal lists, nothing where it lists nothing. Never rejects: an error ends the clip, unless that
 * has begun without an answer, as it does with some terminals.
 */
async function requestPlayback(
  stream: StreamChoice,
  link: TerminalLink,
  clip: Reception,
  order: FragmentRequest,
  signal: AbortSignal,
  deps: Jt1078Deps,
): Promise<ListedRecording[]> {
  const { from_ms, to_ms } = order;
  const { channel } = order.channel;
  const { listener, publicAddress } = deps;
  const offsetMin = offsetOf(order, deps);
  try {
    const body = await askLink(link, {
      id: messageIds.playback,
      body: playbackRequest({
        address: publicAddress?.host ?? link.localAddress,
        port: publicAddress?.port ?? listener.port,
        channel,
        stream,
        offsetMin,
        from_ms,
        to_ms,
      }),
      silence: 'hung_up',
      // A second request restarts the playback in the middle of the first one.
      once: true,
      signal,
    });
    if (isEmptyList(body)) throw new NothingThere();
    const listed = readRecordings(body, offsetMin);
    const available_ms = overlap_ms(listed, channel, { from_ms, to_ms });
    if (available_ms > 0) clip.expect(available_ms);
    return listed;
  } catch (error) {
    if (!clip.hasBegun() || error instanceof NothingThere) clip.fail(error);
    return [];
  }
}

/**
 * @throws {TerminalError} `offline`, `refused`, `declined`, `silence` when it does not answer; or the signal's reason
 */
async function askLink(
  link: TerminalLink,
  order: { id: number; body: Uint8Array; silence: FailureReason; once?: boolean; signal: AbortSignal },
): Promise<Uint8Array> {
  const { id, body, silence, once = false, signal } = order;
  try {
    return await link.request({ id, body, answer: messageIds.recordings, timeoutMs: answerMs, once, signal });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (link.ended.aborted)
      throw new TerminalError('offline', 'The terminal’s connection ended.', { cause: error });
    if (error instanceof TerminalRefusal) throw refusal(error);
    if (error instanceof TerminalTimeout) {
      throw new TerminalError(silence, `The terminal did not answer within ${answerMs / 1000} s.`, {
        cause: error,
      });
    }
    throw error;
  }
}

/** Of the general answer: JT/T 808-2013, table 4. */
const results: Readonly<Record<number, Cause>> = {
  1: causeOf('terminal.order_failed'),
  2: causeOf('terminal.order_not_understood'),
  3: causeOf('terminal.order_not_supported'),
};

function refusal(error: TerminalRefusal): TerminalError {
  const { result } = error;
  // It cannot: that stays so. That it failed may be said by one that has not closed the playback before yet.
  const fault = [2, 3].includes(result) ? 'refused' : 'declined';
  return new TerminalError(fault, results[result] ?? causeOf('terminal.order_refused', { result }), {
    cause: error,
  });
}

/** How much of a span the channel's recordings cover; main and sub-stream of one time count once. */
function overlap_ms(list: readonly ListedRecording[], channel: number, { from_ms, to_ms }: Span): number {
  const mine = list.filter((it) => it.channel === channel).sort((a, b) => a.from_ms - b.from_ms);
  let covered = 0;
  let reached = from_ms;
  for (const it of mine) {
    const begin = Math.max(reached, it.from_ms);
    const end = Math.min(to_ms, it.to_ms);
    if (end > begin) {
      covered += end - begin;
      reached = end;
    }
  }
  return covered;
}

function presentRecording({ from_ms, to_ms, ...rest }: ListedRecording): Recording {
  return { ...rest, from: new Date(from_ms).toISOString(), to: new Date(to_ms).toISOString() };
}

interface PlaybackStartOrder extends Span {
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

type FragmentSpec = Pick<FragmentRequest, 'terminal_id' | 'channel' | 'from_ms' | 'to_ms'> & {
  stream: StreamChoice;
};

/** What is given up for good is never forgotten otherwise. */
const maxEnds = 1_000;

/**
 * How long clips were that ended earlier than their terminals had announced. A terminal that is asked again and ends at
 * the same moment has no more, whatever its list says: a network breaks off here and there.
 */
type TruncatedClips = ReturnType<typeof createTruncatedClips>;

export function createTruncatedClips() {
  const ends = new Map<string, number>();
  return {
    /** Of the order's last try; null where that was whole, or there was none. */
    of: (order: FragmentSpec): number | null => ends.get(keyOf(order)) ?? null,
    note(order: FragmentSpec, length_ms: number): void {
      const key = keyOf(order);
      ends.delete(key);
      ends.set(key, length_ms);
      const [oldest] = ends.keys();
      if (ends.size > maxEnds && oldest !== undefined) ends.delete(oldest);
    },
    forget: (order: FragmentSpec): void => void ends.delete(keyOf(order)),
  };
}

function keyOf({ terminal_id, channel: { channel }, from_ms, to_ms, stream }: FragmentSpec): string {
  return [terminal_id, channel, from_ms, to_ms, stream].join(' ');
}
