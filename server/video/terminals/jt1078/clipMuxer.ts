import type { FileHandle } from 'node:fs/promises';
import { systemCode } from '../../media/mediaError.ts';
import { TerminalError } from '../terminal.ts';
import type { MediaFrame } from './frameAssembler.ts';
import { createPictureTrack, type PictureTrack, type ClipPicture } from './pictureTrack.ts';
import { createAudioTrack, type SoundPiece, type AudioTrack, type SoundFormat } from './audioTrack.ts';
import {
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import { fileTarget } from '../../media/fileTarget.ts';
import { decoderConfigOf, type Format } from '../../media/raw/pictures.ts';

export interface ClipMuxerBeginning {
  /** Of the first picture, as its packet bears it: milliseconds from anywhere. */
  stamp_ms: number;
  /** From the first frame that came, which may need one that did not come, to that picture. */
  afterFirstMs: number;
  /** Of the clip so far. */
  length_ms: number;
}

/** Sound that comes later than this after its picture is no longer waited for. */
const soundPatienceMs = 5_000;
/** No camera shows more; the file's index grows with each. */
const maxPicturesPerSecond = 120;

/**
 * From a terminal's frames to a file.
 * @param longest_ms of the clip; a longer step of the terminal's clock is not part of the recording
 */
export function createClipMuxer(file: FileHandle, longest_ms: number) {
  const times = createFrameTimes(longest_ms);
  const pictureTimes = createTrackTimes();
  const maxPictures = 1_000 + (longest_ms / 1_000) * maxPicturesPerSecond;
  let track: { type: number; pictures: PictureTrack | null } | null = null;
  let sound: { type: number; track: AudioTrack | null } | null = null;
  let writer: ClipWriter | null = null;
  let pictures = 0;
  let lastKeyMs = 0;
  let length_ms = 0;
  let firstFrameMs: number | null = null;
  let firstPictureMs: number | null = null;

  async function takePicture({ kind, payloadType, data, time_ms, sinceFrameMs }: MediaFrame): Promise<void> {
    track ??= { type: payloadType, pictures: createPictureTrack(payloadType) };
    if (track.pictures === null || track.type !== payloadType) return;
    firstFrameMs ??= time_ms;
    const picture = track.pictures.take(data);
    const format = track.pictures.format();
    if (picture === null || format === null) return;
    writer ??= createClipWriter(file, { codec: track.pictures.codec, format });
    firstPictureMs ??= time_ms;
    const clip_ms = times.of(time_ms, sinceFrameMs);
    const at_ms = pictureTimes.of(clip_ms, sinceFrameMs, kind === 'B' && clip_ms > lastKeyMs);
    if (picture.isKey) lastKeyMs = at_ms;
    length_ms = Math.max(length_ms, at_ms);
    if (++pictures > maxPictures) {
      throw new TerminalError(
        'bad_media',
        `The terminal sent ${pictures} frames, more than any camera records.`,
      );
    }
    await writer.picture(picture, at_ms, sinceFrameMs);
    await write(sound?.track?.fillTo(at_ms - soundPatienceMs) ?? []);
  }

  async function takeSound({ payloadType, data, time_ms }: MediaFrame): Promise<void> {
    // Nothing is heard before something is seen.
    if (writer === null) return;
    sound ??= { type: payloadType, track: createAudioTrack(payloadType) };
    if (sound.track === null || sound.type !== payloadType) return;
    const clip_ms = times.of(time_ms, 0);
    length_ms = Math.max(length_ms, clip_ms);
    await write(sound.track.take(data, clip_ms));
  }

  async function write(pieces: readonly SoundPiece[]): Promise<void> {
    for (const piece of pieces) await writer?.sound(piece);
  }

  return {
    /** @throws {TerminalError} `bad_media`; or the system's error of writing */
    take: (frame: MediaFrame): Promise<void> =>
      unwritableIsBad(() => (frame.kind === 'sound' ? takeSound(frame) : takePicture(frame))),
    /** From the first picture to the newest frame. */
    length_ms: (): number => length_ms,
    pictures: (): number => pictures,
    /** Null before the first picture. */
    beginning(): ClipMuxerBeginning | null {
      if (firstFrameMs === null || firstPictureMs === null) return null;
      const after_ms = firstPictureMs - firstFrameMs;
      const isCounted = after_ms >= 0 && after_ms <= longest_ms;
      return { stamp_ms: firstPictureMs, afterFirstMs: isCounted ? after_ms : 0, length_ms };
    },
    /** Why there is no picture, in words for an operator. */
    fault(): string {
      if (track === null) return 'no frame of a picture was whole';
      if (track.pictures === null) return `its picture is coded in a way that is unknown (${track.type})`;
      return 'no key frame with its parameters was among what came';
    },
    finish: (): Promise<void> =>
      unwritableIsBad(async () => {
        await write(sound?.track?.end() ?? []);
        await writer?.finish();
      }),
    async cancel(): Promise<void> {
      // The reason was reported already.
      await writer?.cancel().catch(() => undefined);
    },
  };
}

/** What the writer stumbles over in a frame is the terminal's fault; what the system refuses is not. */
async function unwritableIsBad(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (error instanceof TerminalError || systemCode(error) !== undefined) throw error;
    const said = error instanceof Error ? error.message : String(error);
    throw new TerminalError('bad_media', `What the terminal sent is not playable: ${said}`, { cause: error });
  }
}

