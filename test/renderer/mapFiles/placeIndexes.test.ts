import { expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { MapListState } from '../../../renderer/mapFiles/mapList.ts';
import { createPlaceIndexes } from '../../../renderer/mapFiles/placeIndexes.ts';
import type { PlaceIndex } from '../../../server/contract/places.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

it('the progress of an index is read every two seconds until it is ready, and again when there are other maps', async () => {
  const clock = createFakeClock();
  const index: PlaceIndex = { map_id: 'm1', state: 'indexing', progress: 0.2, detail: null };
  let items: PlaceIndex[] = [index];
  let calls = 0;
  const api = { request: () => Promise.resolve({ items }).finally(() => calls++) };
  const store = createStore<MapListState>(() => ({ maps: [], version: 1, load: { phase: 'ready' } }));
  const indexes = createPlaceIndexes({ api: api as never, clock, mapList: { store } });
  const turn = async (ms: number) => {
    clock.advance(ms);
    await new Promise<void>((resolve) => setImmediate(resolve));
    return [calls, indexes.store.getState().byMap.get('m1')?.progress];
  };
  const stop = indexes.start();
  expect(await turn(0)).toEqual([1, 0.2]);
  items = [{ ...index, progress: 0.9 }];
  expect(await turn(2_000)).toEqual([2, 0.9]);
  items = [{ ...index, state: 'ready', progress: 1 }];
  expect(await turn(2_000)).toEqual([3, 1]);
  expect(await turn(60_000)).toEqual([3, 1]);

  items = [index];
  store.setState({ maps: [] });
  expect(await turn(0)).toEqual([4, 0.2]);
  stop();
  expect(await turn(60_000)).toEqual([4, 0.2]);
});
