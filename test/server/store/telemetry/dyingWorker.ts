import { workerData } from 'node:worker_threads';
import { serve } from '../../../../server/store/telemetry/workerSide.ts';

// Answers `echo`, dies at `die`, dies as by a full heap at `exhaust`, and does not start at all on request.
serve<string>((line) => {
  if (workerData === 'stillborn') throw new Error('no room');
  return {
    ready: 'here',
    served: {
      onCall({ id, op, args }) {
        if (op === 'die') throw new Error('the worker was asked to die');
        if (op === 'exhaust')
          throw Object.assign(new Error('the heap is full'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
        if (op === 'echo') line.send({ kind: 'replies', replies: [{ id, result: args }] });
      },
      onClose: () => undefined,
    },
  };
});
