import { parseArgs } from 'node:util';
import { restoreBackup } from '../app.ts';
import { createProgress } from './backup.ts';
import { CommandError } from './restClient.ts';

const usage = `fleetdeck restore --data DIR --from BACKUP [--replace]
Puts a backup in place as the data folder. No host may run on it.
  --from BACKUP  the folder that fleetdeck backup has written; its hashes are compared first
  --replace      also where the data folder is not empty; its files are kept in a folder replaced-… in it`;

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    const options = { data: text, from: text, replace: flag, help: flag };
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}

/** Runs the command; answers its exit code. Throws what `commandError` puts into one line. */
export async function run(args: readonly string[]): Promise<number> {
  const { data = process.env['FLEETDECK_DATA'], from, replace = false, help } = parsed(args);
  if (help === true) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  if (data === undefined || data === '' || from === undefined || from === '')
    throw new CommandError('Give --data DIR --from BACKUP.');
  const { manifest, aside } = await restoreBackup({ data, from, replace }, createProgress());
  const clips = manifest.clips ? 'with its video clips' : 'without video clips';
  process.stderr.write(`Restored the backup of ${manifest.created_at}, ${clips}.\n`);
  if (aside !== null) process.stderr.write(`What was there before is in ${aside}.\n`);
  return 0;
}
