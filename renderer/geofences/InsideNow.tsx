import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { Geofence } from '../../server/contract/geofences.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useLostSince, useNow } from '../desk/useMoment.ts';
import { shortAgeText } from '../format/age.ts';
import { speedText } from '../format/numbers.ts';
import { useText } from '../i18n/useText.ts';
import { VehicleGlyph } from '../map/glyphs/VehicleGlyph.tsx';
import { writeHash } from '../navigation/navigation.ts';
import { useLive } from '../telemetry/useLive.ts';
import { createInsideWatch } from './insideWatch.ts';

/** Who looks for one of more than these goes to Live. */
const LISTED = 100;

/** The vehicles inside of a geofence by their newest positions. */
export function InsideNow({ fence }: { fence: Geofence }) {
  const desk = useDesk();
  const say = useText();
  const watch = useMemo(
    () =>
      createInsideWatch(fence, desk.positions, (id) => {
        const vehicle = desk.vehicles.store.getState().byId.get(id);
        return vehicle !== undefined && holdsFor(fence, vehicle);
      }),
    [desk, fence],
  );
  useEffect(() => watch.start(), [watch]);
  const ids = useStore(watch.store, (state) => state.ids);
  const vehicles = useStore(desk.vehicles.store, (state) => state.byId);
  const inside = useMemo(
    () =>
      [...ids]
        .flatMap((id) => vehicles.get(id) ?? [])
        .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true })),
    [ids, vehicles],
  );
  return (
    <section className="fence-details__section" aria-label={say('fences.inside')}>
      <h3>{say('fences.inside_count', { count: inside.length })}</h3>
      {fence.group_ids.length > 0 && <p className="small faint">{say('fences.inside_groups')}</p>}
      {inside.length > 0 && (
        <ul>
          {inside.slice(0, LISTED).map((vehicle) => (
            <InsideRow key={vehicle.vehicle_id} vehicle={vehicle} />
          ))}
        </ul>
      )}
      {inside.length > LISTED && (
        <p className="small faint">{say('fences.inside_more', { count: inside.length - LISTED })}</p>
      )}
    </section>
  );
}

function InsideRow({ vehicle }: { vehicle: Vehicle }) {
  const desk = useDesk();
  const say = useText();
  const now = useNow();
  const id = vehicle.vehicle_id;
  const live = useLive(id);
  const status = useStore(desk.statuses, (state) => state.byVehicle.get(id) ?? 'never');
  const isLost = useLostSince() !== null;
  return (
    <li>
      <a
        className="fence-details__vehicle"
        href={writeHash({ place: 'live', query: { vehicle: id } })}
        title={say('fences.to_live', { name: vehicle.name })}
      >
        <VehicleGlyph state={status} course={live?.fix?.course_deg ?? null} stale={isLost} />
        <span className="strong ellipsis fill">{vehicle.name}</span>
        <span className="quiet">
          {status === 'moving' ? speedText(live?.last.speed_kmh ?? 0) : say(`status.${status}`)}
        </span>
        <span className={isLost ? 'to-right' : 'to-right faint'}>
          {live === undefined ? '' : shortAgeText(now - Date.parse((live.fix ?? live.last).time))}
        </span>
      </a>
    </li>
  );
}

/** One without groups holds for every vehicle. */
function holdsFor(fence: Geofence, vehicle: Vehicle): boolean {
  return fence.group_ids.length === 0 || fence.group_ids.some((id) => vehicle.group_ids.includes(id));
}
