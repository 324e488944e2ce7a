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

/** A picture of a report for its pages. */
export type ExportChart = SumsChart<'bars'> | SumsChart<'columns'> | HeatChart;

/** More than fit on a page. */
const maxBars = 14;
const maxHeatRows = 16;

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

interface Described {
  title: string;
  kind: CellKind;
  legend?: Titled['legend'];
}

/** The largest first; `things` names what is left out, as “vehicles”. */
export function barsOf(items: readonly ChartItem[], things: string, more: Described): ExportChart | null {
  const drawn = items.filter((it) => sizeOf(it) > 0).toSorted((a, b) => sizeOf(b) - sizeOf(a));
  if (drawn.length === 0) return null;
  return {
    shape: 'bars',
    legend: [],
    ...more,
    items: drawn.slice(0, maxBars),
    note: drawn.length > maxBars ? `The ${maxBars} largest of ${drawn.length} ${things} are drawn.` : null,
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
): ExportChart | null {
  if (rows.length === 0) return null;
  return {
    shape: 'heat',
    title,
    legend,
    columns,
    rows: rows.slice(0, maxHeatRows),
    note: rows.length > maxHeatRows ? `The first ${maxHeatRows} of ${rows.length} vehicles are drawn.` : null,
  };
}
