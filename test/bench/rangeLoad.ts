import { Agent, get } from 'node:http';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

// Reads one file by ranges, over and over, in a process of its own: what it takes of time and memory is not charged to
// what sends.

interface Order {
  url: string;
  headers: Record<string, string>;
  clients: number;
  fileBytes: number;
  rangeBytes: number;
  seconds: number;
}

/** Answers the bytes read in each second. */
export async function rangeLoad(order: Order): Promise<number> {
  const reader = fork(fileURLToPath(import.meta.url), [asked]);
  const gone = once(reader, 'exit');
  reader.send(order);
  const [rate] = (await Promise.race([once(reader, 'message'), gone])) as [unknown];
  if (reader.exitCode !== null) throw new Error(`the reader of ranges ended by itself (${reader.exitCode})`);
  await gone;
  return Number(rate);
}

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

const asked = 'as-reader-of-its-own';

if (process.argv[2] === asked) {
  const [order] = (await once(process, 'message')) as [Order];
  process.send?.(await read(order), () => process.disconnect());
}
