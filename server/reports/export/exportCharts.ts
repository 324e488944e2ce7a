import type { TimeRange } from '../../geofences/scheduleClock.ts';
import type { ServerWords } from '../../contract/texts/serverWords.ts';
import { localDays, wallClock } from '../localDays.ts';
import type { CellKind } from './cells.ts';

/** What a part of a chart stands for; each tone is a colour. */
export type Tone = 'plain' | 'driving' | 'standing' | 'silent' | 'critical' | 'warning' | 'info';

export interface ChartItem {
  label: string;
  /** One on the other. */
  parts: readonly { tone: Tone; value: number }[];
}

interface Titled {
  title: string;
  legend: readonly { tone: Tone; label: string }[];
  /** What of it is not drawn. */
  note: string | null;
}

/** Bars lie, for names; columns stand, for days and classes in their order. */
interface SumsChart<Shape> extends Titled {
  shape: Shape;
  kind: CellKind;
  items: readonly ChartItem[];
}

export interface HeatChart extends Titled {
  shape: 'heat';
  columns: readonly string[];
  /** Cells from 0 to 1; null: nothing is known. */
  rows: readonly { label: string; cells: readonly (number | null)[] }[];
}

/** What was when, on lines below each other. Places on it are from 0 to 1. */
export interface LanesChart extends Titled {
  shape: 'lanes';
  tone: Tone;
  lanes: readonly { label: string; spans: readonly (readonly [from: number, to: number])[] }[];
  ticks: readonly { at: number; label: string }[];
}

/** A picture of a report for its pages. */
export type ExportChart = SumsChart<'bars'> | SumsChart<'columns'> | HeatChart | LanesChart;

/** More than fit on a page. */
const maxBars = 14;
const maxRows = 16;

/** Sums of rows as they go by: by a name, and within it by tones. */
export function createSums() {
  const sums = new Map<string, Map<Tone, number>>();
  return {
    add(name: string, value: number, tone: Tone = 'plain'): void {
      const tones = sums.get(name) ?? new Map<Tone, number>();
      sums.set(name, tones);
      tones.set(tone, (tones.get(tone) ?? 0) + value);
    },
    size: (): number => sums.size,
    items: (): ChartItem[] =>
      [...sums].map(([label, tones]) => ({
        label,
        parts: [...tones].map(([tone, value]) => ({ tone, value })),
      })),
  };
}

const sizeOf = ({ parts }: ChartItem) => parts.reduce((sum, it) => sum + it.value, 0);

/** The sentence that not all are drawn. */
export type Partly = (shown: number, total: number) => string;

interface Described {
  title: string;
  kind: CellKind;
  legend?: Titled['legend'];
}

/** The largest first. */
export function barsOf(items: readonly ChartItem[], partly: Partly, more: Described): ExportChart | null {
  const drawn = items.filter((it) => sizeOf(it) > 0).toSorted((a, b) => sizeOf(b) - sizeOf(a));
  if (drawn.length === 0) return null;
  return {
    shape: 'bars',
    legend: [],
    ...more,
    items: drawn.slice(0, maxBars),
    note: drawn.length > maxBars ? partly(maxBars, drawn.length) : null,
  };
}

/** In the order of their labels, or in that of `order`, which may name more than there are. */
export function columnsOf(
  items: readonly ChartItem[],
  more: Described,
  order: readonly string[] = items.map((it) => it.label).toSorted(),
): ExportChart | null {
  if (!items.some((it) => sizeOf(it) > 0)) return null;
  const byLabel = new Map(items.map((it) => [it.label, it]));
  return {
    shape: 'columns',
    legend: [],
    ...more,
    items: order.map((label) => byLabel.get(label) ?? { label, parts: [] }),
    note: null,
  };
}

export function heatOf(
  rows: HeatChart['rows'],
  columns: readonly string[],
  title: string,
  legend: Titled['legend'],
  partly: Partly,
): ExportChart | null {
  if (rows.length === 0) return null;
  return {
    shape: 'heat',
    title,
    legend,
    columns,
    rows: rows.slice(0, maxRows),
    note: rows.length > maxRows ? partly(maxRows, rows.length) : null,
  };
}

/** Closer together than this, of the whole, two spans are one: a quarter of a point on paper. */
const joined = 1 / 2_500;

/** Spans of time as rows go by, in order of time within a lane. */
export function createLanes({ from_ms, to_ms }: TimeRange) {
  const lanes = new Map<string, [from: number, to: number][] | null>();
  const placeOf = (time_ms: number) => Math.max(0, Math.min(1, (time_ms - from_ms) / (to_ms - from_ms)));
  return {
    add(label: string, begin_ms: number, end_ms: number): void {
      // Beyond those that are drawn they are counted only.
      if (!lanes.has(label)) lanes.set(label, lanes.size < maxRows ? [] : null);
      const spans = lanes.get(label) ?? null;
      if (spans === null) return;
      const [from, to] = [placeOf(begin_ms), placeOf(end_ms)];
      const last = spans.at(-1);
      if (last !== undefined && from - last[1] < joined) last[1] = Math.max(last[1], to);
      else spans.push([from, to]);
    },
    drawn(title: string, tone: Tone, partly: Partly, ticks: LanesChart['ticks']): LanesChart | null {
      const shown = [...lanes].flatMap(([label, spans]) => (spans === null ? [] : [{ label, spans }]));
      if (shown.length === 0) return null;
      const note = lanes.size > shown.length ? partly(shown.length, lanes.size) : null;
      return { shape: 'lanes', title, legend: [], note, tone, lanes: shown, ticks };
    },
  };
}

const hour_ms = 3_600_000;
/** So long a period has the hours of the clock beside it, and a longer one the days. */
const maxClockMs = 2 * 24 * hour_ms;

/** The hours or days of a period by the clock of a time zone. */
export function timeTicks(
  period: TimeRange,
  tz: string,
  words: Pick<ServerWords, 'clock'>,
): LanesChart['ticks'] {
  const { from_ms, to_ms } = period;
  const clockAt = wallClock(tz);
  const placed = (time_ms: number, label: string) =>
    time_ms < from_ms ? [] : [{ at: (time_ms - from_ms) / (to_ms - from_ms), label }];
  if (to_ms - from_ms > maxClockMs)
    return localDays(tz, period).flatMap((it) => placed(it.from_ms, it.date.slice(5)));
  const hours: LanesChart['ticks'][number][] = [];
  // Zones are apart from UTC by quarters of an hour.
  for (let time_ms = Math.ceil(from_ms / 900_000) * 900_000; time_ms < to_ms; time_ms += 900_000) {
    const clock = clockAt(time_ms).slice(11, 16);
    if (/^(?:0[0369]|1[258]|21):00$/.test(clock)) hours.push(...placed(time_ms, words.clock(clock)));
  }
  return hours;
}
