import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMp4Service } from '../../../../server/video/media/mp4Service.ts';
import {
  ffmpeg,
  hasFfmpeg,
  neverGoesBack,
  pictureTag,
  probe,
  shownPictures,
  testPicture,
  unlessFfmpeg,
} from './ffmpeg.ts';
import { hasRealClip, readBack, REAL_CLIP } from './sampleVideos.ts';

const service = createMp4Service();
let folder: string;
let output: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ts-'));
  output = join(folder, 'finished.mp4');
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const finish = (name: string, expected_s?: number) =>
  service.finish({
    input: join(folder, name),
    output,
    signal: new AbortController().signal,
    ...(expected_s === undefined ? {} : { expected_s }),
  });

const h264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-g', '12', '-bf', '2', '-pix_fmt', 'yuv420p'];
const h265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none:keyint=12'];

async function encode(name: string, codecs: string[], offsetS = 0): Promise<void> {
  const at = ['-output_ts_offset', String(offsetS)];
  await ffmpeg(...testPicture(2), ...codecs, ...at, '-f', 'mpegts', join(folder, name));
}

/** Two recordings in one file, as a recorder joins them. */
async function join2(name: string, first: string, second: string): Promise<void> {
  const bytes = [await readFile(join(folder, first)), await readFile(join(folder, second))];
  await writeFile(join(folder, name), Buffer.concat(bytes));
}

