import { bandAxis } from './chartData.ts';
import type { Axis, ChartData, ColumnChart, LaneChart, PointChart, Tone } from './chartData.ts';

/** A mark where it is drawn, in pixels of the chart. */
export interface DrawnMark {
  rowKey: string;
  tone: Tone;
  /** From 0 to 1. */
  strength: number;
  x: number;
  y: number;
  width: number;
  height: number;
  text: () => string;
}

/** A chart in pixels: its marks in the order in which the keys go through them. */
export interface ChartPicture {
  width: number;
  /** Of what scrolls; the axis stands below it. */
  height: number;
  /** Where the marks lie. */
  left: number;
  right: number;
  marks: readonly DrawnMark[];
  /** Below the marks. */
  xTicks: readonly { x: number; label: string }[];
  /** Beside the marks: of lanes their names. */
  yTicks: readonly { y: number; label: string }[];
  notes: readonly { x: number; y: number; label: string }[];
  shape: ChartData['shape'];
  /** Lines at its ticks; cells of a heat map are a grid themselves. */
  hasGrid: boolean;
}

export const LANE_PX = 20;
const BAR_PX = 12;
const CELL_PX = 18;
const LANE_GUTTER_PX = 152;
const VALUE_GUTTER_PX = 56;
/** Of the last label of an axis. */
const RIGHT_PX = 24;
const TOP_PX = 8;
const POINT_PX = 6;
/** What is shorter is drawn so long, to be seen and pointed at. */
const LEAST_PX = 2;
const LABEL_PX = 64;
/** Between columns and cells. */
const GAP_PX = 1;
const WIDEST_COLUMN_PX = 48;

/**
 * Where everything of a chart lies.
 *
 * @param size pixels that there are; lanes take the height that they need
 */
export function layOutChart(data: ChartData, size: { width: number; height: number }): ChartPicture {
  switch (data.shape) {
    case 'lanes':
      return layOutLanes(data, size.width);
    case 'columns':
      return layOutColumns(data, size);
    case 'points':
      return layOutPoints(data, size);
  }
}

function createScale({ from, to }: Axis, start: number, end: number): (value: number) => number {
  const perUnit = (end - start) / (to - from);
  return (value) => start + (Math.min(to, Math.max(from, value)) - from) * perUnit;
}

const ticksOf = (axis: Axis, lengthPx: number, labelPx: number) =>
  axis.ticks(Math.max(1, Math.floor(lengthPx / labelPx)));

function xTicksOf(axis: Axis, left: number, right: number) {
  const scale = createScale(axis, left, right);
  return ticksOf(axis, right - left, LABEL_PX).map(({ at, label }) => ({ x: scale(at), label }));
}

function layOutLanes({ lanes, axis, isHeat = false }: LaneChart, width: number): ChartPicture {
  const hasNotes = lanes.some(({ note }) => note !== undefined);
  const [left, right] = [LANE_GUTTER_PX, width - (hasNotes ? LABEL_PX + 16 : RIGHT_PX)];
  const scale = createScale(axis, left, right);
  const markHeight = isHeat ? CELL_PX : BAR_PX;
  const marks = lanes.flatMap((lane, at) =>
    lane.marks.map(({ rowKey, tone, text, from, to, strength = 1 }): DrawnMark => {
      const x = scale(from);
      const wide = scale(to) - x - (isHeat ? GAP_PX : 0);
      return {
        rowKey,
        tone,
        strength,
        text,
        x,
        width: Math.max(LEAST_PX, wide),
        y: at * LANE_PX + (LANE_PX - markHeight) / 2,
        height: markHeight,
      };
    }),
  );
  return {
    width,
    height: lanes.length * LANE_PX,
    left,
    right,
    marks,
    xTicks: xTicksOf(axis, left, right),
    hasGrid: !isHeat,
    yTicks: lanes.map(({ label }, at) => ({ y: at * LANE_PX + LANE_PX / 2, label })),
    notes: lanes.flatMap(({ note, marks: [...own] }, at) => {
      const last = own.at(-1);
      const x = last === undefined ? left : scale(last.to);
      return note === undefined ? [] : [{ x: x + 6, y: at * LANE_PX + LANE_PX / 2, label: note }];
    }),
    shape: 'lanes',
  };
}

