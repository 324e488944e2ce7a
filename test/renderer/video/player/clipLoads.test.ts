import { expect, test } from 'vitest';
import type { Task } from '../../../../server/contract/video.ts';
import { Unreachable } from '../../../../renderer/api/errors.ts';
import { createClipLoads } from '../../../../renderer/video/player/clipLoads.ts';
import type { ClipInfo } from '../../../../renderer/video/player/mp4Index.ts';
import { doneTask } from '../sampleTask.ts';

const clip = new Blob(['clip']);

function setUp(get: (task: Task) => Promise<Blob>, kept: Blob | null = null, movie: ClipInfo | null = null) {
  const held = new Set<string>();
  const urls = new Set<string>();
  const loads = createClipLoads({
    clips: {
      get: (task) => get(task),
      kept: () => Promise.resolve(kept),
      startOf: () => '2026-11-19T11:03:20.000Z',
      hold(ids) {
        for (const id of ids) held.add(id);
        return () => ids.forEach((id) => held.delete(id));
      },
    },
    readMovie: () => Promise.resolve(movie),
    urlOf: () => {
      const url = `blob:${urls.size}`;
      urls.add(url);
      return url;
    },
    revoke: (url) => urls.delete(url),
  });
  const phase = (task: Task) => loads.store.getState().byTask.get(task.task_id)?.phase;
  return { loads, held, urls, phase };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const done = (fields: Partial<Task> = {}) => doneTask({ size_bytes: 4, sha256: 'a'.repeat(64) }, fields);

test('the clip loader fetches each clip once, holds it, and releases all at the end', async () => {
  const asked: string[] = [];
  const { loads, held, urls, phase } = setUp((task) => {
    asked.push(task.task_id);
    return Promise.resolve(clip);
  });
  const [one, two] = [done(), done({ channel: 2 })];
  loads.want([one]);
  loads.want([one, two]);
  expect(phase(one)).toBe('coming');
  await settled();
  expect([phase(one), phase(two)]).toEqual(['here', 'here']);
  expect(asked).toEqual([one.task_id, two.task_id]);
  expect([held.size, urls.size]).toEqual([2, 2]);
  loads.stop();
  expect([held.size, urls.size]).toEqual([0, 0]);
});

test('the clip loader tries again what the lost server kept, not what failed for good, unless it is asked to', async () => {
  let isLost = true;
  const { loads, phase } = setUp((task) => {
    if (task.channel === 2) return Promise.reject(new Error('broken'));
    return isLost ? Promise.reject(new Unreachable('lost')) : Promise.resolve(clip);
  });
  const [one, two] = [done(), done({ channel: 2 })];
  loads.want([one, two]);
  await settled();
  expect([phase(one), phase(two)]).toEqual(['failed', 'failed']);
  isLost = false;
  loads.retry();
  expect([phase(one), phase(two)]).toEqual(['coming', 'failed']);
  await settled();
  expect(phase(one)).toBe('here');
  loads.retry(true);
  expect(phase(two)).toBe('coming');
});

test('the clip loader takes the cached clip of a task whose file the depot has deleted', async () => {
  const gone = setUp(() => Promise.reject(new Error('must not be asked')), clip);
  const task = done({ status: 'expired', file: null });
  gone.loads.want([task]);
  await settled();
  expect(gone.phase(task)).toBe('here');
});

test('the clip loader places a clip at the time of its first frame, as the task says, else as the cached clip does', async () => {
  const times = { codec: null, times: Float64Array.of(0.5, 1), endS: 1.5 };
  const shiftOf = async (task: Task) => {
    const { loads } = setUp(() => Promise.resolve(clip), clip, times);
    loads.want([task]);
    await settled();
    const load = loads.store.getState().byTask.get(task.task_id);
    if (load?.phase !== 'here') throw new Error('it is not here');
    return [load.shiftS, ...(load.movie?.times ?? []), load.movie?.endS];
  };
  const published = done();
  // The order is from 11:03:18 on.
  const late = { ...published, file: { ...fileOf(published), starts_at: '2026-11-19T11:03:21.000Z' } };
  expect(await shiftOf(late)).toEqual([2.5, 3, 3.5, 4]);
  expect(await shiftOf(done({ status: 'expired', file: null }))).toEqual([1.5, 2, 2.5, 3]);
});

test('the clip loader retries a clip that the depot has fetched again', async () => {
  let isGone = true;
  const { loads, phase } = setUp(() => (isGone ? Promise.reject(new Error('gone')) : Promise.resolve(clip)));
  const task = done();
  loads.want([task]);
  await settled();
  loads.want([{ ...task, version: 2 }]);
  expect(phase(task)).toBe('failed');
  isGone = false;
  loads.want([{ ...done({ task_id: task.task_id }), file: { ...fileOf(task), sha256: 'b'.repeat(64) } }]);
  await settled();
  expect(phase(task)).toBe('here');
});

const fileOf = ({ file }: Task): NonNullable<Task['file']> => {
  if (file === null) throw new Error('the task has no file');
  return file;
};
