import { useCallback, useState } from 'react';
import { driveRoutes, type Drive } from '../../server/contract/drivers.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useNow } from '../appContext/useMoment.ts';
import { formatAge } from '../format/age.ts';
import { openHistory } from '../history/historyActions.ts';
import { useT } from '../i18n/useT.ts';
import { usePolling } from '../resources/useReread.ts';
import { Button } from '../ui/Button.tsx';
import { TimeOfDay } from '../ui/Moment.tsx';

const againMs = 60_000;
const dayMs = 86_400_000;
const shownDays = 7;
/** A van that delivers parcels has some hundred in a week. */
const shownRows = 50;

/** Who drove a vehicle, or what a driver drove, in the last days: the newest first, each opens its track in History. */
export function DriveList({ of }: { of: { driverId: string } | { vehicleId: string } }) {
  const app = useAppContext();
  const t = useT();
  const now = useNow();
  const [days, setDays] = useState(shownDays);
  const driverId = 'driverId' in of ? of.driverId : null;
  const vehicle = 'vehicleId' in of ? of.vehicleId : null;
  const read = useCallback(
    (signal: AbortSignal) => {
      const now_ms = app.serverTime.now();
      const query = {
        from: new Date(now_ms - days * dayMs).toISOString(),
        to: new Date(now_ms).toISOString(),
      };
      return driverId !== null
        ? app.api.request(driveRoutes.ofDriver, { params: { driver_id: driverId }, query, signal })
        : app.api.request(driveRoutes.ofVehicle, { params: { vehicle: vehicle ?? '' }, query, signal });
    },
    [app, driverId, vehicle, days],
  );
  const { value, load } = usePolling(read, againMs);
  const title = t(driverId === null ? 'drivers.drives' : 'drivers.driven');
  const drives = value?.items.toReversed() ?? [];
  const endOf = ({ to }: Drive) => (to === null ? now : Date.parse(to));
  const nameOf = (it: Drive) =>
    driverId === null
      ? (it.driver_name ?? (it.card === null ? '–' : t('drivers.unknown_card', { card: it.card })))
      : it.vehicle_name;
  return (
    <section className="driver-drives" aria-label={title}>
      <div className="driver-drives__head">
        <h3 className="fill">{title}</h3>
        <span className="faint small">{t('drivers.last_days', { count: days })}</span>
      </div>
      {value === null && (
        <p className="quiet">{load.phase === 'failed' ? t('drivers.drives_failed') : t('drivers.loading')}</p>
      )}
      {value !== null && drives.length === 0 && <p className="quiet">{t('drivers.no_drives')}</p>}
      <ul className="driver-drives__list">
        {drives.slice(0, shownRows).map((it) => (
          <li key={`${it.vehicle_id} ${it.from}`}>
            <button
              type="button"
              className="driver-drives__row"
              title={t('drivers.open_history')}
              onClick={() =>
                openHistory(app, it.vehicle_id, it.from, {
                  from: it.from,
                  to: it.to ?? new Date(app.serverTime.now()).toISOString(),
                })
              }
            >
              <span className="strong ellipsis">{nameOf(it)}</span>
              <span className="quiet num">{formatAge(endOf(it) - Date.parse(it.from))}</span>
              <span className="quiet num">
                <TimeOfDay at={Date.parse(it.from)} withDate />
                {' – '}
                {it.to === null ? t('drivers.now') : <TimeOfDay at={Date.parse(it.to)} />}
              </span>
              <span className="faint small">
                {t(it.card === null ? 'drivers.by_hand' : 'drivers.by_card')}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {drives.length > shownRows && (
        <p className="faint small">{t('drivers.newest_shown', { count: shownRows })}</p>
      )}
      {days === shownDays && value !== null && (
        <Button size="small" onPress={() => setDays(31)}>
          {t('drivers.show_month')}
        </Button>
      )}
    </section>
  );
}
