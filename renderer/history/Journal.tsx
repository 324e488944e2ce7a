import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Fragment, memo, useMemo } from 'react';
import { useStore } from 'zustand';
import type { Event } from '../../server/contract/events.ts';
import type { Notification } from '../../server/contract/notifications.ts';
import type { Severity } from '../../server/contract/rules.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../appContext/useMoment.ts';
import { asSentence } from '../format/inSentence.ts';
import { useT } from '../i18n/useT.ts';
import { eventWords } from '../notifications/alarmLabels.ts';
import { graver } from '../notifications/queueOrder.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { Pane } from '../ui/Pane.tsx';
import { SeverityMark } from '../ui/SeverityMark.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { nameWidthPx } from '../vehicles/VehicleRow.tsx';
import { goTo } from './historyActions.ts';
import { hourOf } from './historyDay.ts';
import { SideTabs } from './SideTabs.tsx';

const HOUR_MS = 3_600_000;
const SKELETON = [[56, 16, 40, 120]] as const;

/** How grave events are, by the notifications that count them. */
export function severitiesOf(notifications: readonly Notification[]): ReadonlyMap<string, Severity> {
  const found = new Map<string, Severity>();
  for (const { event_ids, severity } of notifications) {
    for (const id of event_ids) found.set(id, graver(found.get(id) ?? 'info', severity));
  }
  return found;
}

/** The hour as a list; a rule at the instant divides what has happened from what has not. */
export function Journal() {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const { history } = app;
  const shownAt = useStore(history.store, (state) => state.shownAt);
  const day = useStore(history.store, (state) => state.day);
  const journal = useStore(history.store, (state) => state.journal);
  const load = useStore(history.store, (state) => state.journalLoad);
  const moment = useStore(history.store, (state) => state.moment);
  const vehicles = useStore(history.store, (state) => state.vehicles);
  const notifications = useStore(history.store, (state) => state.dayEvents.notifications);
  const severities = useMemo(() => severitiesOf(notifications), [notifications]);
  const vehicleId = useStore(history.store, (state) => state.vehicleId);
  const chosenIds = useStore(history.store, (state) => state.chosenIds);
  const geofencesNow = useStore(app.geofences.store, (state) => state.byId);
  const names = useMemo(() => new Map(vehicles.map((it) => [it.vehicle_id, it.name])), [vehicles]);
  // By their names of then, those that are gone since as well.
  const geofenceNames = useMemo(
    () =>
      new Map<string, { name: string }>([
        ...geofencesNow,
        ...(moment?.geofences ?? []).map((it) => [it.geozone_id, it] as const),
      ]),
    [geofencesNow, moment],
  );
  const hour = hourOf(shownAt, day.from);
  const step = (by: number) => {
    history.player.pause();
    history.player.seek(shownAt + by * HOUR_MS);
  };
  const passed = journal.findIndex((it) => Date.parse(it.time) > shownAt);
  const ruleAt = passed === -1 ? journal.length : passed;
  return (
    <Pane
      name={t('history.journal')}
      className="journal"
      head={
        <>
          <SideTabs />
          <span className="quiet">
            {time.minute(hour.from)} – {time.minute(hour.to)}
          </span>
          {load.phase === 'ready' && vehicleId === null && (
            <span className="faint ellipsis">{t('history.journal_count', { count: journal.length })}</span>
          )}
          <span className="fill" />
          <IconButton
            icon={ChevronLeft}
            size="small"
            label={t('history.hour_previous')}
            onPress={() => step(-1)}
          />
          <IconButton
            icon={ChevronRight}
            size="small"
            label={t('history.hour_next')}
            onPress={() => step(1)}
          />
        </>
      }
    >
      {!history.mayReadEvents ? (
        <p className="quiet journal__note">{t('history.journal_none')}</p>
      ) : load.phase === 'failed' ? (
        <LoadFailure
          title={t('history.journal_failed')}
          stillWorks=""
          error={load.error}
          nextTryAt={load.nextTryAt}
          onRetry={history.retry}
        />
      ) : load.phase === 'loading' ? (
        <SkeletonRows className="journal__row" widths={SKELETON} rows={8} label={t('list.loading')} />
      ) : (
        <ol
          className="journal__rows"
          tabIndex={0}
          aria-label={t('history.journal')}
          style={{ '--name-width': `${nameWidthPx(vehicles)}px` }}
        >
          {journal.map((event, index) => (
            <Fragment key={event.event_id}>
              {index === ruleAt && <Rule at={shownAt} />}
              <JournalRow
                event={event}
                severity={severities.get(event.event_id) ?? 'info'}
                isAhead={index >= ruleAt}
                isSelected={event.vehicle_id !== null && chosenIds.includes(event.vehicle_id)}
                name={names.get(event.vehicle_id ?? '') ?? ''}
                geofenceNames={geofenceNames}
              />
            </Fragment>
          ))}
          {ruleAt === journal.length && <Rule at={shownAt} />}
          {journal.length === 0 && <li className="quiet journal__note">{t('history.journal_empty')}</li>}
        </ol>
      )}
      {moment !== null && history.mayReadEvents && (
        <div className="pane__foot">
          {t('history.open_then', {
            count: moment.notifications.filter((it) => it.severity !== 'info').length,
          })}
        </div>
      )}
    </Pane>
  );
}

function Rule({ at }: { at: number }) {
  const time = useDepotTime();
  return (
    <li className="journal__rule" title={time.utc(at)}>
      <span>{time.clock(at)}</span>
    </li>
  );
}

const JournalRow = memo(function JournalRow({
  event,
  severity,
  isAhead,
  isSelected,
  name,
  geofenceNames,
}: {
  event: Event;
  severity: Severity;
  isAhead: boolean;
  isSelected: boolean;
  name: string;
  geofenceNames: ReadonlyMap<string, { name: string }>;
}) {
  const app = useAppContext();
  const time = useDepotTime();
  const at = Date.parse(event.time);
  const geofences = { store: { getState: () => ({ byId: geofenceNames }) } };
  const words = asSentence(eventWords(event, { ...app, geofences, asOf: () => at }).short);
  const states = [isAhead ? ' journal__row--ahead' : '', isSelected ? ' journal__row--selected' : ''];
  return (
    <li>
      <button
        type="button"
        className={`journal__row${states.join('')}`}
        onClick={() => goTo(app, at, event.vehicle_id)}
      >
        <time dateTime={event.time} title={time.utc(at)}>
          {time.clock(at)}
        </time>
        <SeverityMark severity={severity} />
        <span className="strong ellipsis" title={name}>
          {name}
        </span>
        <span className="ellipsis" title={words}>
          {words}
        </span>
      </button>
    </li>
  );
});
