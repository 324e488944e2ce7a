import { pino } from 'pino';
import { openStores } from '../../../server/app/openStores.ts';
import { startRefusal } from '../../../server/app.ts';
import { systemClock } from '../../../server/clock.ts';

// A process that opens a data folder as a start does, perhaps as another user, and says on one line why it cannot.
const [data = ''] = process.argv.slice(2);
try {
  await (await openStores(data, systemClock, pino({ level: 'silent' }))).close();
} catch (error) {
  process.stderr.write(`${startRefusal(error) ?? String(error instanceof Error ? error.stack : error)}\n`);
  process.exitCode = 1;
}
