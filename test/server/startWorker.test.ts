import { once } from 'node:events';
import { expect, it } from 'vitest';
import { endWorker, startWorker } from '../../server/startWorker.ts';

// Without `uninterrupted`, Node aborts this process in one of some twenty ends.
it('a thread that inflates without end is ended again and again, and the process lives', async () => {
  for (let at = 0; at < 30; at++) {
    const worker = startWorker(import.meta.url, 'inflating.worker', { heap_mb: 64 });
    const exit = once(worker, 'exit');
    await once(worker, 'message');
    await endWorker(worker);
    expect(await exit).toEqual([1]);
  }
});
