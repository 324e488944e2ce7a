import { useMemo } from 'react';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { formatAge } from '../format/age.ts';
import { formatDistance } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import { laterPart } from '../screens/laterPart.tsx';
import { dayDriven } from '../telemetry/today.ts';
import { RetryButton } from '../ui/RetryButton.tsx';
import type { VehicleDay } from './useVehicleDay.ts';

export const speedPart = laterPart(async () => (await import('./TodaySpeed.tsx')).TodaySpeed);

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
        <div className="today-chart">
          <speedPart.Part day={day} vehicleId={vehicle.vehicle_id} limitKmh={vehicle.speed_limit_kmh} />
        </div>
      )}
    </div>
  );
}
