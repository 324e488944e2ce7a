/** The one program: `fleetdeck COMMAND`, started by fleetdeck.cjs. */
import { appVersion } from '../config.ts';
import { CommandError } from './restClient.ts';

interface Command {
  summary: string;
  /** Loaded only when it is run; `run` resolves with the exit code, or with null for a host that a signal will end. */
  load: () => Promise<{ run: (args: readonly string[]) => Promise<number | null> }>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  serve: { summary: 'run a host', load: () => import('../main.ts') },
  connect: {
    summary: 'serve the console of a host elsewhere on this machine',
    load: () => import('./connect.ts'),
  },
  dealer: { summary: "add a dealer, or reset a dealer's password", load: () => import('./dealer.ts') },
  backup: { summary: 'back up a data folder', load: () => import('./backup.ts') },
  restore: { summary: 'put a backup in place as a data folder', load: () => import('./restore.ts') },
  health: { summary: 'say how a running host does', load: () => import('./health.ts') },
  verify: { summary: 'check an evidence export', load: () => import('./verify.ts') },
  replay: { summary: 'play a recorded track into a host', load: () => import('./replay.ts') },
  demo: { summary: 'run a host with a fleet that drives', load: () => import('./demo.ts') },
};

function help(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return ['fleetdeck COMMAND [options]', ...lines, 'fleetdeck COMMAND --help lists its options.', ''].join(
    '\n',
  );
}

/** Resolves with the exit code: 2 when there is no such command, null for a host that runs. */
async function dispatch([name, ...args]: readonly string[]): Promise<number | null> {
  if (name === '--help' || name === 'help' || name === undefined) {
    (name === undefined ? process.stderr : process.stdout).write(help());
    return name === undefined ? 2 : 0;
  }
  if (name === '--version') {
    process.stdout.write(`fleetdeck ${appVersion}\n`);
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    process.stderr.write(`fleetdeck: there is no command ${JSON.stringify(name)}; see fleetdeck --help.\n`);
    return 2;
  }
  try {
    const { run } = await command.load();
    return await run(args);
  } catch (error) {
    const { commandError } = await import('../app/startupError.ts');
    const line = error instanceof CommandError ? error.message : commandError(error);
    if (line === null) throw error;
    process.stderr.write(`fleetdeck: ${line}\n`);
    return 1;
  }
}

/** As `dispatch`: Electron goes on when there is nothing left to do, so it is given the end (electron/entry.ts). */
// No `await` at the top: fleetdeck.cjs loads this by `require`.
export const ended: Promise<number | null> = dispatch(process.argv.slice(2));
void ended.then((code) => (process.exitCode = code ?? 0));
