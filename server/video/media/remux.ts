import type { FileHandle } from 'node:fs/promises';
import { EncodedAudioPacketSource, EncodedVideoPacketSource, Mp4OutputFormat, Output } from 'mediabunny';
import type { EncodedPacket } from 'mediabunny';
import { fileTarget } from './fileTarget.ts';
import {
  pictureTimeline,
  soundTimeline,
  trueType,
  type InspectedAudio,
  type Inspection,
  packetsOf,
} from './inspect.ts';

/**
 * Sound this far ahead of the first frame is kept, unheard: an AAC decoder starts up on one or two packets of 21 ms.
 */
const WARM_UP_S = 0.05;

interface Stream {
  next: EncodedPacket | undefined;
  advance: () => Promise<void>;
  write: (packet: EncodedPacket) => Promise<void>;
  close: () => void;
}

/**
 * Writes the packets unchanged into an MP4 with the index in front, starting at the first key frame.
 * Frames before it cannot be decoded and are left out, as is the sound that goes with them.
 * @param onProgress called with the share done, 0 to 1
 */
export async function remux(
  found: Inspection,
  file: FileHandle,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const format = new Mp4OutputFormat({ fastStart: 'reserve' });
  const output = new Output({ format, target: fileTarget(file) });
  const streams = [
    await videoStream(found, output),
    ...(await Promise.all(found.audio.map((audio) => audioStream(audio, found, output)))),
  ];
  try {
    await output.start();
    for (const stream of streams) await stream.advance();
    await pump(streams, found.endS - found.firstKey.timestamp, onProgress);
    await output.finalize();
  } catch (error) {
    // The first error is reported; a second one from cancelling adds nothing.
    await output.cancel().catch(() => undefined);
    throw error;
  }
}

/** Feeds the streams in the order of their times, so that the muxer need not hold one back for another. */
async function pump(streams: readonly Stream[], durationS: number, onProgress: (fraction: number) => void) {
  let published = 0;
  for (;;) {
    let earliest: Stream | undefined;
    for (const stream of streams) {
      if (stream.next === undefined) continue;
      if (earliest?.next === undefined || stream.next.timestamp < earliest.next.timestamp) earliest = stream;
    }
    const packet = earliest?.next;
    if (earliest === undefined || packet === undefined) return;
    await earliest.write(packet);
    await earliest.advance();
    if (earliest.next === undefined) earliest.close();
    const fraction = Math.min(1, packet.timestamp / durationS);
    if (fraction - published >= 0.05) onProgress((published = fraction));
  }
}

async function videoStream(found: Inspection, output: Output): Promise<Stream> {
  const { video, firstKey } = found;
  const decoderConfig = await video.getDecoderConfig();
  const source = new EncodedVideoPacketSource(found.videoCodec);
  output.addVideoTrack(source, {
    rotation: await video.getRotation(),
    languageCode: await video.getLanguageCode(),
    maximumPacketCount: found.packetCount,
  });
  const packets = packetsOf(video, firstKey);
  return stream(
    framesFrom(packets, found),
    (packet) => source.add(packet, decoderConfig === null ? undefined : { decoderConfig }),
    () => source.close(),
  );
}

async function* framesFrom(
  packets: AsyncIterable<EncodedPacket>,
  found: Inspection,
): AsyncGenerator<EncodedPacket, void> {
  const timeline = pictureTimeline(found);
  for await (const packet of packets) {
    const { timestamp, duration } = packet;
    const type = await trueType(found.video, packet);
    const placed = timeline.place({ timestamp, duration, isKey: type === 'key' });
    if (placed === null) continue;
    yield packet.clone({ ...placed, type, timestamp: placed.timestamp - found.firstKey.timestamp });
  }
}

async function audioStream(audio: InspectedAudio, found: Inspection, output: Output): Promise<Stream> {
  const decoderConfig = await audio.track.getDecoderConfig();
  const source = new EncodedAudioPacketSource(audio.audioCodec);
  output.addAudioTrack(source, {
    languageCode: await audio.track.getLanguageCode(),
    maximumPacketCount: audio.packetCount,
  });
  return stream(
    soundFrom(packetsOf(audio.track), found),
    (packet) => source.add(packet, decoderConfig === null ? undefined : { decoderConfig }),
    () => source.close(),
  );
}

async function* soundFrom(
  packets: AsyncIterable<EncodedPacket>,
  found: Inspection,
): AsyncGenerator<EncodedPacket, void> {
  const timeline = soundTimeline(found);
  const startS = found.firstKey.timestamp;
  for await (const packet of packets) {
    const { timestamp, duration } = packet;
    const placed = timeline.place({ timestamp, duration, isKey: true });
    if (placed === null || placed.timestamp < startS - WARM_UP_S) continue;
    yield packet.clone({ ...placed, timestamp: placed.timestamp - startS });
  }
}

function stream(
  packets: AsyncGenerator<EncodedPacket, void>,
  write: Stream['write'],
  close: Stream['close'],
): Stream {
  const self: Stream = {
    next: undefined,
    write,
    close,
    advance: async () => {
      const step = await packets.next();
      self.next = step.done === true ? undefined : step.value;
    },
  };
  return self;
}
