import { useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { assignmentRoutes, type Assignment } from '../../server/contract/drivers.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useLostSince, useNow } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import { usePolling } from '../resources/useReread.ts';
import { Button } from '../ui/Button.tsx';
import { Failure } from '../ui/Form.tsx';
import { TimeOfDay } from '../ui/Moment.tsx';
import { AssignDialog } from './AssignDialog.tsx';
import { deleteAssignment, endAssignment } from './driverActions.ts';

const againMs = 60_000;

/** The assignments of a driver or of a vehicle that have not ended, and a further one. */
export function AssignmentList({
  driverId = null,
  vehicleId = null,
  mayWrite,
}: {
  driverId?: string | null;
  vehicleId?: string | null;
  mayWrite: boolean;
}) {
  const app = useAppContext();
  const t = useT();
  const now = useNow();
  const lost = useLostSince() !== null;
  const drivers = useStore(app.drivers.store, (state) => state.byId);
  const vehicles = useStore(app.vehicles.store, (state) => state.byId);
  const [assigns, setAssigns] = useState(false);
  const { busy, sentence, run } = useAction();
  const read = useCallback(
    (signal: AbortSignal) => {
      const of = driverId === null ? { vehicle: vehicleId ?? '' } : { driver_id: driverId };
      const from = new Date(app.serverTime.now()).toISOString();
      return app.api.request(assignmentRoutes.list, { query: { limit: 20, ...of, from }, signal });
    },
    [app, driverId, vehicleId],
  );
  const { value, again } = usePolling(read, againMs);
  useEffect(() => app.stream.on('assignment', again), [app, again]);
  const nameOf = (it: Assignment) =>
    driverId === null ? drivers.get(it.driver_id)?.name : vehicles.get(it.vehicle_id)?.name;
  const end = (it: Assignment) =>
    void run(
      async () => {
        await (Date.parse(it.from) > now ? deleteAssignment : endAssignment)(app, it);
        again();
      },
      { texts: { version_conflict: t('drivers.conflict') } },
    );
  return (
    <section className="driver-drives" aria-label={t('drivers.assignments')}>
      <h3>{t('drivers.assignments')}</h3>
      {value?.items.length === 0 && <p className="quiet">{t('drivers.no_assignments')}</p>}
      <ul className="driver-drives__list">
        {value?.items.map((it) => (
          <li key={it.assignment_id} className="driver-assignment" title={it.note ?? undefined}>
            <span className="strong ellipsis">{nameOf(it) ?? '–'}</span>
            <span className="quiet num fill">
              <TimeOfDay at={Date.parse(it.from)} withDate />
              {' – '}
              {it.to === null ? t('drivers.open_end') : <TimeOfDay at={Date.parse(it.to)} withDate />}
            </span>
            {mayWrite && (
              <Button size="small" disabled={busy || lost} onPress={() => end(it)}>
                {t(Date.parse(it.from) > now ? 'drivers.assignment_delete' : 'drivers.assignment_end')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Failure>{sentence}</Failure>
      {mayWrite && (
        <div className="manage__buttons">
          <Button size="small" disabled={lost} onPress={() => setAssigns(true)}>
            {t(driverId === null ? 'drivers.assign_driver' : 'drivers.assign')}
          </Button>
        </div>
      )}
      {assigns && (
        <AssignDialog
          driverId={driverId}
          vehicleId={vehicleId}
          onDone={again}
          onClose={() => setAssigns(false)}
        />
      )}
    </section>
  );
}
