import { join } from 'node:path';
import { pino } from 'pino';
import { z } from 'zod';
import { readDocuments } from '../../../server/app/adoptDocuments.ts';
import { systemClock } from '../../../server/clock.ts';
import { openDataFolder } from '../../../server/store/dataFolder.ts';
import { diskFiles } from '../../../server/store/documents/Files.ts';
import { openWriter } from '../../../server/store/telemetry/openWriter.ts';
import { migrations } from '../../../server/store/telemetry/schema.ts';
import { soonAfter } from '../../support/folderOf010.ts';
import { openAdopted } from './adoptedFolder.ts';

// A process that opens a folder of 0.1.0 and is killed on its way: while it writes the last of the rows, before a rename
// of this number (the first is that of format.json), or before the last rename is said to be done.
const [data, at] = z.tuple([z.string(), z.string()]).parse(process.argv.slice(2));
const die = () => process.kill(process.pid, 'SIGKILL');

if (at === 'row') await writeRows();
let renames = 0;
let syncs = 0;
await openAdopted(data, {
  files: {
    ...diskFiles,
    async rename(from, to) {
      if (`rename ${++renames}` === at) die();
      await diskFiles.rename(from, to);
    },
    async syncFolder(folder) {
      // The first is that of format.json.
      if (`sync ${++syncs}` === at) die();
      await diskFiles.syncFolder(folder);
    },
  },
});

/** On this thread, which can be killed at a row. */
async function writeRows(): Promise<void> {
  const clock = { ...systemClock, now: () => soonAfter };
  const adopt = await readDocuments(await openDataFolder(data), { clock, log: pino({ level: 'silent' }) });
  if (adopt === null) throw new Error('the folder has been adopted');
  const entities = adopt.entities.map((write, index) =>
    index < adopt.entities.length - 1
      ? write
      : {
          ...write,
          get after() {
            die();
            return write.after;
          },
        },
  );
  const file = join(data, 'telemetry.db');
  openWriter({
    file,
    now_ms: soonAfter,
    migrations,
    adopt: { ...adopt, entities },
    database: 'new',
    maxPages: null,
    maxLogBytes: 1e9,
  });
}
