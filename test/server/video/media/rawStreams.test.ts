import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMp4Service } from '../../../../server/video/media/mp4Service.ts';
import {
  ffmpeg,
  hasFfmpeg,
  neverGoesBack,
  probe,
  shownPictures,
  testPicture,
  unlessFfmpeg,
} from './ffmpeg.ts';
import { byteStream, pictureAt, shortCode, takeApart, type RawSource } from './rawSamples.ts';
import { hasRealClip, readBack, REAL_CLIP, smallMp4 } from './sampleVideos.ts';
import { topBoxes } from './topBoxes.ts';

const service = createMp4Service();
let folder: string;
let output: string;
let source: RawSource;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'raw-'));
  output = join(folder, 'finished.mp4');
  source = await takeApart(await smallMp4(folder));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const never = new AbortController().signal;
const finish = (input: string, expected_s?: number) =>
  service.finish({ input, output, signal: never, ...(expected_s === undefined ? {} : { expected_s }) });

async function written(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

async function refused(input: string, detail: RegExp): Promise<void> {
  await expect(finish(input)).rejects.toMatchObject({
    code: 'bad_media',
    message: expect.stringMatching(detail) as unknown,
  });
}

const x264 = (params: string) => [
  '-c:v',
  'libx264',
  '-preset',
  'veryfast',
  '-g',
  '12',
  '-x264-params',
  params,
];
const x265 = (params: string) => [
  ...['-c:v', 'libx265', '-preset', 'ultrafast'],
  ...['-x265-params', `log-level=none:keyint=12:min-keyint=12:${params}`],
];

describe.skipIf(!hasFfmpeg)(`a raw stream becomes an MP4${unlessFfmpeg}`, () => {
  const streams: [string, string, string[]][] = [
    [
      'H.264 without B frames, each in four slices, with delimiters',
      'plain.264',
      x264('bframes=0:slices=4:aud=1'),
    ],
    ['H.264 with B frames that others refer to', 'b.264', x264('bframes=3:b-pyramid=normal')],
    ['H.264 with open groups of pictures', 'open.264', x264('bframes=3:open-gop=1')],
    ['H.264 of fields interleaved in frames', 'mbaff.264', x264('bframes=2:interlaced=1')],
    ['H.265 without B frames, in two slices', 'plain.265', x265('bframes=0:slices=2')],
    ['H.265 with B frames', 'b.265', x265('bframes=4:open-gop=0')],
    ['H.265 with open groups of pictures', 'open.265', x265('bframes=4:open-gop=1')],
  ];

  it.each(streams)(
    '%s: every picture is shown as before, in its order, at its time',
    async (_, name, codec) => {
      const path = join(folder, name);
      await ffmpeg(...testPicture(2), '-map', '0:v', '-pix_fmt', 'yuv420p', ...codec, path);
      const facts = await finish(path);
      expect(facts).toMatchObject({ duration_s: 2, width: 160, height: 120 });
      expect(await shownPictures(output)).toEqual(await shownPictures(path));
      const packets = await probe(output);
      expect(packets).toHaveLength(50);
      expect(neverGoesBack(packets)).toBe(true);
      expect(packets[0]?.isKey).toBe(true);
      const shown = packets.map((it) => it.pts).sort((a, b) => a - b);
      shown.forEach((pts, i) => expect(pts).toBeCloseTo(i / 25, 3));
      expect(topBoxes(await readFile(output)).filter((type) => type !== 'free')).toEqual([
        'ftyp',
        'moov',
        'mdat',
      ]);
    },
  );

  it('frames before the first key frame are left out, with those that refer to them', async () => {
    const path = join(folder, 'whole.265');
    await ffmpeg(...testPicture(2), '-map', '0:v', ...x265('bframes=4:open-gop=1'), path);
    const bytes = await readFile(path);
    // The second key picture, a CRA (type 21), begins behind its parameter sets.
    const sets = nalStarts(bytes).filter((at) => (bytes[at] ?? 0) >> 1 === 32);
    const cut = await written('cut.265', bytes.subarray((sets[1] ?? 0) - 4));
    await finish(cut);
    const whole = await shownPictures(path);
    const shown = await shownPictures(output);
    expect(shown.length).toBeGreaterThan(30);
    expect(shown).toEqual(whole.slice(-shown.length));
    const packets = await probe(output);
    expect(packets[0]?.isKey).toBe(true);
    expect(packets).toHaveLength(shown.length);
  });

  it('the pixels keep their shape', async () => {
    const path = join(folder, 'wide.264');
    await ffmpeg(...testPicture(1), '-map', '0:v', '-vf', 'setsar=4/3', ...x264('bframes=0'), path);
    expect(await finish(path)).toMatchObject({ width: 213, height: 120 });
    expect(await readBack(output)).toMatchObject({ width: 213, height: 120 });
  });

  it('a stream’s own frame rate is taken before the requested period', async () => {
    const path = join(folder, 'slow.264');
    await ffmpeg(...testPicture(2, 10), '-map', '0:v', ...x264('bframes=0'), path);
    expect((await finish(path, 5)).duration_s).toBe(2);
  });

  it.skipIf(!hasRealClip)(
    `a real drive comes back with its own pictures${hasRealClip ? '' : ' (skipped: the clip is not there)'}`,
    async () => {
      const path = join(folder, 'drive.264');
      await ffmpeg('-i', REAL_CLIP, '-an', '-c:v', 'copy', '-bsf:v', 'h264_mp4toannexb', path);
      expect(await finish(path)).toMatchObject({ duration_s: 8.84, width: 960, height: 540 });
      expect(await shownPictures(output)).toEqual(await shownPictures(REAL_CLIP));
      expect((await probe(output)).filter((it) => it.isKey)).toHaveLength(
        (await probe(REAL_CLIP)).filter((it) => it.isKey).length,
      );
    },
  );
});

function nalStarts(bytes: Buffer): number[] {
  const starts: number[] = [];
  for (
    let at = bytes.indexOf('\0\0\x01', 0, 'latin1');
    at !== -1;
    at = bytes.indexOf('\0\0\x01', at + 3, 'latin1')
  ) {
    starts.push(at + 3);
  }
  return starts;
}

describe('a raw stream without a declared frame rate', () => {
  it('a raw stream without a declared frame rate fills the period that was asked for', async () => {
    const path = await written('clip.264', byteStream(source, source.pictures));
    const facts = await finish(path, 8);
    expect(facts).toMatchObject({ duration_s: 8, width: 512, height: 288 });
    const { times, keyTimes } = await readBack(output);
    times.forEach((time, i) => expect(time).toBeCloseTo(i / 2, 4));
    expect(times).toHaveLength(16);
    expect(keyTimes).toEqual([0, 4]);
  });

  it('a raw stream without a declared frame rate is shown at 25 frames/s when no period is known, or none that can be', async () => {
    const path = await written('clip.264', byteStream(source, source.pictures, shortCode));
    expect((await finish(path)).duration_s).toBe(0.64);
    expect((await finish(path, 600)).duration_s).toBe(0.64);
  });

  it('a raw stream without a declared frame rate gives the frames before its first key frame their share of the period', async () => {
    const late = source.pictures.slice(4);
    const path = await written('late.264', byteStream(source, [...late.slice(0, 4), ...late]));
    const facts = await finish(path, 16);
    expect(facts.duration_s).toBe(8);
    expect((await readBack(output)).times).toHaveLength(8);
  });
});

describe('parameter sets', () => {
  it('parameter sets that came once, long before the first key frame, are in the file', async () => {
    const deltas = source.pictures.filter((it) => !it.isKey).slice(0, 3);
    const once = byteStream(source, [{ ...pictureAt(source, 1), isKey: true }, ...deltas]);
    const key = byteStream({ ...source, parameterSets: [] }, source.pictures);
    const path = await written('once.264', Buffer.concat([once, key]));
    await finish(path);
    expect((await readBack(output)).times).toHaveLength(16);
  });

  it('parameter sets that never come are what the stream is refused for', async () => {
    const path = await written('none.264', byteStream({ ...source, parameterSets: [] }, source.pictures));
    await refused(path, /^a raw stream that names no picture size/);
  });
});

describe('a file that only begins like a raw stream', () => {
  it('a file that only begins like a raw stream is named by its format', async () => {
    await refused(await written('ps', Buffer.from('000001ba44000400', 'hex')), /an MPEG program stream$/);
    await refused(await written('m2v', Buffer.from('000001b31600f0c4', 'hex')), /a raw MPEG-2 stream$/);
  });

  it('a file that only begins like a raw stream is refused when it has no key frame', async () => {
    const deltas = source.pictures.filter((it) => !it.isKey);
    const bytes = Buffer.concat([
      byteStream(source, [{ ...pictureAt(source, 1), isKey: true }]),
      byteStream(source, deltas),
    ]);
    await refused(await written('nokey.264', bytes), /^no key frame among its \d+ frames/);
  });

  it('a file that only begins like a raw stream is refused before memory runs short when it never ends a picture', async () => {
    const path = await written('endless.264', byteStream(source, source.pictures));
    const file = await open(path, 'r+');
    await file.truncate(3_000_000_000);
    await file.write(Buffer.from([0, 0, 1, 0x41, 0x9a]), 0, 5, 100_000);
    // Zeros belong to the byte stream, so the picture is made of something else.
    const noise = Buffer.alloc(1_000_000, 0xa5);
    for (let at = 100_005; at < 36_000_000; at += noise.length) await file.write(noise, 0, noise.length, at);
    await file.close();
    await refused(path, /would be larger than 33554432 bytes$/);
    await rm(path);
  });
});
