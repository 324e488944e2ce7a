import type uPlot from 'uplot';

export interface ClipChartOptions {
  /** Where the design tokens are read from. */
  element: Element;
  width: number;
  height: number;
  /** The span, seconds since 1970. */
  from: number;
  to: number;
  limitKmh: number | null;
  topKmh: number;
}

/** The highest speed of the scale: what was driven and allowed, with a little room. */
export function topOf(speeds: readonly (number | null)[], limitKmh: number | null): number {
  return Math.max(40, limitKmh ?? 0, ...speeds.map((it) => it ?? 0)) * 1.1;
}

/** A quiet curve over its filled ground; what lies above the limit is in the colour of alarms, since it is one. */
export function clipChartOptions({
  element,
  width,
  height,
  from,
  to,
  limitKmh,
  topKmh,
}: ClipChartOptions): uPlot.Options {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(name).trim();
  /** One colour above the limit, another below. */
  const cut = (above: string, below: string) => (chart: uPlot) => {
    const { top, height: plotHeight } = chart.bbox;
    // Before it is laid out a chart has no height to cut.
    if (limitKmh === null || plotHeight === 0) return below;
    const share = Math.min(1, Math.max(0, (chart.valToPos(limitKmh, 'y', true) - top) / plotHeight));
    if (!Number.isFinite(share)) return below;
    const gradient = chart.ctx.createLinearGradient(0, top, 0, top + plotHeight);
    gradient.addColorStop(0, above);
    gradient.addColorStop(share, above);
    gradient.addColorStop(share, below);
    gradient.addColorStop(1, below);
    return gradient;
  };
  return {
    width,
    height,
    legend: { show: false },
    cursor: { show: false },
    padding: [0, 0, 0, 0],
    scales: { x: { time: true, range: () => [from, to] }, y: { range: () => [0, topKmh] } },
    axes: [{ show: false }, { show: false }],
    series: [
      {},
      {
        stroke: cut(token('--alarm'), token('--text-2')),
        fill: cut(token('--alarm-bg'), token('--bg-3')),
        width: 1.5,
        points: { show: false },
        spanGaps: false,
      },
    ],
    hooks: limitKmh === null ? {} : { draw: [(chart) => drawLimit(chart, limitKmh, token('--text-3'))] },
  };
}

function drawLimit(chart: uPlot, limitKmh: number, colour: string): void {
  const { ctx, bbox } = chart;
  const y = Math.round(chart.valToPos(limitKmh, 'y', true)) + 0.5;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.restore();
}
