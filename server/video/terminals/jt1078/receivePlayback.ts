import type { FileHandle } from 'node:fs/promises';
import type { Clock } from '../../../clock.ts';
import { TerminalError, type ReceivedBytes } from '../terminal.ts';
import { createClipMuxer, type ClipMuxerBeginning } from './clipMuxer.ts';
import { createFrameAssembler } from './frameAssembler.ts';
import type { MediaListener, MediaReceiver } from './mediaListener.ts';
import type { MediaPacket } from './mediaPacket.ts';

export interface ReceivePlaybackParts {
  listener: Pick<MediaListener, 'claim'>;
  clock: Pick<Clock, 'after' | 'monotonic'>;
  /** Rejects when the disk has no more space for video. */
  checkQuota: () => Promise<void>;
}

export interface PlaybackReception {
  sim: string;
  channel: number;
  /** How much was asked for. */
  span_ms: number;
  /** Open for writing, empty. */
  file: FileHandle;
  onProgress: (fraction: number, bytes: ReceivedBytes) => void;
  /** Called with the first packet. */
  onBegun: () => void;
  /** How far the last try came, when that ended before what the terminal had promised; else null. */
  lastEndMs: number | null;
  /** Called when this one does. */
  onShort: (length_ms: number) => void;
}

export interface Reception {
  /**
   * Resolves when the clip is complete in the file; rejects with a `TerminalError`, the system's error or the reason
   * given.
   */
  readonly ended: Promise<void>;
  /** Whether the terminal has begun to send. */
  hasBegun(): boolean;
  /** Null before the first picture. */
  beginning(): ClipMuxerBeginning | null;
  /** The terminal said how much of what was asked for it has. */
  expect(available_ms: number): void;
  /** Ends it for a reason from elsewhere. */
  fail(reason: unknown): void;
}

const receiveTimeouts = {
  /** From the order to the first packet: the terminal opens the connection, over a mobile network. */
  firstPacketMs: 60_000,
  /** Without a packet in the middle: tunnels. */
  stallMs: 60_000,
  /** Without a packet after all that was promised: some terminals leave the connection open. */
  quietMs: 10_000,
};

/** A terminal begins with the I frame before the moment asked for, and not all end by themselves. */
export const margin_ms = 15_000;
/** What is missing of the end when the last frames were left out. */
const slack_ms = 2_000;
/**
 * What may be missing besides where a terminal ends in good order: it begins with a later I frame, or its files have
 * gaps.
 */
const cleanSlackMs = 5_000;
/** Terminals play at the speed of life; with pauses that is slower. */
const longestMs = (span_ms: number) => span_ms * 3 + 600_000;
/** 32 Mbit/s, more than any vehicle's camera records. */
const mostBytes = (span_ms: number) => 64 * 1024 ** 2 + (span_ms + margin_ms) * 4_000;
const maxBytesWithoutPicture = 32 * 1024 ** 2;
const bytesBetweenLooks = 32 * 1024 ** 2;

