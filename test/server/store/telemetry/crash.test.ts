import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openStore } from '../../../../server/store/openStore.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { crashBatch, rowsPerBatch } from './crashBatch.ts';
import { wholeTrack } from './sampleStore.ts';

const committer = fileURLToPath(new URL('./crashingCommitter.ts', import.meta.url));

/** Kills the committer once it has said `lines` lines, somewhere in its next commits; returns all that it said. */
async function commitUntilKilled(folder: string, first: number, lines: number): Promise<number[]> {
  const child = spawn(process.execPath, [committer, folder, `${first}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (text.split('\n').length > lines) child.kill('SIGKILL');
  });
  expect(await gone).toEqual([null, 'SIGKILL']);
  return text.split('\n').slice(0, -1).map(Number);
}

test('every acknowledged batch outlives ten kills, whole and once', async () => {
  const folder = await temporaryFolder();
  const acknowledged = new Set<number>();
  let first = 0;
  for (let kill = 1; kill <= 10; kill++) {
    const said = await commitUntilKilled(folder, first, Math.ceil(Math.random() * 400));
    expect(said.length).toBeGreaterThan(0);
    for (const index of said) acknowledged.add(index);

    const recovered: unknown[] = [];
    const store = await openStore({ folder, onRecovered: (recovery) => recovered.push(recovery) });
    try {
      expect(recovered).toEqual([]);
      const tracks = await Promise.all(
        Array.from({ length: rowsPerBatch }, (_, row) => wholeTrack(store, `vehicle ${row}`)),
      );
      const stored = (tracks[0] ?? []).map((row) => row.time_ms);
      expect([...acknowledged].filter((index) => !stored.includes(index))).toEqual([]);
      // Whole: what is there of a batch, acknowledged or not, is all of it.
      for (const [row, track] of tracks.entries()) {
        expect(track).toEqual(stored.map((index) => crashBatch(index).positions[row]));
      }
      const states = new Set((await store.vehicleStates()).map((state) => state.state));
      expect(states).toEqual(new Set(stored.map(String)));
      // Once: each batch's event stands in the log of changes a single time.
      const changes = await store.changesAfter({ seq: 0, limit: 1_000_000 });
      const events = changes?.filter((change) => change.topic === 'event');
      expect(events?.map((change) => change.resource_id).toSorted()).toEqual(
        stored.map((index) => `event ${index}`).toSorted(),
      );
      // No small video without the full one that it names.
      expect((await store.tasksIn(['queued'])).map((row) => row.task_id).toSorted()).toEqual(
        stored.flatMap((index) => [`small ${index}`, `full ${index}`]).toSorted(),
      );
      first = Math.max(...stored) + 1;
    } finally {
      await store.close();
    }
  }
}, 180_000);
