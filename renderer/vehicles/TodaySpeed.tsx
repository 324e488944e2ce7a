import { type MouseEvent, useEffect, useMemo, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { openHistory } from '../history/historyActions.ts';
import { useT } from '../i18n/useT.ts';
import { canOpen } from '../navigation/navigation.ts';
import { speedSeries } from '../telemetry/today.ts';
import { EventMarks } from './EventMarks.tsx';
import { SPEED_AXIS_PX, speedChartOptions } from './speedChart.ts';
import type { VehicleDay } from './useVehicleDay.ts';

const HEIGHT_PX = 84;

/** Speed over time, with the events above it. */
export function TodaySpeed({
  day,
  vehicleId,
  limitKmh,
}: {
  day: VehicleDay;
  vehicleId: string;
  limitKmh: number | null;
}) {
  const app = useAppContext();
  const t = useT();
  const time = useStore(app.settings, (state) => state.time);
  const theme = useStore(app.preferences, (state) => state.theme);
  const element = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const series = useMemo(() => speedSeries(day.track), [day.track]);

  useEffect(() => {
    const parent = element.current;
    if (parent === null) return;
    const made = new uPlot(
      speedChartOptions({ element: parent, width: parent.clientWidth, height: HEIGHT_PX, time, limitKmh }),
      [[], []],
      parent,
    );
    plot.current = made;
    const watch = new ResizeObserver(() => made.setSize({ width: parent.clientWidth, height: HEIGHT_PX }));
    watch.observe(parent);
    return () => {
      watch.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [time, theme, limitKmh]);

  // After the one above: a chart that was made anew has no data yet.
  useEffect(() => {
    plot.current?.setData([series.times, series.speeds]);
  }, [series, time, theme, limitKmh]);

  // By keys, H opens the same.
  const openInstant = (event: MouseEvent) => {
    const made = plot.current;
    if (made === null || !canOpen(app.user, 'history')) return;
    const at = made.posToVal(event.clientX - made.over.getBoundingClientRect().left, 'x') * 1_000;
    if (Number.isFinite(at)) openHistory(app, vehicleId, Math.round(at));
  };
  const first = series.times[0];
  const last = series.times.at(-1);
  return (
    <>
      {first !== undefined && last !== undefined && (
        <div style={{ paddingLeft: SPEED_AXIS_PX }}>
          <EventMarks events={day.events} from={first * 1_000} to={last * 1_000} />
        </div>
      )}
      <div
        ref={element}
        role="img"
        aria-label={t('panel.chart')}
        title={t('panel.chart_history')}
        style={{ height: HEIGHT_PX, cursor: 'pointer' }}
        onClick={openInstant}
      />
    </>
  );
}
