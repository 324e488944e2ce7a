import { parseArgs } from 'node:util';
import { askHost } from '../app/controlSocket.ts';
import { askHealth } from '../contract/control.ts';
import { CommandError } from './restClient.ts';

const usage = `fleetdeck health --data DIR   how the host on the folder does: ok, degraded or failing, and why
Exit code 0, or 1 when it is failing, when none runs, or when it does not answer within 10 seconds.`;

const ANSWER_TIME_MS = 10_000;

/** Runs the command; answers its exit code. For supervisors: it needs no login, and no port. */
export async function run(args: readonly string[]): Promise<number> {
  const { data = process.env['FLEETDECK_DATA'], help } = parsed(args);
  if (help === true) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  if (data === undefined || data === '') throw new CommandError('Give --data DIR.');
  const { status, reasons } = await asked(data);
  const why = reasons.map(({ code, since, detail }) => `${code} since ${since}: ${detail ?? ''}\n`);
  process.stdout.write([`${status}\n`, ...why].join(''));
  return status === 'failing' ? 1 : 0;
}

async function asked(data: string) {
  const signal = AbortSignal.timeout(ANSWER_TIME_MS);
  try {
    return await askHost(data, askHealth, {}, { signal });
  } catch (error) {
    if (signal.aborted)
      throw new CommandError(`The host did not answer within ${ANSWER_TIME_MS / 1_000} seconds.`);
    throw error;
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { data: { type: 'string' }, help: { type: 'boolean' } },
      strict: true,
    }).values;
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}
