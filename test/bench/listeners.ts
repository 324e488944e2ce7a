import { setMaxListeners } from 'node:events';
import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';

// Many listeners of the stream, in a thread of their own.

interface Order {
  url: string;
  jwt: string;
  listeners: number;
}

/**
 * Resolves when all of them listen.
 * @returns `end` gives the delay of each message of positions that each of them heard, in milliseconds
 */
export async function listen(order: Order): Promise<{ end(): Promise<number[]> }> {
  const worker = new Worker(new URL(import.meta.url), { workerData: order });
  await once(worker, 'message');
  return {
    async end() {
      worker.postMessage('end');
      const [delays] = (await once(worker, 'message')) as [number[]];
      await worker.terminate();
      return delays;
    },
  };
}

if (parentPort !== null) await hear(workerData as Order);

async function hear({ url, jwt, listeners }: Order): Promise<void> {
  const abort = new AbortController();
  setMaxListeners(0, abort.signal);
  const delays: number[] = [];
  const begun = Date.now();
  const readings = await Promise.all(
    Array.from({ length: listeners }, async () => {
      const answer = await fetch(`${url}/api/v1/stream?topics=position`, {
        headers: { Authorization: `JWT ${jwt}` },
        signal: abort.signal,
      });
      if (answer.status !== 200 || answer.body === null)
        throw new Error(`the stream answered ${answer.status}`);
      return read(answer.body.pipeThrough(new TextDecoderStream()), begun, delays);
    }),
  );
  parentPort?.postMessage('listening');
  if (parentPort !== null) await once(parentPort, 'message');
  abort.abort();
  await Promise.all(readings.map((it) => it.done));
  parentPort?.postMessage(delays);
}

function read(body: AsyncIterable<string>, begun: number, delays: number[]): { done: Promise<void> } {
  const done = (async () => {
    let text = '';
    try {
      for await (const chunk of body) {
        text += chunk;
        const frames = text.split('\n\n');
        text = frames.pop() ?? '';
        const now = Date.now();
        for (const frame of frames) {
          // Those of one message came together.
          const received = Date.parse(/"received_at":"([^"]+)"/.exec(frame)?.[1] ?? '');
          if (received >= begun) delays.push(now - received);
        }
      }
    } catch {
      // Aborted at the end; a stream that ends before shows as messages that were not heard.
    }
  })();
  return { done };
}
