import { driverOf } from '../../drivers/currentDriver.ts';
import { driverText } from '../../drivers/DriverName.tsx';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useLostSince } from '../../appContext/useMoment.ts';
import { formatSpeed } from '../../format/numbers.ts';
import { useT } from '../../i18n/useT.ts';
import { VehicleGlyph } from '../../map/glyphs/VehicleGlyph.tsx';
import { shownStatuses } from '../../telemetry/statusStore.ts';
import { useLive } from '../../telemetry/useLive.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { Age } from '../../ui/Moment.tsx';
import { vehicleDrafts } from './vehicleForm.ts';
import type { VehicleLine } from './vehicleTable.ts';

/** What is left out first where there is little room. */
const SPARE = new Set(['type', 'phone', 'limit']);

/** The columns of the table of vehicles; `narrow` leaves out those that can be read in the panel. */
export function useVehicleColumns(narrow: boolean): Column<VehicleLine>[] {
  const t = useT();
  return useMemo(() => {
    const all: Column<VehicleLine>[] = [
      {
        id: 'state',
        head: t('vehicles.column.state'),
        value: ({ status }) => shownStatuses.indexOf(status),
        cell: ({ vehicle, status }) => <State vehicle={vehicle} status={status} />,
        width: '128px',
      },
      {
        id: 'name',
        head: t('vehicle.name'),
        value: ({ vehicle }) => vehicle.name,
        cell: ({ vehicle }) => <Name vehicle={vehicle} />,
        isName: true,
        width: 'minmax(96px, 1.2fr)',
      },
      {
        id: 'plate',
        head: t('vehicle.plate'),
        value: ({ vehicle }) => vehicle.plate,
        width: 'minmax(80px, 0.7fr)',
      },
      {
        id: 'type',
        head: t('vehicle.type'),
        value: ({ vehicle }) => (vehicle.type === null ? null : t(`vehicle.type.${vehicle.type}`)),
        width: '64px',
      },
      {
        id: 'terminal',
        head: t('vehicle.terminal_id'),
        value: ({ vehicle }) => vehicle.terminal_id,
        width: 'minmax(128px, 1fr)',
      },
      {
        id: 'groups',
        head: t('vehicles.groups'),
        value: ({ groups }) => (groups === '' ? null : groups),
        width: 'minmax(96px, 1.4fr)',
      },
      {
        id: 'driver',
        head: t('vehicle.driver'),
        value: ({ vehicle }) => driverText(vehicle, t),
        width: 'minmax(96px, 1.2fr)',
      },
      {
        id: 'phone',
        head: t('vehicle.phone'),
        value: ({ vehicle }) => driverOf(vehicle)?.phone ?? null,
        width: 'minmax(128px, 0.8fr)',
      },
      {
        id: 'limit',
        head: t('vehicles.column.limit'),
        value: ({ vehicle }) => vehicle.speed_limit_kmh,
        cell: ({ vehicle }) => (vehicle.speed_limit_kmh === null ? '' : formatSpeed(vehicle.speed_limit_kmh)),
        align: 'end',
        width: '80px',
      },
      {
        id: 'contact',
        head: t('vehicles.column.contact'),
        value: ({ contactAt }) => contactAt,
        cell: ({ vehicle }) => <LastContact vehicleId={vehicle.vehicle_id} />,
        align: 'end',
        width: '112px',
      },
    ];
    return narrow ? all.filter(({ id }) => !SPARE.has(id)) : all;
  }, [t, narrow]);
}

function State({ vehicle, status }: Pick<VehicleLine, 'vehicle' | 'status'>) {
  const t = useT();
  const live = useLive(vehicle.vehicle_id);
  const lost = useLostSince() !== null;
  return (
    <span className="state-cell">
      <VehicleGlyph state={status} stale={lost} size={20} course={live?.fix?.course_deg ?? null} />
      {t(`status.${status}`)}
    </span>
  );
}

function Name({ vehicle }: { vehicle: Vehicle }) {
  const app = useAppContext();
  const t = useT();
  const isDraft = useStore(vehicleDrafts(app).store, (state) => state.byId.has(vehicle.vehicle_id));
  return (
    <span title={vehicle.name}>
      <span className="strong">{vehicle.name}</span>
      {isDraft && <span className="faint small">{` · ${t('vehicles.not_saved')}`}</span>}
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
