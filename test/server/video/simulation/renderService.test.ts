import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRenderService } from '../../../../server/video/simulation/renderService.ts';
import type { RenderJob } from '../../../../server/video/simulation/journey.ts';
import { readBack } from '../media/sampleVideos.ts';
import { topBoxes } from '../media/topBoxes.ts';

const service = createRenderService();
const never = new AbortController().signal;
const FROM = Date.UTC(2026, 10, 19, 11, 3, 48);
const position = { speed_kmh: 80, course_deg: 312, lat: 52.5, lon: 13.4 };
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clip-'));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

function request(name: string, lengthMs: number, changed: Partial<RenderJob> = {}): RenderJob {
  return {
    vehicle: { name: 'V 17', plate: 'AB1234' },
    channel: { channel: 1, name: 'Front' },
    fromMs: FROM,
    toMs: FROM + lengthMs,
    fps: 8,
    positions: Array.from({ length: Math.max(0, lengthMs / 1000) + 1 }, () => position),
    output: join(folder, name),
    ...changed,
  };
}

describe('a clip of the simulator', () => {
  it('a clip of the simulator lasts as long as the fragment, with a key frame every two seconds and the index in front', async () => {
    const order = request('clip.mp4', 9300);
    await service.clip(order, never);
    const back = await readBack(order.output);
    expect(back).toMatchObject({ width: 512, height: 288, keyTimes: [0, 2, 4, 6, 8], audioTracks: 0 });
    expect(back.times).toHaveLength(75);
    back.times.forEach((time, i) => expect(time).toBeCloseTo(i / 8, 4));
    expect(back.endS).toBeCloseTo(9.3, 3);
    const bytes = await readFile(order.output);
    expect(topBoxes(bytes)).toEqual(['ftyp', 'moov', 'mdat']);
    expect(bytes.includes('stss')).toBe(true);
  });

  it('a clip of the simulator keeps key frames at most two seconds apart at any frame rate', async () => {
    for (const fps of [1, 5, 7.5]) {
      const order = request('rate.mp4', 6000, { fps });
      await service.clip(order, never);
      const { keyTimes, times } = await readBack(order.output);
      expect(times).toHaveLength(6 * fps);
      [...keyTimes, 6].forEach((time, i) => expect(time - (keyTimes[i - 1] ?? 0)).toBeLessThanOrEqual(2));
    }
  });

  it('a clip of the simulator reports its progress', async () => {
    const shares: number[] = [];
    await service.clip(request('progress.mp4', 4000), never, (share) => shares.push(share));
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.length).toBeGreaterThan(5);
    expect(shares.at(-1)).toBe(1);
  });

  const ffprobe = isInPath('ffprobe');
  it.skipIf(!ffprobe)(
    `a clip of the simulator is read alike by ffprobe${ffprobe ? '' : ' (skipped: ffprobe is not in PATH)'}`,
    async () => {
      const order = request('probe.mp4', 5000);
      await service.clip(order, never);
      const shown = 'stream=codec_name,profile,width,height,pix_fmt,nb_read_frames,duration';
      const { stdout } = await promisify(execFile)('ffprobe', [
        '-v',
        'error',
        '-count_frames',
        '-show_entries',
        shown,
        '-of',
        'json',
        order.output,
      ]);
      expect(JSON.parse(stdout)).toMatchObject({
        streams: [
          {
            codec_name: 'h264',
            profile: 'Baseline',
            width: 512,
            height: 288,
            pix_fmt: 'yuv420p',
            nb_read_frames: '40',
            duration: '5.000000',
          },
        ],
      });
    },
  );
});

describe('the queue of simulated clips', () => {
  it('the queue of simulated clips renders two clips requested at once, the first one first', async () => {
    const finished: string[] = [];
    const clip = async (name: string) => {
      await service.clip(request(name, 2000), never);
      finished.push(name);
    };
    await Promise.all([clip('one.mp4'), clip('two.mp4')]);
    expect(finished).toEqual(['one.mp4', 'two.mp4']);
    // The index before the pictures states the second in which the file was written.
    const pictures = async (name: string) => {
      const bytes = await readFile(join(folder, name));
      return bytes.subarray(bytes.indexOf('mdat'));
    };
    const [one, two] = [await pictures('one.mp4'), await pictures('two.mp4')];
    expect(one.length).toBeGreaterThan(1_000);
    expect(one.equals(two)).toBe(true);
  });

  it('the queue of simulated clips ends a clip that is cancelled half-way, leaves no file, and continues with the next', async () => {
    const cancel = new AbortController();
    const order = request('cancelled.mp4', 60_000);
    const cancelled = service.clip(order, cancel.signal, () => cancel.abort(new Error('not wanted')));
    const next = request('next.mp4', 1000);
    const made = service.clip(next, never);
    await expect(cancelled).rejects.toThrow('not wanted');
    expect(existsSync(order.output)).toBe(false);
    await made;
    expect((await readBack(next.output)).endS).toBeCloseTo(1, 3);
  });

  it('the queue of simulated clips removes a cancelled clip from the queue', async () => {
    const cancel = new AbortController();
    const first = service.clip(request('first.mp4', 1000), never);
    const order = request('waiting.mp4', 1000);
    const waiting = service.clip(order, cancel.signal);
    cancel.abort(new Error('not wanted'));
    await expect(waiting).rejects.toThrow('not wanted');
    await first;
    expect(existsSync(order.output)).toBe(false);
  });

  it('the queue of simulated clips fails with the reason when the clip cannot be written', async () => {
    const order = request('none.mp4', 1000, { output: join(folder, 'nowhere', 'none.mp4') });
    await expect(service.clip(order, never)).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringMatching(/ENOENT/) as unknown,
    });
  });

  it('the queue of simulated clips refuses a clip that ends before it starts', async () => {
    await expect(service.clip(request('back.mp4', -1000), never)).rejects.toThrow(
      'a clip must end after it starts',
    );
  });

  it('the queue of simulated clips fails with closed when the host closes', async () => {
    const own = createRenderService();
    const order = request('closed.mp4', 60_000);
    const clip = own.clip(order, never);
    const [made] = await Promise.allSettled([clip, own.close()]);
    expect(made).toMatchObject({ status: 'rejected', reason: { code: 'closed' } });
    expect(existsSync(order.output)).toBe(false);
  });
});

function isInPath(program: string): boolean {
  try {
    execFileSync(program, ['-version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
