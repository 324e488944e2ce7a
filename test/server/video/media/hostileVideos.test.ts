import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { Mp4OutputFormat, MpegTsOutputFormat } from 'mediabunny';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MediaError } from '../../../../server/video/media/mediaError.ts';
import { createMp4Service } from '../../../../server/video/media/mp4Service.ts';
import { byteStream, takeApart } from './rawSamples.ts';
import { hasRealClip, readBack, REAL_CLIP, rewrapped, smallMp4 } from './sampleVideos.ts';

const service = createMp4Service();
let folder: string;
let output: string;
const samples = new Map<string, Buffer>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostile-'));
  output = join(folder, 'finished.mp4');
  const small = await smallMp4(folder);
  const again = async (path: string, name: string, format: Mp4OutputFormat | MpegTsOutputFormat) =>
    samples.set(name, await readFile(await rewrapped(path, format, join(folder, 'again'))));
  samples.set('an MP4', await readFile(small));
  await again(small, 'an MP4 with its index at the end', new Mp4OutputFormat({ fastStart: false }));
  await again(small, 'an MP4 in fragments', new Mp4OutputFormat({ fastStart: 'fragmented' }));
  await again(small, 'a transport stream', new MpegTsOutputFormat());
  const source = await takeApart(small);
  samples.set('a raw stream', byteStream(source, source.pictures));
  if (!hasRealClip) return;
  samples.set('the MP4 of a real drive', await readFile(REAL_CLIP));
  await again(REAL_CLIP, 'the transport stream of a real drive', new MpegTsOutputFormat());
  const drive = await takeApart(REAL_CLIP);
  samples.set('the raw stream of a real drive', byteStream(drive, drive.pictures));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

/** Places as shares of the file; many of them near its head, where the index or the parameter sets are. */
const place = fc.oneof(
  fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  fc.double({ min: 0, max: 0.02, noNaN: true }),
);
const harm = fc.oneof(
  fc.record({
    kind: fc.constant('overwrite' as const),
    at: place,
    bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }),
  }),
  fc.record({
    kind: fc.constant('cut' as const),
    at: place,
    share: fc.double({ min: 0, max: 0.5, noNaN: true }),
  }),
  fc.record({
    kind: fc.constant('repeat' as const),
    at: place,
    share: fc.double({ min: 0, max: 0.1, noNaN: true }),
  }),
  fc.record({ kind: fc.constant('end' as const), at: place }),
);
type Harm = typeof harm extends fc.Arbitrary<infer T> ? T : never;

function harmed(bytes: Buffer, by: Harm): Buffer {
  const at = Math.floor(by.at * bytes.length);
  switch (by.kind) {
    case 'overwrite': {
      const copy = Buffer.from(bytes);
      copy.set(by.bytes.subarray(0, copy.length - at), at);
      return copy;
    }
    case 'cut':
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + Math.floor(by.share * bytes.length))]);
    case 'repeat':
      return Buffer.concat([bytes.subarray(0, at + Math.floor(by.share * bytes.length)), bytes.subarray(at)]);
    case 'end':
      return bytes.subarray(0, at);
  }
}

const runs: [string, number][] = [
  ['an MP4', 20],
  ['an MP4 with its index at the end', 20],
  ['an MP4 in fragments', 20],
  ['a transport stream', 20],
  ['a raw stream', 20],
  ...(hasRealClip
    ? ([
        ['the MP4 of a real drive', 6],
        ['the transport stream of a real drive', 6],
        ['the raw stream of a real drive', 6],
      ] as [string, number][])
    : []),
];

describe('a damaged file becomes a good one or is called bad, and the next is served', () => {
  it.each(runs)('%s', async (name, numRuns) => {
    const whole = samples.get(name) ?? Buffer.alloc(0);
    const input = join(folder, 'harmed');
    await fc.assert(
      fc.asyncProperty(fc.array(harm, { minLength: 1, maxLength: 6 }), async (harms) => {
        await writeFile(input, harms.reduce(harmed, whole));
        try {
          const facts = await service.finish({ input, output, signal: new AbortController().signal });
          expect(facts.duration_s).toBeGreaterThanOrEqual(0);
          expect((await readBack(output)).times.length).toBeGreaterThan(0);
        } catch (error) {
          if (!(error instanceof MediaError)) throw error;
          expect(`${error.code}: ${error.message}`).toMatch(/^bad_media: ./);
          expect(existsSync(output)).toBe(false);
        }
      }),
      { numRuns },
    );
    await writeFile(input, samples.get('an MP4') ?? '');
    const next = await service.finish({ input, output, signal: new AbortController().signal });
    expect(next.duration_s).toBe(4);
  });

  it('a file whose reading comes to no end is given up, and the next is served', async () => {
    const input = join(folder, 'slow.264');
    await writeFile(input, samples.get('a raw stream') ?? '');
    // Zeros at its end belong to a raw stream: gigabytes of them are read for seconds.
    await truncate(input, 3_000_000_000);
    let patienceMs = 0;
    const impatient = createMp4Service(() => patienceMs);
    const order = { output, signal: new AbortController().signal };
    await expect(impatient.finish({ ...order, input })).rejects.toMatchObject({
      code: 'bad_media',
      message: 'damaged: reading it comes to no end',
    });
    expect(existsSync(output)).toBe(false);
    patienceMs = 60_000;
    const good = join(folder, 'small.mp4');
    expect((await impatient.finish({ ...order, input: good })).duration_s).toBe(4);
    await impatient.close();
  });
});
