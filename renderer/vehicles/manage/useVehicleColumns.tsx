import { useMemo } from 'react';
import { useStore } from 'zustand';
import { vehicleStatus, type Vehicle } from '../../../server/contract/vehicles.ts';
import { useDesk } from '../../desk/DeskContext.tsx';
import { useLostSince } from '../../desk/useMoment.ts';
import { numberText } from '../../format/numbers.ts';
import { useText } from '../../i18n/useText.ts';
import { VehicleGlyph } from '../../map/glyphs/VehicleGlyph.tsx';
import { useLive } from '../../telemetry/useLive.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { Age } from '../../ui/Moment.tsx';
import { draftsOf } from './drafts.ts';
import type { VehicleLine } from './vehicleTable.ts';

/** What is left out first where there is little room. */
const SPARE = new Set(['type', 'phone', 'limit']);

/** The columns of the table of vehicles; `narrow` leaves out those that can be read in the panel. */
export function useVehicleColumns(narrow: boolean): Column<VehicleLine>[] {
  const say = useText();
  return useMemo(() => {
    const all: Column<VehicleLine>[] = [
      {
        id: 'state',
        head: say('vehicles.column.state'),
        value: ({ status }) => vehicleStatus.options.indexOf(status),
        cell: ({ vehicle, status }) => <State vehicle={vehicle} status={status} />,
        width: '112px',
      },
      {
        id: 'name',
        head: say('vehicle.name'),
        value: ({ vehicle }) => vehicle.name,
        cell: ({ vehicle }) => <Name vehicle={vehicle} />,
        isName: true,
        width: 'minmax(96px, 1.2fr)',
      },
      {
        id: 'plate',
        head: say('vehicle.plate'),
        value: ({ vehicle }) => vehicle.plate,
        width: 'minmax(80px, 0.7fr)',
      },
      {
        id: 'type',
        head: say('vehicle.type'),
        value: ({ vehicle }) => (vehicle.type === null ? null : say(`vehicle.type.${vehicle.type}`)),
        width: '64px',
      },
      {
        id: 'terminal',
        head: say('vehicle.terminal_id'),
        value: ({ vehicle }) => vehicle.terminal_id,
        width: 'minmax(128px, 1fr)',
      },
      {
        id: 'groups',
        head: say('vehicles.groups'),
        value: ({ groups }) => (groups === '' ? null : groups),
        width: 'minmax(96px, 1.4fr)',
      },
      {
        id: 'driver',
        head: say('vehicle.driver'),
        value: ({ vehicle }) => vehicle.driver,
        width: 'minmax(96px, 1.2fr)',
      },
      {
        id: 'phone',
        head: say('vehicle.phone'),
        value: ({ vehicle }) => vehicle.phone,
        width: 'minmax(128px, 0.8fr)',
      },
      {
        id: 'limit',
        head: say('vehicles.column.limit'),
        value: ({ vehicle }) => vehicle.speed_limit_kmh,
        cell: ({ vehicle }) =>
          vehicle.speed_limit_kmh === null ? '' : `${numberText(vehicle.speed_limit_kmh)} km/h`,
        align: 'end',
        width: '80px',
      },
      {
        id: 'contact',
        head: say('vehicles.column.contact'),
        value: ({ contactAt }) => contactAt,
        cell: ({ vehicle }) => <LastContact vehicleId={vehicle.vehicle_id} />,
        align: 'end',
        width: '96px',
      },
    ];
    return narrow ? all.filter(({ id }) => !SPARE.has(id)) : all;
  }, [say, narrow]);
}

function State({ vehicle, status }: Pick<VehicleLine, 'vehicle' | 'status'>) {
  const say = useText();
  const live = useLive(vehicle.vehicle_id);
  const lost = useLostSince() !== null;
  return (
    <span className="state-cell">
      <VehicleGlyph state={status} stale={lost} size={20} course={live?.fix?.course_deg ?? null} />
      {say(`status.${status}`)}
    </span>
  );
}

function Name({ vehicle }: { vehicle: Vehicle }) {
  const desk = useDesk();
  const say = useText();
  const isDraft = useStore(draftsOf(desk), (state) => state.byVehicle.has(vehicle.vehicle_id));
  return (
    <span title={vehicle.name}>
      <span className="strong">{vehicle.name}</span>
      {isDraft && <span className="faint small">{` · ${say('vehicles.not_saved')}`}</span>}
    </span>
  );
}

function LastContact({ vehicleId }: { vehicleId: string }) {
  const live = useLive(vehicleId);
  const lost = useLostSince() !== null;
  if (live === undefined) return <span className="faint">–</span>;
  return (
    <span className={lost ? '' : 'quiet'}>
      <Age since={live.contactAt} short />
    </span>
  );
}