function layOutColumns(
  { columns, axis }: ColumnChart,
  { width, height }: { width: number; height: number },
): ChartPicture {
  const [left, right] = [VALUE_GUTTER_PX, width - RIGHT_PX];
  const y = upScale(axis, height);
  const pitch = (right - left) / Math.max(1, columns.length);
  const columnPx = Math.max(1, Math.min(WIDEST_COLUMN_PX, pitch - Math.max(GAP_PX, pitch * 0.2)));
  const middle = (at: number) => left + (at + 0.5) * pitch;
  const marks = columns.flatMap(({ parts }, at) => {
    let below = 0;
    return parts.map(({ rowKey, tone, text, value }): DrawnMark => {
      const [bottom, top] = [y(below), y(below + value)];
      below += value;
      return {
        rowKey,
        tone,
        text,
        strength: 1,
        x: middle(at) - columnPx / 2,
        width: columnPx,
        y: top,
        height: Math.max(value > 0 ? 1 : 0, bottom - top),
      };
    });
  });
  const labels = bandAxis(columns.map(({ label }) => label));
  return { shape: 'columns', ...plotFrame(labels, axis, { width, height }), marks };
}

/** The place of a value of an axis that goes up. */
const upScale = (axis: Axis, height: number) => createScale(axis, height, TOP_PX);

/** All but the marks of a chart with an axis on its left. */
function plotFrame(x: Axis, y: Axis, { width, height }: { width: number; height: number }) {
  const [left, right] = [VALUE_GUTTER_PX, width - RIGHT_PX];
  const up = upScale(y, height);
  return {
    width,
    height,
    left,
    right,
    xTicks: xTicksOf(x, left, right),
    yTicks: ticksOf(y, height - TOP_PX, 24).map(({ at, label }) => ({ y: up(at), label })),
    hasGrid: true,
    notes: [],
  };
}

function layOutPoints(
  { points, x, y }: PointChart,
  { width, height }: { width: number; height: number },
): ChartPicture {
  const [left, right] = [VALUE_GUTTER_PX, width - RIGHT_PX];
  const across = createScale(x, left, right);
  const up = upScale(y, height);
  const marks = points
    .map(({ rowKey, tone, text, ...at }): DrawnMark => ({
      rowKey,
      tone,
      text,
      // Many in one place are seen as many.
      strength: 0.7,
      x: across(at.x) - POINT_PX / 2,
      y: up(at.y) - POINT_PX / 2,
      width: POINT_PX,
      height: POINT_PX,
    }))
    .sort((a, b) => a.x - b.x || b.y - a.y);
  return { shape: 'points', ...plotFrame(x, y, { width, height }), marks };
}

/** So far around a mark a pointer still means it. */
const REACH_PX = 4;

/** The index of the mark at a place, the nearest one within reach; null for none. */
export function markAt(marks: readonly DrawnMark[], x: number, y: number): number | null {
  let nearest: number | null = null;
  let least = REACH_PX;
  for (const [at, mark] of marks.entries()) {
    const distance = Math.max(mark.x - x, x - mark.x - mark.width, mark.y - y, y - mark.y - mark.height, 0);
    // Of two, the one that is drawn over the other.
    if (distance > least) continue;
    nearest = at;
    least = distance;
  }
  return nearest;
}

/**
 * Where an arrow key leads from a mark: to the one before or after it, or to the nearest one of the next lane or part.
 * The same mark where there is none.
 */
export function markBeside(marks: readonly DrawnMark[], at: number, key: string): number | null {
  const from = marks[at];
  switch (key) {
    case 'ArrowRight':
      return Math.min(marks.length - 1, at + 1);
    case 'ArrowLeft':
      return Math.max(0, at - 1);
    case 'Home':
      return 0;
    case 'End':
      return marks.length - 1;
    case 'ArrowDown':
    case 'ArrowUp': {
      if (from === undefined) return 0;
      const sign = key === 'ArrowDown' ? 1 : -1;
      const middle = (it: DrawnMark) => ({ x: it.x + it.width / 2, y: it.y + it.height / 2 });
      const here = middle(from);
      let best = at;
      let least = Infinity;
      for (const [index, mark] of marks.entries()) {
        const there = middle(mark);
        const down = (there.y - here.y) * sign;
        if (down <= 0.5) continue;
        // The next lane first, and in it the nearest.
        const distance = down * 1_000 + Math.abs(there.x - here.x);
        if (distance >= least) continue;
        least = distance;
        best = index;
      }
      return best;
    }
    default:
      return null;
  }
}
