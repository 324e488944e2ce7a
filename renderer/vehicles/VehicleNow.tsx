import { useStore } from 'zustand';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { formatAge } from '../format/age.ts';
import { courseText } from '../format/compass.ts';
import { formatNumber } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import type { LivePosition } from '../telemetry/positionStore.ts';
import { usePlace } from '../telemetry/useLive.ts';
import { TimeOfDay } from '../ui/Moment.tsx';

/** The one speed readout, with how old it is. */
export function VehicleNow({
  vehicle,
  live,
  now,
  lost,
}: {
  vehicle: Vehicle;
  live: LivePosition | undefined;
  now: number;
  lost: boolean;
}) {
  const app = useAppContext();
  const t = useT();
  const status = useStore(app.statuses, (state) => state.byVehicle.get(vehicle.vehicle_id) ?? 'never');
  const place = usePlace(vehicle.vehicle_id);
  if (live === undefined) {
    return (
      <div className="vehicle-panel__section">
        <p className="strong">{t('panel.never')}</p>
        <p className="quiet">{t('panel.never_how', { terminal: vehicle.terminal_id })}</p>
      </div>
    );
  }
  const shown = live.fix ?? live.last;
  const at = Date.parse(shown.time);
  return (
    <div className={`vehicle-panel__section${lost ? ' hatch' : ''}`}>
      <div className="vehicle-now">
        <span className="vehicle-now__speed">
          {shown.speed_kmh === null ? '–' : formatNumber(shown.speed_kmh)}
        </span>
        <span className="quiet">km/h</span>
        {shown.course_deg !== null && status === 'moving' ? (
          <span className="vehicle-now__course quiet">{courseText(shown.course_deg)}</span>
        ) : (
          <span className="vehicle-now__course quiet">{t(`status.${status}`)}</span>
        )}
        <span className="fill" />
        <span className="strong">{t('time.ago', { age: formatAge(now - at) })}</span>
      </div>
      <div className="vehicle-now__place quiet">
        <span className="ellipsis" title={place}>
          {place}
        </span>
        <TimeOfDay at={at} withDate />
      </div>
      {live.fix !== live.last && (
        <p className="quiet small">{t('panel.no_fix', { age: formatAge(now - live.contactAt) })}</p>
      )}
    </div>
  );
}
