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
    launchOptions: { executablePath: chromiumPath(), args: [...chromiumArguments] },
  },
};

/** Each starts the Electron program with a host of its own; what a page does is the same in both. */
const desktop: Project = { name: 'desktop', testMatch: '**/desktop*.spec.ts' };

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results/e2e',
  projects: hasElectron ? [browser, desktop] : [browser],
  // Each test starts a host, its workers and a page that is drawn without a graphics card: work for a core and a half,
  // but for the times that it waits.
  workers: Math.max(Math.min(2, cores), Math.floor(cores / 2)),
  // By tests, not by files, so that none is left alone with a long file at the end.
  fullyParallel: true,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  // A test that fails now and then is a bug, in the test or in the program.
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  use: {
    // Recording every page for the trace would take a seventh of all the work; the page as it failed is kept below.
    trace: { mode: 'retain-on-failure', screenshots: false },
    screenshot: 'only-on-failure',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
  },
});
