import { useEffect, useMemo, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useStore } from 'zustand';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { speedSeries } from '../../telemetry/today.ts';
import { useT } from '../../i18n/useT.ts';
import { clipChartOptions, topOf } from './clipChart.ts';
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
  const isApart = limitKmh === null || Math.abs(topOfLabel(highest) - topOfLabel(limitKmh)) >= 12;
  return (
    <div className="time-bar__row">
      <div className="speed-scale" aria-hidden>
        {hasLine && isApart && <span style={{ top: topOfLabel(highest) }}>{formatNumber(highest)}</span>}
        {limitKmh !== null && <span style={{ top: topOfLabel(limitKmh) }}>{formatNumber(limitKmh)}</span>}
        <span className="speed-scale__unit">km/h</span>
      </div>
      <div className="speed-chart" style={{ height: HEIGHT_PX }}>
        <div ref={element} role="img" aria-label={t('player.chart')} />
        {words !== null && <span className="speed-chart__words">{words}</span>}
      </div>
    </div>
  );
}
