import { createStore } from 'zustand/vanilla';
import { expect, test } from 'vitest';
import type { Task } from '../../../server/contract/video.ts';
import { Unreachable } from '../../../renderer/api/errors.ts';
import type { AppContext } from '../../../renderer/appContext/appContext.ts';
import type { ScreenName } from '../../../renderer/navigation/navigation.ts';
import type { ManyState, Outcome } from '../../../renderer/video/queue/bulkTasks.ts';
import { orderIdOf } from '../../../renderer/video/requests/videoOrders.ts';
import { startVideoToasts } from '../../../renderer/video/videoToasts.ts';
import { doneTask, sampleTask } from './sampleTask.ts';

const file = { size_bytes: 4, sha256: 'a'.repeat(64) };

/** As much of a session as the news look at. */
function setUp(
  place: 'live' | 'video' | 'settings',
  selected: string | null,
  shownTask?: string,
  view?: 'queue',
) {
  const tasks = createStore<{ byId: ReadonlyMap<string, Task> }>(() => ({ byId: new Map() }));
  const awaited = createStore<{ orders: ReadonlyMap<string, ScreenName> }>(() => ({ orders: new Map() }));
  const toasts = createStore<{ toast: { text: string; action: { run: () => void } | null } | null }>(() => ({
    toast: null,
  }));
  const many = createStore<ManyState>(() => ({ work: null, outcome: null }));
  const gone: unknown[] = [];
  const app = {
    video: { tasks, awaited, clips: {}, many: { store: many } },
    navigation: {
      store: createStore(() => ({ place, query: { task: shownTask, view } })),
      go: (...where: unknown[]) => gone.push(where),
    },
    view: createStore(() => ({ vehicleId: selected })),
    vehicles: { store: createStore(() => ({ byId: new Map([[vehicle, { name: 'V 131' }]]) })) },
    toasts,
  } as unknown as AppContext;
  startVideoToasts(app, (key, details) => `${key} ${JSON.stringify(details ?? {})}`);
  return {
    emit: (...list: Task[]) => tasks.setState({ byId: new Map(list.map((it) => [it.task_id, it])) }),
    await: (task: Task, madeOn: ScreenName = 'live') =>
      awaited.setState({ orders: new Map([[orderIdOf(task), madeOn]]) }),
    worked: (outcome: Outcome) => many.setState({ work: null, outcome }),
    awaited: () => awaited.getState().orders.size,
    toast: () => toasts.getState().toast?.text ?? null,
    gone,
  };
}

const vehicle = sampleTask().vehicle_id;

test('the notice of finished video opens the player automatically when all channels are done and the operator waits with the vehicle selected', () => {
  const it = setUp('live', vehicle);
  const one = doneTask(file);
  it.await(one);
  it.emit(one, sampleTask({ channel: 2 }));
  expect(it.gone).toEqual([]);
  it.emit(one, doneTask(file, { channel: 2 }));
  expect(it.gone).toEqual([['video', { task: one.task_id }]]);
  expect(it.toast()).toBeNull();
});

test('the notice of finished video says it in a toast when the operator is elsewhere, once', () => {
  for (const [place, selected] of [
    ['settings', null],
    ['live', 'another'],
  ] as const) {
    const it = setUp(place, selected);
    const one = doneTask(file);
    it.await(one);
    it.emit(one);
    expect(it.toast()).toBe('news.ready {"vehicle":"V 131","done":1,"of":1}');
    expect(it.gone).toEqual([]);
    expect(it.awaited()).toBe(0);
  }
});

test('the notice of finished video leaves an operator on Live who requested it on another screen', () => {
  const it = setUp('live', vehicle);
  const one = doneTask(file);
  it.await(one, 'video');
  it.emit(one);
  expect(it.toast()).toBe('news.ready {"vehicle":"V 131","done":1,"of":1}');
  expect(it.gone).toEqual([]);
});

test('the notice of finished video is quiet where the request is shown, and about requests of others', () => {
  const one = doneTask(file);
  const shown = setUp('video', null, one.task_id);
  shown.await(one);
  shown.emit(one);
  expect(shown.toast()).toBeNull();

  const others = setUp('settings', null);
  others.emit(one);
  expect(others.toast()).toBeNull();
});

test('the notice of finished video reports a failed request, also to a waiting operator', () => {
  const it = setUp('live', vehicle);
  const failed = sampleTask({ status: 'failed', error: { code: 'no_recording', detail: '' } });
  it.await(failed);
  it.emit(failed);
  expect(it.toast()).toBe('news.failed {"vehicle":"V 131"}');
  expect(it.gone).toEqual([]);
});

test('the notice of finished video opens the player with the sub-stream clips, without waiting for the main-stream clips', () => {
  const it = setUp('live', vehicle);
  const full = sampleTask({ stream: 'main' });
  const small = doneTask(file, { stream: 'sub', main_task_id: full.task_id });
  it.await(small);
  it.emit(small, full);
  expect(it.gone).toEqual([['video', { task: small.task_id }]]);
});

const outcome: Outcome = { action: 'cancel', done: 3, failed: 0, error: null, isStopped: false };

test('the notice of finished video reports the result of a bulk action to an operator who has left the queue', () => {
  const it = setUp('live', null);
  it.worked({ ...outcome, failed: 1, error: new Unreachable('lost') });
  expect(it.toast()).toContain('tasks.did.cancel {"count":3}');
  expect(it.toast()).toContain('tasks.not_done {"count":1');
});

test('the notice of finished video says nothing of a bulk action where the queue is shown, or where it was stopped', () => {
  const shown = setUp('video', null, undefined, 'queue');
  shown.worked(outcome);
  expect(shown.toast()).toBeNull();
  const stopped = setUp('live', null);
  stopped.worked({ ...outcome, isStopped: true });
  expect(stopped.toast()).toBeNull();
});

test('the notice of finished video says nothing of work on many that found nothing left to do', () => {
  const it = setUp('live', null);
  it.worked({ ...outcome, done: 0 });
  expect(it.toast()).toBeNull();
});
