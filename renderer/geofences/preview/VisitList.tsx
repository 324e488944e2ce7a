import { useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../../appContext/useMoment.ts';
import type { DepotTime } from '../../format/depotTime.ts';
import { formatDuration } from '../../format/span.ts';
import { useT } from '../../i18n/useT.ts';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { dayAndMinute, enteredText, keyOfVisit, leftText, type Visit } from './visitLabels.ts';

/** The visits that a shape would have had; one that is chosen is shown on the map. */
export function VisitList({ visits }: { visits: readonly Visit[] }) {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const vehicles = useStore(app.vehicles.store, (state) => state.byId);
  const [selected, setSelected] = useState<string | null>(null);
  const nameOf = useCallback(
    (visit: Visit) => vehicles.get(visit.vehicle_id)?.name ?? t('vehicle.gone'),
    [vehicles, t],
  );
  // The same visit keeps its ring when the shape is tried again.
  const marked = visits.find((visit) => keyOfVisit(visit) === selected) ?? null;
  useEffect(() => {
    const map = app.map.current();
    map?.dots.mark(marked);
    return () => map?.dots.mark(null);
  }, [app, marked]);
  const columns = useMemo(
    (): Column<Visit>[] => [
      {
        id: 'vehicle',
        head: t('preview.vehicle'),
        value: nameOf,
        cell: (visit) => (
          <span className="strong" title={nameOf(visit)}>
            {nameOf(visit)}
          </span>
        ),
        width: 'minmax(56px, 1fr)',
      },
      {
        id: 'entered',
        head: t('preview.entered'),
        value: (visit) => visit.enter_time,
        cell: (visit) => (
          <Moment at={visit.enter_time} time={time}>
            {enteredText(visit, time, t)}
          </Moment>
        ),
        width: '118px',
      },
      {
        id: 'left',
        head: t('preview.left'),
        value: (visit) => visit.exit_time,
        cell: (visit) => (
          <Moment at={visit.exit_time} time={time}>
            {leftText(visit, time, t)}
          </Moment>
        ),
        width: '76px',
      },
      {
        id: 'duration',
        head: t('preview.duration'),
        value: (visit) => visit.duration_s,
        cell: (visit) => formatDuration(visit.duration_s * 1_000),
        align: 'end',
        width: '80px',
      },
    ],
    [t, time, nameOf],
  );
  return (
    <DataTable
      name={t('preview.visit_list')}
      columns={columns}
      rows={visits}
      keyOf={keyOfVisit}
      selectedKey={selected}
      onSelect={(visit) => {
        setSelected(keyOfVisit(visit));
        app.map.current()?.camera.flyTo(visit);
      }}
    />
  );
}

/** The whole moment, in the depot's time zone and in UTC, on hover. */
function Moment({ at, time, children }: { at: string; time: DepotTime; children: string }) {
  return (
    <time dateTime={at} title={`${dayAndMinute(at, time)} · ${time.utc(Date.parse(at))}`}>
      {children}
    </time>
  );
}
