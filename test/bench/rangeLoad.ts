import { Agent, get } from 'node:http';
import { parentPort, Worker, workerData } from 'node:worker_threads';

// Reads one file by ranges, over and over, from a thread of its own, so that reading does not hold up what sends.

interface Order {
  url: string;
  headers: Record<string, string>;
  clients: number;
  fileBytes: number;
  rangeBytes: number;
  seconds: number;
}

/** Answers the bytes read in each second. */
export function rangeLoad(order: Order): Promise<number> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: order });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

if (parentPort !== null) parentPort.postMessage(await read(workerData as Order));

async function read({ url, headers, clients, fileBytes, rangeBytes, seconds }: Order): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const begun = performance.now();
  let bytes = 0;
  const one = (start: number) =>
    new Promise<void>((resolve, reject) => {
      const Range = `bytes=${start}-${Math.min(fileBytes, start + rangeBytes) - 1}`;
      get(url, { agent, headers: { ...headers, Range } }, (answer) => {
        if (answer.statusCode !== 206) reject(new Error(`${url} answered ${answer.statusCode ?? 0}`));
        answer.on('data', (chunk: Buffer) => (bytes += chunk.length));
        answer.on('end', resolve).on('error', reject);
      }).on('error', reject);
    });
  const client = async (_: unknown, at: number) => {
    // Each begins elsewhere, as people do who watch different moments.
    let start = Math.floor((at * fileBytes) / clients);
    while (performance.now() - begun < seconds * 1_000) {
      await one(start);
      start = start + rangeBytes >= fileBytes ? 0 : start + rangeBytes;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  agent.destroy();
  return bytes / ((performance.now() - begun) / 1_000);
}
