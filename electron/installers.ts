/**
 * Builds the installers of this machine's platform into dist/installers, or of others by electron-builder's own
 * switches: `node electron/installers.ts [--linux | --win | --mac] [--dir]`. The console is built before.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getElectron, NoElectron } from './findElectron.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LOG = join(ROOT, 'dist', 'installers.log');
const SWITCHES: Readonly<Record<string, NodeJS.Platform>> = {
  ...{ '--linux': 'linux', '-l': 'linux' },
  ...{ '--win': 'win32', '--windows': 'win32', '-w': 'win32' },
  ...{ '--mac': 'darwin', '--macos': 'darwin', '-m': 'darwin', '-o': 'darwin' },
};

/** The platforms that electron-builder is asked for: its own without a switch. */
export function platformsOf(args: readonly string[], own: NodeJS.Platform): NodeJS.Platform[] {
  const named = args.flatMap((arg) => SWITCHES[arg] ?? []);
  return named.length === 0 ? [own] : [...new Set(named)];
}

/** Of all that electron-builder has said, why it failed. */
export function reasonOf(output: string): string {
  const [, reason] = /^\s*⨯ (.*?)(?:\s+(?:failedTask|stackTrace)=.*)?$/m.exec(output) ?? [];
  return reason?.replace(/\s+error=/, ': ') ?? output.trim().split('\n').at(-1) ?? '';
}

/**
 * Says that no package goes along, which electron-builder would otherwise ask npm for.
 *
 * @public electron-builder.yml names it
 */
export const beforeBuild = (): boolean => false;

class NotBuilt extends Error {}

function build(args: readonly string[]): void {
  // The other platforms' Electron is fetched by electron-builder.
  const isOwn = platformsOf(args, process.platform).join() === process.platform;
  const electron = isOwn
    ? getElectron(join(ROOT, 'node_modules', 'electron'), process.env, process, say)
    : null;
  runNode('the bundle', [join(ROOT, 'server', 'build.ts')], 'inherit');
  if (platformsOf(args, process.platform).includes('win32'))
    runNode('the service', [join(ROOT, 'server', 'build', 'desktopService.ts')], 'inherit');
  say('building the installers (some minutes; what electron-builder lacks, it fetches) ...');
  mkdirSync(dirname(LOG), { recursive: true });
  const log = openSync(LOG, 'w');
  try {
    const cli = join(ROOT, 'node_modules', 'electron-builder', 'cli.js');
    // A program of macOS is made of two, for either processor; of this one it has the licences.
    const isOne = electron !== null && process.platform !== 'darwin';
    const dist = isOne ? [`-c.electronDist=${dirname(electron)}`] : [];
    runNode('the installers', [cli, '--publish', 'never', ...dist, ...args], log);
  } finally {
    closeSync(log);
  }
  say(`the installers lie in ${relative('', join(ROOT, 'dist', 'installers'))}`);
}

/** @throws {NotBuilt} */
function runNode(what: string, args: readonly string[], output: 'inherit' | number): void {
  const { status, error } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', output === 'inherit' ? 2 : output, output === 'inherit' ? 2 : output],
  });
  if (error === undefined && status === 0) return;
  if (output === 'inherit') throw new NotBuilt(`${what} could not be built, see above.`);
  throw new NotBuilt(
    `${what} could not be built: ${error?.message ?? reasonOf(readFileSync(LOG, 'utf8'))}. Electron and the packing ` +
      'tools are fetched from github.com: mirrors are named in ELECTRON_MIRROR and ELECTRON_BUILDER_BINARIES_MIRROR. ' +
      `All that was said: ${relative('', LOG)}`,
  );
}

function say(line: string): void {
  process.stderr.write(`fleetdeck: ${line}\n`);
}

if (import.meta.main) {
  try {
    build(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof NoElectron || error instanceof NotBuilt)) throw error;
    say(error.message);
    process.exitCode = 1;
  }
}
