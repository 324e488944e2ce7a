import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Task } from '../../../../server/contract/video.ts';
import { ApiProblem, Unreachable } from '../../../../renderer/api/errors.ts';
import { createPageLocks, StoreFull, type Locks } from '../../../../renderer/video/store/clipStorage.ts';
import { createClipStore, type ClipStore } from '../../../../renderer/video/store/clipStore.ts';
import { ChecksumWrong } from '../../../../renderer/video/store/fetchClip.ts';
import { spanOf } from '../../../../renderer/video/store/cachedContext.ts';
import { createEagerClock } from '../eagerClock.ts';
import { trackFix } from '../player/trackFix.ts';
import { doneTask } from '../sampleTask.ts';
import { sha256Of, startFileHost, type FileHost } from './fileHost.ts';
import { createFolderFiles } from './folderFiles.ts';

const clock = createEagerClock();
const never = new AbortController().signal;
const tasks = new Map<string, Task>();
let host: FileHost;
let folder: string;
let locks: Locks;

beforeEach(async () => {
  host = await startFileHost(clock);
  folder = await mkdtemp(join(tmpdir(), 'clips-'));
  locks = createPageLocks();
  tasks.clear();
});

afterEach(async () => {
  await host.close();
  await rm(folder, { recursive: true });
});

/** Another tab, or the same one after a reload. */
async function openTab(limitBytes = 10_000_000): Promise<ClipStore> {
  const store = createClipStore({
    openPlace: () => Promise.resolve({ kind: 'disk', files: createFolderFiles(folder), locks }),
    ask: host.ask,
    taskOf: (id) => tasks.get(id),
    clock,
    limitBytes,
  });
  await store.open();
  return store;
}

function clipFile(size = 100_000, seed = 1): Buffer {
  return Buffer.from(
    Uint8Array.from({ length: size }, (_, index) => (index * 31 + seed * 7 + (index >> 8)) & 255),
  );
}

function task(bytes: Buffer, fields: Partial<Task> = {}): Task {
  const made = doneTask({ size_bytes: bytes.length, sha256: sha256Of(bytes) }, fields);
  host.put(made.task_id, bytes);
  tasks.set(made.task_id, made);
  return made;
}

async function bytesOf(blob: Blob | null): Promise<Buffer> {
  if (blob === null) throw new Error('there is no clip');
  return Buffer.from(await blob.arrayBuffer());
}

test('the clip store fetches a clip once and gives it from the store afterwards, over reloads too', async () => {
  const bytes = clipFile();
  const clip = task(bytes);
  const store = await openTab();
  expect(await bytesOf(await store.get(clip, never))).toEqual(bytes);
  await store.get(clip, never);
  const reloaded = await openTab();
  expect(await bytesOf(await reloaded.get(clip, never))).toEqual(bytes);
  expect(await bytesOf(await reloaded.kept(clip.task_id))).toEqual(bytes);
  expect(host.asked).toEqual([{ taskId: clip.task_id, range: null }]);
});

test('the clip store fetches once however often it is asked for at the same time, in however many tabs', async () => {
  const clip = task(clipFile());
  const [one, two] = [await openTab(), await openTab()];
  host.holdBack(true);
  const all = [one.get(clip, never), one.get(clip, never), two.get(clip, never)];
  host.holdBack(false);
  for (const blob of await Promise.all(all)) expect(blob.size).toBe(100_000);
  expect(host.asked).toHaveLength(1);
});

test('a cached clip is found, and a clip is delivered, while the list of cached clips is written', async () => {
  const bytes = clipFile();
  const [clip, other] = [task(bytes), task(clipFile(100_000, 2))];
  const store = await openTab();
  await store.get(clip, never);
  const span = spanOf(clip);
  const moment = { positions: [trackFix(20)], events: [] };
  await store.keepMoment(span, moment);
  const write = async (at: number) => {
    await store.pin(clip.task_id, at % 2 === 0);
    await store.keepMoment(span, moment);
  };
  const read = async () => {
    expect(await bytesOf(await store.kept(clip.task_id))).toEqual(bytes);
    expect(await store.moment(span)).toEqual(moment);
    expect((await store.list()).map((it) => it.task_id)).toContain(clip.task_id);
    expect((await store.get(other, never)).size).toBe(100_000);
  };
  await Promise.all(Array.from({ length: 20 }, (_, at) => [write(at), read()]).flat());
});

