import { Agent, get } from 'node:http';
import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';

// Other users who ask for `/me` at a steady pace, from a thread of their own: what an attacker computes to attack does
// not hold them up.

interface Order {
  url: string;
  /** Of a user each, so that none passes its limit. */
  jwts: readonly string[];
}

/** How long answers took, each counted from when its turn was, in the order of sending. */
export interface Bystanders {
  /** Gives the times of all that were sent since the last call, in milliseconds; what is unanswered counts as it stands. */
  times(): Promise<number[]>;
  end(): Promise<void>;
}

/** Each user's share of its 180 a minute, with some to spare. */
const everyMs = 400;

export async function startBystanders(order: Order): Promise<Bystanders> {
  const worker = new Worker(new URL(import.meta.url), { workerData: order });
  await once(worker, 'message');
  return {
    async times() {
      worker.postMessage('times');
      const [times] = (await once(worker, 'message')) as [number[]];
      return times;
    },
    async end() {
      await worker.terminate();
    },
  };
}

if (parentPort !== null) stand(workerData as Order);

function stand({ url, jwts }: Order): void {
  const agent = new Agent({ keepAlive: true });
  let calls: { asked_ms: number; took_ms: number | null }[] = [];
  let turn = 0;
  const began_ms = performance.now();
  const step_ms = everyMs / jwts.length;

  function ask(): void {
    const call = { asked_ms: performance.now(), took_ms: null as number | null };
    calls.push(call);
    const settle = () => (call.took_ms ??= performance.now() - call.asked_ms);
    // One that is cut off counts until it was cut off at the least; the table says that the host died.
    get(
      `${url}/api/v1/me`,
      { agent, headers: { Authorization: `JWT ${jwts[turn % jwts.length] ?? ''}` } },
      (answer) => {
        answer.on('end', settle).on('error', settle).resume();
      },
    ).on('error', settle);
    turn += 1;
  }

  function tick(): void {
    while (began_ms + turn * step_ms <= performance.now()) ask();
    setTimeout(tick, Math.max(0, began_ms + turn * step_ms - performance.now()));
  }

  tick();
  parentPort?.on('message', () => {
    parentPort?.postMessage(calls.map((it) => it.took_ms ?? performance.now() - it.asked_ms));
    calls = [];
  });
  parentPort?.postMessage('standing');
}
