import type { Random } from './random.ts';

/** What a virtual terminal means to say of one moment. */
export interface Fix {
  /** No two of a terminal are alike. */
  time_ms: number;
  /** Counts the fixes of its terminal; it is said as well. */
  number: number;
  lat: number;
  lon: number;
  altitude_m: number;
  speed_kmh: number;
  /** The emergency button is pressed. */
  sos: boolean;
  hasFix: boolean;
  /** At a place that is none on earth: the host refuses it, and the terminal is to be rid of it. */
  isHopeless: boolean;
}

export interface Plan {
  /** The next so many fixes; fewer, or none, when more would lie in the future. */
  next(count: number): Fix[];
}

const second = 1_000;
const day = 24 * 3_600 * second;
/** The API returns tracks of 31 days at most. */
const farthestBack = 20 * day;
/** A terminal that was on line all the time sends the last hours, so many. */
const recent = 3 * 3_600 * second;

/**
 * Half of the terminals send what is long past, the others what was just now.
 *
 * @param resolution_ms the time resolution of the protocol
 */
export function createPlan(dice: Random, resolution_ms: number, now: () => number): Plan {
  const isLongPast = dice.chance(0.5);
  const back = isLongPast ? day + dice.whole(0, farthestBack - 2 * day) : recent;
  let time_ms = Math.floor((now() - back) / second) * second;
  let number = 0;
  let lat = dice.whole(-60, 60) + dice.next();
  let lon = dice.whole(-170, 170) + dice.next();

  function step(): Fix {
    const longestStep = isLongPast ? 10 * second : second;
    const steps = dice.whole(1, longestStep / resolution_ms);
    time_ms += steps * resolution_ms;
    number += 1;
    lat += (dice.next() - 0.5) / 500;
    lon += (dice.next() - 0.5) / 500;
    const isHopeless = dice.chance(0.004);
    return {
      time_ms,
      number,
      // Millionths of a degree are what all protocols can say.
      lat: isHopeless ? 91 + dice.whole(0, 80) : millionths(lat),
      lon: millionths(lon),
      altitude_m: dice.whole(0, 3_000),
      speed_kmh: dice.whole(0, 180),
      sos: !isHopeless && dice.chance(0.02),
      hasFix: isHopeless || !dice.chance(0.05),
      isHopeless,
    };
  }

  return {
    next(count) {
      const fixes: Fix[] = [];
      while (fixes.length < count && time_ms + 11 * second < now()) fixes.push(step());
      return fixes;
    },
  };
}

function millionths(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
