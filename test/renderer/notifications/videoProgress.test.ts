import { describe, expect, it } from 'vitest';
import type { Task } from '../../../server/contract/video.ts';
import { videoProgress } from '../../../renderer/notifications/VideoCell.tsx';
import { sampleTask } from '../samples.ts';

const row = { event_ids: ['e1'] };

describe('the video cell of a row', () => {
  it('the video cell of a row shows nothing for a moment without a request', () => {
    expect(videoProgress(row, [sampleTask({ event_id: 'other' })])).toEqual({ kind: 'none' });
  });

  it('the video cell of a row counts what is done and how far the rest has come', () => {
    const tasks = [
      sampleTask({ task_id: 'a', channel: 1, status: 'done', progress: 1 }),
      sampleTask({ task_id: 'b', channel: 2, status: 'downloading', progress: 0.5 }),
    ];
    expect(videoProgress(row, tasks)).toMatchObject({ kind: 'loading', done: 1, of: 2, part: 0.75 });
  });

  it('the video cell of a row waits for the terminal when everything that is left waits', () => {
    const tasks = [sampleTask({ status: 'waiting', updated_at: '2026-11-21T11:57:00.000Z' })];
    expect(videoProgress(row, tasks)).toEqual({
      kind: 'waiting',
      done: 0,
      of: 1,
      since: Date.parse('2026-11-21T11:57:00.000Z'),
      taskId: null,
    });
  });

  it('the video cell of a row plays what is there while the rest is on its way or waits', () => {
    const here = sampleTask({ task_id: 'a', channel: 1, status: 'done', progress: 1 });
    const rest = sampleTask({ task_id: 'b', channel: 2, status: 'downloading' });
    expect(videoProgress(row, [here, rest])).toMatchObject({ kind: 'loading', taskId: 'a' });
    expect(videoProgress(row, [here, { ...rest, status: 'waiting' }])).toMatchObject({
      kind: 'waiting',
      done: 1,
      of: 2,
      taskId: 'a',
    });
  });

  it('the video cell of a row is ready with what there is when the rest has failed', () => {
    const tasks = [
      sampleTask({ task_id: 'a', channel: 1, status: 'done' }),
      sampleTask({ task_id: 'b', channel: 2, status: 'failed' }),
    ];
    expect(videoProgress(row, tasks)).toEqual({
      kind: 'ready',
      done: 1,
      of: 2,
      taskId: 'a',
      full: { kind: 'none' },
    });
  });

  it('the video cell of a row is gone when the vehicle has no recording of it', () => {
    const error = { code: 'no_recording', detail: 'overwritten' } as const;
    expect(videoProgress(row, [sampleTask({ status: 'failed', error })])).toEqual({ kind: 'gone' });
  });

  it('the video cell of a row has failed with the reason of a task', () => {
    const error = { code: 'terminal_refused', detail: 'it answered 403' } as const;
    const cancelled = sampleTask({ task_id: 'b', channel: 2, status: 'cancelled' });
    const failed = sampleTask({ status: 'failed', error });
    expect(videoProgress(row, [cancelled, failed])).toEqual({ kind: 'failed', failure: error });
  });

  describe('a request with sub-streams first', () => {
    const pair = (small: Partial<Task>, full: Partial<Task>) => [
      sampleTask({ task_id: 'small', stream: 'sub', main_task_id: 'full', ...small }),
      sampleTask({ task_id: 'full', stream: 'main', ...full }),
    ];

    it('a request with sub-streams first shows the progress of the sub-stream clips', () => {
      const tasks = pair({ status: 'downloading', progress: 0.5 }, { status: 'queued' });
      expect(videoProgress(row, tasks)).toEqual({
        kind: 'loading',
        done: 0,
        of: 1,
        part: 0.5,
        taskId: null,
      });
    });

    it('a request with sub-streams first is ready with the sub-stream clips, and says how far their main-stream clip is', () => {
      const tasks = pair({ status: 'done' }, { status: 'downloading', progress: 0.4 });
      expect(videoProgress(row, tasks)).toEqual({
        kind: 'ready',
        done: 1,
        of: 1,
        taskId: 'small',
        full: { kind: 'coming', part: 0.4 },
      });
    });

    it('a request with sub-streams first never fails while there is a frame, and says what is missing', () => {
      const error = { code: 'no_recording', detail: '' } as const;
      const tasks = pair({ status: 'done' }, { status: 'failed', error });
      expect(videoProgress(row, tasks)).toMatchObject({
        kind: 'ready',
        full: { kind: 'missing', code: 'no_recording' },
      });
    });

    it('a request with sub-streams first plays the main-stream clip as soon as it is there', () => {
      const tasks = pair({ status: 'done' }, { status: 'done' });
      expect(videoProgress(row, tasks)).toMatchObject({ taskId: 'full', full: { kind: 'none' } });
    });
  });

  it('a request with sub-streams first counts the newest request of a channel alone', () => {
    const tasks = [
      sampleTask({ task_id: 'old', status: 'failed', created_at: '2026-11-21T12:00:00.000Z' }),
      sampleTask({ task_id: 'new', status: 'done', created_at: '2026-11-21T12:05:00.000Z' }),
    ];
    expect(videoProgress(row, tasks)).toMatchObject({ kind: 'ready', of: 1, taskId: 'new' });
  });
});
