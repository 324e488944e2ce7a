import { useEffect, useMemo, useRef, type KeyboardEvent } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import type { AppContext } from '../appContext/appContext.ts';
import { useDepotTime } from '../appContext/useMoment.ts';
import { formatAge } from '../format/age.ts';
import { asSentence } from '../format/inSentence.ts';
import { formatDistance, formatSpeed } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import { canOpen } from '../navigation/navigation.ts';
import { eventWords } from '../notifications/alarmLabels.ts';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { Pane } from '../ui/Pane.tsx';
import { SeverityMark } from '../ui/SeverityMark.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { viewAround } from './barView.ts';
import { goTo } from './historyActions.ts';
import { severitiesOf } from './Journal.tsx';
import { holdsInstant, segmentsOf, type Segment } from './segments.ts';
import { SideTabs } from './SideTabs.tsx';

const SKELETON = [[56, 16, 120, 48]] as const;
const NO_ROWS = { trips: [], stops: [], events: [] };

/** The day of the vehicle that is looked at: trips, stops, gaps and events, in step with the instant. */
export function SegmentTable({ vehicleId }: { vehicleId: string }) {
  const app = useAppContext();
  const t = useT();
  const { history } = app;
  const day = useStore(history.store, (state) => state.day);
  const edition = useStore(history.store, (state) => state.edition);
  const rows = useStore(history.segments.store, ({ wanted, found }) =>
    wanted?.vehicleId === vehicleId ? found : null,
  );
  const load = useStore(history.segments.store, (state) => state.load);
  useEffect(() => {
    history.segments.want({ vehicleId, ...day });
  }, [history, vehicleId, day]);
  const segments = useMemo(
    () => segmentsOf(rows ?? NO_ROWS, history.track(vehicleId) ?? null, day),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `edition`: tracks have come
    [rows, history, vehicleId, day, edition],
  );
  const trips = segments.flatMap((it) => (it.kind === 'trip' ? [it.trip] : []));
  const mayReadReports = canOpen(app.user, 'reports');
  return (
    <Pane name={t('history.segments')} className="journal" head={<SideTabs />}>
      {load.phase === 'failed' && rows === null ? (
        <LoadFailure
          title={t('history.segments_failed')}
          stillWorks={t('history.segments_failed_still')}
          error={load.error}
          nextTryAt={load.nextTryAt}
          onRetry={history.segments.retry}
        />
      ) : rows === null ? (
        <SkeletonRows className="segment-row-one" widths={SKELETON} rows={8} label={t('history.segments')} />
      ) : (
        <Segments segments={segments} vehicleId={vehicleId} />
      )}
      {rows !== null && (
        <div className="pane__foot">
          {mayReadReports
            ? t('history.segments_sum', {
                count: trips.length,
                distance: formatDistance(trips.reduce((sum, it) => sum + it.distance_m, 0)),
                age: formatAge(1_000 * trips.reduce((sum, it) => sum + it.duration_s, 0)),
              })
            : t('history.segments_no_reports')}
        </div>
      )}
    </Pane>
  );
}

function Segments({ segments, vehicleId }: { segments: readonly Segment[]; vehicleId: string }) {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const { history } = app;
  const list = useRef<HTMLOListElement>(null);
  const shownAt = useStore(history.store, (state) => state.shownAt);
  const notifications = useStore(history.store, (state) => state.dayEvents.notifications);
  const severities = useMemo(() => severitiesOf(notifications), [notifications]);
  useStore(app.places.edition, (state) => state.number);
  const currentId = segments.findLast((it) => holdsInstant(it, shownAt))?.id ?? null;
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [currentId]);
  const onKeyDown = (event: KeyboardEvent) => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('button') ?? [])];
    const at = rows.findIndex((it) => it === document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (next === undefined || at === -1) return;
    event.preventDefault();
    rows[next]?.focus();
  };
  const open = (segment: Segment) => goTo(app, segment.from, vehicleId);
  const chooseSpan = ({ from, to }: Segment) => {
    if (from === to) return;
    history.chooseSpan({ from, to });
    history.show(viewAround({ from, to }, history.store.getState().day));
  };
  return (
    <ol ref={list} className="journal__rows" aria-label={t('history.segments')} onKeyDown={onKeyDown}>
      {segments.map((segment) => {
        const isAhead = segment.from > shownAt;
        const words = wordsOf(app, segment);
        const classes = [
          'journal__row segment-row-one',
          isAhead ? 'journal__row--ahead' : '',
          holdsInstant(segment, shownAt) ? 'journal__row--selected' : '',
        ];
        return (
          <li key={segment.id}>
            <button
              type="button"
              className={classes.join(' ')}
              aria-current={segment.id === currentId ? 'time' : undefined}
              onClick={() => open(segment)}
              onDoubleClick={() => chooseSpan(segment)}
            >
              <time dateTime={new Date(segment.from).toISOString()} title={time.utc(segment.from)}>
                {time.clock(segment.from)}
              </time>
              {segment.kind === 'event' ? (
                <SeverityMark severity={severities.get(segment.event.event_id) ?? 'info'} />
              ) : (
                <i className={`segment-mark segment-mark--${segment.kind}`} aria-hidden />
              )}
              <span className="ellipsis" title={words}>
                {segment.kind !== 'event' && <b>{t(`history.segment.${segment.kind}`)} </b>}
                {words}
              </span>
              <span className="to-right">
                {segment.kind === 'event' ? '' : formatAge(segment.to - segment.from)}
              </span>
            </button>
          </li>
        );
      })}
      {segments.length === 0 && <li className="quiet journal__note">{t('history.segments_empty')}</li>}
    </ol>
  );
}

/** What a row says beside its kind. */
function wordsOf(app: AppContext, segment: Segment): string {
  switch (segment.kind) {
    case 'trip': {
      const { distance_m, max_speed_kmh } = segment.trip;
      const top =
        max_speed_kmh === null
          ? ''
          : `, ${app.t('history.segment_max', { speed: formatSpeed(max_speed_kmh) })}`;
      return `${formatDistance(distance_m)}${top}`;
    }
    case 'stop': {
      const { place } = segment.stop;
      const { byId } = app.geofences.store.getState();
      const names = place.geozone_ids.flatMap((id) => byId.get(id)?.name ?? []);
      return app.places.of(place, names.join(', '));
    }
    case 'gap':
      return '';
    case 'event':
      return asSentence(eventWords(segment.event, { ...app, asOf: () => segment.from }).short);
  }
}
