import { useEffect, useMemo, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useStore } from 'zustand';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { speedNumber } from '../../format/numbers.ts';
import { unitSign } from '../../format/units.ts';
import { useT } from '../../i18n/useT.ts';
import { speedSeries } from '../../telemetry/today.ts';
import { speedTicks } from '../../vehicles/speedChart.ts';
import type { TrackLoad } from './readTrack.ts';

const HEIGHT_PX = 72;

/** The speed over the span of the clips, with what was allowed. */
export function SpeedChart({
  track,
  from,
  to,
  limitKmh,
}: {
  track: TrackLoad;
  from: number;
  to: number;
  limitKmh: number | null;
}) {
  const t = useT();
  const { preferences } = useAppContext();
  const theme = useStore(preferences, (state) => state.theme);
  const element = useRef<HTMLDivElement>(null);
  const series = useMemo(
    () => speedSeries(track.phase === 'ready' ? track.positions.filter((it) => it.valid) : []),
    [track],
  );
  const topKmh = topOf(series.speeds, limitKmh);
  const hasLine = series.times.length > 1;
  const highest = Math.max(0, ...series.speeds.map((it) => it ?? 0));

  useEffect(() => {
    const parent = element.current;
    if (parent === null) return;
    const chart = new uPlot(
      clipChartOptions({
        element: parent,
        width: parent.clientWidth,
        height: HEIGHT_PX,
        from: from / 1_000,
        to: to / 1_000,
        limitKmh,
        topKmh,
      }),
      [series.times, series.speeds],
      parent,
    );
    const watch = new ResizeObserver(() => chart.setSize({ width: parent.clientWidth, height: HEIGHT_PX }));
    watch.observe(parent);
    return () => {
      watch.disconnect();
      chart.destroy();
    };
    // The theme's colours are read when the chart is made.
  }, [theme, series, from, to, limitKmh, topKmh]);

  const words =
    track.phase === 'failed'
      ? t('player.track_failed')
      : track.phase === 'ready' && !hasLine
        ? t('player.track_none')
        : null;
  const topOfLabel = (kmh: number) =>
    Math.min(HEIGHT_PX - 28, Math.max(0, HEIGHT_PX * (1 - kmh / topKmh) - 6));
  const isApart = (kmh: number, other: number) => Math.abs(topOfLabel(kmh) - topOfLabel(other)) >= 12;
  // The limit and the highest speed matter more than round ones.
  const named = [...(limitKmh === null ? [] : [limitKmh]), ...(hasLine ? [highest] : [])].filter(
    (kmh, at, all) => at === 0 || isApart(kmh, all[0] ?? 0),
  );
  const ticks = speedTicks(topKmh).filter((kmh) => named.every((other) => isApart(kmh, other)));
  return (
    <div className="time-bar__row">
      <div className="speed-scale" aria-hidden>
        {[...named, ...ticks].map((kmh) => (
          <span key={kmh} style={{ top: topOfLabel(kmh) }}>
            {speedNumber(kmh)}
          </span>
        ))}
        <span className="speed-scale__unit">{unitSign('speed')}</span>
      </div>
      <div className="speed-chart" style={{ height: HEIGHT_PX }}>
        <div ref={element} role="img" aria-label={t('player.chart')} />
        {words !== null && <span className="speed-chart__words">{words}</span>}
      </div>
    </div>
  );
}

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
function topOf(speeds: readonly (number | null)[], limitKmh: number | null): number {
  return Math.max(40, limitKmh ?? 0, ...speeds.map((it) => it ?? 0)) * 1.1;
}

/** A quiet curve over its filled ground; what lies above the limit is in the colour of alarms, since it is one. */
function clipChartOptions({
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
