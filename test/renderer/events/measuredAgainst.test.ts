import { expect, it } from 'vitest';
import { measuredAgainst } from '../../../renderer/events/columns.tsx';
import { sampleNotification } from '../samples.ts';

const { details } = sampleNotification();
const textOf = (measured: number | null, threshold: number | null, unit: string | null) =>
  measuredAgainst({ ...details, measured, threshold, unit }).replaceAll('\u00a0', ' ');

it('the text of a measurement says what was measured beside what is allowed, the unit once', () => {
  expect(textOf(94, 60, 'km/h')).toBe('94 / 60 km/h');
  expect(textOf(-4.2, -3.5, 'm/s²')).toBe('−4.2 / −3.5 m/s²');
  expect(textOf(2_520, 1_200, 's')).toBe('42 min / 20 min');
  expect(textOf(18, null, '%')).toBe('18 %');
  expect(textOf(null, 60, 'km/h')).toBe('');
});
