import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

const Report = z.object({
  passed: z.number(),
  /** By name. */
  failed: z.array(z.string()),
  skipped: z.array(z.object({ name: z.string(), reason: z.string() })),
});

/** What one step of a test run has to say: a check counts as one test. */
export type Report = z.infer<typeof Report>;

/** The environment variable by which a step gives its reporter the path of its report. */
export const REPORT_FILE = 'FLEETDECK_TEST_REPORT';

export function emptyReport(): Report {
  return { passed: 0, failed: [], skipped: [] };
}

/** Does nothing when nobody asked for a report. */
export function leaveReport(report: Report): void {
  const file = process.env[REPORT_FILE];
  if (file === undefined) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(report));
}

/** Takes the report away, or null if none was left: its writer crashed. */
export function takeReport(file: string): Report | null {
  try {
    return Report.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  } finally {
    rmSync(file, { force: true });
  }
}

/** A suite is believed only if it ended as its report says and has run something. */
export function judgeSuite(name: string, report: Report | null, exitCode: number): Report {
  if (report === null)
    return { ...emptyReport(), failed: [`${name}: ended with code ${exitCode} and left no report`] };
  if (report.passed + report.failed.length === 0) return { ...report, failed: [`${name}: no test was run`] };
  if (exitCode !== 0 && report.failed.length === 0) {
    return { ...report, failed: [`${name}: ended with code ${exitCode} although no test failed`] };
  }
  return report;
}

export function sum(reports: readonly Report[]): Report {
  return {
    passed: reports.reduce((total, { passed }) => total + passed, 0),
    failed: reports.flatMap(({ failed }) => failed),
    skipped: reports.flatMap(({ skipped }) => skipped),
  };
}

/** The line that a test run ends with. */
export function lastLine({ passed, failed, skipped }: Report): string {
  const counts = [`${passed} passed`, `${failed.length} failed`];
  return [...counts, ...(skipped.length > 0 ? [`${skipped.length} skipped`] : [])].join(', ');
}
