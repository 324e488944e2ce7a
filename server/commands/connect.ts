import { parseArgs } from 'node:util';
import { destination, pino } from 'pino';
import { probeHost, readFingerprint, startRemoteConsole } from '../app.ts';
import { appVersion } from '../config.ts';
import { consoleFolder } from '../main.ts';
import { CommandError } from './restClient.ts';

const usage = `fleetdeck connect --url URL [options]   serve the console of a host elsewhere on this machine
  --fingerprint SHA256  of the certificate that the host has signed itself; it prints it at its start
  --insecure            call it by http:// beyond this machine: passwords and videos can be read on the way
  --port 8500           of 127.0.0.1, where browsers of this machine open the console
Ctrl C ends it.`;

const apiWords = {
  same: null,
  older: 'The host is older than this program: what it does not know yet is refused.',
  newer: 'The host is newer than this program: what this console does not know yet is not shown.',
  different: 'The host and this program are of different versions: some functions are refused or not shown.',
} as const;

/** Serves the console until a signal ends the process; resolves when it accepts requests, with the exit code so far. */
export async function run(args: readonly string[]): Promise<number> {
  const { url, fingerprint: given, insecure = false, port = '8500', help } = parsed(args);
  if (help === true) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  if (url === undefined) throw new CommandError('Give --url URL.');
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new CommandError(`--port ${port} is not a whole number from 0 to 65535.`);
  const fingerprint = given === undefined ? null : readFingerprint(given);
  if (given !== undefined && fingerprint === null)
    throw new CommandError('--fingerprint is no SHA-256 fingerprint: it has 64 hexadecimal digits.');

  const probe = await probeHost({ url, fingerprint, insecure });
  if (probe.state !== 'found') throw new CommandError(refusalOf(probe, url));
  const remote = await startRemoteConsole({
    connection: { id: 'cli', name: probe.depotName, url: new URL(probe.url), fingerprint, insecure },
    port: Number(port),
    consoleFolder,
    appVersion,
    log: pino({ base: null, level: 'warn' }, destination({ fd: 2, sync: true })),
  });
  const end = () => void remote.close().then(() => process.exit(0));
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  const words = apiWords[probe.api];
  if (words !== null) process.stderr.write(`fleetdeck: ${words}\n`);
  const line = { ready: true, url: remote.url, depot: probe.depotName, version: probe.version };
  process.stdout.write(`${JSON.stringify(line)}\n`);
  return 0;
}

function refusalOf(probe: Exclude<Awaited<ReturnType<typeof probeHost>>, { state: 'found' }>, url: string) {
  switch (probe.state) {
    case 'untrusted':
      return `No authority vouches for the certificate of ${probe.url}. Compare its fingerprint with the one that the host has printed, and give it by --fingerprint if they are equal: ${probe.fingerprint}`;
    case 'changed':
      return `The certificate of ${probe.url} is another one than expected, and nothing was sent. Expected: ${probe.expected} Found: ${probe.found}`;
    case 'insecure':
      return `${probe.url} would be called without encryption: use https://, or give --insecure.`;
    case 'unreachable':
      return `${probe.url} cannot be connected to: ${probe.reason}.`;
    case 'invalid':
      return `--url ${url} ${probe.reason}.`;
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        url: { type: 'string' },
        fingerprint: { type: 'string' },
        insecure: { type: 'boolean' },
        port: { type: 'string' },
        help: { type: 'boolean' },
      },
      strict: true,
    }).values;
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}
