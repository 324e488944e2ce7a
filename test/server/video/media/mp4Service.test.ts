import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MkvOutputFormat, MovOutputFormat, Mp4OutputFormat, MpegTsOutputFormat } from 'mediabunny';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMp4Service } from '../../../../server/video/media/mp4Service.ts';
import { hasRealClip, readBack, REAL_CLIP, rewrapped, smallMp4 } from './sampleVideos.ts';
import { topBoxes } from './topBoxes.ts';

const service = createMp4Service();
const never = new AbortController().signal;
let folder: string;
let small: string;
let output: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mp4-'));
  small = await smallMp4(folder);
});
beforeEach(async () => {
  output = join(folder, 'finished.mp4');
  await rm(output, { force: true });
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const finish = (input: string, signal = never) => service.finish({ input, output, signal });

async function written(name: string, bytes: Uint8Array | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

async function refused(input: string, detail: RegExp): Promise<void> {
  await expect(finish(input)).rejects.toMatchObject({
    code: 'bad_media',
    message: expect.stringMatching(detail) as unknown,
  });
  expect(existsSync(output)).toBe(false);
}

const KEY_TIMES = [0, 2];

describe('a downloaded video', () => {
  it('a downloaded video is kept byte for byte when its index is in front and its key frames are marked', async () => {
    const facts = await finish(small);
    const bytes = await readFile(output);
    expect(bytes.equals(await readFile(small))).toBe(true);
    expect(facts).toEqual({
      size_bytes: bytes.length,
      duration_s: 4,
      content_type: 'video/mp4',
      width: 512,
      height: 288,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      codec: 'avc1.420015',
    });
  });

  const layouts = [
    ['with its index at the end', new Mp4OutputFormat({ fastStart: false }), 'last.mp4'],
    ['in fragments', new Mp4OutputFormat({ fastStart: 'fragmented' }), 'fragments.mp4'],
    ['in QuickTime', new MovOutputFormat({ fastStart: false }), 'clip.mov'],
    ['in an MPEG transport stream', new MpegTsOutputFormat(), 'clip.ts'],
  ] as const;

  it.each(layouts)(
    '%s becomes an MP4 with the index in front, its frames and times unchanged',
    async (_, format, name) => {
      const facts = await finish(await rewrapped(small, format, join(folder, name)));
      const bytes = await readFile(output);
      expect(topBoxes(bytes).filter((type) => type !== 'free')).toEqual(['ftyp', 'moov', 'mdat']);
      expect(bytes.includes('stss')).toBe(true);
      const back = await readBack(output);
      expect(back.times).toHaveLength(16);
      back.times.forEach((time, i) => expect(time).toBeCloseTo(i / 4, 4));
      expect(back.keyTimes).toEqual(KEY_TIMES);
      expect(facts).toMatchObject({ size_bytes: bytes.length, duration_s: 4, width: 512, height: 288 });
      expect(facts.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    },
  );

  it('a downloaded video gets marks for its true key frames when it has none', async () => {
    const bytes = await readFile(small);
    const marks = bytes.indexOf('stss');
    bytes.write('free', marks, 'latin1');
    expect((await readBack(await written('unmarked.mp4', bytes))).keyTimes).toHaveLength(16);
    await finish(join(folder, 'unmarked.mp4'));
    expect((await readBack(output)).keyTimes).toEqual(KEY_TIMES);
  });

  it('a downloaded video is readable by its owner alone, whatever the mode of the download was', async () => {
    const input = await written('readonly.mp4', await readFile(small));
    await chmod(input, 0o444);
    await finish(input);
    expect((await stat(output)).mode & 0o777).toBe(0o600);
  });

  it.skipIf(!hasRealClip)(
    `a downloaded video from a real camera comes out playable with its own numbers${hasRealClip ? '' : ' (skipped: the clip is not there)'}`,
    async () => {
      const moved = await rewrapped(
        REAL_CLIP,
        new Mp4OutputFormat({ fastStart: false }),
        join(folder, 'real.mp4'),
      );
      for (const input of [REAL_CLIP, moved]) {
        const facts = await finish(input);
        expect(facts).toMatchObject({ duration_s: 8.84, width: 960, height: 540 });
        expect(facts.codec).toMatch(/^avc1\.6400/i);
        const back = await readBack(output);
        expect(back.times).toHaveLength(221);
        expect(back.endS).toBeCloseTo(8.84, 3);
        expect(back.audioTracks).toBe(1);
        const order = topBoxes(await readFile(output));
        expect(order.indexOf('moov')).toBeLessThan(order.indexOf('mdat'));
      }
    },
  );
});

describe('what is not a playable video is bad media, and the detail says what it is', () => {
  it.each([
    ['zero bytes', '', /^not a video: zero bytes$/],
    ['HTML', '<!doctype html><title>Camera login</title>', /^not a video: an HTML page titled Camera login$/],
    ['JSON', '{"error":"no recording"}', /^not a video: JSON: \{"error":"no recording"\}$/],
    ['noise', Uint8Array.from({ length: 999 }, (_, i) => (i * 7 + 1) & 255), /^not a video: unknown data/],
  ])('%s', async (_, content, detail) => {
    await refused(await written('bad', content), detail);
  });

  it('another container', async () => {
    await refused(
      await rewrapped(small, new MkvOutputFormat(), join(folder, 'clip.mkv')),
      /a Matroska or WebM file/,
    );
  });

  it('half of a file with the index in front', async () => {
    const bytes = await readFile(small);
    const half = Math.floor(bytes.length / 2);
    await refused(
      await written('half.mp4', bytes.subarray(0, half)),
      new RegExp(
        `^truncated: the file ends after ${half} bytes, its mdat box reaches to byte ${bytes.length}$`,
      ),
    );
  });

  it('half of a file with the index at the end, and half of a fragmented one', async () => {
    for (const fastStart of [false, 'fragmented'] as const) {
      const path = await rewrapped(small, new Mp4OutputFormat({ fastStart }), join(folder, 'whole.mp4'));
      const bytes = await readFile(path);
      await refused(
        await written('half.mp4', bytes.subarray(0, bytes.length * 0.45)),
        /^truncated: the file ends/,
      );
    }
  });

  it('a file whose index was never written', async () => {
    const ftyp = (await readFile(small)).subarray(0, 28);
    await refused(await written('noindex.mp4', ftyp), /^no index \(moov box\) in its 28 bytes/);
  });

  it('an index that points to frames beyond the end', async () => {
    const bytes = await readFile(small);
    const mdat = bytes.indexOf('mdat') - 4;
    const shortened = Buffer.from(bytes.subarray(0, mdat + 12_000));
    shortened.writeUInt32BE(12_000, mdat);
    await refused(
      await written('beyond.mp4', shortened),
      /^damaged: only [1-9]\d* of its 16 frames are in the file$/,
    );
  });

  it('a video without one key frame', async () => {
    const bytes = await readFile(small);
    // Turns the slices of key frames (NAL type 5) into those of others (type 1).
    for (let at = bytes.indexOf('mdat') + 4; at + 5 < bytes.length;) {
      const wide = bytes.readUInt32BE(bytes.indexOf('mdat') - 4) === 1 && at === bytes.indexOf('mdat') + 4;
      if (wide) at += 8;
      const size = bytes.readUInt32BE(at);
      const head = bytes[at + 4] ?? 0;
      if ((head & 31) === 5) bytes[at + 4] = (head & ~31) | 1;
      at += 4 + size;
    }
    await refused(await written('nokey.mp4', bytes), /^no key frame among its 16 frames/);
  });
});

describe('a job that cannot be finished', () => {
  it('a job that cannot be finished leaves no file when it is cancelled', async () => {
    const cancel = new AbortController();
    const job = finish(small, cancel.signal);
    cancel.abort(new Error('not wanted'));
    await expect(job).rejects.toThrow('not wanted');
    expect(existsSync(output)).toBe(false);
    expect((await finish(small)).duration_s).toBe(4);
  });

  it('a job that cannot be finished says so when the download is not there', async () => {
    await expect(finish(join(folder, 'nowhere.mp4'))).rejects.toMatchObject({ code: 'failed' });
  });

  const hasFullDevice = existsSync('/dev/full');
  it.skipIf(!hasFullDevice)(
    `a job that cannot be finished is disk_full on a full disk${hasFullDevice ? '' : ' (skipped: this system has no /dev/full)'}`,
    async () => {
      const path = await rewrapped(
        small,
        new Mp4OutputFormat({ fastStart: false }),
        join(folder, 'last.mp4'),
      );
      await symlink('/dev/full', output);
      await expect(finish(path)).rejects.toMatchObject({ code: 'disk_full' });
      expect(existsSync(output)).toBe(false);
    },
  );
});
