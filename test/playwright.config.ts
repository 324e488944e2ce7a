import { availableParallelism } from 'node:os';
import { defineConfig, type Project } from '@playwright/test';
import { chromiumArguments, chromiumPath } from './support/chromium.ts';
import { shareCompiledCode } from './support/compiledCode.ts';
import { electronPath } from './support/electron.ts';

shareCompiledCode();

const hasElectron = electronPath() !== null;
// Every worker of Playwright reads this file again.
const isMainProcess = process.env['TEST_WORKER_INDEX'] === undefined;
if (!hasElectron && isMainProcess) {
  process.stdout.write('The desktop project is left out: no Electron program on this machine.\n');
}

const cores = availableParallelism();

const browser: Project = {
  name: 'browser',
  testIgnore: '**/desktop*.spec.ts',
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    // The page is drawn without a graphics card, which is most of the work: a quarter of the pixels costs a fifth less.
    deviceScaleFactor: 0.5,
    launchOptions: {
      executablePath: chromiumPath(),
      // No page of a test lives long enough to earn the work of optimizing its code and of collecting often.
      args: [...chromiumArguments, '--js-flags=--no-opt --no-maglev --min-semi-space-size=32'],
    },
  },
};

/** Tests of these need what only a browser has: a second page by the test's hand, a certificate that is not checked. */
const grepInvert = /@browser/;

/** The same specs in the Electron program, which connects to the host of each, and those of the program itself. */
const desktop: Project = { ...browser, name: 'desktop', testIgnore: [], grepInvert };

/** The same in a browser at the local end of each host: without Electron, all that the desktop does with other hosts. */
const remote: Project = { ...browser, name: 'remote', grepInvert };

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results/e2e',
  projects: [
    browser,
    ...(hasElectron ? [desktop] : []),
    ...(process.env['FLEETDECK_E2E_REMOTE'] === '1' ? [remote] : []),
  ],
  // Each test starts a host, its workers and a page that is drawn without a graphics card: work for a core and a half,
  // but for the times that it waits.
  workers: Math.max(Math.min(2, cores), Math.floor(cores / 2)),
  // By tests, not by files, so that none is left alone with a long file at the end.
  fullyParallel: true,
  // What is waited for comes by itself; a busy machine only takes longer.
  timeout: 240_000,
  expect: { timeout: 45_000 },
  // A test that fails now and then is a bug, in the test or in the program.
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  use: {
    // Recording each page would take a fifth of all the work: a failure leaves its picture and the text of its page, and
    // `--trace on` records the rest.
    trace: 'off',
    screenshot: 'only-on-failure',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
  },
});
