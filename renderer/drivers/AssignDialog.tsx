import { useCallback, useState } from 'react';
import { useStore } from 'zustand';
import { assignmentRoutes, type Assignment } from '../../server/contract/drivers.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { ActionDialog } from '../resources/ActionDialog.tsx';
import { usePolling } from '../resources/useReread.ts';
import { TextField } from '../ui/TextField.tsx';
import { VehiclePicker } from '../vehicles/VehiclePicker.tsx';
import { DriverPicker } from './DriverPicker.tsx';
import { assignDriver } from './driverActions.ts';
import { momentField, readMoment } from './driverForm.ts';

const againMs = 30_000;

/** Assigns a driver to a vehicle, from a time to a time; one of the two is given. */
export function AssignDialog({
  driverId = null,
  vehicleId = null,
  onDone,
  onClose,
}: {
  driverId?: string | null;
  vehicleId?: string | null;
  onDone: () => void;
  onClose: () => void;
}) {
  const app = useAppContext();
  const t = useT();
  const { timeZone } = useDepotTime();
  const [driver, setDriver] = useState(driverId);
  const [vehicle, setVehicle] = useState<readonly string[]>(vehicleId === null ? [] : [vehicleId]);
  const [from, setFrom] = useState(() =>
    momentField(new Date(Math.floor(app.serverTime.now() / 60_000) * 60_000).toISOString(), timeZone),
  );
  const [to, setTo] = useState('');
  const [note, setNote] = useState('');
  const driver_id = driver ?? '';
  const [vehicle_id = ''] = vehicle;
  const [begin, end] = [readMoment(from, timeZone), readMoment(to, timeZone)];
  return (
    <ActionDialog
      title={t('drivers.assign')}
      submit={t('drivers.assign')}
      disabled={driver_id === '' || vehicle_id === ''}
      check={() => ({
        ...(typeof begin === 'string' ? {} : { from: t('drivers.no_moment') }),
        ...(end === undefined ? { to: t('drivers.no_moment') } : {}),
        ...(typeof end === 'string' && typeof begin === 'string' && end <= begin
          ? { to: t('period.backwards') }
          : {}),
      })}
      act={async () => {
        await assignDriver(app, {
          ...{ driver_id, vehicle_id, from: begin ?? '', to: end ?? null },
          note: note.trim() === '' ? null : note.trim(),
        });
        onDone();
      }}
      fields={['from', 'to', 'note']}
      onClose={onClose}
    >
      {(faults) => (
        <>
          {driverId === null && (
            <DriverPicker label={t('vehicle.driver')} value={driver} onChange={setDriver} />
          )}
          {vehicleId === null && (
            <VehiclePicker single label={t('list.column.vehicle')} value={vehicle} onChange={setVehicle} />
          )}
          <div className="form-grid">
            <TextField
              label={t('drivers.from')}
              value={from}
              onChange={setFrom}
              fault={faults['from'] ?? null}
              required
              maxLength={19}
            />
            <TextField
              label={t('drivers.to')}
              value={to}
              onChange={setTo}
              fault={faults['to'] ?? null}
              placeholder={t('drivers.to_open')}
              maxLength={19}
            />
          </div>
          <TextField label={t('drivers.note')} value={note} onChange={setNote} maxLength={200} />
          {driver_id !== '' && vehicle_id !== '' && typeof begin === 'string' && (
            <Overlaps
              key={`${driver_id} ${vehicle_id}`}
              wanted={{ driver_id, vehicle_id, from: begin, to: end ?? null }}
            />
          )}
        </>
      )}
    </ActionDialog>
  );
}

type Wanted = Pick<Assignment, 'driver_id' | 'vehicle_id' | 'from' | 'to'>;

/** What is assigned at the same time already: nothing forbids it. */
function Overlaps({ wanted }: { wanted: Wanted }) {
  const app = useAppContext();
  const t = useT();
  const drivers = useStore(app.drivers.store, (state) => state.byId);
  const vehicles = useStore(app.vehicles.store, (state) => state.byId);
  const { driver_id, vehicle_id, from, to } = wanted;
  const read = useCallback(
    async (signal: AbortSignal) => {
      const period = { from, ...(to === null || to <= from ? {} : { to }) };
      const lists = await Promise.all(
        [{ driver_id }, { vehicle: vehicle_id }].map((of) =>
          app.api.request(assignmentRoutes.list, { query: { limit: 5, ...of, ...period }, signal }),
        ),
      );
      return lists.flatMap((it) => it.items);
    },
    [app, driver_id, vehicle_id, from, to],
  );
  const { value } = usePolling(read, againMs);
  const found = new Map((value ?? []).map((it) => [it.assignment_id, it]));
  if (found.size === 0) return null;
  return (
    <p className="form-sentence" role="status">
      {[...found.values()]
        .map((it) =>
          t('drivers.overlaps', {
            driver: drivers.get(it.driver_id)?.name ?? '–',
            vehicle: vehicles.get(it.vehicle_id)?.name ?? '–',
          }),
        )
        .join(' ')}
    </p>
  );
}