test('the clip store goes on where a lost connection broke off', async () => {
  const bytes = clipFile(1_000_000);
  const clip = task(bytes);
  host.breakAfter(400_000, 200_000);
  const store = await openTab();
  expect(await bytesOf(await store.get(clip, never))).toEqual(bytes);
  const starts = host.asked.map(({ range }) => range);
  expect(starts[0]).toBeNull();
  expect(starts.slice(1).every((range) => /^bytes=[1-9]\d*-$/.test(range ?? ''))).toBe(true);
});

test('the clip store goes on after a reload with the part that the store has', async () => {
  const bytes = clipFile(1_000_000);
  const clip = task(bytes);
  const first = await openTab();
  const leave = new AbortController();
  host.stallAfter(300_000);
  const begun = first.get(clip, leave.signal);
  await loaded(first, clip.task_id, 300_000);
  leave.abort(new Error('the tab was closed'));
  await expect(begun).rejects.toThrow('the tab was closed');

  const second = await openTab();
  expect(await bytesOf(await second.get(clip, never))).toEqual(bytes);
  expect(host.asked.map(({ range }) => startOf(range))).toEqual([0, expect.closeTo(300_000, -5)]);
});

test('the clip store takes silence on the line for a lost connection', async () => {
  const bytes = clipFile(500_000);
  const clip = task(bytes);
  host.stallAfter(250_000);
  const store = await openTab();
  const fetched = store.get(clip, never);
  await loaded(store, clip.task_id, 250_000);
  clock.runLong();
  expect(await bytesOf(await fetched)).toEqual(bytes);
  expect(startOf(host.asked.at(-1)?.range)).toBeGreaterThan(200_000);
});

test('the clip store restarts when the file at the depot is another one by now', async () => {
  const old = clipFile(400_000, 1);
  const clip = task(old);
  const first = await openTab();
  const leave = new AbortController();
  host.stallAfter(100_000);
  const begun = first.get(clip, leave.signal);
  await loaded(first, clip.task_id, 100_000);
  leave.abort(new Error('left'));
  await expect(begun).rejects.toThrow('left');

  const fresh = clipFile(300_000, 2);
  const again = { ...clip, file: { ...file(clip), size_bytes: fresh.length, sha256: sha256Of(fresh) } };
  tasks.set(clip.task_id, again);
  host.put(clip.task_id, fresh);
  const second = await openTab();
  expect(await bytesOf(await second.get(again, never))).toEqual(fresh);
});

test('the clip store gets over an If-Range that the depot does not honour', async () => {
  const bytes = clipFile(400_000, 1);
  const clip = task(bytes);
  const first = await openTab();
  const leave = new AbortController();
  host.stallAfter(100_000);
  const begun = first.get(clip, leave.signal);
  await loaded(first, clip.task_id, 100_000);
  leave.abort(new Error('left'));
  await expect(begun).rejects.toThrow('left');

  // The task is known as it was; the file behind it has changed, and the whole new one comes with 200.
  const fresh = clipFile(300_000, 2);
  host.put(clip.task_id, fresh);
  tasks.set(clip.task_id, {
    ...clip,
    file: { ...file(clip), size_bytes: fresh.length, sha256: sha256Of(fresh) },
  });
  const second = await openTab();
  expect(await bytesOf(await second.get(clip, never))).toEqual(fresh);
  expect(startOf(host.asked.at(-1)?.range)).toBeGreaterThan(50_000);
});

test('the clip store fetches again when the kept clip is not the one that the task has by now', async () => {
  const clip = task(clipFile(50_000, 1));
  const store = await openTab();
  await store.get(clip, never);
  const fresh = clipFile(60_000, 2);
  const again = { ...clip, file: { ...file(clip), size_bytes: fresh.length, sha256: sha256Of(fresh) } };
  tasks.set(clip.task_id, again);
  host.put(clip.task_id, fresh);
  expect(await bytesOf(await store.get(again, never))).toEqual(fresh);
});

