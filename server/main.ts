import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { destination, pino, type Logger } from 'pino';
import { keepRecent, openLogFile, startServer, type LogFile, type RunningHost } from './app.ts';
import { commandError } from './app/startupError.ts';
import { ConfigError, readConfig, usage, type LogOptions } from './config.ts';

/**
 * From the sources the console lies in dist/console; the bundle has it beside its own folder, in a packed desktop in the
 * archive beside it, which Electron reads as a folder.
 */
const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));
export const consoleFolder =
  [fromHere('../console'), fromHere('../../../app.asar/dist/console')].find(existsSync) ??
  fromHere('../dist/console');

let written: Pick<LogFile, 'recent' | 'write'> = keepRecent(destination({ fd: 2, sync: true }));
let log = pino({ base: null }, written);
let host: RunningHost | null = null;
let ending = false;
let hasLogFile = false;

/** @throws {ConfigError} */
function openLog({ logLevel, logFile }: LogOptions): Logger {
  const options = { base: null, level: logLevel };
  if (logFile === null) return pino(options, written);
  try {
    written = openLogFile(logFile);
    return pino(options, written);
  } catch (error) {
    throw new ConfigError(
      `--log-file ${logFile} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
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

/**
 * Runs a host until a signal ends the process. Resolves with null when it accepts requests, with an exit code when it
 * does not run.
 */
export async function run(args: readonly string[]): Promise<number | null> {
  if (args.includes('--help')) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  try {
    const config = readConfig(args, process.env);
    log = openLog(config);
    hasLogFile = config.logFile !== null;
    host = await startServer({ config, log, consoleFolder, recentLog: written.recent });
  } catch (error) {
    const refusal = commandError(error);
    // Of a service nobody reads standard error.
    if (refusal !== null && hasLogFile) log.fatal(refusal);
    if (refusal !== null) throw error;
    log.fatal({ err: error }, 'the host could not start');
    return 1;
  }
  if (ending) {
    await host.close();
    process.exit(0);
  }
  const { url, urls, certificateSha256, setupCode, intake } = host;
  const line = {
    ready: true,
    url,
    urls,
    certificate_sha256: certificateSha256,
    setup_code: setupCode,
    intake,
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
  return null;
}
