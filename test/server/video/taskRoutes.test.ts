import { createHash, randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { type EventRow, emptyBatch } from '../../../server/store/telemetry/rows.ts';
import { hasRealClip, REAL_CLIP, smallClip } from './media/sampleVideos.ts';
import {
  addProfile,
  api,
  fragment,
  order,
  startVideoFixture,
  startCamera,
  videoAnswer,
  viewerOf,
  type Bench,
} from './videoBench.ts';

const eventDetails: EventRow['details'] = {
  measured: null,
  threshold: null,
  unit: null,
  duration_s: null,
  alarm: null,
  limit_source: null,
  ended_at: null,
  fixes: [],
};
let clip: Buffer;
beforeAll(async () => {
  clip = await smallClip();
});

async function benchWithCamera() {
  const camera = await startCamera(videoAnswer(clip));
  const bench = await startVideoFixture();
  return { camera, bench, profile_id: await addProfile(bench, { url: `${camera.url}/{channel}/{from}` }) };
}

/** Resolves when somebody has set a timer of this length. */
function timerSet({ clock }: Bench, ms: number): Promise<void> {
  const after = clock.after.bind(clock);
  return new Promise((resolve) => {
    clock.after = (wanted, call) => {
      if (wanted === ms) setImmediate(resolve);
      return after(wanted, call);
    };
  });
}

async function doneTask(bench: Bench, profile_id: string, more: object = {}) {
  const { task_id } = await order(bench, profile_id, more);
  await bench.until(task_id, 'done', 'failed');
  return (await bench.as('reader').get(`${api}/tasks/${task_id}`)).body;
}

describe('the road of a video', () => {
  it.skipIf(!hasRealClip)(
    `a video goes from the request to the file of the camera${hasRealClip ? '' : ' (skipped: the real clip is not there)'}`,
    async () => {
      const real = await readFile(REAL_CLIP);
      const { camera, bench, profile_id } = await benchWithCamera();
      camera.answer = videoAnswer(real);
      const created = await bench.as('writer').post(`${api}/tasks`, fragment(bench, profile_id));
      expect(created.status).toBe(201);
      expect(created.headers.get('location')).toBe(`${api}/tasks/${created.body.task_id}`);
      expect(created.headers.get('retry-after')).toBe('2');
      expect(created.body).toMatchObject({
        status: 'queued',
        progress: 0,
        attempts: 0,
        file: null,
        error: null,
        version: 1,
      });
      await bench.until(created.body.task_id, 'done');
      const done = await bench.as('reader').get(`${api}/tasks/${created.body.task_id}`);
      expect(done.headers.get('retry-after')).toBeNull();
      expect(done.body).toMatchObject({
        status: 'done',
        progress: 1,
        attempts: 1,
        file: { content_type: 'video/mp4', width: 960, height: 540 },
      });
      expect(done.body.file.duration_s).toBeCloseTo(8.84, 1);
      expect(Date.parse(done.body.expires_at) - Date.parse(done.body.done_at)).toBe(30 * 86_400_000);
      const way = bench.announced.map((row) => row.status);
      expect(way).toEqual(['queued', 'downloading', 'processing', 'processing', 'done']);
      const file = await fetch(`${bench.url}${api}/tasks/file/${created.body.task_id}`, {
        headers: { Authorization: 'JWT reader' },
      });
      const bytes = Buffer.from(await file.arrayBuffer());
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(done.body.file.sha256);
      expect(bytes.length).toBe(done.body.file.size_bytes);
    },
  );

  it('the road of a video of a simulated camera goes the same way', async () => {
    const bench = await startVideoFixture();
    const profile_id = await addProfile(bench, {}, { kind: 'simulated' });
    const task = await doneTask(bench, profile_id);
    expect(task).toMatchObject({ status: 'done', file: { duration_s: 10 } });
  });
});

describe('a new task', () => {
  it.each([
    ['channel', { channel: 3 }],
    ['to', { to: '2026-11-21T11:58:50.000Z' }],
    ['to', { to: '2026-11-21T12:02:00.001Z' }],
    ['to', { from: '2026-11-21T11:40:00Z', to: '2026-11-21T11:50:00.001Z' }],
    ['from', { from: '2026-11-21T12:00:00.001Z', to: '2026-11-21T12:01:00Z' }],
    ['event_id', { event_id: randomUUID() }],
  ])('a new task is refused for a wrong %s', async (path, wrong) => {
    const { bench, profile_id } = await benchWithCamera();
    const answer = await bench.as('writer').post(`${api}/tasks`, fragment(bench, profile_id, wrong));
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((it: { path: string }) => it.path)).toEqual([path]);
  });

  it('a new task needs the right to write and the sight of the vehicle', async () => {
    const { bench, profile_id } = await benchWithCamera();
    const post = (name: string) => bench.as(name).post(`${api}/tasks`, fragment(bench, profile_id));
    expect((await post('reader')).status).toBe(403);
    expect((await post('stranger')).status).toBe(403);
    expect((await post('outsider')).status).toBe(404);
    const { body } = await post('writer');
    for (const path of [`tasks/${body.task_id}`, `tasks/file/${body.task_id}`, `tasks/${randomUUID()}`]) {
      expect((await bench.as('outsider').get(`${api}/${path}`)).status).toBe(404);
    }
    expect((await bench.as('outsider').call('DELETE', `${api}/tasks/${body.task_id}`)).status).toBe(404);
    expect((await bench.as('outsider').post(`${api}/tasks/${body.task_id}/retry`)).status).toBe(404);
    expect((await bench.as('outsider').get(`${api}/tasks`)).body.items).toEqual([]);
  });

  it('a new task bears the event that it belongs to', async () => {
    const { bench, profile_id } = await benchWithCamera();
    const vehicle_id = bench.vehicles.byTerminal('0700')?.vehicle_id ?? '';
    const event_id = randomUUID();
    await bench.store.commit({
      ...emptyBatch(),
      events: [
        {
          event_id,
          kind: 'sos',
          vehicle_id,
          time_ms: 1,
          received_ms: 1,
          late: false,
          lat: null,
          lon: null,
          geozone_id: null,
          details: eventDetails,
          rule_id: null,
          rule_version: null,
        },
      ],
    });
    expect((await order(bench, profile_id, { event_id })).event_id).toBe(event_id);
  });

  it('sent twice with one Idempotency-Key is one task', async () => {
    const { bench, profile_id } = await benchWithCamera();
    const post = () =>
      bench.as('writer').post(`${api}/tasks`, fragment(bench, profile_id), { 'Idempotency-Key': 'k' });
    const [first, second] = [await post(), await post()];
    expect(second.body.task_id).toBe(first.body.task_id);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
  });
});

