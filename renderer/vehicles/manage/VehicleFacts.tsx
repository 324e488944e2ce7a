import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { formatNumber, formatSpeed } from '../../format/numbers.ts';
import { sortedGroups } from '../../groups/groupOrder.ts';
import { useT } from '../../i18n/useT.ts';
import { useLive, usePlace } from '../../telemetry/useLive.ts';
import { Facts } from '../../ui/Facts.tsx';
import { Age, TimeOfDay } from '../../ui/Moment.tsx';

/** What the server knows of a vehicle; with `all` also what others may change and this user may not. */
export function VehicleFacts({ vehicle, all = false }: { vehicle: Vehicle; all?: boolean }) {
  const app = useAppContext();
  const t = useT();
  const live = useLive(vehicle.vehicle_id);
  const place = usePlace(vehicle.vehicle_id);
  const groups = useStore(app.groups.store, (state) => state.byId);
  const fix = live?.fix ?? null;
  const names = sortedGroups([...groups.values()].filter((it) => vehicle.group_ids.includes(it.group_id)));
  const fields: [string, ReactNode][] = [
    [t('vehicle.plate'), vehicle.plate],
    [t('vehicle.type'), vehicle.type === null ? null : t(`vehicle.type.${vehicle.type}`)],
    [t('vehicle.terminal_id'), vehicle.terminal_id],
    [t('vehicle.driver'), vehicle.driver],
    [t('vehicle.phone'), vehicle.phone],
    [t('vehicles.vin'), vehicle.vin],
    [t('fact.limit'), vehicle.speed_limit_kmh === null ? null : formatSpeed(vehicle.speed_limit_kmh)],
    [t('vehicles.groups'), names.map(({ name }) => name).join(', ')],
    [
      t('vehicles.clock_offset_fact'),
      vehicle.clock_offset_s === 0 ? null : `${formatNumber(vehicle.clock_offset_s)} s`,
    ],
    ...Object.entries(vehicle.attributes).map(([name, value]): [string, ReactNode] => [
      name,
      value === null ? null : String(value),
    ]),
  ];
  const known: [string, ReactNode][] = [
    [
      t('vehicles.last_contact'),
      live === undefined ? (
        t('status.never')
      ) : (
        <>
          <TimeOfDay at={live.contactAt} withDate />
          <span className="faint">
            {' · '}
            <Age since={live.contactAt} />
          </span>
        </>
      ),
    ],
    [
      t('vehicles.last_position'),
      fix === null ? null : (
        <a className="in-accent" href={app.navigation.linkTo('live', { vehicle: vehicle.vehicle_id })}>
          {place !== '' && place !== '–' ? `${place}, ` : ''}
          {`${formatNumber(fix.lat, 5)}, ${formatNumber(fix.lon, 5)}`}
        </a>
      ),
    ],
    [t('vehicles.added'), <TimeOfDay key="added" at={Date.parse(vehicle.created_at)} withDate />],
    [t('vehicles.changed'), <TimeOfDay key="changed" at={Date.parse(vehicle.updated_at)} withDate />],
  ];
  return <Facts facts={[...(all ? fields : []), ...known]} />;
}