/** @returns null when the same channel of the same terminal is being received already */
export function receivePlayback(order: PlaybackReception, deps: ReceivePlaybackParts): Reception | null {
  const { span_ms, file, onProgress } = order;
  const { clock, checkQuota } = deps;
  const clip = createClipMuxer(file, span_ms + margin_ms + slack_ms);
  let settled = (_outcome: Promise<void>): void => undefined;
  const ended = new Promise<void>((resolve) => {
    settled = resolve;
  });
  const started = clock.monotonic();
  let firstPacket: number | null = null;
  let lastSign = started;
  let available_ms: number | null = null;
  let received = 0;
  let sincePicture = 0;
  let lookAt = bytesBetweenLooks;
  let stranger: string | null = null;
  let isOver = false;
  let current: MediaReceiver | null = null;
  let stopTimer = (): void => undefined;

  function settle(outcome: () => Promise<void>): void {
    if (isOver) return;
    isOver = true;
    stopTimer();
    release?.();
    settled(outcome());
  }

  function fail(reason: unknown): void {
    settle(async () => {
      await clip.cancel();
      throw reason;
    });
  }

  function finish(): void {
    if (clip.pictures() === 0) fail(nothingToSee());
    else settle(() => clip.finish());
  }

  function nothingToSee(): TerminalError {
    return sincePicture === 0
      ? new TerminalError('no_recording', 'The terminal took the order and ended it without a picture.')
      : new TerminalError(
          'bad_media',
          `The terminal sent ${received} bytes that are not video: ${clip.fault()}.`,
        );
  }

  /** By the terminal's stamps; or by the clock here, where it plays at the speed of life and its stamps stand still. */
  function hasAll(mayLackMs = slack_ms): boolean {
    if (available_ms === null) return false;
    const played = firstPacket === null ? 0 : lastSign - firstPacket;
    const standsStill = clip.length_ms() * 10 < played;
    return (standsStill ? played : clip.length_ms()) >= Math.min(available_ms, span_ms) - mayLackMs;
  }

  /** Ends it before its end, unless the terminal ended at this moment before: then it has no more. */
  function stopShort(how: string): void {
    const length_ms = clip.length_ms();
    if (order.lastEndMs !== null && Math.abs(length_ms - order.lastEndMs) <= slack_ms) {
      finish();
      return;
    }
    if (clip.pictures() > 0) order.onShort(length_ms);
    fail(hungUp(how));
  }

  /** Looks whether it is silent for too long, and comes back when it may be. */
  function watch(): void {
    const now = clock.monotonic();
    const silent = now - lastSign;
    if (now - started > longestMs(span_ms)) {
      fail(
        new TerminalError('hung_up', `The terminal was not at its end after ${seconds(now - started)} s.`),
      );
    } else if (firstPacket === null) {
      if (silent >= receiveTimeouts.firstPacketMs) fail(nothingCame());
      else stopTimer = clock.after(receiveTimeouts.firstPacketMs - silent, watch);
    } else if (silent >= receiveTimeouts.stallMs) {
      // Who did not say how much there is may have been at its end.
      if (hasAll() || available_ms === null) finish();
      else stopShort(`sent nothing more for ${seconds(silent)} s`);
    } else if (silent >= receiveTimeouts.quietMs && hasAll()) {
      finish();
    } else {
      const next = silent < receiveTimeouts.quietMs ? receiveTimeouts.quietMs : receiveTimeouts.stallMs;
      stopTimer = clock.after(next - silent, watch);
    }
  }

  function nothingCame(): TerminalError {
    const waited = seconds(receiveTimeouts.firstPacketMs);
    return stranger === null
      ? new TerminalError('hung_up', `The terminal took the order and sent nothing within ${waited} s.`)
      : new TerminalError('bad_media', `Nothing of this terminal came within ${waited} s, but ${stranger}.`);
  }

  function hungUp(how: string): TerminalError {
    return new TerminalError(
      'hung_up',
      `The terminal ${how} after ${received} bytes, ${seconds(clip.length_ms())} s.`,
    );
  }

  function opened(): MediaReceiver {
    const assembler = createFrameAssembler();
    if (firstPacket === null) order.onBegun();
    firstPacket ??= clock.monotonic();
    const taker: MediaReceiver = {
      bytes(count) {
        if (isOver || current !== taker) return;
        received += count;
        if (received > mostBytes(span_ms)) {
          fail(new TerminalError('bad_media', `The terminal sent more than ${mostBytes(span_ms)} bytes.`));
        }
      },
      async take(packet) {
        if (isOver || current !== taker) return;
        try {
          await takePacket(packet);
        } catch (error) {
          fail(error);
        }
      },
      closed(isCut) {
        if (isOver || current !== taker) return;
        const isBroken = isCut || assembler.isInside();
        // Who ends in good order without having said how much there is was at its end.
        const isAtEnd = isBroken ? hasAll() : available_ms === null || hasAll(cleanSlackMs);
        if (isAtEnd || clip.pictures() === 0) finish();
        else stopShort(isBroken ? 'disconnected' : 'ended, though it lists more,');
      },
    };

    async function takePacket(packet: MediaPacket): Promise<void> {
      const before = clip.pictures();
      const frame = assembler.push(packet);
      sincePicture += packet.payload.length;
      if (frame !== null) await clip.take(frame);
      lastSign = clock.monotonic();
      if (clip.pictures() > before) {
        sincePicture = 0;
        onProgress(Math.min(1, clip.length_ms() / span_ms), { received, total: null });
      } else if (sincePicture > maxBytesWithoutPicture) {
        throw new TerminalError(
          'bad_media',
          `The terminal sent ${sincePicture} bytes without a picture in them.`,
        );
      }
      if (received >= lookAt) {
        lookAt = received + bytesBetweenLooks;
        await checkQuota();
      }
      if (clip.length_ms() >= span_ms + margin_ms) finish();
    }

    current = taker;
    stopTimer();
    watch();
    return taker;
  }

  const release = deps.listener.claim({
    sim: order.sim,
    channel: order.channel,
    opened,
    stranger: (what) => {
      stranger ??= what;
    },
  });
  if (release === null) return null;
  watch();
  return {
    ended,
    hasBegun: () => firstPacket !== null,
    beginning: () => clip.beginning(),
    expect: (ms) => {
      available_ms = ms;
    },
    fail,
  };
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}
