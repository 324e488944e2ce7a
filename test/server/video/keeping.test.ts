import { readdir } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
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

let clip: Buffer;
beforeAll(async () => {
  clip = await smallClip();
});

const day = 86_400_000;

async function benchWith(options: Parameters<typeof startVideoFixture>[0]) {
  const camera = await startCamera(videoAnswer(clip));
  const bench = await startVideoFixture(options);
  const profile_id = await addProfile(bench, { url: `${camera.url}/{channel}/{from_unix}` });
  let seconds = 0;
  /** Another fragment each time, each done a second after the one before. */
  async function clipFile(more: object = {}): Promise<string> {
    bench.clock.advance(1_000);
    seconds += 5;
    const from = new Date(bench.clock.now() - 200_000 - seconds * 1_000).toISOString();
    const to = new Date(bench.clock.now() - 190_000 - seconds * 1_000).toISOString();
    const { task_id } = await order(bench, profile_id, { from, to, ...more });
    const row = await bench.until(task_id, 'done', 'failed');
    expect(row.error).toBeNull();
    return task_id;
  }
  return { bench, camera, profile_id, clipFile };
}

const shown = async (bench: Bench, task_id: string) =>
  (await bench.as('reader').get(`${api}/tasks/${task_id}`)).body;
const statuses = async (bench: Bench, ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => String((await shown(bench, id)).status)));

describe('videos', () => {
  it('videos give way when all together are more than may be kept, the oldest first and important ones never', async () => {
    const { bench, clipFile } = await benchWith({});
    const old = [await clipFile({ important: true }), await clipFile(), await clipFile()];
    const size = (await shown(bench, old[0] ?? '')).file.size_bytes as number;
    bench.settings.video_quota_bytes = 3 * size;
    const next = await clipFile();
    await bench.until(old[1] ?? '', 'expired');
    expect(await statuses(bench, [...old, next])).toEqual(['done', 'expired', 'done', 'done']);
    bench.settings.video_quota_bytes = 1;
    await bench.video.prune();
    expect(await statuses(bench, [...old, next])).toEqual(['done', 'expired', 'expired', 'expired']);
    expect(await readdir(bench.folder)).toHaveLength(1);
    const gone = await bench.as('reader').get(`${api}/tasks/file/${next}`);
    expect([gone.status, gone.body.code]).toEqual([410, 'file_expired']);
  });

  it('videos give way to a new one when the disk has only its reserve left', async () => {
    let free = 1_000;
    const { bench, camera, clipFile } = await benchWith({
      settings: { video_min_free_bytes: 100 },
      // A file that goes frees what it took.
      readSpace: async (path) => ({ free: free - (await readdir(path)).length, total: 10_000 }),
    });
    const old = [await clipFile(), await clipFile({ important: true })];
    free = 101;
    const next = await clipFile();
    expect(await statuses(bench, old)).toEqual(['expired', 'done']);
    await bench.video.prune();
    expect(await statuses(bench, [...old, next])).toEqual(['expired', 'done', 'expired']);

    free = 100;
    const asked = camera.requests.length;
    const { task_id } = await order(bench, (await shown(bench, next)).profile_id as string);
    const waiting = await waitingFor(bench, task_id, 'disk_full');
    expect(waiting).toMatchObject({ status: 'queued', attempts: 0 });
    expect(camera.requests).toHaveLength(asked);
    free = 1_000;
    bench.clock.advance(5_000);
    await bench.until(task_id, 'done');
  });

  it('videos stay when something else fills the disk: giving all of them up would not help', async () => {
    let free = 100_000_000;
    const { bench, clipFile } = await benchWith({
      settings: { video_min_free_bytes: 100_000_000 },
      readSpace: () => Promise.resolve({ free, total: 1_000 }),
    });
    const kept = [await clipFile(), await clipFile()];
    free = 0;
    await bench.video.prune();
    expect(await statuses(bench, kept)).toEqual(['done', 'done']);
  });

  it('videos that are important do not age; one that no longer is goes with the next look', async () => {
    const { bench, clipFile } = await benchWith({});
    const kept = await clipFile({ important: true });
    const other = await clipFile();
    expect(await shown(bench, kept)).toMatchObject({ important: true, expires_at: null });
    bench.clock.advance(31 * day);
    await bench.video.prune();
    expect(await statuses(bench, [kept, other])).toEqual(['done', 'expired']);
    await bench.as('writer').call('PATCH', `${api}/tasks/${kept}`, { important: false });
    await bench.video.prune();
    expect(await statuses(bench, [kept])).toEqual(['expired']);
  });

  it('videos of incidents that are not closed neither age nor give way; they do once these are closed', async () => {
    const needed = new Set<string>();
    const { bench, clipFile } = await benchWith({ isNeeded: (taskId) => needed.has(taskId) });
    const [kept, other] = [await clipFile(), await clipFile()];
    needed.add(kept);
    bench.settings.video_quota_bytes = 1;
    await bench.video.prune();
    expect(await statuses(bench, [kept, other])).toEqual(['done', 'expired']);
    bench.clock.advance(31 * day);
    await bench.video.prune();
    expect(await statuses(bench, [kept])).toEqual(['done']);
    needed.clear();
    await bench.video.prune();
    expect(await statuses(bench, [kept])).toEqual(['expired']);
  });
});

describe('the importance of a task', () => {
  it('the importance of a task can be set in any status, for the version that the caller saw', async () => {
    const { bench, clipFile } = await benchWith({});
    const task_id = await clipFile();
    const path = `${api}/tasks/${task_id}`;
    const patch = (body: object, headers = {}) => bench.as('writer').call('PATCH', path, body, headers);
    const before = await shown(bench, task_id);
    expect((await patch({ important: true }, { 'If-Match': '"1"' })).status).toBe(412);
    const marked = await patch({ important: true }, { 'If-Match': `"${before.version}"` });
    expect(marked.body).toEqual({
      ...before,
      important: true,
      expires_at: null,
      version: Number(before.version) + 1,
      updated_at: marked.body.updated_at,
    });
    expect((await patch({ important: true })).body.version).toBe(marked.body.version);
    expect((await patch({ important: null })).body).toMatchObject({
      important: false,
      expires_at: before.expires_at,
    });
    expect((await patch({ important: true, channel: 2 })).body.code).toBe('in_use');
    await bench.as('writer').call('DELETE', path);
    expect((await patch({ important: true })).body).toMatchObject({ important: true, status: 'expired' });
  });

  it('the importance of a task does not disturb its download', async () => {
    let letGo = (): void => undefined;
    const camera = await startCamera((request, response) => {
      letGo = () => videoAnswer(clip)(request, response);
    });
    const bench = await startVideoFixture();
    const { task_id } = await order(bench, await addProfile(bench, { url: camera.url }));
    await camera.asked(1);
    const path = `${api}/tasks/${task_id}`;
    const marked = await bench.as('writer').call('PATCH', path, { important: true });
    expect(marked.body).toMatchObject({ status: 'downloading', attempts: 1, important: true });
    letGo();
    expect(await bench.until(task_id, 'done', 'failed')).toMatchObject({ status: 'done', important: true });
    expect(camera.requests).toHaveLength(1);
    expect(bench.ended.map((row) => row.status)).toEqual(['done']);
    await bench.as('writer').call('PATCH', path, { important: false });
    expect(bench.ended).toHaveLength(1);
  });
});

async function waitingFor(bench: Bench, taskId: string, code: string) {
  for (;;) {
    const row = bench.announced.findLast((it) => it.task_id === taskId);
    if (row?.error?.code === code) return row;
    await bench.changed();
  }
}
