import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import {
  BlobSource,
  BufferTarget,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import { expect, test } from 'vitest';
import { canPlay, isH265, readClipInfo } from '../../../../renderer/video/player/mp4Index.ts';

const REAL_CLIP = resolve(import.meta.dirname, '../../../../../shared/data/video/road-solid-white-right.mp4');
const HEVC_CLIP = resolve(import.meta.dirname, '../../../e2e/fixtures/h265.mp4');

/** SPS and PPS of 320 × 180 in H.264 High, level 1.2, as an avcC record. */
const AVCC = Buffer.from(
  '0164000cffe1000c6764000cacd9414196540200000300020000030028f1429960010006' + '68ebe3cb22c0',
  'hex',
);

/** An MP4 whose pictures are decoded in this order and shown at these times, seconds. */
async function movieOf(
  shownAt: readonly number[],
  fastStart: 'in-memory' | false = 'in-memory',
): Promise<Blob> {
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart }), target });
  const source = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(source);
  await output.start();
  const decoderConfig = { codec: 'avc1.64000c', codedWidth: 320, codedHeight: 180, description: AVCC };
  for (const [index, at] of shownAt.entries()) {
    const bytes = Uint8Array.of(0, 0, 0, 2, 0x65, index & 255);
    const packet = new EncodedPacket(bytes, index === 0 ? 'key' : 'delta', at, 0.04);
    await source.add(packet, index === 0 ? { decoderConfig } : undefined);
  }
  await output.finalize();
  return new Blob([target.buffer ?? new ArrayBuffer(0)]);
}

/** What a reader of another hand finds. */
async function asOthersRead(file: Blob) {
  const input = new Input({ source: new BlobSource(file), formats: [MP4] });
  const track = await input.getPrimaryVideoTrack();
  if (track === null) throw new Error('no picture track');
  const times: number[] = [];
  for await (const it of new EncodedPacketSink(track).packets(undefined, undefined, { metadataOnly: true }))
    times.push(it.timestamp);
  return { codec: await track.getCodecParameterString(), times: times.sort((a, b) => a - b) };
}

function expectTimes(found: Float64Array | undefined, times: readonly number[]): void {
  expect(found?.length).toBe(times.length);
  for (const [index, at] of times.entries()) expect(found?.[index]).toBeCloseTo(at, 4);
}

test('the MP4 reader gives the time of each frame, with the index in front of the frames or behind them', async () => {
  for (const fastStart of ['in-memory', false] as const) {
    const movie = await readClipInfo(await movieOf([0, 0.04, 0.2, 0.21, 1.5], fastStart));
    expectTimes(movie?.times, [0, 0.04, 0.2, 0.21, 1.5]);
    expect(movie?.codec).toBe('avc1.64000c');
    expect(movie?.endS).toBeCloseTo(1.54, 2);
  }
});

test('the MP4 reader reads whatever another reader reads, in order of showing', async () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 2, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(lengths, fc.boolean(), async (list, isReordered) => {
      let at = 0;
      const shown = list.map((length) => (at += length) / 100);
      // As cameras do it: of each three pictures the last is decoded first.
      const decoded = isReordered
        ? shown
            .flatMap((_, index) =>
              index % 3 === 0 ? [shown[index + 2], shown[index], shown[index + 1]] : [],
            )
            .filter((it) => it !== undefined)
        : shown;
      const file = await movieOf(decoded);
      expectTimes((await readClipInfo(file))?.times, (await asOthersRead(file)).times);
    }),
    { numRuns: 40 },
  );
});

test('the MP4 reader answers none for what is no MP4, is cut short, or is damaged, and never throws', async () => {
  const good = Buffer.from(await (await movieOf([0, 0.04, 0.08, 0.2])).arrayBuffer());
  expect(await readClipInfo(new Blob([]))).toBeNull();
  expect(await readClipInfo(new Blob(['this is no clip at all']))).toBeNull();
  expect(await readClipInfo(new Blob([good.subarray(0, good.indexOf('stts'))]))).toBeNull();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 6 }),
      fc.nat(good.length),
      async (changes, length) => {
        const bytes = Buffer.from(good.subarray(0, length));
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
        await readClipInfo(new Blob([bytes]));
      },
    ),
    { numRuns: 500 },
  );
});

test('the MP4 reader distinguishes H.265 from H.264 by the name that browsers know', async () => {
  const movie = await readClipInfo(new Blob([await readFile(HEVC_CLIP)]));
  expect(movie?.codec).toMatch(/^hvc1\.1\.6\.L\d+\./);
  expect(isH265(movie?.codec ?? '')).toBe(true);
  expect(isH265('avc1.64001f')).toBe(false);
  expectTimes(
    movie?.times,
    Array.from({ length: 40 }, (_, index) => index / 10),
  );
});

test('the MP4 reader takes the browser’s word for what it plays, under either name of H.265', () => {
  const asked: string[] = [];
  const plays = (...types: string[]) => {
    return (type: string) => {
      asked.push(type);
      return types.includes(type) ? 'probably' : '';
    };
  };
  expect(canPlay('avc1.64001f', plays('video/mp4; codecs="avc1.64001f"'))).toBe(true);
  expect(canPlay('hev1.1.6.L30.90', plays('video/mp4; codecs="hvc1.1.6.L30.90"'))).toBe(true);
  expect(canPlay('hvc1.1.6.L30.90', plays())).toBe(false);
  expect(asked).not.toEqual([]);
});

const isThere = existsSync(REAL_CLIP);
test.skipIf(!isThere)(
  'the MP4 reader reads a real recording as others do (skipped without the shared data)',
  async () => {
    const file = new Blob([await readFile(REAL_CLIP)]);
    const [movie, others] = [await readClipInfo(file), await asOthersRead(file)];
    expect(movie?.codec?.toLowerCase()).toBe(others.codec?.toLowerCase());
    expectTimes(movie?.times, others.times);
  },
);
