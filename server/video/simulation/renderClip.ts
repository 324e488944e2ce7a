import { writeFile } from 'node:fs/promises';
import h264 from 'h264-mp4-encoder';
import {
  BufferSource,
  BufferTarget,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import { trueType } from '../media/inspect.ts';
import type { RenderJob } from './journey.ts';
import { createRenderedFrames, CLIP_HEIGHT, CLIP_WIDTH } from './renderedFrames.ts';

/** A player can start anywhere without decoding more than this, seconds. */
const KEY_EVERY_S = 2;
const PROGRESS_STEPS = 20;
/** Of 0 (best) to 10 (fastest); flat drawings lose nothing visible at the fastest. */
const SPEED = 10;
/** Of 10 (best) to 51; letters stay crisp, a clip of 30 s takes some 300 kB. */
const QUANTIZATION = 27;

/**
 * Draws, encodes and writes the clip of a job: MP4 with the index in front, key frames marked, as long as the
 * fragment to the millisecond. A clip of some minutes is a few MB and is muxed in memory.
 * @throws Error of the system when the output cannot be written; it may then be there in part
 */
export async function renderClip(order: RenderJob, onProgress: (fraction: number) => void): Promise<void> {
  const encoded = await encode(order, onProgress);
  await writeFile(order.output, await mux(encoded, order), { mode: 0o600, flush: true });
}

async function encode(
  order: RenderJob,
  onProgress: (fraction: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const frames = createRenderedFrames(order);
  const encoder = await h264.createH264MP4Encoder();
  encoder.width = CLIP_WIDTH;
  encoder.height = CLIP_HEIGHT;
  encoder.frameRate = order.fps;
  encoder.groupOfPictures = Math.max(1, Math.floor(KEY_EVERY_S * order.fps));
  encoder.speed = SPEED;
  encoder.quantizationParameter = QUANTIZATION;
  encoder.initialize();
  const step = Math.max(1, Math.ceil(frames.count / PROGRESS_STEPS));
  for (let index = 0; index < frames.count; index++) {
    encoder.addFrameYuv(frames.draw(index).bytes);
    if ((index + 1) % step === 0) onProgress((index + 1) / frames.count);
  }
  encoder.finalize();
  // The memory file system outlives the encoder: what stays in it would add up.
  const bytes = Uint8Array.from(encoder.FS.readFile(encoder.outputFilename));
  encoder.FS.unlink(encoder.outputFilename);
  encoder.delete();
  return bytes;
}

/** The encoder's own MP4 marks no frame as key, and knows only whole frame lengths: both are set here. */
async function mux(encoded: Uint8Array<ArrayBuffer>, order: RenderJob): Promise<Uint8Array> {
  const input = new Input({ source: new BufferSource(encoded), formats: [MP4] });
  const video = await input.getPrimaryVideoTrack();
  const decoderConfig = await video?.getDecoderConfig();
  if (!video || !decoderConfig) throw new Error('the encoder wrote no video');
  const source = new EncodedVideoPacketSource('avc');
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  output.addVideoTrack(source);
  await output.start();
  const durationS = (order.toMs - order.fromMs) / 1000;
  let index = 0;
  for await (const packet of new EncodedPacketSink(video).packets()) {
    const timestamp = index++ / order.fps;
    const duration = Math.min(1 / order.fps, durationS - timestamp);
    const type = await trueType(video, packet);
    await source.add(packet.clone({ timestamp, duration, type }), { decoderConfig });
  }
  await output.finalize();
  input.dispose();
  return new Uint8Array(target.buffer ?? []);
}
