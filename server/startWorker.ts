import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

interface WorkerStart {
  /** What its heap may grow to, in MB; a thread that needs more ends with `ERR_WORKER_OUT_OF_MEMORY`. */
  heap_mb: number;
  /** Of the heap's part for what is young; Node's own choice unless given. */
  young_mb?: number;
  workerData?: unknown;
}

/** Starts a worker whose entry point lies beside the calling module. The one place of `new Worker`: none is without limit. */
export function startWorker(
  callerUrl: string,
  name: `${string}.worker`,
  { heap_mb, young_mb, workerData }: WorkerStart,
): Worker {
  return new Worker(workerUrl(callerUrl, name), {
    workerData,
    resourceLimits: {
      maxOldGenerationSizeMb: heap_mb,
      ...(young_mb === undefined ? {} : { maxYoungGenerationSizeMb: young_mb }),
    },
  });
}

/** `x.worker.ts` when the sources run, `x.worker.js` in the bundle, where all entry points lie in one folder. */
function workerUrl(callerUrl: string, name: `${string}.worker`): URL {
  return new URL(`./${name}${extname(new URL(callerUrl).pathname)}`, callerUrl);
}