test('the clip store fetches a clip whose checksum is wrong once more, then says so and keeps nothing', async () => {
  const bytes = clipFile();
  const clip = task(bytes);
  const store = await openTab();
  host.corrupt(1);
  expect(await bytesOf(await store.get(clip, never))).toEqual(bytes);
  expect(host.asked).toHaveLength(2);

  const bad = task(clipFile(100_000, 5));
  host.corrupt(2);
  await expect(store.get(bad, never)).rejects.toThrow(ChecksumWrong);
  expect(await store.kept(bad.task_id)).toBeNull();
});

test('the clip store says when the depot has removed the file', async () => {
  const clip = task(clipFile());
  host.refuse('file_expired');
  const store = await openTab();
  await expect(store.get(clip, never)).rejects.toThrow(ApiProblem);
  expect(host.asked).toHaveLength(1);
});

test('the clip store gives up after some tries that bring nothing', async () => {
  const clip = task(clipFile());
  const store = await openTab();
  await host.close();
  await expect(store.get(clip, never)).rejects.toThrow(Unreachable);
  host = await startFileHost(clock);
});

test('the clip store plays what is kept with the server gone', async () => {
  const bytes = clipFile();
  const clip = task(bytes);
  await (await openTab()).get(clip, never);
  await host.close();
  const later = await openTab();
  expect(await bytesOf(await later.get(clip, never))).toEqual(bytes);
  host = await startFileHost(clock);
});

test('the clip store drops the least recently used clip for a new one, never a pinned or playing one', async () => {
  const store = await openTab(350_000);
  const [a, b, c, d] = [1, 2, 3, 4].map((seed) => task(clipFile(100_000, seed)));
  if (!a || !b || !c || !d) throw new Error('four tasks');
  for (const it of [a, b, c]) await store.get(it, never);
  await store.get(a, never);
  await store.pin(b.task_id, true);
  const release = store.hold([c.task_id]);
  await store.get(d, never);
  expect((await store.list()).map((it) => it.task_id)).toEqual([d.task_id, c.task_id, b.task_id]);
  expect(await store.kept(a.task_id)).toBeNull();

  store.hold([d.task_id]);
  await expect(store.get(a, never)).rejects.toThrow(StoreFull);
  release();
  await store.get(a, never);
  expect(await store.kept(c.task_id)).toBeNull();
});

test('the clip store removes single clips and all of them', async () => {
  const store = await openTab();
  const [a, b] = [task(clipFile(1_000, 1)), task(clipFile(1_000, 2))];
  for (const it of [a, b]) await store.get(it, never);
  await store.pin(b.task_id, true);
  await store.remove([a.task_id]);
  expect([...store.store.getState().clips.keys()]).toEqual([b.task_id]);
  await store.clear();
  expect(await createFolderFiles(folder).names()).toEqual(['index.json']);
});

test('the clip store keeps marks with the clips of a moment, over reloads, until one takes them away', async () => {
  const [front, cabin] = [task(clipFile()), task(clipFile(100_000, 2), { channel: 2 })];
  const store = await openTab();
  await store.get(front, never);
  await store.get(cabin, never);
  const ids = [front.task_id, cabin.task_id, 'a channel that is not here'];
  await store.mark(ids, 5_000, '');
  await store.mark(ids, 7_000, 'brakes');
  await store.mark(ids, 5_000, 'phone in hand');
  const reloaded = await openTab();
  const marks = async () => (await reloaded.list()).map((it) => it.marks);
  const both = [
    { at: 7_000, note: 'brakes' },
    { at: 5_000, note: 'phone in hand' },
  ];
  expect(await marks()).toEqual([both, both]);
  await reloaded.mark(ids, 7_000, null);
  expect(await marks()).toEqual([both.slice(1), both.slice(1)]);
});

