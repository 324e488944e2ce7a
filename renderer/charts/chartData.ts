/** What a mark looks like: colours of a vehicle's status for what a vehicle did, shades for all else. */
export type Tone =
  'driving' | 'idle' | 'standing' | 'no-data' | 'plain' | 'shade-1' | 'shade-2' | 'shade-3' | 'shade-4';

interface Mark {
  /** Of the row that it leads to. */
  rowKey: string;
  tone: Tone;
  /** Spoken, and shown for the mark that is pointed at. */
  text: () => string;
}

export interface Tick {
  at: number;
  label: string;
}

/** An axis from one value to another, with as many labels as fit. */
export interface Axis {
  from: number;
  to: number;
  ticks: (most: number) => readonly Tick[];
}

export interface LaneMark extends Mark {
  from: number;
  to: number;
  /** From 0 to 1, of a heat map: how strong its tone is. */
  strength?: number;
}

/** Bars, spans of time or cells of a heat map: one lane below the other. */
export interface LaneChart {
  shape: 'lanes';
  lanes: readonly { label: string; marks: readonly LaneMark[]; note?: string }[];
  axis: Axis;
  /** Cells fill their lanes. */
  isHeat?: boolean;
}

export interface ColumnPart extends Mark {
  value: number;
}

/** Columns beside each other, each of parts that stand on each other. */
export interface ColumnChart {
  shape: 'columns';
  columns: readonly { label: string; parts: readonly ColumnPart[] }[];
  /** Of the values. */
  axis: Axis;
}

export interface PointMark extends Mark {
  x: number;
  y: number;
}

export interface PointChart {
  shape: 'points';
  points: readonly PointMark[];
  x: Axis;
  y: Axis;
}

export interface ChartFrame {
  /** What it shows: its spoken name, and its head. */
  title: string;
  /** `strength` as that of a mark. */
  legend: readonly { tone: Tone; label: string; strength?: number }[];
  /** How many of all are drawn, in words, where a chart has met its limit. */
  limited?: string;
}

export type ChartData = (LaneChart | ColumnChart | PointChart) & ChartFrame;

/** More of them are not drawn. */
export const CHART_LIMITS = { lanes: 400, points: 10_000, columns: 800 } as const;

const DECIMAL_STEPS = [1, 2, 5, 10];

/** Round values from 0 up, at most so many steps; the last one at or above `top`. */
export function roundSteps(top: number, most: number): number[] {
  if (!(top > 0)) return [0];
  const least = top / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = (DECIMAL_STEPS.find((it) => it * power >= least - 1e-9) ?? 10) * power;
  const count = Math.ceil(top / step - 1e-9);
  // Not added up: 0.1 + 0.2 is not 0.3.
  return Array.from({ length: count + 1 }, (_, at) => Number((at * step).toPrecision(12)));
}

/** From 0 to a round value at or above `top`. */
export function valueAxis(top: number, text: (value: number) => string): Axis {
  const to = roundSteps(top, 4).at(-1) ?? 0;
  return {
    from: 0,
    to: to > 0 ? to : 1,
    ticks: (most) => roundSteps(to, Math.min(4, most)).map((at) => ({ at, label: text(at) })),
  };
}

const SECOND_STEPS = [1, 5, 10, 30, 60, 300, 600, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400];

/** Of durations in seconds: as `valueAxis`, in steps as clocks have them. */
export function durationAxis(topS: number, text: (s: number) => string): Axis {
  const stepFor = (most: number) =>
    SECOND_STEPS.find((it) => topS / it <= most) ?? Math.ceil(topS / most / 86_400) * 86_400;
  const to = Math.max(1, Math.ceil(topS / stepFor(6)) * stepFor(6));
  return {
    from: 0,
    to,
    ticks(most) {
      const step = stepFor(Math.min(6, most));
      return Array.from({ length: Math.floor(to / step) + 1 }, (_, at) => ({
        at: at * step,
        label: text(at * step),
      }));
    },
  };
}

/** Of things side by side, each one unit wide; labels stand at their middles. */
export function bandAxis(labels: readonly string[]): Axis {
  return {
    from: 0,
    to: Math.max(1, labels.length),
    ticks: (most) => everyNth(labels.length, most).map((at) => ({ at: at + 0.5, label: labels[at] ?? '' })),
  };
}

const CLOCK_STEPS = [1, 2, 3, 6, 12, 24];

/** A day by its clock, in hours. */
export const dayAxis: Axis = {
  from: 0,
  to: 24,
  ticks(most) {
    const step = CLOCK_STEPS.find((it) => 24 / it <= most) ?? 24;
    return Array.from({ length: 24 / step + 1 }, (_, at) => ({ at: at * step, label: clockHour(at * step) }));
  },
};

export const clockHour = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

const HOUR_MS = 3_600_000;
/** No day is longer than 25 h, and none shorter than 23: 36 h after its beginning the next one is under way. */
const INTO_NEXT_MS = 36 * HOUR_MS;

/**
 * A period by the clock of a zone (Unix ms): hours as far as they have room, else days.
 *
 * @param time of the zone
 * @param dayName of the day of a moment
 */
export function timeAxis(
  { from, to }: { from: number; to: number },
  time: { dayStart: (ms: number) => number; minute: (ms: number) => string },
  dayName: (ms: number) => string,
): Axis {
  const midnights: number[] = [];
  for (let at = time.dayStart(from); at < to; at = time.dayStart(at + INTO_NEXT_MS)) midnights.push(at);
  return {
    from,
    to: Math.max(from + 1, to),
    ticks(most) {
      const step = CLOCK_STEPS.find((it) => it < 24 && (to - from) / HOUR_MS / it <= most);
      if (step === undefined) {
        return everyNth(midnights.length, most)
          .map((at) => midnights[at] ?? 0)
          .filter((at) => at >= from)
          .map((at) => ({ at, label: dayName(at) }));
      }
      return midnights
        .flatMap((midnight, at) => {
          const next = midnights[at + 1] ?? midnight + 24 * HOUR_MS;
          const count = Math.round((next - midnight) / (step * HOUR_MS));
          return Array.from({ length: count }, (_, tick) => midnight + tick * step * HOUR_MS);
        })
        .filter((at) => at >= from && at <= to)
        .map((at) => ({ at, label: midnights.includes(at) ? dayName(at) : time.minute(at) }));
    },
  };
}

/** Indices from 0 to `count`, as many as fit. */
function everyNth(count: number, most: number): number[] {
  const step = Math.max(1, Math.ceil(count / Math.max(1, most)));
  return Array.from({ length: Math.ceil(count / step) }, (_, at) => at * step);
}
