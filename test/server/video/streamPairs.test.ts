import { beforeAll, describe, expect, it } from 'vitest';
import { TerminalError } from '../../../server/video/terminals/terminal.ts';
import { newsOf } from '../../../server/video/taskRepository.ts';
import { task as taskRow } from '../store/telemetry/sampleRows.ts';
import { smallClip } from './media/sampleVideos.ts';
import { createRecorder } from './recorder.ts';
import { addProfile, api, order, startVideoFixture, type Bench } from './videoBench.ts';

let clip: Buffer;
beforeAll(async () => {
  clip = await smallClip();
});

const nothing = new TerminalError('no_recording', 'The terminal has no recording of this time.');
const hangUp = new TerminalError('hung_up', 'The terminal stopped in the middle.');
const ended = ['done', 'failed', 'cancelled'];
const published = (bench: Bench) => bench.ended.map((row) => `${row.stream ?? ''} ${row.status}`);

describe('a pair of a sub-stream and a main-stream clip', () => {
  it.each([
    ['both come', {}, 'sub done'],
    ['the full one does not come', { main: nothing }, 'sub done'],
    ['the small one does not come', { any: nothing }, 'main done'],
    ['neither comes', { any: nothing, main: nothing }, 'main failed'],
  ])('one end of the pair is published where %s', async (_, faults, news) => {
    const recorder = createRecorder(clip, faults);
    recorder.giveAll();
    const bench = await startVideoFixture({ jt1078: recorder });
    const task = await order(bench, await addProfile(bench, {}, { kind: 'jt1078' }), {
      sub_stream_first: true,
    });
    await bench.until(task.main_task_id ?? '', ...ended);
    await bench.until(task.task_id, ...ended);
    expect(published(bench)).toEqual([news]);
  });

  it('the end of the main-stream clip is not published again after a restart', async () => {
    const before = createRecorder(clip);
    const bench = await startVideoFixture({ jt1078: before });
    const task = await order(bench, await addProfile(bench, {}, { kind: 'jt1078' }), {
      sub_stream_first: true,
    });
    (await before.nextHeld()).give();
    await before.nextHeld();
    expect(published(bench)).toEqual(['sub done']);
    await bench.stop();
    const recorder = createRecorder(clip, { main: nothing });
    recorder.giveAll();
    const next = await startVideoFixture({ data: bench.data, clock: bench.clock, jt1078: recorder });
    await next.until(task.main_task_id ?? '', 'failed');
    expect(published(next)).toEqual([]);
  });

  it('the sub-stream clip is not published after the main-stream clip', async () => {
    const recorder = createRecorder(clip);
    const bench = await startVideoFixture({ jt1078: recorder });
    const task = await order(bench, await addProfile(bench, {}, { kind: 'jt1078' }), {
      sub_stream_first: true,
    });
    for (const pause_s of [5, 15, 45]) {
      const held = await recorder.nextHeld();
      held.refuse(hangUp);
      await bench.until(task.task_id, 'queued');
      if (pause_s < 45) bench.clock.advance(pause_s * 1_000);
    }
    (await recorder.nextHeld()).give();
    await bench.until(task.main_task_id ?? '', 'done');
    bench.clock.advance(45_000);
    recorder.giveAll();
    await bench.until(task.task_id, 'done');
    expect(published(bench)).toEqual(['main done']);
  });

  it('each of the two is published once they ask for different things', async () => {
    const recorder = createRecorder(clip);
    const bench = await startVideoFixture({ jt1078: recorder });
    const profile_id = await addProfile(bench, {}, { kind: 'jt1078' });
    const task = await order(bench, profile_id, { sub_stream_first: true });
    const held = await recorder.nextHeld();
    const to = new Date(Date.parse(task.to) - 1_000).toISOString();
    await bench.as('writer').call('PATCH', `${api}/tasks/${task.main_task_id ?? ''}`, { to });
    held.give();
    recorder.giveAll();
    await bench.until(task.main_task_id ?? '', 'done');
    expect(published(bench)).toEqual(['sub done', 'main done']);
  });
});

describe('what ends in one write', () => {
  it.each([
    ['done', 'done', ['sub']],
    ['failed', 'failed', ['sub']],
    ['done', 'failed', ['sub']],
    ['failed', 'done', ['main']],
  ] as const)(
    'a sub-stream clip that is %s and a main-stream clip that is %s are published once',
    (small, full, news) => {
      const standing = (status: 'done' | 'failed') => (status === 'done' ? status : null);
      const row = taskRow({ task_id: 'a', main_task_id: 'b', stream: 'sub', status: small });
      const other = taskRow({ task_id: 'b', stream: 'main', status: full });
      const pair = [
        { row, other: 'b', standing: standing(full) },
        { row: other, other: 'a', standing: standing(small) },
      ];
      for (const it of [pair, pair.toReversed()])
        expect(newsOf(it).map(({ stream }) => stream)).toEqual(news);
    },
  );
});
