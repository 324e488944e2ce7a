import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { Geofence } from '../../server/contract/geofences.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useLostSince, useNow } from '../appContext/useMoment.ts';
import { shortAgeText } from '../format/age.ts';
import { formatSpeed } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import { VehicleGlyph } from '../map/glyphs/VehicleGlyph.tsx';
import { writeHash } from '../navigation/navigation.ts';
import { useLive } from '../telemetry/useLive.ts';
import { createInsideWatch } from './insideWatch.ts';

/** Who looks for one of more than these goes to Live. */
const LISTED = 100;

/** The vehicles inside of a geofence by their newest positions. */
export function InsideNow({ geofence }: { geofence: Geofence }) {
  const app = useAppContext();
  const t = useT();
  const watch = useMemo(
    () =>
      createInsideWatch(geofence, app.positions, (id) => {
        const vehicle = app.vehicles.store.getState().byId.get(id);
        return vehicle !== undefined && holdsFor(geofence, vehicle);
      }),
    [app, geofence],
  );
  useEffect(() => watch.start(), [watch]);
  const ids = useStore(watch.store, (state) => state.ids);
  const vehicles = useStore(app.vehicles.store, (state) => state.byId);
  const inside = useMemo(
    () =>
      [...ids]
        .flatMap((id) => vehicles.get(id) ?? [])
        .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true })),
    [ids, vehicles],
  );
  return (
    <section className="geofence-details__section" aria-label={t('geofences.inside')}>
      <h3>{t('geofences.inside_count', { count: inside.length })}</h3>
      {geofence.group_ids.length > 0 && <p className="small faint">{t('geofences.inside_groups')}</p>}
      {inside.length > 0 && (
        <ul>
          {inside.slice(0, LISTED).map((vehicle) => (
            <InsideRow key={vehicle.vehicle_id} vehicle={vehicle} />
          ))}
        </ul>
      )}
      {inside.length > LISTED && (
        <p className="small faint">{t('geofences.inside_more', { count: inside.length - LISTED })}</p>
      )}
    </section>
  );
}

function InsideRow({ vehicle }: { vehicle: Vehicle }) {
  const app = useAppContext();
  const t = useT();
  const now = useNow();
  const id = vehicle.vehicle_id;
  const live = useLive(id);
  const status = useStore(app.statuses, (state) => state.byVehicle.get(id) ?? 'never');
  const isLost = useLostSince() !== null;
  return (
    <li>
      <a
        className="geofence-details__vehicle"
        href={writeHash({ place: 'live', query: { vehicle: id } })}
        title={t('geofences.to_live', { name: vehicle.name })}
      >
        <VehicleGlyph state={status} course={live?.fix?.course_deg ?? null} stale={isLost} />
        <span className="strong ellipsis fill">{vehicle.name}</span>
        <span className="quiet">
          {status === 'moving' ? formatSpeed(live?.last.speed_kmh ?? 0) : t(`status.${status}`)}
        </span>
        <span className={isLost ? 'to-right' : 'to-right faint'}>
          {live === undefined ? '' : shortAgeText(now - Date.parse((live.fix ?? live.last).time))}
        </span>
      </a>
    </li>
  );
}

/** One without groups holds for every vehicle. */
function holdsFor(geofence: Geofence, vehicle: Vehicle): boolean {
  return geofence.group_ids.length === 0 || geofence.group_ids.some((id) => vehicle.group_ids.includes(id));
}
