import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  ALL_FORMATS,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathSource,
  FilePathTarget,
  Input,
  Mp4OutputFormat,
  MpegTsOutputFormat,
  Output,
} from 'mediabunny';
import type { OutputFormat } from 'mediabunny';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { finishVideo } from '../../../../server/video/media/finishVideo.ts';
import { smallMp4 } from './sampleVideos.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const pictures = 700;
const pictureBytes = 60_000;
/** What mediabunny keeps of a file, what is gathered for the disk, and the pictures under way. */
const maxHeld = 20_000_000;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleetdeck-memory-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A clip of which each frame is as large as those of a good camera: behind it stands filler data (H.264, 7.3.2.7). */
async function largeClip(format: OutputFormat): Promise<string> {
  const path = join(folder, 'large');
  const input = new Input({ source: new FilePathSource(await smallMp4(folder)), formats: ALL_FORMATS });
  const track = await input.getPrimaryVideoTrack();
  const decoderConfig = await track?.getDecoderConfig();
  const first = track && (await new EncodedPacketSink(track).getFirstPacket());
  if (!first || !decoderConfig) throw new Error('the sample has no picture');
  const filler = Buffer.alloc(pictureBytes, 0xff);
  filler.writeUInt32BE(pictureBytes - 4);
  filler[4] = 0x0c;
  const data = Buffer.concat([first.data, filler]);
  const output = new Output({ format, target: new FilePathTarget(path) });
  const source = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(source);
  await output.start();
  for (let at = 0; at < pictures; at++) {
    await source.add(first.clone({ data, timestamp: at / 10, duration: 1 / 10 }), { decoderConfig });
  }
  await output.finalize();
  input.dispose();
  return path;
}

/** Bytes in buffers once what the rendering of the clip left behind is gone; collecting goes on after `gc` returns. */
async function settledBytes(): Promise<number> {
  let before = Number.POSITIVE_INFINITY;
  for (let same = 0; same < 3;) {
    collectGarbage();
    await nextTurn();
    const now = process.memoryUsage().arrayBuffers;
    same = now < before ? 0 : same + 1;
    before = Math.min(before, now);
  }
  return before;
}

it.each([
  ['an MPEG transport stream', new MpegTsOutputFormat()],
  ['an MP4 with its index at the end', new Mp4OutputFormat({ fastStart: false })],
])('frames of %s are held a few at a time, however long it is', async (_, format) => {
  const input = await largeClip(format);
  const before = await settledBytes();
  const held: number[] = [];
  const facts = await finishVideo({ input, output: join(folder, 'finished.mp4') }, (share) => {
    if (share < 0.5) return;
    collectGarbage();
    held.push(process.memoryUsage().arrayBuffers - before);
  });
  expect(facts.size_bytes).toBeGreaterThan(pictures * pictureBytes);
  expect(held.length).toBeGreaterThan(5);
  // Single looks see what is about to be collected as well.
  const middle = held.sort((a, b) => a - b)[Math.floor(held.length / 2)];
  expect(middle).toBeLessThan(maxHeld);
});
