import { extname } from 'node:path';
import { getEnvironmentData, isMainThread, setEnvironmentData, Worker } from 'node:worker_threads';

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
  const gate = new Int32Array(new SharedArrayBuffer(8));
  setEnvironmentData(gateKey, gate);
  const worker = new Worker(workerUrl(callerUrl, name), {
    workerData,
    resourceLimits: {
      maxOldGenerationSizeMb: heap_mb,
      ...(young_mb === undefined ? {} : { maxYoungGenerationSizeMb: young_mb }),
    },
  });
  gates.set(worker, gate);
  return worker;
}

const gateKey = 'fleetdeck.gate';
/** Of the two numbers that a thread shares with who started it: whether it may not be ended now, and whether it is to end. */
const [busy, ending] = [0, 1];
const gates = new WeakMap<Worker, Int32Array>();
const ownGate = isMainThread ? null : (getEnvironmentData(gateKey) as Int32Array | undefined);
/** What is not interrupted takes milliseconds; a thread that hangs in it is ended all the same. */
const mostBusyMs = 10_000;

/** Ends a thread whatever it does, as soon as it is in nothing that is `uninterrupted`. */
export async function endWorker(worker: Worker): Promise<void> {
  const gate = gates.get(worker);
  if (gate !== undefined) {
    Atomics.store(gate, ending, 1);
    const { async, value } = Atomics.waitAsync(gate, busy, 1, mostBusyMs);
    if (async) await value;
  }
  await worker.terminate();
}

/**
 * Runs what a thread may not be ended in. Node aborts the whole process, with "close before init", when a thread ends
 * between the making of a handle of zlib and its start, as every call of `gunzipSync` and its like makes one.
 */
export function uninterrupted<T>(work: () => T): T {
  if (ownGate == null) return work();
  Atomics.store(ownGate, busy, 1);
  try {
    if (Atomics.load(ownGate, ending) === 0) return work();
  } finally {
    Atomics.store(ownGate, busy, 0);
    Atomics.notify(ownGate, busy);
  }
  // Until it is ended.
  Atomics.wait(ownGate, ending, 1);
  throw new Error('the thread is to end');
}

/** `x.worker.ts` when the sources run, `x.worker.js` in the bundle, where all entry points lie in one folder. */
function workerUrl(callerUrl: string, name: `${string}.worker`): URL {
  return new URL(`./${name}${extname(new URL(callerUrl).pathname)}`, callerUrl);
}
