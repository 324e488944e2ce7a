import type { Reporter, Suite, TestCase, TestError } from '@playwright/test/reporter';
import { emptyReport, leaveReport, type Report } from './report.ts';

/** Leaves the report of the end-to-end specs. */
export default class PlaywrightReporter implements Reporter {
  #specs: Suite | undefined;
  readonly #errors: TestError[] = [];

  onBegin(_config: unknown, specs: Suite): void {
    this.#specs = specs;
  }

  onError(error: TestError): void {
    this.#errors.push(error);
  }

  onEnd(): void {
    const report = emptyReport();
    for (const test of this.#specs?.allTests() ?? []) addTest(report, test);
    for (const error of this.#errors)
      report.failed.push(`outside of any spec: ${error.message ?? 'unknown error'}`);
    leaveReport(report);
  }
}

function addTest(report: Report, test: TestCase): void {
  const name = test.titlePath().filter(Boolean).join(' > ');
  const outcome = test.outcome();
  if (outcome === 'expected') report.passed += 1;
  else if (outcome === 'skipped' && test.expectedStatus === 'skipped')
    report.skipped.push({ name, reason: why(test) });
  // What never ran because something before it broke bears the outcome "skipped" too.
  else report.failed.push(outcome === 'skipped' ? `${name}: did not run` : name);
}

function why(test: TestCase): string {
  const note = test.annotations.find(({ type }) => type === 'skip' || type === 'fixme');
  return note?.description ?? 'no reason given';
}
