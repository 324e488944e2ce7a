import { copyFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DiskFull, StoreFailed } from '../../../../server/store/storeErrors.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { batch, event, morning, position } from './sampleRows.ts';
import { keepAll, openSampleStore, wholeTrack } from './sampleStore.ts';

const unstorable = position({ time_ms: morning + 0.5 });

test('a call that fails leaves the other calls of its group alone, and nothing of itself', async () => {
  const store = await openSampleStore();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 30 }, (_, index) =>
      store.commit(
        batch({
          positions: [
            position({ vehicle_id: `v${index % 4}`, time_ms: morning + index }),
            ...(index % 3 === 1 ? [unstorable] : []),
          ],
          events: [event({ event_id: `e${index}` })],
        }),
      ),
    ),
  );
  for (const [index, outcome] of outcomes.entries()) {
    expect(outcome.status).toBe(index % 3 === 1 ? 'rejected' : 'fulfilled');
    if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(StoreFailed);
  }
  const stored = [0, 1, 2, 3].map((vehicle) => wholeTrack(store, `v${vehicle}`));
  const times = (await Promise.all(stored)).flat().map((row) => row.time_ms - morning);
  expect(times.toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 30 }, (_, index) => index).filter((index) => index % 3 !== 1),
  );
  expect(await store.events({ limit: 100 })).toHaveLength(20);
  // Numbers are given without gaps, though some calls were undone.
  const changes = await store.changesAfter({ seq: 0, limit: 100 });
  expect(changes?.map((change) => change.seq)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
});

test('a failure says why in its cause', async () => {
  const store = await openSampleStore();
  const failed = store.commit(batch({ positions: [unstorable] }));
  await expect(failed).rejects.toBeInstanceOf(StoreFailed);
  await expect(failed).rejects.toMatchObject({
    cause: { message: expect.stringContaining('positions.time_ms') as string },
  });
});

test('a full disk fails what does not fit with DiskFull, keeps what did, and space that is made is used', async () => {
  const store = await openSampleStore({ maxPages: 150 });
  const filler = (index: number) =>
    batch({
      positions: Array.from({ length: 100 }, (_, row) =>
        position({ time_ms: morning + index * 100 + row, attributes: { filler: 'x'.repeat(100) } }),
      ),
    });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 60 }, (_, index) => store.commit(filler(index))),
  );
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
  const kept = outcomes.flatMap((outcome, index) => (outcome.status === 'fulfilled' ? [index] : []));
  expect(failed.length).toBeGreaterThan(0);
  expect(kept.length).toBeGreaterThan(0);
  for (const outcome of failed) expect(outcome.reason).toBeInstanceOf(DiskFull);

  const hundreds = (await wholeTrack(store, 'van')).map((row) => Math.floor((row.time_ms - morning) / 100));
  expect(hundreds).toEqual(kept.flatMap((index) => Array<number>(100).fill(index)));

  while ((await store.prune({ ...keepAll, positions_ms: Number.MAX_SAFE_INTEGER })).more);
  await store.commit(filler(99));
  expect(await wholeTrack(store, 'van')).toHaveLength(100);
});

test.skipIf(process.platform === 'win32')(
  'no write is reported as stored in a database that was moved away or replaced, until it is back',
  async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'telemetry.db');
    const store = await openSampleStore({ folder });
    const storeOne = (minute: number) =>
      store.commit(batch({ positions: [position({ time_ms: morning + minute * 60_000 })] }));
    await storeOne(0);

    await rename(file, `${file}.away`);
    await expect(storeOne(1)).rejects.toMatchObject({
      name: 'StoreFailed',
      cause: { message: expect.stringContaining('deleted or moved') as string },
    });
    await copyFile(`${file}.away`, file);
    await expect(storeOne(2)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('another file was put in the place') as string },
    });

    await rename(`${file}.away`, file);
    await storeOne(3);
    expect((await wholeTrack(store, 'van')).map((row) => row.time_ms - morning)).toEqual([0, 180_000]);
  },
);

test('a read after an acknowledged commit holds that commit', async () => {
  const store = await openSampleStore();
  for (let index = 0; index < 200; index++) {
    await store.commit(batch({ positions: [position({ time_ms: morning + index })] }));
    expect(await store.positionsAt([{ vehicle_id: 'van', time_ms: morning + index }])).toHaveLength(1);
  }
});

test('writes take effect in the order of their calls, and closing waits for all of them', async () => {
  const store = await openSampleStore();
  const writes = Array.from({ length: 500 }, (_, index) =>
    store.commit(
      batch({
        states: [{ vehicle_id: 'van', state: `${index}` }],
        events: [event({ event_id: `e${index}` })],
      }),
    ),
  );
  const closed = store.close();
  const seqs = (await Promise.all(writes)).map((written) => written.changes[0]?.seq);
  expect(seqs).toEqual(Array.from({ length: 500 }, (_, index) => index + 1));
  await closed;
  await expect(store.commit(batch({}))).rejects.toBeInstanceOf(StoreFailed);
});

test('the store counts what it has written', async () => {
  const store = await openSampleStore();
  await store.commit(batch({ positions: [position(), position({ time_ms: morning + 1 })] }));
  const { bytes, ...counts } = await store.stats();
  expect(counts).toEqual({ positions: 2, commits: 1 });
  expect(bytes).toBeGreaterThan(4_096);
});
