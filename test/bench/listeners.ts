import { setMaxListeners } from 'node:events';
import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';

// Many listeners of the stream, in a thread of their own.

interface Order {
  url: string;
  jwt: string;
  listeners: number;
}

export interface Heard {
  /** The time that its positions bear. */
  time: string;
  /** When they were received, Unix ms. */
  received_ms: number;
  /** When the message was here, as `preciseNow` has it. */
  heard_ms: number;
}

/** Unix ms with fractions; the same in all threads. */
export function preciseNow(): number {
  return performance.timeOrigin + performance.now();
}

/**
 * Resolves when all of them listen.
 * @returns `end` gives each message of positions that each of them heard
 */
export async function listen(order: Order): Promise<{ end(): Promise<Heard[]> }> {
  const worker = new Worker(new URL(import.meta.url), { workerData: order });
  await once(worker, 'message');
  return {
    async end() {
      worker.postMessage('end');
      const [heard] = (await once(worker, 'message')) as [Heard[]];
      await worker.terminate();
      return heard;
    },
  };
}

if (parentPort !== null) await hear(workerData as Order);

async function hear({ url, jwt, listeners }: Order): Promise<void> {
  const abort = new AbortController();
  setMaxListeners(0, abort.signal);
  const heard: Heard[] = [];
  const begun = Date.now();
  const readings = await Promise.all(
    Array.from({ length: listeners }, async () => {
      const answer = await fetch(`${url}/api/v1/stream?topics=position`, {
        headers: { Authorization: `JWT ${jwt}` },
        signal: abort.signal,
      });
      if (answer.status !== 200 || answer.body === null)
        throw new Error(`the stream answered ${answer.status}`);
      return read(answer.body.pipeThrough(new TextDecoderStream()), begun, heard);
    }),
  );
  parentPort?.postMessage('listening');
  if (parentPort !== null) await once(parentPort, 'message');
  abort.abort();
  await Promise.all(readings.map((it) => it.done));
  parentPort?.postMessage(heard);
}

function read(body: AsyncIterable<string>, begun: number, heard: Heard[]): { done: Promise<void> } {
  const done = (async () => {
    let text = '';
    try {
      for await (const chunk of body) {
        text += chunk;
        const frames = text.split('\n\n');
        text = frames.pop() ?? '';
        const heard_ms = preciseNow();
        for (const frame of frames) {
          // Those of one message came together.
          const [, time = '', received = ''] = /"time":"([^"]+)","received_at":"([^"]+)"/.exec(frame) ?? [];
          const received_ms = Date.parse(received);
          if (received_ms >= begun) heard.push({ time, received_ms, heard_ms });
        }
      }
    } catch {
      // Aborted at the end; a stream that ends before shows as messages that were not heard.
    }
  })();
  return { done };
}
