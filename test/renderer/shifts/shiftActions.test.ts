import { createStore } from 'zustand/vanilla';
import { expect, test } from 'vitest';
import type { AppContext } from '../../../renderer/appContext/appContext.ts';
import { startShift } from '../../../renderer/shifts/shiftActions.ts';

/** A session on Live whose server answers when the test says so. */
function setUp() {
  const { promise, resolve, reject } = Promise.withResolvers<{ shift_id: string }>();
  const store = createStore(() => ({ place: 'live', query: {} }));
  const gone: unknown[] = [];
  const toasts = createStore<{ toast: { text: string } | null }>(() => ({ toast: null }));
  const app = {
    api: { request: () => promise },
    shifts: { put: () => undefined },
    navigation: { store, go: (...where: unknown[]) => gone.push(where) },
    toasts,
    t: (key: string) => key,
  } as unknown as AppContext;
  return { started: startShift(app), resolve, reject, store, gone, toast: () => toasts.getState().toast };
}

test('a shift that starts is shown to an operator who stayed where it was asked for', async () => {
  const it = setUp();
  it.resolve({ shift_id: 's1' });
  await it.started;
  expect(it.gone).toEqual([['shift', { id: 's1' }]]);
});

test('a shift that starts leaves an operator alone who went elsewhere meanwhile', async () => {
  const it = setUp();
  it.store.setState({ place: 'video' });
  it.resolve({ shift_id: 's1' });
  await it.started;
  expect(it.gone).toEqual([]);
});

test('a shift that cannot start says why', async () => {
  const it = setUp();
  it.reject(new Error('broken'));
  await it.started;
  expect(it.gone).toEqual([]);
  expect(it.toast()?.text).toEqual(expect.any(String));
});
