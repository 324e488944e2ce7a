import { expect, test } from 'vitest';
import { eventSteps } from '../../../../renderer/video/player/PlayerStage.tsx';

const order = { from: 100_000, to: 130_000 };
const times = [90_000, 110_000, 112_500, 125_000, 140_000];

test('stepping between events goes to the events of the period, in order, and beyond it to none', () => {
  expect(eventSteps(order, times, 0)).toEqual({ previous: null, next: 10 });
  expect(eventSteps(order, times, 10)).toEqual({ previous: null, next: 12.5 });
  expect(eventSteps(order, times, 12.5)).toEqual({ previous: 10, next: 25 });
  expect(eventSteps(order, times, 30)).toEqual({ previous: 25, next: null });
});

test('stepping between events goes back past an event that it has just come to', () => {
  expect(eventSteps(order, times, 25.4).previous).toBe(12.5);
  expect(eventSteps(order, times, 10.02).next, 'a seek that landed a little short or far').toBe(12.5);
  expect(eventSteps(order, times, 9.98).next).toBe(12.5);
});
