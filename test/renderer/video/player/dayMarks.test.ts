import { expect, test } from 'vitest';
import type { Event } from '../../../../server/contract/events.ts';
import type { Severity } from '../../../../server/contract/rules.ts';
import { dayMarks } from '../../../../renderer/video/player/EventMark.tsx';

const event = (second: number) =>
  ({ event_id: String(second), time: `2026-11-21T04:00:${second}Z` }) as Event;

function marks(seconds: readonly number[], severities: Record<number, Severity> = {}) {
  const severityOf = (it: Event) => severities[Number(it.event_id)] ?? 'info';
  return dayMarks(seconds.map(event), severityOf, (it) => Number(it.event_id), 5).map(
    (it) => `${it.event.event_id} ${it.severity} ${it.others}`,
  );
}

test('events that lie apart have a mark each, oldest first', () => {
  expect(marks([30, 15, 20, 25])).toEqual(['15 info 0', '20 info 0', '25 info 0', '30 info 0']);
});

test('no two marks lie closer than the eye can separate, and none of the events is lost', () => {
  expect(marks([10, 12, 14, 16, 18])).toEqual(['10 info 2', '16 info 1']);
});

test('the gravest event stands for those around it', () => {
  expect(marks([10, 12, 14, 30], { 12: 'warning', 14: 'alarm', 30: 'warning' })).toEqual([
    '14 alarm 2',
    '30 warning 0',
  ]);
});
