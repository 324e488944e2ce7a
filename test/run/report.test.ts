import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyReport, judgeSuite, lastLine, sum, takeReport, type Report } from './report.ts';

const good: Report = { passed: 3, failed: [], skipped: [] };
const skipped = { name: 'plays on the desktop', reason: 'no Electron program' };

describe('the result of a suite', () => {
  it('the result of a suite is believed when it ended as its report says', () => {
    expect(judgeSuite('unit', good, 0)).toEqual(good);
    const bad: Report = { passed: 2, failed: ['one'], skipped: [skipped] };
    expect(judgeSuite('unit', bad, 1)).toEqual(bad);
  });

  it('the result of a suite is one failure when it left no report', () => {
    expect(judgeSuite('unit', null, 0).failed).toHaveLength(1);
  });

  it('the result of a suite is one failure when no test was run, skipped ones or not', () => {
    expect(judgeSuite('unit', emptyReport(), 0).failed).toHaveLength(1);
    expect(judgeSuite('unit', { ...emptyReport(), skipped: [skipped] }, 0).failed).toHaveLength(1);
  });

  it('the result of a suite is one failure when it ended badly although no test failed', () => {
    expect(judgeSuite('unit', good, 1)).toMatchObject({
      passed: 3,
      failed: [expect.stringContaining('code 1')],
    });
  });
});

describe('the report of a suite', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'report-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('the report of a suite is read once, so that an old one never replaces a new one', () => {
    const file = join(folder, 'unit.json');
    writeFileSync(file, JSON.stringify(good));
    expect(takeReport(file)).toEqual(good);
    expect(takeReport(file)).toBeNull();
  });

  it('the report of a suite is none when it was cut short', () => {
    const file = join(folder, 'unit.json');
    writeFileSync(file, JSON.stringify(good).slice(0, 10));
    expect(takeReport(file)).toBeNull();
  });
});

describe('the last line', () => {
  it('the last line counts what passed and failed in all steps', () => {
    expect(lastLine(sum([good, { ...emptyReport(), failed: ['lint'] }]))).toBe('3 passed, 1 failed');
  });

  it('the last line counts what was skipped only where something was', () => {
    expect(lastLine(sum([good, { ...emptyReport(), skipped: [skipped] }]))).toBe(
      '3 passed, 0 failed, 1 skipped',
    );
  });
});