describe('a task', () => {
  it('a task can be changed while nothing was fetched, for the version that the caller saw', async () => {
    const { bench, camera, profile_id } = await benchWithCamera();
    const ahead = { to: new Date(bench.clock.now() + 60_000).toISOString() };
    const { task_id } = await order(bench, profile_id, ahead);
    const path = `${api}/tasks/${task_id}`;
    expect((await bench.as('reader').call('PATCH', path, { channel: 2 })).status).toBe(403);
    expect((await bench.as('writer').call('PATCH', path, { channel: 7 })).body.errors[0].path).toBe(
      'channel',
    );
    expect((await bench.as('writer').call('PATCH', path, { to: null })).body.errors[0].path).toBe('to');
    expect((await bench.as('writer').call('PATCH', path, { channel: 2 }, { 'If-Match': '"9"' })).status).toBe(
      412,
    );
    const to = new Date(bench.clock.now() - 1000).toISOString();
    const changed = await bench.as('writer').call('PATCH', path, { channel: 2, to }, { 'If-Match': '"1"' });
    expect(changed.body).toMatchObject({ status: 'queued', channel: 2, to, version: 2 });
    await bench.until(task_id, 'done');
    expect(camera.requests[0]).toContain('/2/');
    const late = await bench.as('writer').call('PATCH', path, { channel: 1 });
    expect([late.status, late.body.code]).toEqual([409, 'in_use']);
  });

  it('a task is cancelled, and its file deleted, for the version that the caller saw alone', async () => {
    const { bench, profile_id } = await benchWithCamera();
    const ahead = { to: new Date(bench.clock.now() + 60_000).toISOString() };
    const { task_id, version } = await order(bench, profile_id, ahead);
    const path = `${api}/tasks/${task_id}`;
    const remove = (seen: number, name = 'writer') =>
      bench.as(name).call('DELETE', path, undefined, { 'If-Match': `"${seen}"` });

    // Somebody asked for something else meanwhile: that is not what the caller meant to cancel.
    await bench.as('writer').call('PATCH', path, { channel: 2 });
    const late = await remove(version);
    expect([late.status, late.body.code]).toEqual([412, 'version_conflict']);
    expect((await bench.as('reader').get(path)).body).toMatchObject({
      status: 'queued',
      version: version + 1,
    });
    expect((await remove(version, 'outsider')).status).toBe(404);
    const cancelled = await remove(version + 1);
    expect(cancelled.status).toBe(200);
    expect(cancelled.body).toMatchObject({ status: 'cancelled', version: version + 2 });

    // What has come by now is not what the caller saw on its way.
    const clipFile = await doneTask(bench, profile_id);
    const removeFile = (seen: number) =>
      bench
        .as('writer')
        .call('DELETE', `${api}/tasks/${clipFile.task_id}`, undefined, { 'If-Match': `"${seen}"` });
    expect((await removeFile(1)).status).toBe(412);
    expect((await bench.as('reader').get(`${api}/tasks/file/${clipFile.task_id}`)).status).toBe(200);
    expect((await removeFile(clipFile.version)).body.status).toBe('expired');
  });

  it('a task whose fragment is not over yet waits for its end', async () => {
    const { bench, camera, profile_id } = await benchWithCamera();
    const { task_id } = await order(bench, profile_id, {
      to: new Date(bench.clock.now() + 90_000).toISOString(),
    });
    const shown = await bench.as('reader').get(`${api}/tasks/${task_id}`);
    expect([shown.body.status, shown.headers.get('retry-after')]).toEqual(['queued', '30']);
    bench.clock.advance(89_999);
    expect(camera.requests).toEqual([]);
    bench.clock.advance(1);
    await bench.until(task_id, 'done');
  });

  it('a task that is done gives up its file when it is deleted, and can be fetched again', async () => {
    const { bench, camera, profile_id } = await benchWithCamera();
    const { task_id } = await doneTask(bench, profile_id);
    const path = `${api}/tasks/${task_id}`;
    expect((await bench.as('writer').post(`${path}/retry`)).body.code).toBe('in_use');
    const deleted = await bench.as('writer').call('DELETE', path);
    expect(deleted.body).toMatchObject({ status: 'expired', error: null, file: null });
    const gone = await bench.as('reader').get(`${api}/tasks/file/${task_id}`);
    expect([gone.status, gone.body.code]).toEqual([410, 'file_expired']);
    expect((await bench.as('writer').call('DELETE', path)).body.version).toBe(deleted.body.version);
    const retried = await bench.as('writer').post(`${path}/retry`);
    expect(retried.body).toMatchObject({ status: 'queued', done_at: null, attempts: 1 });
    await bench.until(task_id, 'done');
    expect(camera.requests).toHaveLength(2);
  });

  it('a task that is asked for with `wait` answers when its status changes', async () => {
    const { bench, camera, profile_id } = await benchWithCamera();
    let open = (): void => undefined;
    camera.answer = (request, response) => {
      open = () => videoAnswer(clip)(request, response);
    };
    const { task_id } = await order(bench, profile_id);
    await camera.asked(1);
    const isWaiting = timerSet(bench, 20_000);
    const waiting = bench.as('reader').get(`${api}/tasks/${task_id}?wait=20`);
    await isWaiting;
    open();
    expect((await waiting).body.status).toMatch(/processing|done/);
    await bench.until(task_id, 'done');
    expect((await bench.as('reader').get(`${api}/tasks/${task_id}?wait=60`)).body.status).toBe('done');
  });

  it('a task that is asked for with `wait` answers after that many seconds', async () => {
    const camera = await startCamera(() => undefined);
    const bench = await startVideoFixture();
    const profile_id = await addProfile(bench, { url: camera.url });
    const { task_id } = await order(bench, profile_id);
    await camera.asked(1);
    const isWaiting = timerSet(bench, 20_000);
    const waiting = bench.as('reader').get(`${api}/tasks/${task_id}?wait=20`);
    await isWaiting;
    bench.clock.advance(20_000);
    expect((await waiting).body.status).toBe('downloading');
    expect((await bench.as('reader').get(`${api}/tasks/${task_id}?wait=61`)).status).toBe(400);
  });

  it('a task shows how far its download is', async () => {
    const camera = await startCamera((_request, response) => {
      response.writeHead(200, { 'Content-Length': clip.length });
      response.write(clip.subarray(0, clip.length / 2));
    });
    const published: number[] = [];
    let heard = (): void => undefined;
    const half = new Promise<void>((resolve) => (heard = resolve));
    const bench = await startVideoFixture({
      onProgress(rows) {
        published.push(rows.length);
        heard();
      },
    });
    const { task_id } = await order(bench, await addProfile(bench, { url: camera.url }));
    await half;
    const shown = await bench.as('reader').get(`${api}/tasks/${task_id}`);
    expect(shown.body.status).toBe('downloading');
    expect(shown.body.progress).toBeGreaterThan(0);
    expect(shown.body.progress).toBeLessThanOrEqual(0.45);
    const { received_bytes, total_bytes } = shown.body as { received_bytes: number; total_bytes: number };
    expect(total_bytes).toBe(clip.length);
    expect(received_bytes).toBeGreaterThan(0);
    expect(received_bytes).toBeLessThanOrEqual(clip.length / 2);
    expect(published).toEqual([1]);
    expect(bench.announced.map((row) => row.status)).toEqual(['queued', 'downloading']);
  });

  it('a task is not waited for any longer when the client hangs up, or the host ends', async () => {
    const { bench, profile_id } = await benchWithCamera();
    const ahead = { to: new Date(bench.clock.now() + 60_000).toISOString() };
    const { task_id } = await order(bench, profile_id, ahead);
    const { tasks } = bench.video;
    const row = await tasks.find(task_id, viewerOf('reader'));
    const client = new AbortController();
    const wait = tasks.statusChange(row, 20_000, client.signal);
    client.abort();
    await wait;
    const isWaiting = timerSet(bench, 30_000);
    const asked = bench.as('reader').get(`${api}/tasks/${task_id}?wait=30`);
    await isWaiting;
    await bench.video.close();
    expect((await asked).body.status).toBe('queued');
  });

  it('a task is listed newest first, by status, terminal and time, in pages', async () => {
    const { bench, profile_id } = await benchWithCamera();
    const other = await addProfile(bench, {}, { kind: 'simulated', terminal_id: '0900' });
    const made: string[] = [];
    for (const channel of [1, 2, 1]) {
      bench.clock.advance(60_000);
      made.unshift((await doneTask(bench, profile_id, { channel })).task_id);
    }
    await bench.as('dealer').post(`${api}/tasks`, fragment(bench, other));
    const list = async (query: string, name = 'reader') =>
      (await bench.as(name).get(`${api}/tasks${query}`)).body.items.map(
        (it: { task_id: string }) => it.task_id,
      );
    expect(await list('')).toEqual(made);
    expect(await list('?status=done,failed&terminal_id=700')).toEqual(made);
    expect(await list('?status=failed')).toEqual([]);
    expect(await list('?terminal_id=0900')).toEqual([]);
    expect(await list('?terminal_id=0900', 'dealer')).toHaveLength(1);
    expect(await list('', 'dealer')).toHaveLength(4);
    const from = new Date(bench.clock.now() - 61_000).toISOString();
    expect(await list(`?from=${from}`)).toEqual(made.slice(0, 1));
    const first = await bench.as('reader').get(`${api}/tasks?limit=2`);
    expect(await list(`?limit=2&cursor=${first.body.next_cursor}`)).toEqual(made.slice(2));
    expect((await bench.as('reader').get(`${api}/tasks?colour=red`)).status).toBe(400);
  });
});

