/** Builds the desktop and starts it from the sources: `node electron/start.ts [switches of Electron]`. */
import { spawn, spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getElectron, NoElectron } from './findElectron.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const say = (line: string) => process.stderr.write(`fleetdeck: ${line}\n`);

try {
  const electron = getElectron(join(ROOT, 'node_modules', 'electron'), process.env, process, say);
  if (build()) run(electron, [ROOT, ...process.argv.slice(2)]);
  else process.exitCode = 1;
} catch (error) {
  if (!(error instanceof NoElectron)) throw error;
  say(error.message);
  process.exitCode = 1;
}

function build(): boolean {
  return spawnSync(process.execPath, [join(ROOT, 'server', 'build.ts')], { stdio: 'inherit' }).status === 0;
}

/** Its input, output, signals, end and exit code are ours. */
function run(program: string, args: readonly string[]): void {
  // What reads this variable would start as plain Node.
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  const child = spawn(program, args, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // The console of Windows gives Ctrl C to both, and `kill` would end the desktop in the midst of its closing.
      if (process.platform !== 'win32') child.kill(signal);
    });
  }
  child.once('error', (error) => {
    say(`${program} does not start: ${error.message}`);
    process.exitCode = 1;
  });
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
  });
}
