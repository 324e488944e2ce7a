import { Agent, get } from 'node:http';
import { parentPort, Worker, workerData } from 'node:worker_threads';

// Asks addresses one after the other, over and over, from a thread of its own, so that asking does not hold up what answers.

interface Order {
  urls: readonly string[];
  headers: Record<string, string>;
  connections: number;
  seconds: number;
}

export interface Load {
  perSecond: number;
  medianMs: number;
}

export function load(order: Order): Promise<Load> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: order });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

if (parentPort !== null) parentPort.postMessage(await ask(workerData as Order));

async function ask({ urls, headers, connections, seconds }: Order): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  const begun = performance.now();
  let at = 0;
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const url = urls[at++ % urls.length] ?? '';
      get(url, { agent, headers }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode ?? 0}`));
        answer.on('end', resolve).on('error', reject).resume();
      }).on('error', reject);
    });
  const repeat = async () => {
    while (performance.now() - begun < seconds * 1_000) {
      const asked = performance.now();
      await one();
      times.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: connections }, repeat));
  agent.destroy();
  times.sort((a, b) => a - b);
  return {
    perSecond: times.length / ((performance.now() - begun) / 1_000),
    medianMs: times[Math.floor(times.length / 2)] ?? Number.NaN,
  };
}
