import { mix, tint, type Tint } from './picture.ts';

const DAY_MS = 86_400_000;
/** From deep twilight to plain day, degrees of the sun above the horizon. */
const DARK_BELOW_DEG = -7;
const LIGHT_ABOVE_DEG = 5;
const RADIANS = Math.PI / 180;
const BLACK = tint('#000000');

export type Palette = (name: string) => Tint;

/**
 * @param colours by name, by day and at night
 * @param light 0 at night, 1 by day; the tints between are mixed
 */
export function createPalette(colours: Record<string, string[]>, light: number): Palette {
  const mixed = new Map(
    Object.entries(colours).map(([name, [day = '', night = '']]) => [
      name,
      mix(tint(night), tint(day), light),
    ]),
  );
  return (name) => mixed.get(name) ?? BLACK;
}

/**
 * 0 at night, 1 by day, between in the twilight, from the sun's height at that place and time. Good to a few
 * minutes: the equation of time (16 min at most) is left out. With no place known the clock's hour alone decides.
 */
export function daylight(atMs: number, place: { lat: number; lon: number } | null): number {
  const { lat, lon } = place ?? { lat: 0, lon: 0 };
  const day = (atMs - Date.UTC(new Date(atMs).getUTCFullYear(), 0, 1)) / DAY_MS;
  const declination = -23.44 * RADIANS * Math.cos((2 * Math.PI * (day + 10)) / 365.25);
  const hourAngle = (((atMs % DAY_MS) / DAY_MS) * 360 - 180 + lon) * RADIANS;
  const sine =
    Math.sin(lat * RADIANS) * Math.sin(declination) +
    Math.cos(lat * RADIANS) * Math.cos(declination) * Math.cos(hourAngle);
  const heightDeg = Math.asin(Math.min(1, Math.max(-1, sine))) / RADIANS;
  const held = Math.min(1, Math.max(0, (heightDeg - DARK_BELOW_DEG) / (LIGHT_ABOVE_DEG - DARK_BELOW_DEG)));
  return held * held * (3 - 2 * held);
}