describe('the file of a task', () => {
  async function fileOf() {
    const { bench, profile_id } = await benchWithCamera();
    const task = await doneTask(bench, profile_id);
    const url = `${bench.url}${api}/tasks/file/${task.task_id}`;
    const get = (headers: Record<string, string> = {}, method = 'GET') =>
      fetch(url, { method, headers: { Authorization: 'JWT reader', ...headers } });
    const whole = Buffer.from(await (await get()).arrayBuffer());
    return { bench, task, get, whole, url };
  }

  it('the file of a task is sent whole, with all that a client needs to keep and resume it', async () => {
    const { task, get, whole } = await fileOf();
    expect(createHash('sha256').update(whole).digest('hex')).toBe(task.file.sha256);
    const { status, headers } = await get();
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(whole.length),
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      etag: `"${task.file.sha256}"`,
      'content-disposition': `attachment; filename="_B 123 channel 1 2026-11-21 11-58-50Z.mp4"; filename*=UTF-8''%C3%84B%20123%20channel%201%202026-11-21%2011-58-50Z.mp4`,
    });
  });

  it('the file of a task is sent in parts', async () => {
    const { get, whole } = await fileOf();
    const part = await get({ Range: 'bytes=100-199' });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 100-199/${whole.length}`);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(100, 200));
    const tail = await get({ Range: 'bytes=-10' });
    expect(Buffer.from(await tail.arrayBuffer())).toEqual(whole.subarray(-10));
    const past = await get({ Range: `bytes=${whole.length}-` });
    expect([past.status, past.headers.get('content-range')]).toEqual([416, `bytes */${whole.length}`]);
    expect(((await past.json()) as { code: string }).code).toBe('range_not_satisfiable');
    expect((await get({ Range: 'bytes=0-1,4-5' })).status).toBe(200);
  });

  it('the file of a task answers conditions by its strong tag', async () => {
    const { get, task } = await fileOf();
    const etag = `"${task.file.sha256}"`;
    const known = await get({ 'If-None-Match': etag });
    expect([known.status, await known.text()]).toEqual([304, '']);
    expect((await get({ 'If-None-Match': '"other"' })).status).toBe(200);
    expect((await get({ 'If-Range': etag, Range: 'bytes=0-1' })).status).toBe(206);
    expect((await get({ 'If-Range': '"other"', Range: 'bytes=0-1' })).status).toBe(200);
  });

  it('the file of a task gives its length to HEAD without a byte of it', async () => {
    const { get, whole } = await fileOf();
    const head = await get({}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      String(whole.length),
      '',
    ]);
  });

  it('the file of a task survives a client that hangs up in the middle', async () => {
    const { bench, camera, profile_id } = await benchWithCamera();
    // More than all buffers on the way hold.
    const filler = Buffer.alloc(24 * 1024 * 1024);
    filler.writeUInt32BE(filler.length);
    filler.write('free', 4);
    camera.answer = videoAnswer(Buffer.concat([clip, filler]));
    const { task_id, file } = await doneTask(bench, profile_id);
    expect(file.size_bytes).toBe(clip.length + filler.length);
    const url = `${bench.url}${api}/tasks/file/${task_id}`;
    const headers = { Authorization: 'JWT reader' };
    await new Promise<void>((done) => {
      const call = request(url, { headers }, (response) => {
        response.once('data', () => call.destroy());
        response.on('error', () => done());
      });
      call.on('error', () => undefined);
      call.end();
    });
    const again = await fetch(url, { headers });
    expect((await again.arrayBuffer()).byteLength).toBe(file.size_bytes);
  });

  it('the file of a task of a task that is not done is not there yet, and says what the task is doing', async () => {
    const camera = await startCamera(() => undefined);
    const bench = await startVideoFixture();
    const { task_id } = await order(bench, await addProfile(bench, { url: camera.url }));
    await camera.asked(1);
    const answer = await bench.as('reader').get(`${api}/tasks/file/${task_id}`);
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ code: 'task_not_done', detail: 'The task is downloading.' });
    expect(answer.headers.get('retry-after')).toBe('2');
  });

  it('the file of a task that was removed is missing, and its task says so from then on', async () => {
    const { bench, task, get } = await fileOf();
    await rm(bench.folder, { recursive: true });
    const first = await get();
    expect([first.status, ((await first.json()) as { code: string }).code]).toEqual([410, 'file_missing']);
    const shown = await bench.as('reader').get(`${api}/tasks/${task.task_id}`);
    expect(shown.body).toMatchObject({ status: 'expired', error: { code: 'file_missing' } });
    expect((await get()).status).toBe(410);
  });

  it('the file of a task is kept as long as the settings say, and then removed', async () => {
    const { bench, task, get } = await fileOf();
    bench.clock.advance(30 * 86_400_000 - 1);
    await bench.video.prune();
    expect((await get()).status).toBe(200);
    bench.clock.advance(1);
    await bench.video.prune();
    const answer = await get();
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([410, 'file_expired']);
    expect((await bench.as('reader').get(`${api}/tasks/${task.task_id}`)).body).toMatchObject({
      status: 'expired',
      expires_at: task.expires_at,
      done_at: task.done_at,
    });
  });
});
