import { useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { GeofencePreview } from '../../../server/contract/geofences.ts';
import { isProblem, Unreachable } from '../../api/errors.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../../appContext/useMoment.ts';
import type { DepotTime } from '../../format/depotTime.ts';
import { formatNumber } from '../../format/numbers.ts';
import { formatDuration } from '../../format/span.ts';
import type { Translate } from '../../i18n/text.ts';
import { useT } from '../../i18n/useT.ts';
import { PreviewDock } from '../../preview/PreviewDock.tsx';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import {
  createGeofencePreview,
  type PreviewSubject,
  dayAndMinute,
  formatEntered,
  keyOfVisit,
  formatLeft,
  previewSentence,
  type Visit,
} from './geofencePreview.ts';

/** The visits that a geofence would have had; where vehicles entered it is drawn on the map. */
export function VisitsDock({
  subject,
  isRoomy,
  onDemand = false,
  title,
}: {
  subject: PreviewSubject | null;
  /** Lists the visits from the start. */
  isRoomy: boolean;
  /** Looks only when it is asked to. */
  onDemand?: boolean;
  /** What it is called elsewhere than at a geofence. */
  title?: string;
}) {
  const app = useAppContext();
  const t = useT();
  const draw = useCallback(
    (visits: GeofencePreview['items']) => {
      const map = app.map.current();
      map?.dots.set(visits);
      return () => map?.dots.set([]);
    },
    [app],
  );
  const looked = ({ vehicles, positions, truncated, items }: GeofencePreview) => {
    const counts = { vehicles: formatNumber(vehicles), positions: formatNumber(positions) };
    const most = truncated ? ` ${t('preview.truncated', { number: formatNumber(items.length) })}` : '';
    return t('preview.looked_at', counts) + most;
  };
  return (
    <PreviewDock<PreviewSubject, GeofencePreview>
      title={title ?? t(onDemand ? 'preview.title_saved' : 'preview.title')}
      create={() =>
        createGeofencePreview({ api: app.api, clock: app.clock, now: () => app.serverTime.now() })
      }
      subject={subject}
      texts={{
        incomplete: t('preview.no_shape'),
        changed: t('preview.changed'),
        show: t('preview.show_visits'),
        hide: t('preview.hide_visits'),
      }}
      sentence={(result, period) => previewSentence(result, period, t)}
      looked={looked}
      failure={(error) => formatFailure(error, t)}
      isRoomy={isRoomy}
      {...(onDemand ? { onDemand: t('preview.look') } : {})}
      onResult={draw}
      list={(visits) => <VisitList visits={visits} />}
    />
  );
}

/** Why the past could not be read, and what goes on all the same. */
function formatFailure(error: unknown, t: Translate): string {
  const reason = isProblem(error)
    ? error.code === 'validation_failed' && error.faults.length > 0
      ? error.faults.map(({ message }) => message).join('; ')
      : error.problem.detail
    : error instanceof Unreachable
      ? t('failure.no_response')
      : t('failure.unexpected');
  return t('preview.failed', { reason });
}

/** The visits that a shape would have had; one that is chosen is shown on the map. */
function VisitList({ visits }: { visits: readonly Visit[] }) {
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
    // V requests the video of the visit that is chosen.
    app.view.setState({ passage: marked === null ? null : momentOf(marked) });
    return () => {
      map?.dots.mark(null);
      app.view.setState({ passage: null });
    };
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
            {formatEntered(visit, time, t)}
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
            {formatLeft(visit, time, t)}
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

/** The middle of a visit: there it was nearest. */
function momentOf({ vehicle_id, enter_time, exit_time }: Visit) {
  const middle = (Date.parse(enter_time) + Date.parse(exit_time)) / 2;
  return { vehicle_id, at: new Date(middle).toISOString() };
}

/** The whole moment, in the depot's time zone and in UTC, on hover. */
function Moment({ at, time, children }: { at: string; time: DepotTime; children: string }) {
  return (
    <time dateTime={at} title={`${dayAndMinute(at, time)} · ${time.utc(Date.parse(at))}`}>
      {children}
    </time>
  );
}
