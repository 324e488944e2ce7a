import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { emptyReport, leaveReport, type Report } from './report.ts';

type UnhandledErrors = Parameters<NonNullable<Reporter['onTestRunEnd']>>[1];

/** Leaves the report of the unit tests, with the reasons of what was skipped, which Vitest's own reports lack. */
export default class VitestReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: UnhandledErrors): void {
    const report = emptyReport();
    for (const module of modules) addModule(report, module);
    for (const error of unhandledErrors) report.failed.push(`outside of any test: ${error.message}`);
    leaveReport(report);
  }
}

function addModule(report: Report, module: TestModule): void {
  const failedBefore = report.failed.length;
  for (const test of module.children.allTests()) addTest(report, test);
  const hasNamedItsFailures = report.failed.length > failedBefore;
  // A file that cannot be loaded, or whose worker died, has no failed test to speak for it.
  const hasEndedWell = ['passed', 'skipped'].includes(module.state());
  if (!hasNamedItsFailures && !hasEndedWell) report.failed.push(module.relativeModuleId);
}

function addTest(report: Report, test: TestCase): void {
  const name = `${test.module.relativeModuleId} > ${test.fullName}`;
  const result = test.result();
  if (result.state === 'passed') report.passed += 1;
  else if (result.state === 'skipped')
    report.skipped.push({ name, reason: result.note ?? 'no reason given' });
  else report.failed.push(name);
}
