import { useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useDesk } from '../../desk/DeskContext.tsx';
import { useDepotTime } from '../../desk/useMoment.ts';
import type { DepotTime } from '../../format/depotTime.ts';
import { spanText } from '../../format/span.ts';
import { useText } from '../../i18n/useText.ts';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { dayAndMinute, enteredText, keyOfVisit, leftText, type Visit } from './visitWords.ts';

/** The visits that a shape would have had; one that is chosen is shown on the map. */
export function VisitList({ visits }: { visits: readonly Visit[] }) {
  const desk = useDesk();
  const say = useText();
  const time = useDepotTime();
  const vehicles = useStore(desk.vehicles.store, (state) => state.byId);
  const [selected, setSelected] = useState<string | null>(null);
  const nameOf = useCallback(
    (visit: Visit) => vehicles.get(visit.vehicle_id)?.name ?? say('vehicle.gone'),
    [vehicles, say],
  );
  // The same visit keeps its ring when the shape is tried again.
  const marked = visits.find((visit) => keyOfVisit(visit) === selected) ?? null;
  useEffect(() => {
    const map = desk.map.current();
    map?.dots.mark(marked);
    return () => map?.dots.mark(null);
  }, [desk, marked]);
  const columns = useMemo(
    (): Column<Visit>[] => [
      {
        id: 'vehicle',
        head: say('preview.vehicle'),
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
        head: say('preview.entered'),
        value: (visit) => visit.enter_time,
        cell: (visit) => (
          <Moment at={visit.enter_time} time={time}>
            {enteredText(visit, time, say)}
          </Moment>
        ),
        width: '118px',
      },
      {
        id: 'left',
        head: say('preview.left'),
        value: (visit) => visit.exit_time,
        cell: (visit) => (
          <Moment at={visit.exit_time} time={time}>
            {leftText(visit, time, say)}
          </Moment>
        ),
        width: '76px',
      },
      {
        id: 'duration',
        head: say('preview.duration'),
        value: (visit) => visit.duration_s,
        cell: (visit) => spanText(visit.duration_s * 1_000),
        align: 'end',
        width: '80px',
      },
    ],
    [say, time, nameOf],
  );
  return (
    <DataTable
      name={say('preview.visit_list')}
      columns={columns}
      rows={visits}
      keyOf={keyOfVisit}
      selectedKey={selected}
      onSelect={(visit) => {
        setSelected(keyOfVisit(visit));
        desk.map.current()?.camera.flyTo(visit);
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
