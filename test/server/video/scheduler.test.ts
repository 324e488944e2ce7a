import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { fileNameOf } from '../../../server/video/fragments.ts';
import { smallClip } from './media/sampleVideos.ts';
import {
  addProfile,
  api,
  order,
  startVideoFixture,
  startCamera,
  videoAnswer,
  type Bench,
} from './videoBench.ts';
import { emptyBatch } from '../../../server/store/telemetry/rows.ts';

let clip: Buffer;
beforeAll(async () => {
  clip = await smallClip();
});

/** A camera that holds its answers back until they are let go, in the order of the requests. */
async function slowCamera() {
  const held: (() => void)[] = [];
  const camera = await startCamera((request, response) => {
    held.push(() => videoAnswer(clip)(request, response));
  });
  return { camera, letGo: () => held.shift()?.() };
}

const status = async (bench: Bench, task_id: string) =>
  (await bench.as('reader').get(`${api}/tasks/${task_id}`)).body;

describe('the scheduler', () => {
  it('the scheduler fetches one fragment of a terminal at a time, the oldest first, and several terminals at once', async () => {
    const [one, two] = [await slowCamera(), await slowCamera()];
    const bench = await startVideoFixture();
    const first = await addProfile(bench, { url: `${one.camera.url}/{channel}` });
    const second = await addProfile(bench, { url: `${two.camera.url}/{channel}` }, { terminal_id: '0800' });
    const a = await order(bench, first);
    const b = await order(bench, first, { channel: 2 });
    const c = await order(bench, second);
    await Promise.all([one.camera.asked(1), two.camera.asked(1)]);
    expect((await status(bench, b.task_id)).status).toBe('queued');
    one.letGo();
    await bench.until(a.task_id, 'done');
    await one.camera.asked(2);
    expect((await status(bench, c.task_id)).status).toBe('downloading');
    one.letGo();
    two.letGo();
    await Promise.all([bench.until(b.task_id, 'done'), bench.until(c.task_id, 'done')]);
    expect(one.camera.requests).toEqual(['GET /1', 'GET /2']);
  });

  it('the scheduler keeps to the number of downloads that the settings allow', async () => {
    const [one, two] = [await slowCamera(), await slowCamera()];
    const bench = await startVideoFixture({ settings: { video_max_downloads: 1 } });
    const first = await addProfile(bench, { url: one.camera.url });
    const second = await addProfile(bench, { url: two.camera.url }, { terminal_id: '0800' });
    const a = await order(bench, first);
    const b = await order(bench, second);
    await one.camera.asked(1);
    expect((await status(bench, b.task_id)).status).toBe('queued');
    expect(two.camera.requests).toEqual([]);
    one.letGo();
    await bench.until(a.task_id, 'done');
    await two.camera.asked(1);
    two.letGo();
    await bench.until(b.task_id, 'done');
  });

  it('the scheduler serves tasks for the same fragment by one download, also when one comes later', async () => {
    const { camera, letGo } = await slowCamera();
    const bench = await startVideoFixture();
    const profile_id = await addProfile(bench, { url: camera.url });
    const a = await order(bench, profile_id);
    const b = await order(bench, profile_id);
    await camera.asked(1);
    const c = await order(bench, profile_id);
    await bench.until(c.task_id, 'downloading');
    letGo();
    const done = [];
    for (const { task_id } of [a, b, c]) done.push(await bench.until(task_id, 'done'));
    const d = await order(bench, profile_id);
    done.push(await bench.until(d.task_id, 'done'));
    expect(camera.requests).toHaveLength(1);
    expect(new Set(done.map((row) => row.file_name)).size).toBe(1);
    expect(new Set(done.map((row) => row.task_id)).size).toBe(4);

    for (const { task_id } of done.slice(1))
      await bench.as('writer').call('DELETE', `${api}/tasks/${task_id}`);
    expect(await readdir(bench.folder)).toEqual([done[0]?.file_name]);
    expect((await bench.as('reader').get(`${api}/tasks/file/${a.task_id}`)).status).toBe(200);
    await bench.as('writer').call('DELETE', `${api}/tasks/${a.task_id}`);
    expect(await readdir(bench.folder)).toEqual([]);
  });

  it('the scheduler goes on for the others when one of them is cancelled, and hangs up when all are', async () => {
    const { camera, letGo } = await slowCamera();
    const bench = await startVideoFixture();
    const profile_id = await addProfile(bench, { url: camera.url });
    const a = await order(bench, profile_id);
    const b = await order(bench, profile_id);
    await camera.asked(1);
    const cancelled = await bench.as('writer').call('DELETE', `${api}/tasks/${a.task_id}`);
    expect(cancelled.body.status).toBe('cancelled');
    letGo();
    await bench.until(b.task_id, 'done');
    expect((await status(bench, a.task_id)).status).toBe('cancelled');

    const c = await order(bench, profile_id, { channel: 2 });
    await camera.asked(2);
    const hungUp = new Promise((resolve) => camera.requested[1]?.socket.once('close', resolve));
    await bench.as('writer').call('DELETE', `${api}/tasks/${c.task_id}`);
    await hungUp;
    const d = await order(bench, profile_id, { channel: 2 });
    await camera.asked(3);
    letGo();
    letGo();
    await bench.until(d.task_id, 'done');
    expect((await status(bench, c.task_id)).status).toBe('cancelled');
  });

  it('the scheduler waits for a terminal that is off line, retries with growing delays, and starts automatically when it is back', async () => {
    const camera = await startCamera(videoAnswer(clip));
    await camera.goAway();
    const bench = await startVideoFixture();
    const profile_id = await addProfile(bench, { url: `${camera.url}/{channel}` });
    expect((await bench.as('dealer').get(`${api}/profiles/${profile_id}`)).body.online).toBeNull();
    const a = await order(bench, profile_id);
    const waiting = await bench.until(a.task_id, 'waiting');
    expect(waiting.error).toMatchObject({ code: 'terminal_offline' });
    const online = async () => (await bench.as('dealer').get(`${api}/profiles/${profile_id}`)).body.online;
    expect(await online()).toBe(false);
    const b = await order(bench, profile_id, { channel: 2 });
    await bench.until(b.task_id, 'waiting');
    expect((await status(bench, b.task_id)).attempts).toBe(0);

    const shown = await bench.as('reader').get(`${api}/tasks/${a.task_id}`);
    expect(shown.headers.get('retry-after')).toBe('10');
    await camera.comeBack();
    bench.clock.advance(4_999);
    expect(camera.requests).toEqual([]);
    bench.clock.advance(1);
    await Promise.all([bench.until(a.task_id, 'done'), bench.until(b.task_id, 'done')]);
    expect(camera.requests).toEqual(['HEAD /', 'GET /1', 'GET /2']);
    expect(await online()).toBe(true);
    expect((await status(bench, a.task_id)).attempts).toBe(2);
  });

  it('the scheduler gives up on a terminal that stays off line for a day', async () => {
    const camera = await startCamera(videoAnswer(clip));
    await camera.goAway();
    const bench = await startVideoFixture();
    const { task_id } = await order(bench, await addProfile(bench, { url: camera.url }));
    await bench.until(task_id, 'waiting');
    bench.clock.advance(24 * 3_600_000);
    expect((await bench.until(task_id, 'failed')).error).toMatchObject({ code: 'terminal_offline' });
  });

  it('the scheduler tries a terminal again at once when its profile is corrected', async () => {
    const [wrong, right] = [await startCamera(videoAnswer(clip)), await startCamera(videoAnswer(clip))];
    await wrong.goAway();
    const bench = await startVideoFixture();
    const profile_id = await addProfile(bench, { url: wrong.url });
    const { task_id } = await order(bench, profile_id);
    await bench.until(task_id, 'waiting');
    await bench
      .as('dealer')
      .call('PATCH', `${api}/profiles/${profile_id}`, { connection: { url: right.url } });
    await bench.until(task_id, 'done');
  });

  it('the scheduler comes back to a busy camera after growing delays', async () => {
    const camera = await startCamera((_request, response) => void response.writeHead(503).end());
    const bench = await startVideoFixture();
    const { task_id } = await order(bench, await addProfile(bench, { url: camera.url }));
    for (const [i, pause] of [5_000, 15_000, 45_000, 120_000, 300_000, 600_000, 600_000].entries()) {
      const row = await settled(bench, task_id, i + 1);
      expect(row).toMatchObject({ status: 'queued', attempts: i + 1, error: { code: 'terminal_offline' } });
      expect((row.next_attempt_ms ?? 0) - bench.clock.now()).toBe(pause);
      if (i === 6) camera.answer = videoAnswer(clip);
      bench.clock.advance(pause);
    }
    expect(await bench.until(task_id, 'done')).toMatchObject({ error: null, attempts: 8 });
  });

  it.each([
    ['no_recording', 404, ''],
    ['terminal_refused', 401, ''],
    ['bad_media', 200, '<html><title>Login</title></html>'],
  ])('the scheduler does not repeat what failed for good: %s', async (code, answer, body) => {
    const camera = await startCamera((_request, response) => void response.writeHead(answer).end(body));
    const bench = await startVideoFixture();
    const { task_id } = await order(bench, await addProfile(bench, { url: camera.url }));
    const failed = await bench.until(task_id, 'failed');
    expect(failed.error?.code).toBe(code);
    if (code === 'bad_media') expect(failed.error?.detail).toContain('Login');
    expect(await readdir(bench.folder)).toEqual([]);
    const file = await bench.as('reader').get(`${api}/tasks/file/${task_id}`);
    expect(file.body).toMatchObject({ code: 'task_not_done', detail: 'The task is failed.' });
    camera.answer = videoAnswer(clip);
    await bench.as('writer').post(`${api}/tasks/${task_id}/retry`);
    expect(await bench.until(task_id, 'done')).toMatchObject({ attempts: 2 });
  });

  it('the scheduler tries a camera that hangs up half-way a few times, not for a day', async () => {
    const camera = await startCamera((request, response) => {
      response.writeHead(200, { 'Content-Length': clip.length });
      response.write(clip.subarray(0, 100), () => request.socket.destroy());
    });
    const bench = await startVideoFixture();
    const { task_id } = await order(bench, await addProfile(bench, { url: camera.url }));
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect((await settled(bench, task_id, attempt)).status).toBe('queued');
      bench.clock.advance(600_000);
    }
    const failed = await bench.until(task_id, 'failed');
    expect(failed).toMatchObject({ attempts: 6, error: { code: 'terminal_offline' } });
    expect(failed.error?.detail).toBe(`The camera disconnected after 100 of ${clip.length} bytes.`);
  });

  it('the scheduler begins no download on a disk that has only its reserve left, and comes back to it', async () => {
    const camera = await startCamera(videoAnswer(clip));
    let free = 9;
    const bench = await startVideoFixture({
      settings: { video_min_free_pct: 10 },
      readSpace: () => Promise.resolve({ free, total: 100 }),
    });
    const { task_id } = await order(bench, await addProfile(bench, { url: camera.url }));
    const full = await bench.until(task_id, 'queued').then(() => errorOf(bench, task_id, 'disk_full'));
    expect(full).toMatchObject({ status: 'queued', attempts: 0 });
    expect(camera.requests).toEqual([]);
    free = 10;
    bench.clock.advance(5_000);
    await bench.until(task_id, 'done');
  });

  it('the scheduler puts what is under way back in the line when the host ends, and goes on at the next start', async () => {
    const { camera, letGo } = await slowCamera();
    const bench = await startVideoFixture();
    const { task_id } = await order(bench, await addProfile(bench, { url: camera.url }));
    await camera.asked(1);
    await bench.stop();
    expect(bench.announced.at(-1)).toMatchObject({
      task_id,
      status: 'queued',
      attempts: 1,
      error: { code: 'interrupted' },
    });
    expect(await readdir(bench.folder)).toEqual([]);
    const next = await startVideoFixture({ data: bench.data, clock: bench.clock });
    await camera.asked(2);
    letGo();
    letGo();
    expect(await next.until(task_id, 'done')).toMatchObject({ attempts: 2 });
  });

  it('the scheduler fetches again what another camera gave before the profile was corrected', async () => {
    const [wrong, right] = [await startCamera(videoAnswer(clip)), await startCamera(videoAnswer(clip))];
    const bench = await startVideoFixture();
    const profile_id = await addProfile(bench, { url: wrong.url });
    const a = await order(bench, profile_id);
    const first = await bench.until(a.task_id, 'done');
    await bench
      .as('dealer')
      .call('PATCH', `${api}/profiles/${profile_id}`, { connection: { url: right.url } });
    const b = await order(bench, profile_id);
    const second = await bench.until(b.task_id, 'done');
    expect(right.requests).toHaveLength(1);
    expect(second.file_name).not.toBe(first.file_name);
  });

  it('the scheduler fetches again when the file at hand has gone', async () => {
    const camera = await startCamera(videoAnswer(clip));
    const bench = await startVideoFixture();
    const profile_id = await addProfile(bench, { url: camera.url });
    const a = await order(bench, profile_id);
    const row = await bench.until(a.task_id, 'done');
    const profile = bench.video.profiles.get(profile_id);
    expect(profile && fileNameOf(row, profile)).toBe(row.file_name);
    await writeFile(join(bench.folder, row.file_name ?? ''), 'torn');
    const b = await order(bench, profile_id);
    await bench.until(b.task_id, 'done');
    expect(camera.requests).toHaveLength(2);
  });
});

