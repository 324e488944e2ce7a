import { describe, expect, it } from 'vitest';
import { queueLines, stepLines } from '../../../renderer/notifications/queueLines.ts';
import { compareRows } from '../../../renderer/notifications/queueOrder.ts';
import { sampleNotification } from '../samples.ts';

const row = (id: string, minute: number, rule: string, severity: 'alarm' | 'warning' = 'warning') =>
  sampleNotification({
    notification_id: id,
    rule_id: rule,
    rule_name: rule,
    severity,
    first_time: `2026-11-21T12:${String(minute).padStart(2, '0')}:00.000Z`,
  });
const rows = [
  row('w1', 1, 'speed'),
  row('w2', 5, 'exit'),
  row('a1', 30, 'exit', 'alarm'),
  row('w3', 3, 'speed'),
].sort(compareRows);
const byRule = ({ rule_name }: { rule_name: string }) => ({ key: rule_name, name: rule_name });
const keys = (lines: ReturnType<typeof queueLines>) => lines.map((line) => line.key);

describe('the lines of the queue', () => {
  it('the lines of the queue without groups are its rows in their order', () => {
    expect(keys(queueLines(rows, null, new Set()))).toEqual(['a1', 'w1', 'w3', 'w2']);
  });

  it('the lines of the queue in groups stand by severity and age, each group under its head', () => {
    const lines = queueLines(rows, byRule, new Set());
    expect(keys(lines)).toEqual(['group exit', 'a1', 'w2', 'group speed', 'w1', 'w3']);
    expect(lines[0]).toMatchObject({
      isOpen: true,
      group: { name: 'exit', severity: 'alarm', oldest: '2026-11-21T12:05:00.000Z' },
    });
    expect(lines[3]).toMatchObject({ group: { severity: 'warning', oldest: '2026-11-21T12:01:00.000Z' } });
  });

  it('a folded group shows its head alone, with the count of its rows', () => {
    const lines = queueLines(rows, byRule, new Set(['exit']));
    expect(keys(lines)).toEqual(['group exit', 'group speed', 'w1', 'w3']);
    const [head] = lines;
    expect(head?.kind === 'group' && head.group.rows.length).toBe(2);
  });
});

describe('the step through the queue', () => {
  const step = (from: string | null, by: 1 | -1, folded: string[] = []) =>
    stepLines(queueLines(rows, byRule, new Set(folded)), from, by)?.key;

  it('the step through the queue passes the heads of open groups and stops at folded ones', () => {
    expect([step(null, 1), step('a1', 1), step('w2', 1), step('w3', 1)]).toEqual(['a1', 'w2', 'w1', 'a1']);
    expect([step(null, -1), step('a1', -1), step('w1', -1)]).toEqual(['w3', 'w3', 'w2']);
    expect([step(null, 1, ['exit']), step('group exit', 1, ['exit'])]).toEqual(['group exit', 'w1']);
    expect(step('w1', -1, ['exit'])).toBe('group exit');
  });

  it('the step through the queue goes nowhere where nothing else is open', () => {
    expect(stepLines([], null, 1)).toBeNull();
    expect(stepLines(queueLines(rows.slice(0, 1), null, new Set()), 'a1', 1)).toBeNull();
  });
});
