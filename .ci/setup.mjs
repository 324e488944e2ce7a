// Makes a fresh machine ready and then runs one program: `node .ci/setup.mjs test`. What is no program of the table
// below is a command of `fleetdeck`: `node .ci/setup.mjs serve --data DIR`.
// It starts under whatever Node the machine has, before any package is there: plain JavaScript, built-ins only,
// Node 20 or newer. What it runs in the end runs under the pinned Node, as the only process below this one: a signal
// to npm reaches it without another npm and its shell between them.
// Standard output belongs to what is run (`serve` prints its ready line there), so all that is said here goes
// to standard error.
import { existsSync, rmSync } from 'node:fs';
import { ensureChromium } from './chromium.mjs';
import { ensureConsole } from './console.mjs';
import { ensurePackages, pinnedNode } from './packages.mjs';
import { ROOT, SetupError, fromRoot, runInstead, say } from './shell.mjs';

const OLDEST_NODE = 20;
/** Written by the test runner at its end: without it no summary line was printed. */
const TEST_SUMMARY = fromRoot('test-results', 'summary.txt');
const PROGRAMS = {
  start: ['electron/start.ts'],
  installers: ['electron/installers.ts'],
  'pack:host': ['server/build/packHost.ts'],
  test: ['test/run.ts', 'everything'],
  check: ['test/run.ts', 'check'],
  bench: ['test/bench/bench.ts'],
  abuse: ['test/abuse/abuse.ts'],
  figures: ['test/figures/figures.ts'],
  soak: ['test/soak/soak.ts'],
  screens: ['test/screens/screens.ts'],
};
const NEEDS_CONSOLE = ['demo', 'serve', 'start', 'installers', 'pack:host', 'figures', 'screens'];
const NEEDS_CHROMIUM = ['test', 'figures', 'screens'];

const [job, ...jobArguments] = process.argv.slice(2);

function requireNode() {
  const version = process.versions.node;
  if (Number.parseInt(version, 10) < OLDEST_NODE) {
    throw new SetupError(
      `Node ${OLDEST_NODE} or newer is needed to start, this is ${version} (${process.execPath}).`,
    );
  }
}

async function main() {
  process.chdir(ROOT);
  requireNode();
  if (job === 'test') rmSync(TEST_SUMMARY, { force: true });
  ensurePackages();
  if (job === undefined || NEEDS_CHROMIUM.includes(job)) ensureChromium();
  if (NEEDS_CONSOLE.includes(job)) ensureConsole();
  if (job === undefined) {
    say('ready.');
    return 0;
  }
  const program = PROGRAMS[job] ?? ['server/commands/fleetdeck.cjs', job];
  return runInstead(pinnedNode(), [...program, ...jobArguments]);
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  say(error.message);
  process.exitCode = 1;
} finally {
  // Whoever counts the results of `npm test` reads its last line, whatever went wrong before.
  if (job === 'test' && !existsSync(TEST_SUMMARY)) {
    process.stdout.write('0 passed, 1 failed\n');
    process.exitCode = 1;
  }
}
