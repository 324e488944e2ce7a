import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Recording } from '../../../../server/contract/video.ts';
import { moveSpan } from '../../../../renderer/video/recordings/RecordingsBar.tsx';
import { stretchesOf, type Stretch } from '../../../../renderer/video/recordings/stretches.ts';
import { doneTask } from '../sampleTask.ts';

const START = Date.parse('2026-11-19T11:00:00Z');
const at = (minute: number) => START + minute * 60_000;
const window = { from: START, to: at(60) };
const recording = (from: number, to: number, fields: Partial<Recording> = {}): Recording => ({
  channel: 1,
  from: new Date(at(from)).toISOString(),
  to: new Date(at(to)).toISOString(),
  stream: null,
  size_bytes: null,
  alarm: false,
  ...fields,
});
const fetched = (from: number, to: number, duration_s = (to - from) * 60) => {
  const file = { size_bytes: 1, sha256: 'a'.repeat(64) };
  const { from: begin, to: end } = recording(from, to);
  const task = doneTask(file, { from: begin, to: end });
  return { ...task, file: task.file === null ? null : { ...task.file, duration_s } };
};
const minutes = (list: readonly Stretch[]) =>
  list.map((it) => `${it.kind} ${(it.from - START) / 60_000}–${(it.to - START) / 60_000}`);
const published = (items: Recording[], until = 60) => ({ items, askedAt: at(until) });

test('a recording that the terminal does not list is gone, up to the moment of the request', () => {
  const list = published([recording(10, 20), recording(30, 40)], 50);
  expect(minutes(stretchesOf(1, window, list, []))).toEqual([
    'gone 0–10',
    'gone 20–30',
    'gone 40–50',
    'there 10–20',
    'there 30–40',
  ]);
});

test('a fetched clip lies over the rest, and is not gone when the vehicle has lost it', () => {
  const list = published([recording(10, 60)]);
  expect(minutes(stretchesOf(1, window, list, [fetched(4, 6), fetched(20, 22)]))).toEqual([
    'gone 0–4',
    'gone 6–10',
    'there 10–60',
    'fetched 4–6',
    'fetched 20–22',
  ]);
});

test('a file that is shorter than what was asked for covers its own length', () => {
  expect(minutes(stretchesOf(1, window, null, [fetched(4, 6, 60)]))).toEqual(['fetched 4–5']);
});

test('no recording is called gone without the terminal’s word', () => {
  expect(minutes(stretchesOf(1, window, null, []))).toEqual([]);
});

test('other channels, and what lies outside of the window, are left out', () => {
  const list = published([recording(-20, -10), recording(-5, 70), recording(10, 20, { channel: 2 })]);
  expect(minutes(stretchesOf(1, window, list, []))).toEqual(['there 0–60']);
});

test('recordings that follow each other with a breath between them leave no gap', () => {
  const list = published([recording(0, 30), recording(30 + 1 / 60, 60)]);
  expect(stretchesOf(1, window, list, []).some((it) => it.kind === 'gone')).toBe(false);
});

test('every period of the bar lies in the window and no recording is lost, for any list of a terminal', () => {
  const spans = fc.array(fc.tuple(fc.integer({ min: -30, max: 90 }), fc.integer({ min: 0, max: 40 })), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(spans, fc.integer({ min: -10, max: 70 }), (list, until) => {
      const items = list.map(([from, length]) => recording(from, from + length));
      const parts = stretchesOf(1, window, published(items, until), []);
      for (const it of parts) {
        expect(it.from).toBeGreaterThanOrEqual(window.from);
        expect(it.to).toBeLessThanOrEqual(window.to);
        expect(it.from).toBeLessThan(it.to);
      }
      const gone = parts.filter((it) => it.kind === 'gone');
      const there = parts.filter((it) => it.kind === 'there');
      for (const a of gone) for (const b of there) expect(a.to <= b.from || b.to <= a.from).toBe(true);
    }),
  );
});

const limits = { earliest: START, latest: at(60), maxMs: 10 * 60_000 };
const span = { from: at(20), to: at(22) };

test('an end is moved alone, up to the other one and to the longest', () => {
  expect(moveSpan(span, 'from', at(21), limits)).toEqual({ from: at(21), to: at(22) });
  expect(moveSpan(span, 'from', at(30), limits)).toEqual({ from: at(22) - 1_000, to: at(22) });
  expect(moveSpan(span, 'to', at(50), limits)).toEqual({ from: at(20), to: at(30) });
  expect(moveSpan(span, 'from', at(0), limits)).toEqual({ from: at(12), to: at(22) });
});

test('the whole keeps its length and stays within what is over', () => {
  expect(moveSpan(span, 'whole', at(40), limits)).toEqual({ from: at(39), to: at(41) });
  expect(moveSpan(span, 'whole', at(90), limits)).toEqual({ from: at(58), to: at(60) });
  expect(moveSpan(span, 'whole', at(-5), limits)).toEqual({ from: at(0), to: at(2) });
});

test('a period that is moved stays one: in order, no longer than may be, in whole seconds', () => {
  const part = fc.constantFrom('from' as const, 'to' as const, 'whole' as const);
  fc.assert(
    fc.property(part, fc.double({ min: -30, max: 90, noNaN: true }), (which, minute) => {
      const moved = moveSpan(span, which, at(minute), limits);
      expect(moved.to - moved.from).toBeGreaterThanOrEqual(1_000);
      expect(moved.to - moved.from).toBeLessThanOrEqual(limits.maxMs);
      expect(moved.from % 1_000).toBe(0);
      expect(moved.to % 1_000).toBe(0);
    }),
  );
});
