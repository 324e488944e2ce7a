import type { FileHandle } from 'node:fs/promises';
import {
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import { fileTarget } from '../../media/fileTarget.ts';
import { decoderConfigOf, type Format } from '../../media/raw/pictures.ts';
import { TerminalError } from '../terminal.ts';
import type { ClipPicture } from './pictureTrack.ts';
import type { SoundFormat, SoundPiece } from './audioTrack.ts';

/**
 * Writes a clip into an open file as its pieces arrive: a fragmented MP4, of which at most one group of pictures is
 * buffered.
 */
export interface ClipWriter {
  /** @param time_ms after all before it, but for B frames; the first is a key */
  picture(picture: ClipPicture, time_ms: number, interval_ms: number): Promise<void>;
  sound(piece: SoundPiece): Promise<void>;
  /** Ends the file in good order. */
  finish(): Promise<void>;
  /** Gives it up. */
  cancel(): Promise<void>;
}

export interface ClipFacts {
  codec: 'avc' | 'hevc';
  format: Format;
}

/** Whether there is sound must be known before the first byte is written. */
const sightedWhen = { clip_ms: 5_000, bytes: 8 * 1024 * 1024 };
/** A group of pictures that is larger would take the host's memory: half a minute of the best cameras. */
const maxHeldBytes = 32 * 1024 * 1024;

export function createClipWriter(file: FileHandle, { codec, format }: ClipFacts): ClipWriter {
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
    picture({ data, isKey }, time_ms, interval_ms) {
      // The group before is written out once this one begins.
      if (isKey && isStarted) held = 0;
      const packet = new EncodedPacket(data, isKey ? 'key' : 'delta', time_ms / 1000, interval_ms / 1000);
      const write = () => video.add(packet, { decoderConfig: decoderConfigOf(format) });
      return add(write, data.length, time_ms > sightedWhen.clip_ms);
    },

    async sound({ format: its, data, time_ms, duration_ms }) {
      if (isStarted && audio === null) return;
      soundFormat ??= its;
      const packet = new EncodedPacket(data, 'key', time_ms / 1000, duration_ms / 1000);
      const { config } = its;
      await add(async () => audio?.add(packet, { decoderConfig: config }), data.length, true);
    },

    async finish() {
      if (!isStarted) await start();
      await output.finalize();
    },

    async cancel() {
      waiting = [];
      if (isStarted) await output.cancel();
    },
  };
}
