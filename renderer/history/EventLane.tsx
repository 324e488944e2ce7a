import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { goTo } from './historyActions.ts';
import { severitiesOf } from './Journal.tsx';

/** Ticks for what was recorded, marks for alarms and warnings; a press on a mark goes there. */
export function EventLane() {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const { history } = app;
  const view = useStore(history.store, (state) => state.view);
  const { events, notifications, isCut } = useStore(history.store, (state) => state.dayEvents);
  const share = (at: number) => (at - view.from) / (view.to - view.from);
  const severities = useMemo(() => severitiesOf(notifications), [notifications]);
  const { ticks, marks } = useMemo(() => {
    const seen = new Set<number>();
    const shown: { id: string; at: number; severity: 'alarm' | 'warning'; vehicleId: string | null }[] = [];
    for (const { event_id, time: at, vehicle_id } of events) {
      const place = share(Date.parse(at));
      if (place < 0 || place > 1) continue;
      const severity = severities.get(event_id) ?? 'info';
      // As fine as the lane can show it, so that a day of thousands is one path of hundreds.
      if (severity === 'info') seen.add(Math.round(place * 2_000));
      else shown.push({ id: event_id, at: Date.parse(at), severity, vehicleId: vehicle_id });
    }
    return { ticks: [...seen].map((x) => `M${x} 3V13`).join(''), marks: shown.slice(0, MOST_MARKS) };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `share` is that of the view
  }, [events, severities, view]);
  return (
    <div className="history-lanes__row history-lanes__row--events">
      <span className="lane__name">
        {t('history.events')}{' '}
        <span className="faint">
          {isCut ? t('history.events_cut', { count: events.length }) : events.length}
        </span>
      </span>
      <div className="history-lanes__events">
        <svg viewBox="0 0 2000 16" preserveAspectRatio="none" aria-hidden>
          <path d={ticks} vectorEffect="non-scaling-stroke" />
        </svg>
        {marks.map(({ id, at, severity, vehicleId }) => (
          <button
            key={id}
            type="button"
            className="history-lanes__mark"
            style={{ left: `${share(at) * 100}%` }}
            tabIndex={-1}
            aria-label={t('history.go_event', { event: `${t(`severity.${severity}`)} ${time.clock(at)}` })}
            title={time.clock(at)}
            onClick={() => goTo(app, at, vehicleId)}
          >
            <svg width={10} height={10} viewBox="0 0 10 10" aria-hidden>
              {severity === 'alarm' ? (
                <path d="M5 1L9.5 9H.5Z" fill="var(--alarm)" />
              ) : (
                <path d="M5 1L9 5L5 9L1 5Z" fill="none" stroke="var(--warn)" strokeWidth={1.4} />
              )}
            </svg>
          </button>
        ))}
      </div>
    </div>
  );
}

/** More cannot be distinguished on one line. */
const MOST_MARKS = 300;
