const DAY_MS = 86_400_000;
/** From deep twilight to plain day, degrees of the sun above the horizon. */
const DARK_BELOW_DEG = -7;
const LIGHT_ABOVE_DEG = 5;

/**
 * 0 at night, 1 by day, between in the twilight, from the sun's height at that place and time. Good to a few
 * minutes: the equation of time (16 min at most) is left out. With no place known the clock's hour alone decides.
 */
export function daylight(atMs: number, place: { lat: number; lon: number } | null): number {
  const { lat, lon } = place ?? { lat: 0, lon: 0 };
  const yearStart = Date.UTC(new Date(atMs).getUTCFullYear(), 0, 1);
  const day = (atMs - yearStart) / DAY_MS;
  const declination = radians(-23.44) * Math.cos((2 * Math.PI * (day + 10)) / 365.25);
  const hourAngle = radians(((atMs % DAY_MS) / DAY_MS) * 360 - 180 + lon);
  const sine =
    Math.sin(radians(lat)) * Math.sin(declination) +
    Math.cos(radians(lat)) * Math.cos(declination) * Math.cos(hourAngle);
  const heightDeg = (Math.asin(Math.min(1, Math.max(-1, sine))) / Math.PI) * 180;
  const fraction = (heightDeg - DARK_BELOW_DEG) / (LIGHT_ABOVE_DEG - DARK_BELOW_DEG);
  const held = Math.min(1, Math.max(0, fraction));
  return held * held * (3 - 2 * held);
}

function radians(degrees: number): number {
  return (degrees / 180) * Math.PI;
}
