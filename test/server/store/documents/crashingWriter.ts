import { z } from 'zod';
import { openPeople } from './people.ts';

// A process that writes until it is killed: four updates at a time, each said on standard output once stored.
const folder = z.string().parse(process.argv[2]);
const { document } = await openPeople(folder);
let next = Object.keys(document.data.people).length;

async function add(): Promise<void> {
  const index = next++;
  await document.update((draft) => {
    draft.people[`person ${index}`] = index;
  });
  process.stdout.write(`${index}\n`);
}

for (;;) await Promise.all([add(), add(), add(), add()]);
