import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../server/clock.ts';
import { openMemoryStore } from '../../../server/store/memoryStore.ts';
import type { TaskFile } from '../../../server/store/telemetry/rows.ts';
import type { Terminal } from '../../../server/video/terminals/terminal.ts';
import { task } from '../store/telemetry/sampleRows.ts';
import { smallMp4 } from './media/sampleVideos.ts';
import { addProfile, api, order, startVideoFixture } from './videoBench.ts';

let folder = '';
let clip = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleetdeck-start-'));
  clip = await smallMp4(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function terminalThatSays(starts_ms: number | null): Terminal {
  return {
    async fetchFragment({ output }) {
      await copyFile(clip, output);
      return starts_ms;
    },
    isOnline: () => Promise.resolve(true),
  };
}

it.each([
  ['gives the recording time, where the terminal reports it', Date.UTC(2026, 10, 21, 4, 43, 7, 250)],
  ['gives no recording time, where the terminal does not report it', null],
])('the file of a task %s', async (_, starts_ms) => {
  const bench = await startVideoFixture({ jt1078: terminalThatSays(starts_ms) });
  const profile_id = await addProfile(bench, {}, { kind: 'jt1078' });
  const { task_id } = await order(bench, profile_id);
  await bench.until(task_id, 'done');
  const { body } = await bench.as('reader').get(`${api}/tasks/${task_id}`);
  expect(body).toMatchObject({
    file: { starts_at: starts_ms === null ? null : '2026-11-21T04:43:07.250Z', duration_s: 4 },
  });
});

it('the file of a task that was stored before this was recorded has no recording time', async () => {
  const store = openMemoryStore(systemClock);
  const file = { size_bytes: 1, duration_s: 1, content_type: 'video/mp4', sha256: 'ab', width: 2, height: 2 };
  await store.saveTasks([task({ task_id: 'old', status: 'done', file: file as TaskFile })]);
  expect((await store.tasksById(['old'])).map((row) => row.file)).toEqual([{ ...file, starts_at: null }]);
});
