/**
 * Runs the checks and the tests, each once, and ends with the line "N passed, N failed".
 * `node test/run.ts check`: types, lint, format, dead code, the build of the console, unit tests.
 * `node test/run.ts everything`: these and the end-to-end specs.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lastLine, sum, type Report } from './run/report.ts';
import { check, endSteps, suite, write } from './run/step.ts';

const RESULTS = fileURLToPath(new URL('../test-results/', import.meta.url));

async function runInTurn(checks: readonly string[]): Promise<Report[]> {
  const reports: Report[] = [];
  for (const script of checks) reports.push(await check(script));
  return reports;
}

/** Two of the checks work on one core each, beside those that use more. */
async function runChecksAndUnitTests(): Promise<Report[]> {
  const reports = await Promise.all([
    // Several unit tests start what is built: were the console out of date, all of them would build it at once.
    runInTurn(['typecheck', 'lint', 'console']),
    runInTurn(['format', 'dead-code']),
  ]);
  return [...reports.flat(), await runUnitTests()];
}

function runUnitTests(): Promise<Report> {
  return suite('test:unit', ['--reporter=default', '--reporter=./test/run/vitestReporter.ts'], RESULTS);
}

function runEndToEndSpecs(): Promise<Report> {
  return suite('test:e2e', ['--reporter=list,./test/run/playwrightReporter.ts'], RESULTS);
}

async function run(what: string | undefined): Promise<Report[]> {
  if (what === 'check') return runChecksAndUnitTests();
  if (what === 'everything') return [...(await runChecksAndUnitTests()), await runEndToEndSpecs()];
  throw new Error(`Say what to run: check or everything, not ${String(what)}.`);
}

function conclude(report: Report): void {
  write('');
  for (const { name, reason } of report.skipped) write(`skipped: ${name}: ${reason}`);
  for (const name of report.failed) write(`failed: ${name}`);
  const line = lastLine(report);
  mkdirSync(RESULTS, { recursive: true });
  // By this file .ci/setup.mjs knows that the line has been printed.
  writeFileSync(join(RESULTS, 'summary.txt'), `${line}\n`);
  write(line);
  process.exitCode = report.failed.length === 0 ? 0 : 1;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    endSteps();
    process.exit(1);
  });
}
conclude(sum(await run(process.argv[2])));
