import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import type { EventKind, EventDetails } from '../../server/contract/events.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { DriveName, DriverName } from '../drivers/DriverName.tsx';
import { useDriveAt } from '../drivers/useDriveAt.ts';
import { formatDuration } from '../format/span.ts';
import { formatSpeed } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import { isOngoing, grows, detailsAt, formatAllowed, formatMeasured, sinceOf } from './alarmLabels.ts';
import { Moment, TimeOfDay } from '../ui/Moment.tsx';

/** The numbers side by side, and the fixes that they were taken from. */
export function WhyFacts({
  kind,
  vehicleId,
  details: written,
  at,
  geozoneId,
  count = 1,
  firstTime,
  lastTime,
}: {
  kind: EventKind;
  vehicleId: string | null;
  details: EventDetails;
  /** The moment of the event, RFC 3339. */
  at: string;
  geozoneId: string | null;
  count?: number;
  firstTime?: string;
  lastTime?: string;
}) {
  const app = useAppContext();
  const t = useT();
  const geofence = useStore(app.geofences.store, (state) => state.byId.get(geozoneId ?? '')?.name);
  useStore(app.places.edition, (state) => state.number);
  // What goes on grows while it is looked at.
  const now = useStore(app.serverTime.ticks, () => (grows(kind, written) ? app.asOf() : 0));
  const details = detailsAt(kind, written, at, now);
  const measured = formatMeasured(details);
  const allowed = formatAllowed(details);
  const { duration_s, limit_source, ended_at, fixes, alarm } = details;
  // It is reported once it has lasted for a while.
  const began = kind === 'overspeed' || kind === 'idling' ? sinceOf(details) : null;
  return (
    <section className="why__section">
      <dl className="why__facts">
        {measured !== null && <Fact label={t('why.measured')}>{measured}</Fact>}
        {allowed !== null && (
          <Fact label={t('why.allowed')}>
            {allowed}
            {limit_source !== null && (
              <span className="quiet"> · {t(`why.limit_source.${limit_source}`)}</span>
            )}
          </Fact>
        )}
        {duration_s !== null && duration_s > 0 && details.unit !== 's' && (
          <Fact label={t('why.lasted')}>
            {formatDuration(duration_s * 1_000)}
            {isOngoing(kind, details) && <span className="quiet"> · {t('why.goes_on')}</span>}
          </Fact>
        )}
        {began !== null && (
          <Fact label={t('why.began')}>
            <TimeOfDay at={began} withDate />
          </Fact>
        )}
        {ended_at !== null && (
          <Fact label={t('why.ended')}>
            <Moment at={ended_at} />
          </Fact>
        )}
        {alarm !== null && <Fact label={t('why.terminal_says')}>{alarm.replaceAll('_', ' ')}</Fact>}
        {geozoneId !== null && (
          <Fact label={t('why.geofence')}>{geofence ?? t('place.unknown_geofence')}</Fact>
        )}
        {vehicleId !== null && <DriverFact vehicleId={vehicleId} at={lastTime ?? at} />}
        {count > 1 && firstTime !== undefined && lastTime !== undefined && (
          <Fact label={t('why.counted')}>
            {t('queue.times', { count })}, <Moment at={firstTime} /> – <Moment at={lastTime} />
          </Fact>
        )}
      </dl>
      {fixes.length > 0 && (
        <table className="why__table">
          <caption>{t('why.fixes', { count: fixes.length })}</caption>
          <thead>
            <tr>
              <th scope="col">{t('why.fix_time')}</th>
              <th scope="col" className="to-right">
                {t('why.fix_speed')}
              </th>
              <th scope="col">{t('why.fix_place')}</th>
            </tr>
          </thead>
          <tbody>
            {fixes.map((fix, index) => (
              <tr key={`${fix.time} ${index}`}>
                <td className="why__figure">
                  <Moment at={fix.time} />
                </td>
                <td className="why__figure to-right">
                  {fix.speed_kmh === null ? '–' : formatSpeed(fix.speed_kmh)}
                </td>
                <td className="quiet" title={`${fix.lat.toFixed(5)}, ${fix.lon.toFixed(5)}`}>
                  {app.places.at(fix.lat, fix.lon) || `${fix.lat.toFixed(5)}, ${fix.lon.toFixed(5)}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="quiet">{label}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** Who drove then, by what is known now: what came late counts too. Else who stands in the vehicle's own fields. */
function DriverFact({ vehicleId, at }: { vehicleId: string; at: string }) {
  const { vehicles } = useAppContext();
  const t = useT();
  const drive = useDriveAt(vehicleId, at);
  const vehicle = useStore(vehicles.store, (state) => state.byId.get(vehicleId));
  if (drive === null && (vehicle === undefined || (vehicle.driver ?? vehicle.phone) === null)) return null;
  return (
    <Fact label={t('vehicle.driver')}>
      {drive !== null ? (
        <DriveName drive={drive} />
      ) : (
        vehicle !== undefined && <DriverName vehicle={{ ...vehicle, current_driver: null }} />
      )}
    </Fact>
  );
}
