import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TaskRow } from '../../../server/store/telemetry/rows.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { startVideoFixture, type BenchOptions } from './videoBench.ts';

const clock = createFakeClock();
const bytes = Buffer.from('the bytes of a video');
const sha256 = createHash('sha256').update(bytes).digest('hex');
const file = {
  size_bytes: bytes.length,
  duration_s: 1,
  content_type: 'video/mp4',
  sha256,
  width: 2,
  height: 2,
  starts_at: null,
};

function row(status: TaskRow['status'], more: Partial<TaskRow> = {}): TaskRow {
  const isDone = status === 'done';
  return {
    task_id: randomUUID(),
    profile_id: randomUUID(),
    vehicle_id: randomUUID(),
    terminal_id: '0700',
    channel: 1,
    from_ms: 0,
    // Ahead, so that nothing is begun.
    to_ms: clock.now() + 60_000,
    event_id: null,
    stream: null,
    main_task_id: null,
    status,
    important: false,
    attempts: 2,
    next_attempt_ms: null,
    error: null,
    file: isDone ? file : null,
    file_name: isDone ? 'kept.mp4' : null,
    created_by: randomUUID(),
    rule_id: null,
    created_ms: 1,
    updated_ms: 1,
    done_ms: isDone ? 1 : null,
    expires_ms: isDone ? Number.MAX_SAFE_INTEGER : null,
    version: 3,
    ...more,
  };
}

/** A start over what an earlier host left behind. */
async function startOver(rows: TaskRow[], files: Record<string, Buffer | string>) {
  const options: BenchOptions = {
    clock,
    async beforeStart({ store, folder }) {
      await store.saveTasks(rows);
      await mkdir(folder, { recursive: true });
      for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
    },
  };
  const bench = await startVideoFixture(options);
  const now = async (task: TaskRow) => (await bench.store.tasksById([task.task_id]))[0];
  return { bench, now };
}

describe('a start', () => {
  it('a start leaves a done task with its file as it is', async () => {
    const task = row('done');
    const { bench, now } = await startOver([task], { 'kept.mp4': bytes });
    expect(await now(task)).toEqual(task);
    expect(await readdir(bench.folder)).toEqual(['kept.mp4']);
  });

  it.each([
    ['is not there', {}],
    ['has another length', { 'kept.mp4': 'torn' }],
  ])('a start expires a done task whose file %s', async (_how, files) => {
    const task = row('done');
    const { bench, now } = await startOver([task], files);
    expect(await now(task)).toMatchObject({
      status: 'expired',
      error: { code: 'file_missing' },
      file: null,
      done_ms: 1,
      version: 4,
    });
    expect(await readdir(bench.folder)).toEqual([]);
    expect(bench.announced).toMatchObject([{ task_id: task.task_id, status: 'expired' }]);
  });

  it('a start finishes a task whose file had just got its name', async () => {
    const task = row('processing', { file, file_name: 'kept.mp4' });
    const { bench, now } = await startOver([task], { 'kept.mp4': bytes });
    expect(await now(task)).toMatchObject({
      status: 'done',
      file,
      file_name: 'kept.mp4',
      done_ms: clock.now(),
      expires_ms: clock.now() + 30 * 86_400_000,
    });
    expect(await readdir(bench.folder)).toEqual(['kept.mp4']);
  });

  it('a start does not take a file of the right length for the right file', async () => {
    const task = row('processing', { file, file_name: 'kept.mp4' });
    const { bench } = await startOver([task], { 'kept.mp4': Buffer.alloc(bytes.length) });
    const first = bench.announced.find((it) => it.task_id === task.task_id);
    expect(first).toMatchObject({ status: 'queued', file: null, attempts: 2 });
    expect(await readdir(bench.folder)).toEqual([]);
  });

  it('a start puts back in the line what was under way, attempts kept, and leaves what was waiting', async () => {
    const under = [row('downloading'), row('processing')];
    const queued = row('queued');
    const { bench } = await startOver([...under, queued], {});
    for (const { task_id } of under) {
      const first = bench.announced.find((it) => it.task_id === task_id);
      expect(first).toMatchObject({ status: 'queued', attempts: 2, error: { code: 'interrupted' } });
    }
    const ofQueued = bench.announced.find((it) => it.task_id === queued.task_id);
    expect(ofQueued?.status ?? 'cancelled').toBe('cancelled');
  });

  it('a start removes parts and videos that no task names, and nothing that is not its own', async () => {
    const { bench } = await startOver([row('done')], {
      'kept.mp4': bytes,
      'kept.mp4.part': 'x',
      'stray.mp4.finished.part': 'x',
      'orphan.mp4': 'x',
      'notes.txt': 'x',
    });
    expect((await readdir(bench.folder)).toSorted()).toEqual(['kept.mp4', 'notes.txt']);
  });

  it('a start cancels tasks whose profile is gone', async () => {
    const task = row('queued');
    const { bench } = await startOver([task], {});
    expect(await bench.until(task.task_id, 'cancelled')).toMatchObject({ error: null });
  });
});
