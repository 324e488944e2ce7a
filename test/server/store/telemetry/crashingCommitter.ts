import { z } from 'zod';
import { openStore } from '../../../../server/store/openStore.ts';
import { crashBatch } from './crashBatch.ts';

// A process that commits until it is killed: eight batches at a time, each said on standard output once acknowledged.
const [folder, first] = z.tuple([z.string(), z.coerce.number()]).parse(process.argv.slice(2));
const store = await openStore({ folder });
let next = first;

async function add(): Promise<void> {
  const index = next++;
  await store.commit(crashBatch(index));
  process.stdout.write(`${index}\n`);
}

for (;;) await Promise.all(Array.from({ length: 8 }, add));
