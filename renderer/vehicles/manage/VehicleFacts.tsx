import { Fragment, type ReactNode } from 'react';
import { useStore } from 'zustand';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { useDesk } from '../../desk/DeskContext.tsx';
import { numberText, speedText } from '../../format/numbers.ts';
import { sortedGroups } from '../../groups/groupOrder.ts';
import { useText } from '../../i18n/useText.ts';
import { useLive, usePlace } from '../../telemetry/useLive.ts';
import { Age, TimeOfDay } from '../../ui/Moment.tsx';

/** What the server knows of a vehicle; with `all` also what others may change and this user may not. */
export function VehicleFacts({ vehicle, all = false }: { vehicle: Vehicle; all?: boolean }) {
  const desk = useDesk();
  const say = useText();
  const live = useLive(vehicle.vehicle_id);
  const place = usePlace(vehicle.vehicle_id);
  const groups = useStore(desk.groups.store, (state) => state.byId);
  const fix = live?.fix ?? null;
  const names = sortedGroups([...groups.values()].filter((it) => vehicle.group_ids.includes(it.group_id)));
  const fields: [string, ReactNode][] = [
    [say('vehicle.plate'), vehicle.plate],
    [say('vehicle.type'), vehicle.type === null ? null : say(`vehicle.type.${vehicle.type}`)],
    [say('vehicle.terminal_id'), vehicle.terminal_id],
    [say('vehicle.driver'), vehicle.driver],
    [say('vehicle.phone'), vehicle.phone],
    [say('vehicles.vin'), vehicle.vin],
    [say('fact.limit'), vehicle.speed_limit_kmh === null ? null : speedText(vehicle.speed_limit_kmh)],
    [say('vehicles.groups'), names.map(({ name }) => name).join(', ')],
    [
      say('vehicles.clock_offset_fact'),
      vehicle.clock_offset_s === 0 ? null : `${numberText(vehicle.clock_offset_s)} s`,
    ],
    ...Object.entries(vehicle.attributes).map(([name, value]): [string, ReactNode] => [
      name,
      value === null ? null : String(value),
    ]),
  ];
  const known: [string, ReactNode][] = [
    [
      say('vehicles.last_contact'),
      live === undefined ? (
        say('status.never')
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
      say('vehicles.last_position'),
      fix === null ? null : (
        <a className="in-accent" href={desk.navigation.linkTo('live', { vehicle: vehicle.vehicle_id })}>
          {place !== '' && place !== '–' ? `${place}, ` : ''}
          {`${numberText(fix.lat, 5)}, ${numberText(fix.lon, 5)}`}
        </a>
      ),
    ],
    [say('vehicles.added'), <TimeOfDay key="added" at={Date.parse(vehicle.created_at)} withDate />],
    [say('vehicles.changed'), <TimeOfDay key="changed" at={Date.parse(vehicle.updated_at)} withDate />],
  ];
  return (
    <dl className="facts">
      {[...(all ? fields : []), ...known].map(
        ([name, value]) =>
          value !== null &&
          value !== '' && (
            <Fragment key={name}>
              <dt className="quiet">{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}
