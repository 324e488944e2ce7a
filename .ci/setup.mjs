// Makes a fresh machine ready and then runs one npm script: `node .ci/setup.mjs test` ends as `npm run test:ready`.
// It starts under whatever Node the machine has, before any package is there: plain JavaScript, built-ins only,
// Node 20 or newer. What it runs in the end runs under the pinned Node: npm puts node_modules/.bin first.
// Standard output belongs to what is run (`serve` prints its ready line there), so all that is said here goes
// to standard error.
import { readFileSync, existsSync, rmSync } from 'node:fs';
import { ensureChromium } from './chromium.mjs';
import { ensureConsole } from './console.mjs';
import { ensurePackages } from './packages.mjs';
import { ROOT, SetupError, fromRoot, runInstead, say } from './shell.mjs';

const OLDEST_NODE = 20;
/** Written by the test runner at its end: without it no summary line was printed. */
const TEST_SUMMARY = fromRoot('test-results', 'summary.txt');
const NEEDS_CONSOLE = ['demo', 'serve', 'start', 'figures'];
const NEEDS_CHROMIUM = ['test', 'test:e2e', 'figures'];

const [job, ...jobArguments] = process.argv.slice(2);

function requireNode() {
  const version = process.versions.node;
  if (Number.parseInt(version, 10) < OLDEST_NODE) {
    throw new SetupError(
      `Node ${OLDEST_NODE} or newer is needed to start, this is ${version} (${process.execPath}).`,
    );
  }
}

function requireScript(name) {
  const { scripts } = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8'));
  if (scripts[name] === undefined) throw new SetupError(`package.json has no script "${name}".`);
}

async function main() {
  process.chdir(ROOT);
  requireNode();
  if (job !== undefined) requireScript(`${job}:ready`);
  if (job === 'test') rmSync(TEST_SUMMARY, { force: true });
  ensurePackages();
  if (job === undefined || NEEDS_CHROMIUM.includes(job)) ensureChromium();
  if (NEEDS_CONSOLE.includes(job)) ensureConsole();
  if (job === undefined) {
    say('ready.');
    return 0;
  }
  return runInstead('npm', ['run', '--silent', `${job}:ready`, '--', ...jobArguments]);
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
