import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathSource,
  FilePathTarget,
  Input,
  MovOutputFormat,
  MP4,
  Mp4OutputFormat,
  MpegTsOutputFormat,
  Output,
  type OutputFormat,
} from 'mediabunny';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { finishVideo } from '../../../../server/video/media/finishVideo.ts';
import { hasFfmpeg, neverGoesBack, probe } from './ffmpeg.ts';
import {
  byteStream,
  pictureAt,
  shortCode,
  takeApart,
  units,
  type RawPicture,
  type RawSource,
} from './rawSamples.ts';
import { smallMp4 } from './sampleVideos.ts';

let folder: string;
let output: string;
let source: RawSource;
let decoderConfig: NonNullable<Awaited<ReturnType<typeof configOf>>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'every-'));
  output = join(folder, 'finished.mp4');
  const small = await smallMp4(folder);
  source = await takeApart(small);
  const found = await configOf(small);
  if (found === null) throw new Error('no decoder configuration');
  decoderConfig = found;
});
afterAll(() => rm(folder, { recursive: true }));

async function configOf(path: string) {
  const input = new Input({ source: new FilePathSource(path), formats: [MP4] });
  const track = await input.getPrimaryVideoTrack();
  const config = (await track?.getDecoderConfig()) ?? null;
  input.dispose();
  return config;
}

/** Slices of each picture in a finished file, and when it is shown. */
async function slicesIn(path: string): Promise<{ slices: Buffer; time: number }[]> {
  const input = new Input({ source: new FilePathSource(path), formats: [MP4] });
  const track = await input.getPrimaryVideoTrack();
  if (track === null) throw new Error('no video track');
  const found: { slices: Buffer; time: number }[] = [];
  for await (const { data, timestamp } of new EncodedPacketSink(track).packets()) {
    found.push({ slices: slicesOf(units(Buffer.from(data))), time: timestamp });
  }
  input.dispose();
  return found;
}

function slicesOf(nals: readonly Buffer[]): Buffer {
  return Buffer.concat(nals.filter((nal) => [1, 5].includes((nal[0] ?? 0) & 31)));
}

/** Pictures by their number in the sample, each with the pause after it in 1/100 s. */
const clip = fc.array(fc.record({ index: fc.nat({ max: 15 }), pause: fc.integer({ min: 1, max: 300 }) }), {
  minLength: 1,
  maxLength: 40,
});

async function checkFinished(
  expected: readonly RawPicture[],
  times: readonly number[] | null,
): Promise<void> {
  const found = await slicesIn(output);
  expect(found.length).toBe(expected.length);
  for (const [i, { slices, time }] of found.entries()) {
    expect(slices.equals(slicesOf(expected[i]?.nals ?? []))).toBe(true);
    if (times !== null) expect(time).toBeCloseTo((times[i] ?? 0) - (times[0] ?? 0), 2);
    expect(time).toBeGreaterThanOrEqual(found[i - 1]?.time ?? 0);
  }
  if (hasFfmpeg) expect(neverGoesBack(await probe(output))).toBe(true);
}

describe('whatever frames a source has, the finished MP4 has them all from the first key frame on, in order', () => {
  it('a raw stream keeps all frames from the first key frame on', async () => {
    await fc.assert(
      fc.asyncProperty(clip, fc.boolean(), async (list, isShort) => {
        const pictures = list.flatMap(({ index }) => source.pictures[index] ?? []);
        const lead = { ...pictureAt(source, 1), isKey: true };
        const bytes = byteStream(source, [lead, ...pictures], isShort ? shortCode : undefined);
        const input = join(folder, 'clip.264');
        await writeFile(input, bytes);
        const first = pictures.findIndex((it) => it.isKey);
        const finishing = finishVideo({ input, output }, () => undefined);
        if (first === -1) {
          await expect(finishing).rejects.toMatchObject({ code: 'bad_media' });
          return;
        }
        await finishing;
        await checkFinished(pictures.slice(first), null);
      }),
      { numRuns: 25 },
    );
  });

  const containers: [string, () => OutputFormat][] = [
    ['an MP4 with its index at the end', () => new Mp4OutputFormat({ fastStart: false })],
    ['an MP4 in fragments', () => new Mp4OutputFormat({ fastStart: 'fragmented' })],
    ['QuickTime', () => new MovOutputFormat({ fastStart: false })],
    ['a transport stream', () => new MpegTsOutputFormat()],
  ];
  it.each(containers)('a file in %s keeps all frames, at their times', async (_, format) => {
    await fc.assert(
      fc.asyncProperty(clip, async (list) => {
        const pictures = [pictureAt(source, 0), ...list.flatMap(({ index }) => source.pictures[index] ?? [])];
        const times = list.reduce((all, { pause }) => [...all, (all.at(-1) ?? 0) + pause / 100], [1]);
        const input = join(folder, 'clip.bin');
        await write(input, format(), pictures, times);
        await finishVideo({ input, output }, () => undefined);
        await checkFinished(pictures, times);
      }),
      { numRuns: 12 },
    );
  });
});

async function write(
  path: string,
  format: OutputFormat,
  pictures: readonly RawPicture[],
  times: readonly number[],
): Promise<void> {
  const out = new Output({ format, target: new FilePathTarget(path) });
  const video = new EncodedVideoPacketSource('avc');
  out.addVideoTrack(video);
  await out.start();
  for (const [i, { data, isKey }] of pictures.entries()) {
    const packet = new EncodedPacket(data, isKey ? 'key' : 'delta', times[i] ?? 0, 0.01);
    await video.add(packet, { decoderConfig });
  }
  await out.finalize();
}
