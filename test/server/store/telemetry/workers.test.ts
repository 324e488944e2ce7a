import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { StoreFailed } from '../../../../server/store/storeErrors.ts';
import type { Store } from '../../../../server/store/operations.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { batch, morning, position } from './sampleRows.ts';
import { openSampleStore, wholeTrack } from './sampleStore.ts';

/** A store and the two workers that it began with. */
async function openWithWorkers(folder: string): Promise<{ store: Store; writer: Worker; reader: Worker }> {
  const workers: Worker[] = [];
  const notice = (worker: Worker) => workers.push(worker);
  process.on('worker', notice);
  onTestFinished(() => void process.off('worker', notice));
  const store = await openSampleStore({ folder });
  const [writer, reader] = workers;
  if (writer === undefined || reader === undefined) throw new Error('two workers were expected');
  return { store, writer, reader };
}

test('writing continues after the writer died, and its last work failed or is whole', async () => {
  const { store, writer } = await openWithWorkers(await temporaryFolder());
  const positions = (index: number) =>
    Array.from({ length: 500 }, (_, row) => position({ vehicle_id: `v${index}`, time_ms: morning + row }));
  const outcomes = Array.from({ length: 60 }, (_, index) =>
    store.commit(batch({ positions: positions(index) })),
  );
  await outcomes[0];
  await writer.terminate();
  const settled = await Promise.allSettled(outcomes);

  await store.commit(batch({ positions: positions(60) }));
  expect(await wholeTrack(store, 'v60')).toHaveLength(500);
  for (const [index, outcome] of settled.entries()) {
    const rows = (await wholeTrack(store, `v${index}`)).length;
    if (outcome.status === 'fulfilled') expect(rows).toBe(500);
    else expect([0, 500]).toContain(rows);
    if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(StoreFailed);
  }
});

test('the next read is answered after the reader died', async () => {
  const { store, reader } = await openWithWorkers(await temporaryFolder());
  await store.commit(batch({ positions: [position()] }));
  await reader.terminate();
  expect(await wholeTrack(store, 'van')).toEqual([position()]);
});

test('closing ends both workers', async () => {
  const { store, writer, reader } = await openWithWorkers(await temporaryFolder());
  const ended = Promise.all([once(writer, 'exit'), once(reader, 'exit')]);
  await Promise.all([store.close(), store.close()]);
  expect(await ended).toEqual([[0], [0]]);
});

test('the log stays short while much is written and read', async () => {
  const folder = await temporaryFolder();
  const maxLogBytes = 8 * 2 ** 20;
  const store = await openSampleStore({ folder, maxLogBytes });
  const attributes = { filler: 'x'.repeat(2_000) };
  // What a read under way keeps from being put away comes on top.
  const limit = 3 * maxLogBytes;
  const done = new AbortController();
  const reading = (async () => {
    while (!done.signal.aborted) await wholeTrack(store, 'van');
  })();
  let written = 0;
  for (let index = 0; written < 3 * limit; index++) {
    const positions = Array.from({ length: 1_000 }, (_, row) =>
      position({ vehicle_id: `v${index % 5}`, time_ms: morning + index * 1_000 + row, attributes }),
    );
    await store.commit(batch({ positions }));
    written += 2_000 * positions.length;
    expect((await stat(join(folder, 'telemetry.db-wal'))).size).toBeLessThan(limit);
  }
  done.abort();
  await reading;
});

test.each([
  ['is short', 64 * 2 ** 20],
  ['was restarted by the last commit', 1],
])(
  'a log that %s is in the database and frees its space once nothing has been written for a second',
  async (_, maxLogBytes) => {
    const folder = await temporaryFolder();
    const store = await openSampleStore({ folder, maxLogBytes });
    await store.commit(batch({ positions: [position()] }));
    const log = join(folder, 'telemetry.db-wal');
    await expect.poll(async () => (await stat(log)).size, { timeout: 60_000 }).toBe(0);
    expect(await wholeTrack(store, 'van')).toEqual([position()]);
  },
);

test('log space held by another reader is freed while much is written', async () => {
  const folder = await temporaryFolder();
  const maxLogBytes = 2 ** 20;
  const store = await openSampleStore({ folder, maxLogBytes });
  const attributes = { filler: 'x'.repeat(2_000) };
  let written = 0;
  const write = async (commits: number) => {
    for (let commit = 0; commit < commits; commit++) {
      const positions = Array.from({ length: 200 }, () =>
        position({ time_ms: morning + written++, attributes }),
      );
      await store.commit(batch({ positions }));
    }
    return (await stat(join(folder, 'telemetry.db-wal'))).size;
  };
  const backup = new DatabaseSync(join(folder, 'telemetry.db'), { readOnly: true });
  backup.exec('BEGIN');
  backup.prepare('SELECT count(*) FROM positions').get();
  expect(await write(20)).toBeGreaterThan(6 * maxLogBytes);
  backup.exec('COMMIT');
  backup.close();
  expect(await write(20)).toBeLessThan(4 * maxLogBytes);
});
