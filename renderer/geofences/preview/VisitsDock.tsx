import { useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { GeofencePreview } from '../../../server/contract/geofences.ts';
import type { Task } from '../../../server/contract/video.ts';
import { isProblem, Unreachable } from '../../api/errors.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useDepotTime, useLostSince } from '../../appContext/useMoment.ts';
import type { DepotTime } from '../../format/depotTime.ts';
import { formatNumber } from '../../format/numbers.ts';
import { formatDuration } from '../../format/span.ts';
import type { Translate } from '../../i18n/text.ts';
import { useT } from '../../i18n/useT.ts';
import type { Period } from '../../ui/period.ts';
import { PreviewDock } from '../../preview/PreviewDock.tsx';
import { openHistory } from '../../history/historyActions.ts';
import { canOpen } from '../../navigation/navigation.ts';
import { orderVideoOfPassage } from '../../live/liveActions.ts';
import { VideoProgress } from '../../notifications/VideoCell.tsx';
import { Button } from '../../ui/Button.tsx';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import {
  createGeofencePreview,
  type PreviewSubject,
  dayAndMinute,
  formatEntered,
  isOf,
  keyOfVisit,
  passageOf,
  type Passage,
  formatLeft,
  previewSentence,
  type Visit,
} from './geofencePreview.ts';
import { faultText, problemText } from '../../ui/formFaults.ts';

/** The visits that a geofence would have had; where vehicles entered it is drawn on the map. */
export function VisitsDock({
  subject,
  isRoomy,
  onDemand = false,
  passes = false,
  period,
}: {
  subject: PreviewSubject | null;
  /** Lists the visits from the start. */
  isRoomy: boolean;
  /** Looks only when it is asked to. */
  onDemand?: boolean;
  /** Of a point: when it was passed, instead of when something was entered and left. */
  passes?: boolean;
  /** Looks at this period at first, and at once. */
  period?: Period;
}) {
  const app = useAppContext();
  const t = useT();
  const draw = useCallback(
    (visits: GeofencePreview['items']) => {
      const show = (places: typeof visits) =>
        app.view.setState(({ dots }) => ({ dots: { ...dots, places } }));
      show(visits);
      return () => show([]);
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
      title={t(passes ? 'command.passed_here' : onDemand ? 'preview.title_saved' : 'preview.title')}
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
      failure={(error) => formatFailure(error, passes ? 'point.passes_failed' : 'preview.failed', t)}
      isRoomy={isRoomy}
      {...(onDemand ? { onDemand: t(passes ? 'point.search' : 'preview.look') } : {})}
      {...(period === undefined ? {} : { period })}
      onResult={draw}
      list={(visits) => <VisitList visits={visits} passes={passes} />}
    />
  );
}

/** Why the past could not be read, and what goes on all the same. */
function formatFailure(
  error: unknown,
  sentence: 'preview.failed' | 'point.passes_failed',
  t: Translate,
): string {
  const reason = isProblem(error)
    ? error.code === 'validation_failed' && error.faults.length > 0
      ? error.faults.map((it) => faultText(it, t)).join('; ')
      : problemText(error.problem, t)
    : error instanceof Unreachable
      ? t('failure.no_response')
      : t('failure.unexpected');
  return t(sentence, { reason });
}

/** The visits that a shape would have had; one that is chosen is shown on the map. */
function VisitList({ visits, passes }: { visits: readonly Visit[]; passes: boolean }) {
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
    const choose = (visit: Visit | null) =>
      app.view.setState(({ dots }) => ({
        dots: { ...dots, marked: visit },
        // V requests the video of the visit that is chosen.
        passage: visit === null ? null : passageOf(visit),
      }));
    choose(marked);
    return () => choose(null);
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
      ...(passes
        ? [
            {
              id: 'passed',
              head: t('point.passed_at'),
              value: (visit: Visit) => passageOf(visit).at,
              cell: (visit: Visit) => <PassedAt at={passageOf(visit).at} time={time} />,
              width: 'var(--moment-width)',
            },
          ]
        : [
            {
              id: 'entered',
              head: t('preview.entered'),
              value: (visit: Visit) => visit.enter_time,
              cell: (visit: Visit) => (
                <Moment at={visit.enter_time} time={time}>
                  {formatEntered(visit, time, t)}
                </Moment>
              ),
              // Without the seconds.
              width: 'calc(var(--moment-width) - 16px)',
            },
            {
              id: 'left',
              head: t('preview.left'),
              value: (visit: Visit) => visit.exit_time,
              cell: (visit: Visit) => (
                <Moment at={visit.exit_time} time={time}>
                  {formatLeft(visit, time, t)}
                </Moment>
              ),
              width: 'max(80px, calc(var(--moment-width) - 60px))',
            },
          ]),
      {
        id: 'duration',
        head: t('preview.duration'),
        value: (visit) => visit.duration_s,
        cell: (visit) => formatDuration(visit.duration_s * 1_000),
        align: 'end',
        width: passes ? '64px' : '80px',
      },
    ],
    [t, time, nameOf, passes],
  );
  return (
    <div className="visits">
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
      {marked !== null && (
        <VisitActions passage={passageOf(marked)} span={{ from: marked.enter_time, to: marked.exit_time }} />
      )}
    </div>
  );
}

/** How far the video of the chosen visit has come, its request, and the way to its past. */
function VisitActions({ passage, span }: { passage: Passage; span: { from: string; to: string } }) {
  const app = useAppContext();
  const t = useT();
  const isLost = useLostSince() !== null;
  const { vehicle_id, at } = passage;
  const isOrdered = useCallback((task: Task) => isOf(task, { vehicle_id, at }), [vehicle_id, at]);
  return (
    <div className="visits__video" role="status">
      {app.video.mayOrder && (
        <Button
          size="small"
          keycap="V"
          disabled={isLost}
          onPress={() => void orderVideoOfPassage(app, passage)}
        >
          {t('queue.video')}
        </Button>
      )}
      {canOpen(app.user, 'history') && (
        <Button size="small" keycap="H" onPress={() => openHistory(app, vehicle_id, at, span)}>
          {t('history.title')}
        </Button>
      )}
      <VideoProgress vehicleId={vehicle_id} isOrdered={isOrdered} />
    </div>
  );
}

/** With its second: by then a vehicle has gone on. */
function PassedAt({ at, time }: { at: string; time: DepotTime }) {
  const ms = Date.parse(at);
  return (
    <Moment at={at} time={time}>
      {`${time.date(ms)} ${time.clock(ms)}`}
    </Moment>
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
