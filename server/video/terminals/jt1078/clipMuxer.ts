import type { FileHandle } from 'node:fs/promises';
import { systemCode } from '../../media/mediaError.ts';
import { TerminalError } from '../terminal.ts';
import { createClipWriter, type ClipWriter } from './clipWriter.ts';
import type { MediaFrame } from './frameAssembler.ts';
import { createFrameTimes, createTrackTimes } from './frameTimes.ts';
import { createPictureTrack, type PictureTrack } from './pictureTrack.ts';
import { createAudioTrack, type SoundPiece, type AudioTrack } from './audioTrack.ts';

/** From a terminal's frames to a file. */
export interface ClipMuxer {
  /** @throws {TerminalError} `bad_media`; or the system's error of writing */
  take(frame: MediaFrame): Promise<void>;
  /** From the first picture to the newest frame. */
  length_ms(): number;
  pictures(): number;
  /** Null before the first picture. */
  beginning(): ClipMuxerBeginning | null;
  /** Why there is no picture, in words for an operator. */
  fault(): string;
  finish(): Promise<void>;
  cancel(): Promise<void>;
}

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

/** @param longest_ms of the clip; a longer step of the terminal's clock is not part of the recording */
export function createClipMuxer(file: FileHandle, longest_ms: number): ClipMuxer {
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
    take: (frame) => unwritableIsBad(() => (frame.kind === 'sound' ? takeSound(frame) : takePicture(frame))),
    length_ms: () => length_ms,
    pictures: () => pictures,
    beginning() {
      if (firstFrameMs === null || firstPictureMs === null) return null;
      const after_ms = firstPictureMs - firstFrameMs;
      const isCounted = after_ms >= 0 && after_ms <= longest_ms;
      return { stamp_ms: firstPictureMs, afterFirstMs: isCounted ? after_ms : 0, length_ms };
    },
    fault() {
      if (track === null) return 'no frame of a picture was whole';
      if (track.pictures === null) return `its picture is coded in a way that is unknown (${track.type})`;
      return 'no key frame with its parameters was among what came';
    },
    finish: () =>
      unwritableIsBad(async () => {
        await write(sound?.track?.end() ?? []);
        await writer?.finish();
      }),
    async cancel() {
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
