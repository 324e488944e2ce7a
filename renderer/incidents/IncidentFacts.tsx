import { useStore } from 'zustand';
import type { Incident } from '../../server/contract/incidents.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useLostSince } from '../appContext/useMoment.ts';
import { PhoneLink } from '../drivers/DriverName.tsx';
import { useT } from '../i18n/useT.ts';
import { canOpen, writeHash } from '../navigation/navigation.ts';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Facts } from '../ui/Facts.tsx';
import { Moment } from '../ui/Moment.tsx';
import { locateIncident, showTrack } from './incidentActions.ts';

/** Whom to call, where and when it was. */
export function IncidentFacts({ incident }: { incident: Incident }) {
  const app = useAppContext();
  const t = useT();
  const lost = useLostSince() !== null;
  const { vehicle_id, geozone_id, driver, lat, lon, time } = incident;
  const vehicle = useStore(app.vehicles.store, (state) => state.byId.get(vehicle_id ?? ''));
  const geofence = useStore(app.geofences.store, (state) => state.byId.get(geozone_id ?? '')?.name);
  useStore(app.places.edition, ({ number }) => number);
  const place = incident.place ?? (lat === null || lon === null ? null : app.places.at(lat, lon));
  const driverName =
    driver?.name ?? (driver?.card == null ? null : t('drivers.unknown_card', { card: driver.card }));
  return (
    <>
      <section className="incident__section incident__driver" aria-label={t('vehicle.driver')}>
        <span className="quiet">{t('vehicle.driver')}</span>
        <span className="strong fill ellipsis">{driverName ?? t('incident.no_driver')}</span>
        {driver?.phone != null && (
          <>
            <PhoneLink phone={driver.phone} />
            <CopyButton text={driver.phone} label={t('incident.copy_phone', { phone: driver.phone })} />
          </>
        )}
      </section>
      <section className="incident__section">
        <Facts
          facts={[
            [
              t('list.column.vehicle'),
              vehicle_id !== null && (
                <a className="in-accent" href={writeHash({ place: 'live', query: { vehicle: vehicle_id } })}>
                  {vehicle === undefined ? t('vehicle.gone') : vehicle.name}
                </a>
              ),
            ],
            [
              t('geofence.title'),
              geozone_id === null ? null : (
                <a className="in-accent" href={writeHash({ place: 'geofences', query: { id: geozone_id } })}>
                  {geofence ?? t('place.unknown_geofence')}
                </a>
              ),
            ],
            [t('list.column.place'), place],
            [t('events.column.time'), <Moment key="time" at={time} />],
          ]}
        />
        <div className="manage__buttons">
          {(vehicle_id !== null || lat !== null) && (
            <Button size="small" keycap="L" onPress={() => locateIncident(app, incident)}>
              {t('queue.locate')}
            </Button>
          )}
          {vehicle_id !== null && canOpen(app.user, 'history') && (
            <Button size="small" keycap="H" disabled={lost} onPress={() => showTrack(app, incident)}>
              {t('incident.track')}
            </Button>
          )}
        </div>
      </section>
    </>
  );
}