/** If a frame's own time is not usable: 25 frames a second. */
const usualIntervalMs = 40;
const maxIntervalMs = 5_000;
/** Sound and picture of one moment, or frames shown in another order than sent, are never farther apart than this. */
const maxDisorderMs = 2_000;
/** Some terminals count milliseconds in 32 bits. */
const wrap_ms = 2 ** 32;

/**
 * From the packets' timestamps to times in the clip: milliseconds that begin with 0 and never go back.
 * Differences are kept as they are; recorders leave out times in which they did not record. What cannot be a difference
 * (a clock that was set, a counter that restarted) goes on as one more frame.
 * @param maxGapMs a step forward that is longer is a clock's, not a recorder's
 */
export function createFrameTimes(maxGapMs: number) {
  let newest: number | null = null;
  let offset = 0;

  return {
    /**
     * @param time_ms as the packet bears it: any start, any jump
     * @param since_ms since the frame before, where the terminal says so; else 0
     * @returns the time from the start of the clip; before 0 for what comes from before the first frame
     */
    of(time_ms: number, since_ms: number): number {
      if (newest === null) {
        newest = time_ms;
        offset = -time_ms;
        return 0;
      }
      let step = time_ms - newest;
      if (step < -maxDisorderMs && step + wrap_ms >= 0 && step + wrap_ms <= maxGapMs) {
        offset += wrap_ms;
        step += wrap_ms;
      } else if (step < -maxDisorderMs || step > maxGapMs) {
        const interval = intervalOf(since_ms);
        offset += interval - step;
        step = interval;
      }
      if (step > 0) newest = time_ms;
      return time_ms + offset;
    },
  };
}

/**
 * The times of a track's frames in the order of their coming, made fit for a file: each after the one before.
 * Frames of one time (clocks of whole seconds) are spread by their interval, until the clock has caught up.
 */
export function createTrackTimes() {
  let last = -Infinity;
  let lastReported = -Infinity;
  return {
    of(clip_ms: number, since_ms: number, mayGoBack: boolean): number {
      const isSame = clip_ms === lastReported;
      lastReported = clip_ms;
      if (clip_ms > last) return (last = clip_ms);
      if (mayGoBack && clip_ms < last) return clip_ms;
      return (last += isSame ? intervalOf(since_ms) : 1);
    },
  };
}

function intervalOf(since_ms: number): number {
  return since_ms > 0 && since_ms <= maxIntervalMs ? since_ms : usualIntervalMs;
}

interface ClipFacts {
  codec: 'avc' | 'hevc';
  format: Format;
}

/** Whether there is sound must be known before the first byte is written. */
const sightedWhen = { clip_ms: 5_000, bytes: 8 * 1024 * 1024 };
/** A group of pictures that is larger would take the host's memory: half a minute of the best cameras. */
const maxHeldBytes = 32 * 1024 * 1024;

/**
 * Writes a clip into an open file as its pieces arrive: a fragmented MP4, of which at most one group of pictures is
 * buffered.
 */
type ClipWriter = ReturnType<typeof createClipWriter>;

function createClipWriter(file: FileHandle, { codec, format }: ClipFacts) {
  const output = new Output({
    format: new Mp4OutputFormat({ fastStart: 'fragmented' }),
    target: fileTarget(file),
  });
  const video = new EncodedVideoPacketSource(codec);
  let soundFormat: SoundFormat | null = null;
  let audio: EncodedAudioPacketSource | null = null;
  let isStarted = false;
  let waiting: (() => Promise<void>)[] = [];
  let held = 0;

  async function start(): Promise<void> {
    isStarted = true;
    output.addVideoTrack(video);
    if (soundFormat !== null) {
      audio = new EncodedAudioPacketSource(soundFormat.codec);
      output.addAudioTrack(audio);
    }
    await output.start();
    const first = waiting;
    waiting = [];
    for (const write of first) await write();
  }

  async function add(write: () => Promise<void>, bytes: number, isSighted: boolean): Promise<void> {
    held += bytes;
    if (held > maxHeldBytes) {
      throw new TerminalError(
        'bad_media',
        `The terminal sent ${held} bytes without a key frame: nothing of it can be played.`,
      );
    }
    if (isStarted) {
      await write();
      return;
    }
    waiting.push(write);
    if (isSighted || held > sightedWhen.bytes) await start();
  }

  return {
    /** @param time_ms after all before it, but for B frames; the first is a key */
    picture({ data, isKey }: ClipPicture, time_ms: number, interval_ms: number): Promise<void> {
      // The group before is written out once this one begins.
      if (isKey && isStarted) held = 0;
      const packet = new EncodedPacket(data, isKey ? 'key' : 'delta', time_ms / 1000, interval_ms / 1000);
      const write = () => video.add(packet, { decoderConfig: decoderConfigOf(format) });
      return add(write, data.length, time_ms > sightedWhen.clip_ms);
    },

    async sound({ format: its, data, time_ms, duration_ms }: SoundPiece): Promise<void> {
      if (isStarted && audio === null) return;
      soundFormat ??= its;
      const packet = new EncodedPacket(data, 'key', time_ms / 1000, duration_ms / 1000);
      const { config } = its;
      await add(async () => audio?.add(packet, { decoderConfig: config }), data.length, true);
    },

    /** Ends the file in good order. */
    async finish(): Promise<void> {
      if (!isStarted) await start();
      await output.finalize();
    },

    /** Gives it up. */
    async cancel(): Promise<void> {
      waiting = [];
      if (isStarted) await output.cancel();
    },
  };
}