test('the clip store keeps the marks of a clip whose file the depot fetched again', async () => {
  const old = task(clipFile());
  const store = await openTab();
  await store.get(old, never);
  await store.mark([old.task_id], 5_000, 'phone');
  await store.get(task(clipFile(120_000, 3), { task_id: old.task_id }), never);
  expect((await store.list()).map((it) => [it.size_bytes, it.marks])).toEqual([
    [120_000, [{ at: 5_000, note: 'phone' }]],
  ]);
});

test('the clip store gives a clip that comes later the marks of the moment, and loses none when another goes', async () => {
  const [small, full] = [task(clipFile()), task(clipFile(150_000, 2))];
  const other = task(clipFile(50_000, 3), { to: '2026-11-19T11:05:00.000Z' });
  const store = await openTab();
  await store.get(small, never);
  await store.get(other, never);
  await store.mark([small.task_id], 5_000, 'phone');
  await store.pin(small.task_id, true);
  await store.get(full, never);
  await store.mark([full.task_id], 6_000, '');
  await store.remove([small.task_id]);
  const kept = new Map((await store.list()).map((it) => [it.task_id, it]));
  expect(kept.get(full.task_id)?.marks.map((it) => it.at)).toEqual([5_000, 6_000]);
  expect(kept.get(full.task_id)?.pinned, 'what was pinned stays so in its better quality').toBe(true);
  expect(kept.get(other.task_id)?.marks, 'another moment').toEqual([]);
});

test('the clip store takes a mark away from every clip of its moment, so that it does not come back', async () => {
  const [old, again] = [task(clipFile()), task(clipFile(150_000, 2))];
  const store = await openTab();
  await store.get(old, never);
  await store.get(again, never);
  await store.mark([again.task_id], 5_000, '');
  await store.mark([again.task_id], 5_000, null);
  await store.remove([again.task_id]);
  await store.get(again, never);
  expect((await store.list()).map((it) => it.marks)).toEqual([[], []]);
});

test('the clip store drops a clip first that a better one has taken the place of, pinned or not, until that one is gone', async () => {
  const store = await openTab(350_000);
  const [older, small, full] = [
    task(clipFile(90_000, 1), { channel: 2 }),
    task(clipFile(90_000, 2)),
    task(clipFile(90_000, 3)),
  ];
  for (const it of [older, small, full]) await store.get(it, never);
  await store.pin(small.task_id, true);
  await store.spare([small.task_id]);
  await store.get(task(clipFile(90_000, 4), { channel: 3 }), never);
  expect((await store.list()).map((it) => it.task_id)).not.toContain(small.task_id);

  await store.get(small, never);
  await store.spare([small.task_id]);
  await store.remove([full.task_id]);
  expect(store.store.getState().clips.get(small.task_id)?.spare).toBe(false);
});

test('the clip store keeps pinned what was pinned small when the better clip takes its place', async () => {
  const store = await openTab();
  const [small, full] = [task(clipFile(90_000, 1)), task(clipFile(90_000, 2))];
  const others = [
    task(clipFile(90_000, 3), { channel: 2 }),
    task(clipFile(90_000, 4), { to: '2026-11-19T11:05:00.000Z' }),
  ];
  for (const it of [small, full, ...others]) await store.get(it, never);
  await store.pin(small.task_id, true);
  await store.spare([small.task_id]);
  const pinned = (await store.list()).filter((it) => it.pinned).map((it) => it.task_id);
  expect(pinned).toEqual([full.task_id]);
});

test('the clip store keeps track and events of a moment as long as a clip of it is here', async () => {
  const [front, cabin] = [task(clipFile()), task(clipFile(100_000, 2), { channel: 2 })];
  const span = spanOf(front);
  const moment = { positions: [trackFix(20)], events: [] };
  const store = await openTab();
  await store.keepMoment(span, moment);
  expect(await store.moment(span), 'no clip shows it').toBeNull();
  await store.get(front, never);
  await store.get(cabin, never);
  await store.keepMoment(span, moment);
  const reloaded = await openTab();
  expect(await reloaded.moment(span)).toEqual(moment);
  expect(await reloaded.moment({ ...span, to: span.to + 1 })).toBeNull();
  await reloaded.remove([front.task_id]);
  expect(await reloaded.moment(span)).toEqual(moment);
  await reloaded.remove([cabin.task_id]);
  expect(await createFolderFiles(folder).names()).toEqual(['index.json']);
});

