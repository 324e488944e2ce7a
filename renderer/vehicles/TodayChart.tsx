import { type MouseEvent, useEffect, useMemo, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useStore } from 'zustand';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { formatAge } from '../format/age.ts';
import { formatDistance } from '../format/numbers.ts';
import { openHistory } from '../history/historyActions.ts';
import { useT } from '../i18n/useT.ts';
import { canOpen } from '../navigation/navigation.ts';
import { dayDriven, speedSeries } from '../telemetry/today.ts';
import { RetryButton } from '../ui/RetryButton.tsx';
import { EventMarks } from './EventMarks.tsx';
import { SPEED_AXIS_PX, speedChartOptions } from './speedChart.ts';
import type { VehicleDay } from './useVehicleDay.ts';

const HEIGHT_PX = 84;

/** Today's speed over time, with the events above it. */
export function TodayChart({ day, vehicle }: { day: VehicleDay; vehicle: Vehicle }) {
  const t = useT();
  const { clock } = useAppContext();
  const driven = useMemo(() => dayDriven(day.track), [day.track]);
  const { load } = day;
  return (
    <div className="vehicle-panel__section">
      <div className="vehicle-panel__title">
        <h3>{t('panel.today')}</h3>
        {load.phase === 'ready' && day.track.length > 1 && (
          <span className="quiet">
            {t('panel.driven', {
              distance: formatDistance(driven.distanceM),
              age: formatAge(driven.drivingMs),
            })}
          </span>
        )}
      </div>
      {load.phase === 'failed' && day.track.length < 2 ? (
        <div className="today-chart__message">
          <p className="quiet">
            {t('panel.today_failed')}{' '}
            {load.nextTryAt !== null &&
              t('failure.next_try', { age: formatAge(Math.max(0, load.nextTryAt - clock.now())) })}
          </p>
          <RetryButton size="small" onRetry={day.retry} />
        </div>
      ) : load.phase === 'ready' && day.track.length < 2 ? (
        <p className="quiet today-chart__message">{t('panel.today_empty')}</p>
      ) : (
        <SpeedChart day={day} vehicleId={vehicle.vehicle_id} limitKmh={vehicle.speed_limit_kmh} />
      )}
    </div>
  );
}

function SpeedChart({
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
    <div className="today-chart">
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
    </div>
  );
}