describe.skipIf(!hasFfmpeg)(`a transport stream${unlessFfmpeg}`, () => {
  it('a transport stream with H.264 and AAC comes out with all its pictures and audio', async () => {
    await encode('avc.ts', [...h264, '-c:a', 'aac']);
    expect(await finish('avc.ts')).toMatchObject({ duration_s: 2, width: 160, height: 120 });
    expect(await shownPictures(output)).toEqual(await shownPictures(join(folder, 'avc.ts')));
    expect(await probe(output, 'a')).toHaveLength((await probe(join(folder, 'avc.ts'), 'a')).length);
    expect(await pictureTag(output)).toBe('avc1');
  });

  it('a transport stream with H.265 and AAC comes out under the name that players know', async () => {
    await encode('hevc.ts', [...h265, '-c:a', 'aac']);
    expect((await finish('hevc.ts')).codec).toMatch(/^hvc1\./);
    expect(await shownPictures(output)).toEqual(await shownPictures(join(folder, 'hevc.ts')));
    expect(await pictureTag(output)).toBe('hvc1');
    expect((await readBack(output)).audioTracks).toBe(1);
  });

  it('a transport stream keeps its pictures when MP4 cannot hold its audio', async () => {
    const data = ['-map', '0:v', '-map', '1:a', '-c:a', 's302m', '-strict', '-2', '-ar', '48000', '-ac', '2'];
    await encode('s302m.ts', [...data, ...h264]);
    expect((await finish('s302m.ts')).duration_s).toBe(2);
    expect(await readBack(output)).toMatchObject({ audioTracks: 0 });
  });

  it.each([
    ['goes back to its beginning', 'back.ts', 0],
    ['goes back by 20 s', 'earlier.ts', -20],
    ['jumps ahead by hours', 'later.ts', 20_000],
    ['jumps ahead by more than was asked for', 'ahead.ts', 100],
  ])(
    'a transport stream whose clock %s goes on without a gap, picture and audio together',
    async (_, name, jumpS) => {
      await encode('first.ts', [...h264, '-c:a', 'aac'], 30);
      await encode('second.ts', [...h264, '-c:a', 'aac'], 30 + jumpS);
      await join2(name, 'first.ts', 'second.ts');
      expect((await finish(name, 30)).duration_s).toBeCloseTo(4, 1);
      const packets = await probe(output);
      expect(packets).toHaveLength(100);
      expect(neverGoesBack(packets)).toBe(true);
      const shown = packets.map((it) => it.pts).sort((a, b) => a - b);
      shown.forEach((pts, i) => expect(pts).toBeCloseTo(i / 25, 1));
      const sound = await probe(output, 'a');
      expect(sound.at(-1)?.pts).toBeCloseTo(4, 1);
      expect(neverGoesBack(sound)).toBe(true);
      const pictures = await shownPictures(output);
      expect(pictures.slice(0, 50)).toEqual(await shownPictures(join(folder, 'first.ts')));
      expect(pictures.slice(50)).toEqual(pictures.slice(0, 50));
    },
  );

  it('a transport stream whose clock jumps keeps the distance between picture and audio', async () => {
    await encode('first.ts', [...h264, '-c:a', 'aac'], 30);
    const [picture, tone] = [testPicture(2).slice(0, 4), testPicture(2).slice(4)];
    const late = [
      ...picture,
      '-itsoffset',
      '0.5',
      ...tone,
      ...h264,
      '-c:a',
      'aac',
      '-output_ts_offset',
      '5000',
    ];
    await ffmpeg(...late, '-f', 'mpegts', join(folder, 'late.ts'));
    await join2('apart.ts', 'first.ts', 'late.ts');
    await finish('apart.ts', 30);
    expect((await probe(output)).at(-1)?.pts).toBeCloseTo(3.96, 1);
    expect((await probe(output, 'a')).at(-1)?.pts).toBeCloseTo(4.5, 1);
  });

  it('a transport stream keeps a gap that the period asked for has space for: its times are those of the drive', async () => {
    await encode('first.ts', [...h264, '-c:a', 'aac'], 30);
    await encode('second.ts', [...h264, '-c:a', 'aac'], 40);
    await join2('gap.ts', 'first.ts', 'second.ts');
    expect((await finish('gap.ts', 30)).duration_s).toBeCloseTo(12, 1);
  });

  it('a transport stream whose clock runs over its 33 bits goes on', async () => {
    await encode('wrap.ts', [...h264, '-c:a', 'aac'], 2 ** 33 / 90_000 - 2.4);
    expect((await finish('wrap.ts')).duration_s).toBe(2);
  });

  it('a transport stream that lost packets on the way is shown with what is left', async () => {
    await encode('whole.ts', [...h264, '-c:a', 'aac']);
    const bytes = await readFile(join(folder, 'whole.ts'));
    const middle = 188 * Math.floor(bytes.length / 376);
    const rest = bytes.subarray(middle + 188 * 20);
    await writeFile(join(folder, 'lost.ts'), Buffer.concat([bytes.subarray(0, middle), rest]));
    await finish('lost.ts');
    const packets = await probe(output);
    expect(packets.length).toBeGreaterThan(20);
    expect(neverGoesBack(packets)).toBe(true);
  });

  it('a transport stream of another kind of picture is refused in words', async () => {
    await ffmpeg(...testPicture(1), '-an', '-c:v', 'mpeg2video', '-f', 'mpegts', join(folder, 'm2.ts'));
    await expect(finish('m2.ts')).rejects.toMatchObject({ code: 'bad_media' });
  });

  it.skipIf(!hasRealClip)(
    `a transport stream of a real drive comes back with its own pictures${hasRealClip ? '' : ' (skipped: the clip is not there)'}`,
    async () => {
      await ffmpeg('-i', REAL_CLIP, '-c', 'copy', '-f', 'mpegts', join(folder, 'drive.ts'));
      expect(await finish('drive.ts')).toMatchObject({ duration_s: 8.84, width: 960, height: 540 });
      expect(await shownPictures(output)).toEqual(await shownPictures(REAL_CLIP));
      expect((await readBack(output)).audioTracks).toBe(1);
    },
  );
});

describe.skipIf(!hasFfmpeg)(`an MP4 with H.265 under a name that few players know${unlessFfmpeg}`, () => {
  it('an MP4 with H.265 under a name that few players know comes out under the one that they do', async () => {
    const path = join(folder, 'hev1.mp4');
    const tagged = ['-an', ...h265, '-tag:v', 'hev1', '-movflags', 'faststart'];
    await ffmpeg(...testPicture(1), ...tagged, path);
    expect(await pictureTag(path)).toBe('hev1');
    await finish('hev1.mp4');
    expect(await pictureTag(output)).toBe('hvc1');
    expect(await shownPictures(output)).toEqual(await shownPictures(path));
  });
});
