import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { destination, pino } from 'pino';
import { startServer, type RunningHost } from './app.ts';
import { commandError } from './app/startupError.ts';
import { readConfig, usage } from './config.ts';

/** From the sources the console lies in dist/console; the bundle has it beside its own folder. */
const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));
export const consoleFolder = [fromHere('../console')].find(existsSync) ?? fromHere('../dist/console');

const log = pino({ base: null }, destination({ fd: 2, sync: true }));
let host: RunningHost | null = null;
let ending = false;

/** A second signal while the first one is being obeyed changes nothing. */
function end(signal: string): void {
  if (ending) return;
  ending = true;
  log.info({ signal }, 'closing');
  const forced = setTimeout(() => {
    log.error('closing took too long');
    process.exit(1);
  }, 4_500);
  forced.unref();
  // While the host still starts, the start itself sees to it.
  if (host === null) return;
  host.close().then(
    () => process.exit(0),
    (error: unknown) => {
      log.error({ err: error }, 'closing failed');
      process.exit(1);
    },
  );
}

/** Runs a host until a signal ends the process. Resolves when it accepts requests, with the exit code so far. */
export async function run(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  try {
    const config = readConfig(args, process.env);
    host = await startServer({ config, log, consoleFolder });
  } catch (error) {
    if (commandError(error) !== null) throw error;
    log.fatal({ err: error }, 'the host could not start');
    return 1;
  }
  if (ending) {
    await host.close();
    process.exit(0);
  }
  const { url, setupCode, intake } = host;
  process.stdout.write(`${JSON.stringify({ ready: true, url, setup_code: setupCode, intake })}\n`);
  return 0;
}
