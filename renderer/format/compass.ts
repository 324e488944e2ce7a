import { formats } from './formats.ts';

const POINTS = ['n', 'ne', 'e', 'se', 's', 'sw', 'w', 'nw'] as const;

/** The nearest of the eight points of the compass, as the user calls it; degrees clockwise from north. */
export function compassPoint(deg: number): string {
  const point = POINTS[Math.round((((deg % 360) + 360) % 360) / 45) % 8] ?? 'n';
  return formats.getState().words[`compass.${point}`];
}

/** NE 63° */
export const formatCourse = (deg: number): string => `${compassPoint(deg)} ${Math.round(deg) % 360}°`;
