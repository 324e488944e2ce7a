import { describe, expect, it } from 'vitest';
import { createNoticeGatherer } from '../../../renderer/notifications/noticeGatherer.ts';
import type { AlarmNotice } from '../../../renderer/platform/platform.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

function setUp() {
  const clock = createFakeClock();
  const shown = new Map<string, string>();
  let made = 0;
  const gatherer = createNoticeGatherer({
    clock,
    notify({ tag, title }) {
      made++;
      shown.set(tag, title);
      return () => void shown.delete(tag);
    },
    gathered: (count, titles) => ({
      title: `${count} more: ${titles.join(', ')}`,
      body: '',
      onOpen: () => undefined,
    }),
  });
  const add = (tag: string, urgency: AlarmNotice['urgency'] = 'normal') =>
    gatherer.add({ tag, title: tag, body: '', urgency, actions: [], onOpen: () => undefined });
  return { clock, gatherer, add, titles: () => [...shown.values()], count: () => made };
}

describe('notices of alarms', () => {
  it('notices of alarms are shown one by one while there are few', () => {
    const { clock, add, titles } = setUp();
    for (const tag of ['a', 'b', 'c']) add(tag);
    clock.advance(10_000);
    for (const tag of ['d', 'e', 'f', 'g']) {
      add(tag);
      clock.advance(4_000);
    }
    expect(titles()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });

  it('notices of alarms of a burst become one that counts on, however many come', () => {
    const { clock, add, titles, count } = setUp();
    for (let at = 1; at <= 1_000; at++) add(`alarm ${at}`);
    clock.advance(3_000);
    expect(titles()).toEqual([
      ...['alarm 1', 'alarm 2', 'alarm 3'],
      '997 more: alarm 998, alarm 999, alarm 1000',
    ]);
    add('alarm 1001');
    clock.advance(3_000);
    expect(titles().at(-1)).toBe('998 more: alarm 999, alarm 1000, alarm 1001');
    expect(count()).toBe(5);
  });

  it('notices of alarms that are critical are not hidden by a burst of others', () => {
    const { add, titles } = setUp();
    for (let at = 1; at <= 50; at++) add(`alarm ${at}`);
    add('SOS', 'critical');
    expect(titles().at(-1)).toBe('SOS');
  });

  it('notices of alarms that are no longer open are taken away, the gathered one with the last', () => {
    const { clock, gatherer, add, titles } = setUp();
    for (const tag of ['a', 'b', 'c', 'd']) add(tag);
    clock.advance(3_000);
    gatherer.keepOnly((tag) => tag === 'b', true);
    expect(titles()).toEqual(['b', '1 more: d']);
    gatherer.keepOnly(() => false, false);
    expect(titles()).toEqual([]);
  });

  it('notices of alarms that were gathered are not shown once nothing is open, and count anew afterwards', () => {
    const { clock, gatherer, add, titles } = setUp();
    for (const tag of ['a', 'b', 'c', 'd', 'e']) add(tag);
    gatherer.keepOnly(() => false, false);
    clock.advance(3_000);
    expect(titles()).toEqual([]);
    add('f');
    clock.advance(3_000);
    expect(titles()).toEqual(['1 more: f']);
  });

  it('notices of alarms end with the session', () => {
    const { clock, gatherer, add, titles, count } = setUp();
    for (const tag of ['a', 'b', 'c', 'd']) add(tag);
    gatherer.stop();
    clock.advance(60_000);
    expect(titles()).toEqual([]);
    expect(count()).toBe(3);
  });
});
