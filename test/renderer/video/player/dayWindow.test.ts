import { expect, test } from 'vitest';
import { clipFileName } from '../../../../renderer/video/player/useSaves.ts';
import { dayWindow } from '../../../../renderer/video/player/DayBar.tsx';

const at = (time: string) => Date.parse(`2026-11-19T${time}Z`);

test('the time window of a request shows two hours around a request, not the future, in half hours', () => {
  const window = dayWindow({ from: at('11:03:18'), to: at('11:04:18') }, at('11:06:02'));
  expect(window.from).toBe(at('09:30:00'));
  expect(window.to).toBe(at('11:06:02'));
  expect(window.marks.at(-1)).toBe(at('11:00:00'));
  expect(dayWindow({ from: at('11:03:18'), to: at('11:04:18') }, at('20:00:00')).to).toBe(at('11:34:18'));
});

test('the time window of a request holds the request itself whatever the clock says', () => {
  expect(dayWindow({ from: at('11:03:18'), to: at('11:04:18') }, at('11:00:00')).to).toBe(at('11:04:18'));
});

test('the time window of a request names files so that every file system takes them', () => {
  expect(clipFileName('V 17: "North"', 2, at('11:03:18'), 'Europe/Berlin')).toBe(
    'V 17_ _North_ channel 2 2026-11-19 12-03-18.mp4',
  );
});
