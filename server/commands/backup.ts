import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { backUpFolder } from '../app.ts';
import { askHost, NoHost } from '../app/controlSocket.ts';
import { makeBackup } from '../contract/control.ts';
import { CommandError } from './restClient.ts';

const usage = `fleetdeck backup --data DIR [--to FOLDER] [--clips | --no-clips]
Writes a backup of the data folder into a new folder in FOLDER, and prints its path. A host may run on it meanwhile.
  --to FOLDER   that is there, outside the data folder; by default the backup folder of the settings
  --clips       with video clips, --no-clips without them; by default as the settings say`;

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = { data: text, to: text, clips: flag, help: flag };
  try {
    return parseArgs({ args: [...args], options, strict: true, allowNegative: true }).values;
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}

/** Runs the command; answers its exit code. Throws what `commandError` puts into one line. */
export async function run(args: readonly string[]): Promise<number> {
  const { data = process.env['FLEETDECK_DATA'], to, clips = null, help } = parsed(args);
  if (help === true) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  // An empty path would be the current folder.
  if (data === undefined || data === '' || to === '')
    throw new CommandError('Give --data DIR [--to FOLDER].');
  const asked = { to: to === undefined ? null : resolve(to), clips };
  const { path, files, bytes } = await make(data, asked);
  process.stderr.write(`Backed up ${files} files, ${(bytes / 1e6).toFixed(1)} MB.\n`);
  process.stdout.write(`${path}\n`);
  return 0;
}

/** By the host that runs on the folder, or else from the folder itself. */
async function make(data: string, asked: z.input<typeof makeBackup.request>) {
  const progress = createProgress();
  try {
    return await askHost(data, makeBackup, asked, {
      onProgress: (report) =>
        progress(z.object({ fraction: z.number() }).safeParse(report).data?.fraction ?? 0),
    });
  } catch (error) {
    if (!(error instanceof NoHost)) throw error;
  }
  if (!existsSync(join(data, 'format.json')))
    throw new CommandError(`${data} is not a data folder of Fleetdeck.`);
  return backUpFolder(data, asked, progress);
}

/** Shows what is done where somebody looks on. */
export function createProgress(): (fraction: number) => void {
  let shown = -1;
  return (fraction) => {
    const percent = Math.floor(fraction * 100);
    if (!process.stderr.isTTY || percent === shown) return;
    shown = percent;
    process.stderr.write(`\r${percent} %${percent === 100 ? '\n' : ''}`);
  };
}