test('the clip store lets track and events go with the last clip that is dropped for another', async () => {
  const store = await openTab(150_000);
  const [first, second] = [task(clipFile()), task(clipFile(100_000, 2), { to: '2026-11-19T11:05:00.000Z' })];
  await store.get(first, never);
  await store.keepMoment(spanOf(first), { positions: [], events: [] });
  await store.get(second, never);
  expect((await createFolderFiles(folder).names()).toSorted()).toEqual(
    [`${second.task_id}.mp4`, 'index.json'].toSorted(),
  );
});

test('the clip store knows the time of the first frame of a cached clip', async () => {
  const clip = task(clipFile());
  const late = { ...clip, file: { ...file(clip), starts_at: '2026-11-19T11:03:20.000Z' } };
  await (await openTab()).get(late, never);
  expect((await openTab()).startOf(clip.task_id)).toBe('2026-11-19T11:03:20.000Z');
});

test('the clip store reads a list from before there were marks', async () => {
  const clip = task(clipFile());
  await (await openTab()).get(clip, never);
  const path = join(folder, 'index.json');
  const index = JSON.parse(await readFile(path, 'utf8')) as { clips: Record<string, unknown>[] };
  for (const it of index.clips) delete it['marks'];
  await writeFile(path, JSON.stringify(index));
  expect((await (await openTab()).list()).map((it) => [it.whole, it.marks])).toEqual([[true, []]]);
});

test('the clip store makes space at once when the limit is lowered', async () => {
  const store = await openTab();
  const [a, b] = [task(clipFile(100_000, 1)), task(clipFile(100_000, 2))];
  for (const it of [a, b]) await store.get(it, never);
  await store.setLimit(150_000);
  expect((await store.list()).map((it) => it.task_id)).toEqual([b.task_id]);
});

test('the clip store begins with an empty list when the index cannot be read, and removes unknown files', async () => {
  const clip = task(clipFile());
  await (await openTab()).get(clip, never);
  await writeFile(join(folder, 'index.json'), '{"format":1,"clips":[{');
  const store = await openTab();
  expect(await store.list()).toEqual([]);
  expect(await createFolderFiles(folder).names()).toEqual(['index.json']);
  expect((await store.get(clip, never)).size).toBe(100_000);
  expect(JSON.parse(await readFile(join(folder, 'index.json'), 'utf8'))).toMatchObject({ format: 1 });
});

test('the clip store ends the fetch when the last waiting caller has left, not before', async () => {
  const clip = task(clipFile(200_000));
  const store = await openTab();
  host.stallAfter(100_000);
  const [one, two] = [new AbortController(), new AbortController()];
  const first = store.get(clip, one.signal);
  const second = store.get(clip, two.signal);
  await loaded(store, clip.task_id, 100_000);
  one.abort(new Error('one left'));
  await expect(first).rejects.toThrow('one left');
  expect(store.store.getState().fetches.has(clip.task_id)).toBe(true);
  two.abort(new Error('two left'));
  await expect(second).rejects.toThrow('two left');
});

const file = (clip: Task): NonNullable<Task['file']> => {
  if (clip.file === null) throw new Error('the task has no file');
  return clip.file;
};

/** Where a request begins; one without a range at 0. */
const startOf = (range: string | null | undefined): number =>
  Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);

/** When about so many bytes have come: progress is reported in steps of a hundredth. */
function loaded(store: ClipStore, taskId: string, bytes: number): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      const { loadedBytes = 0, totalBytes = 0 } = store.store.getState().fetches.get(taskId) ?? {};
      if (loadedBytes < bytes - totalBytes / 50) return;
      stop();
      resolve();
    };
    const stop = store.store.subscribe(look);
    look();
  });
}
