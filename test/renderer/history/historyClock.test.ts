import { expect, it } from 'vitest';
import { createHistoryClock } from '../../../renderer/history/historyClock.ts';
import { dayOf, hourOf, sameTimeOn, axisTicks } from '../../../renderer/history/historyDay.ts';
import { createDepotTime } from '../../../renderer/format/depotTime.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { createFakeFrames } from '../fakeFrames.ts';

const START = Date.UTC(2026, 10, 17, 8);
const HOUR = 3_600_000;

function makePlayer(end = START + HOUR) {
  const clock = createFakeClock();
  const frames = createFakeFrames();
  const player = createHistoryClock({ clock, frames, at: START, end: () => end });
  const draw = (ms: number) => {
    clock.advance(ms);
    frames.draw();
  };
  const passed = () => player.store.getState().at - START;
  return { player, draw, passed };
}

it('the past goes on as many times faster as the rate says, and stands still when it is paused', () => {
  const { player, draw, passed } = makePlayer();
  player.play();
  draw(100);
  expect(passed()).toBe(6_000);
  player.setRate(300);
  draw(100);
  expect(passed()).toBe(36_000);
  player.pause();
  draw(100);
  expect(passed()).toBe(36_000);
});

it('a page that was hidden goes on by one second of its own time, not by all that it missed', () => {
  const { player, draw, passed } = makePlayer();
  player.setRate(10);
  player.play();
  draw(50_000);
  expect(passed()).toBe(10_000);
});

it('the past stops at the present, and no seek leads beyond it', () => {
  const { player, draw, passed } = makePlayer(START + 30_000);
  player.play();
  draw(1_000);
  expect(passed()).toBe(30_000);
  expect(player.store.getState().isPlaying).toBe(false);
  player.seek(START + HOUR);
  expect(passed()).toBe(30_000);
  player.step(-1);
  expect(passed()).toBe(20_000);
});

it('a step is 10 s and pauses', () => {
  const { player, draw, passed } = makePlayer();
  player.play();
  player.step(1);
  draw(1_000);
  expect(passed()).toBe(10_000);
});

it('a day of the depot has 23 hours when the clocks go forward, 25 when they go back, else 24', () => {
  const time = createDepotTime('Europe/Berlin');
  const hours = (at: string) => {
    const { from, to } = dayOf(time, Date.parse(at));
    return (to - from) / HOUR;
  };
  expect(hours('2026-03-29T10:00:00Z')).toBe(23);
  expect(hours('2026-10-25T10:00:00Z')).toBe(25);
  expect(hours('2026-11-17T10:00:00Z')).toBe(24);
});

it('the day before and after keep the time since midnight, and a shorter day ends it', () => {
  const time = createDepotTime('Europe/Berlin');
  const noon = Date.parse('2026-11-17T11:00:00Z');
  expect(sameTimeOn(time, noon, -1)).toBe(noon - 24 * HOUR);
  expect(sameTimeOn(time, noon, 1)).toBe(noon + 24 * HOUR);
  const late = Date.parse('2026-03-28T22:30:00Z');
  const short = dayOf(time, Date.parse('2026-03-29T10:00:00Z'));
  expect(sameTimeOn(time, late, 1)).toBe(short.to - 1);
});

it('an hour and the ticks of the axis are counted from the beginning of the day', () => {
  const day = { from: START, to: START + 25 * HOUR };
  expect(hourOf(START + 2.5 * HOUR, START)).toEqual({ from: START + 2 * HOUR, to: START + 3 * HOUR });
  const hours = (view = day) => axisTicks(day, view).ticks.map((at) => (at - START) / HOUR);
  expect(hours()).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 24, 25]);
  expect(hours({ from: START + 2.2 * HOUR, to: START + 8.1 * HOUR })).toEqual([
    2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8,
  ]);
});