const depotsRule = { rule_id: '50000000-0000-4000-8000-000000000001', owner_id: null };

describe('tasks that a rule requests', () => {
  it('tasks that a rule requests are one for each channel around the moment, and are fetched once they are stored', async () => {
    const camera = await startCamera(videoAnswer(clip));
    const bench = await startVideoFixture();
    await addProfile(bench, { url: `${camera.url}/{channel}/{from_unix}-{to_unix}` });
    const vehicle_id = bench.vehicles.byTerminal('0700')?.vehicle_id ?? '';
    const at = bench.clock.now();
    const eventId = '40000000-0000-4000-8000-000000000001';
    const window = { before_s: 15, after_s: 5 };
    const rows = bench.video.planForRule(vehicle_id, at, window, eventId, depotsRule);
    expect(rows).toMatchObject([
      { channel: 1, from_ms: at - 15_000, to_ms: at + 5_000, status: 'queued', event_id: eventId },
      { channel: 2, created_by: '00000000-0000-0000-0000-000000000000', rule_id: depotsRule.rule_id },
    ]);
    await bench.store.commit({ ...emptyBatch(), tasks: rows });
    bench.video.adopt(rows);
    const listed = await bench.as('reader').get(`${api}/tasks`);
    expect(listed.body.items).toHaveLength(2);
    bench.clock.advance(5_000);
    for (const { task_id } of rows) await bench.until(task_id, 'done');
    expect(camera.requests.toSorted()).toEqual(
      [1, 2].map((channel) => `GET /${channel}/${at / 1000 - 15}-${at / 1000 + 5}`),
    );
    expect(bench.video.planForRule('nobody', at, window, eventId, depotsRule)).toEqual([]);
  });

  it('tasks that a rule requests are no longer than the settings allow', async () => {
    const bench = await startVideoFixture({ settings: { video_max_s: 60 } });
    await addProfile(bench, {}, { kind: 'simulated' });
    const vehicle_id = bench.vehicles.byTerminal('0700')?.vehicle_id ?? '';
    const filter = { before_s: 90, after_s: 30 };
    const [row] = bench.video.planForRule(vehicle_id, 1e12, filter, vehicle_id, depotsRule);
    expect([row?.from_ms, row?.to_ms]).toEqual([1e12 - 45_000, 1e12 + 15_000]);
  });
});

