import { expect, test } from 'vitest';
import type { Task } from '../../../../server/contract/video.ts';
import { Unreachable } from '../../../../renderer/api/errors.ts';
import { createFilmLoads } from '../../../../renderer/video/player/filmLoads.ts';
import { doneTask } from '../sampleTask.ts';

const film = new Blob(['film']);

function setUp(get: (task: Task) => Promise<Blob>, kept: Blob | null = null) {
  const held = new Set<string>();
  const urls = new Set<string>();
  const loads = createFilmLoads({
    clips: {
      get: (task) => get(task),
      kept: () => Promise.resolve(kept),
      hold(ids) {
        for (const id of ids) held.add(id);
        return () => ids.forEach((id) => held.delete(id));
      },
    },
    readMovie: () => Promise.resolve(null),
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

test('brings each film once, holds it, and lets go of all at the end', async () => {
  const asked: string[] = [];
  const { loads, held, urls, phase } = setUp((task) => {
    asked.push(task.task_id);
    return Promise.resolve(film);
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

test('tries again what the lost server kept, not what failed for good, unless it is asked to', async () => {
  let isLost = true;
  const { loads, phase } = setUp((task) => {
    if (task.channel === 2) return Promise.reject(new Error('broken'));
    return isLost ? Promise.reject(new Unreachable('lost')) : Promise.resolve(film);
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

test('takes the film that is kept here of a task whose file the depot has deleted', async () => {
  const gone = setUp(() => Promise.reject(new Error('must not be asked')), film);
  const task = done({ status: 'expired', file: null });
  gone.loads.want([task]);
  await settled();
  expect(gone.phase(task)).toBe('here');
});
