import type uPlot from 'uplot';
import { speedNumber } from '../format/numbers.ts';
import { fromUnit, inUnit } from '../format/units.ts';
import type { DepotTime } from '../format/depotTime.ts';

export interface SpeedChartOptions {
  /** Where the design tokens are read from. */
  element: Element;
  width: number;
  height: number;
  time: DepotTime;
  /** Drawn as a line; null for none. */
  limitKmh: number | null;
}

/** A quiet curve with its filled ground: hours below, speeds on the left, no grid. Seconds since 1970 and km/h. */
export function speedChartOptions({
  element,
  width,
  height,
  time,
  limitKmh,
}: SpeedChartOptions): uPlot.Options {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(name).trim();
  const axisFont = `11px ${token('--font')}`;
  return {
    width,
    height,
    legend: { show: false },
    cursor: { show: false },
    padding: [4, 0, 0, 0],
    scales: {
      x: { time: true },
      y: { range: (_, __, max) => [0, Math.max(40, max, limitKmh ?? 0) * 1.05] },
    },
    axes: [
      {
        stroke: token('--text-3'),
        font: axisFont,
        size: 18,
        gap: 2,
        space: 64,
        grid: { show: false },
        ticks: { stroke: token('--line-2'), size: 4, width: 1 },
        border: { show: true, stroke: token('--line-2'), width: 1 },
        values: (chart, ticks) => hourLabels(chart, ticks, time),
      },
      {
        stroke: token('--text-3'),
        font: axisFont,
        size: SPEED_AXIS_PX,
        gap: 4,
        grid: { show: false },
        ticks: { show: false },
        splits: (_, __, ___, max) => speedTicks(max),
        values: (_, ticks) => ticks.map((kmh) => speedNumber(kmh)),
      },
    ],
    series: [
      {},
      {
        stroke: token('--text-2'),
        fill: token('--bg-3'),
        width: 1.2,
        points: { show: false },
        spanGaps: false,
      },
    ],
    hooks: limitKmh === null ? {} : { draw: [(chart) => drawLimit(chart, limitKmh, token('--text-3'))] },
  };
}

/** Width of the axis of speeds, on the left of the curve. */
export const SPEED_AXIS_PX = 32;

/** Speeds from 0 up to the top of a chart, three to five of them, km/h; round in the unit of the user. */
export function speedTicks(topKmh: number): number[] {
  const top = inUnit('speed', topKmh);
  const step = [10, 20, 25, 40, 50, 100].find((it) => top / it < 4) ?? Math.ceil(top / 400) * 100;
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, at) => fromUnit('speed', at * step));
}

/** Half the width of a label, pixels. */
const LABEL_HALF_PX = 16;

/** Each minute once, and none that the edge of the chart would cut. */
function hourLabels(chart: uPlot, ticks: readonly number[], time: DepotTime): string[] {
  let last = '';
  return ticks.map((s) => {
    const at = chart.valToPos(s, 'x');
    const label = time.minute(s * 1_000);
    if (label === last || at < LABEL_HALF_PX || at > chart.width - SPEED_AXIS_PX - LABEL_HALF_PX) return '';
    last = label;
    return label;
  });
}

function drawLimit(chart: uPlot, limitKmh: number, colour: string): void {
  const { ctx, bbox } = chart;
  const y = Math.round(chart.valToPos(limitKmh, 'y', true)) + 0.5;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.setLineDash([3, 3]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.restore();
}