describe('a vehicle that is purged', () => {
  it('a vehicle that is purged takes its profile, its files and what is under way with it', async () => {
    const { camera, letGo } = await slowCamera();
    const bench = await startVideoFixture();
    const profile_id = await addProfile(bench, { url: camera.url });
    const a = await order(bench, profile_id);
    await camera.asked(1);
    letGo();
    const { vehicle_id } = await bench.until(a.task_id, 'done');
    const b = await order(bench, profile_id, { channel: 2 });
    await camera.asked(2);
    await bench.video.purgeVehicle(vehicle_id);
    expect((await readdir(bench.folder)).filter((name) => name.endsWith('.mp4'))).toEqual([]);
    expect((await status(bench, a.task_id)).status).toBe('expired');
    expect((await status(bench, b.task_id)).status).toBe('cancelled');
    expect((await bench.as('dealer').get(`${api}/profiles?terminal_id=0700`)).status).toBe(404);
    expect(bench.video.profiles.get(profile_id)).toBeUndefined();
  });
});

/** The task when so many attempts have ended. */
async function settled(bench: Bench, taskId: string, attempts: number) {
  return when(
    bench,
    taskId,
    (row) => row.attempts === attempts && !['downloading', 'processing'].includes(row.status),
  );
}

function errorOf(bench: Bench, taskId: string, code: string) {
  return when(bench, taskId, (row) => row.error?.code === code);
}

async function when(bench: Bench, taskId: string, holds: (row: Bench['announced'][number]) => boolean) {
  for (;;) {
    const row = bench.announced.findLast((it) => it.task_id === taskId);
    if (row !== undefined && holds(row)) return row;
    await bench.changed();
  }
}
