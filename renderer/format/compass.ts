const POINTS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const;

/** The nearest of the eight points of the compass; degrees clockwise from north. */
export function compassPoint(deg: number): (typeof POINTS)[number] {
  return POINTS[Math.round((((deg % 360) + 360) % 360) / 45) % 8] ?? 'N';
}

/** NE 63° */
export const formatCourse = (deg: number): string => `${compassPoint(deg)} ${Math.round(deg) % 360}°`;
