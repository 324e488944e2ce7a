import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { destination, pino } from 'pino';
import { startRefusal, startServer, type RunningHost } from './app.ts';
import { readConfig, usage } from './config.ts';

/** From the sources the console lies in dist/console; the bundle has it beside its own folder. */
const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const consoleFolder = [fromHere('../console')].find(existsSync) ?? fromHere('../dist/console');

const log = pino({ base: null }, destination({ fd: 2, sync: true }));
let host: RunningHost | null = null;
let ending = false;

function fail(message: string): void {
  process.stderr.write(`fleetdeck: ${message}\n`);
  process.exitCode = 1;
}

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

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stderr.write(`${usage}\n`);
    return;
  }
  const config = readConfig(process.argv.slice(2), process.env);
  host = await startServer({ config, log, consoleFolder });
  if (ending) {
    await host.close();
    process.exit(0);
  }
  const { url, setupCode, intake } = host;
  process.stdout.write(`${JSON.stringify({ ready: true, url, setup_code: setupCode, intake })}\n`);
}

process.on('SIGTERM', end);
process.on('SIGINT', end);
main().catch((error: unknown) => {
  const refusal = startRefusal(error);
  if (refusal === null) {
    log.fatal({ err: error }, 'the host could not start');
    process.exitCode = 1;
  } else fail(refusal);
});
