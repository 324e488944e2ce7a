import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Notification } from '../../../server/contract/notifications.ts';
import { vehicleRoutes, type Vehicle, type VehicleData } from '../../../server/contract/vehicles.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { useT } from '../../i18n/useT.ts';
import { ActionDialog } from '../../resources/ActionDialog.tsx';
import { namedPeriod, type Period } from '../../ui/period.ts';
import { PeriodField } from '../../ui/PeriodField.tsx';
import { TextField } from '../../ui/TextField.tsx';

/** The server deletes of no longer period at once (server/contract/vehicles.ts). */
const MOST_DAYS = 366;

/** Deletes what was recorded of a vehicle in a period: says how much that is, and asks for its name. */
export function DeleteDataDialog({ vehicle, onClose }: { vehicle: Vehicle; onClose: () => void }) {
  const app = useAppContext();
  const t = useT();
  const time = useStore(app.settings, (state) => state.time);
  const [period, setPeriod] = useState<Period>(() => namedPeriod('yesterday', app.serverTime.now(), time));
  const [typed, setTyped] = useState('');
  const [counted, setCounted] = useState<{ period: Period; data: VehicleData | 'failed' } | null>(null);
  const { name, vehicle_id } = vehicle;
  const request = useMemo(
    () => ({
      params: { vehicle: vehicle_id },
      query: { from: new Date(period.from).toISOString(), to: new Date(period.to).toISOString() },
    }),
    [vehicle_id, period],
  );

  useEffect(() => {
    const abort = new AbortController();
    app.api.request(vehicleRoutes.data, { ...request, signal: abort.signal }).then(
      (data) => setCounted({ period, data }),
      () => {
        if (!abort.signal.aborted) setCounted({ period, data: 'failed' });
      },
    );
    return () => abort.abort();
  }, [app, request, period]);

  const data = counted?.period === period ? counted.data : null;
  const isAny = data !== null && data !== 'failed' && Object.values(data).some((count) => count > 0);
  return (
    <ActionDialog
      title={t('vehicles.data_title', { name })}
      submit={t('vehicles.data_do')}
      disabled={!isAny || typed.trim() !== name.trim()}
      act={async () => {
        await app.api.request(vehicleRoutes.deleteData, request);
        // The stream does not say that they are gone.
        const isGone = (it: Notification) =>
          it.vehicle_id === vehicle_id &&
          Date.parse(it.last_time) >= period.from &&
          Date.parse(it.last_time) < period.to;
        const { byId } = app.notifications.store.getState();
        app.notifications.remove([...byId.values()].filter(isGone).map((it) => it.notification_id));
        app.toasts.setState({
          toast: { text: t('vehicles.data_done', { name }), isTrouble: false, action: null },
        });
      }}
      onClose={onClose}
    >
      <PeriodField value={period} onChange={setPeriod} maxDays={MOST_DAYS} />
      <p role="status">
        {data === null
          ? t('vehicles.data_counting')
          : data === 'failed'
            ? t('vehicles.data_not_counted')
            : t('vehicles.data_what', {
                positions: formatNumber(data.positions),
                events: formatNumber(data.events),
                alarms: formatNumber(data.notifications),
                clips: formatNumber(data.clips),
                snapshots: formatNumber(data.snapshots),
              })}
      </p>
      <TextField label={t('vehicles.purge_type', { name })} value={typed} onChange={setTyped} />
    </ActionDialog>
  );
}
