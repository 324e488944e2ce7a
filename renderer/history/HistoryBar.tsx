import { ChevronLeft, ChevronRight, Pause, Play, StepBack, StepForward } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../appContext/useMoment.ts';
import { dateField, parseDateTime, readDate } from '../format/depotMoment.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Playhead, type Scrubbed } from '../ui/Playhead.tsx';
import { SegmentedControl } from '../ui/Segments.tsx';
import { useElementSize } from '../ui/useWindowSize.ts';
import { followPast, orderVideoOfInstant, stepEvent } from './historyActions.ts';
import { HISTORY_RATES, STEP_MS } from './historyClock.ts';
import { axisTicks, hourOf, sameTimeOn } from './historyDay.ts';
import { severitiesOf } from './Journal.tsx';
import { TrackExport } from './TrackExport.tsx';
import { countMoving, speedColumn } from './trackPicture.ts';
import '../video/player/TimeBar.css';
import '../video/player/Transport.css';
import './History.css';

const AXIS_HOURS = 3;
const PAGE_S = 600;
/** One every five minutes of a day. */
const MOVING_STEPS = 288;
const RATES = HISTORY_RATES.map((rate) => ({ id: String(rate), label: `${rate}×` }));

/** What moves the instant: day, transport, speeds; and the lanes of the day under one playhead. */
export function HistoryBar() {
  const t = useT();
  return (
    <section className="history-bar" aria-label={t('history.charts')} data-pane tabIndex={-1}>
      <HistoryTransport />
      <Lanes />
    </section>
  );
}

function HistoryTransport() {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const { history } = app;
  const { player } = history;
  const isPlaying = useStore(player.store, (state) => state.isPlaying);
  const rate = useStore(player.store, (state) => state.rate);
  const shownAt = useStore(history.store, (state) => state.shownAt);
  const vehicleId = useStore(history.store, (state) => state.vehicleId);
  const name = useStore(
    history.store,
    (state) => state.vehicles.find((it) => it.vehicle_id === state.vehicleId)?.name ?? '',
  );
  return (
    <div className="transport" role="toolbar" aria-label={t('history.transport')}>
      <DayPicker />
      <IconButton
        icon={StepBack}
        label={t('history.previous')}
        keycap="Shift ,"
        onPress={() => stepEvent(app, -1)}
      />
      <IconButton
        icon={ChevronLeft}
        label={t('history.step_back')}
        keycap=","
        onPress={() => player.step(-1)}
      />
      <div className="transport__play">
        <Button kind="primary" wide icon={isPlaying ? Pause : Play} onPress={() => player.toggle()}>
          {isPlaying ? t('history.pause') : t('history.play')}
        </Button>
      </div>
      <IconButton
        icon={ChevronRight}
        label={t('history.step_on')}
        keycap="."
        onPress={() => player.step(1)}
      />
      <IconButton
        icon={StepForward}
        label={t('history.next')}
        keycap="Shift ."
        onPress={() => stepEvent(app, 1)}
      />
      <time className="transport__clock" dateTime={new Date(shownAt).toISOString()} title={time.utc(shownAt)}>
        {time.clock(shownAt)}
      </time>
      <span className="fill" />
      <SegmentedControl
        label={t('history.rate')}
        options={RATES}
        value={String(rate)}
        onChange={(chosen) => {
          const next = HISTORY_RATES.find((it) => String(it) === chosen);
          if (next !== undefined) player.setRate(next);
        }}
      />
      <TrackExport />
      {vehicleId !== null && (
        <>
          <Button kind="quiet" keycap="F" onPress={() => followPast(app)}>
            {t('history.follow', { name })}
          </Button>
          {app.video.mayOrder && (
            <Button kind="quiet" keycap="V" onPress={() => orderVideoOfInstant(app)}>
              {t('history.video')}
            </Button>
          )}
        </>
      )}
    </div>
  );
}

function DayPicker() {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const { history } = app;
  const day = useStore(history.store, (state) => state.day);
  const input = useRef<HTMLInputElement>(null);
  const now = app.serverTime.now();
  const go = (at: number) => {
    history.player.pause();
    history.player.seek(at);
  };
  const value = dateField(day.from, time.timeZone);
  const label = `${time.date(day.from)} ${value.slice(0, 4)}`;
  return (
    <div className="history-day">
      <IconButton
        icon={ChevronLeft}
        size="small"
        label={t('history.day_previous')}
        onPress={() => go(sameTimeOn(time, history.player.store.getState().at, -1))}
      />
      <button
        type="button"
        className="history-day__label"
        title={t('history.day_pick')}
        onClick={() => input.current?.showPicker()}
      >
        {label}
      </button>
      <input
        ref={input}
        className="history-day__input"
        type="date"
        tabIndex={-1}
        aria-label={t('history.day_pick')}
        value={value}
        max={dateField(now, time.timeZone)}
        onChange={({ target }) => {
          const parts = readDate(target.value);
          if (parts === null) return;
          const since = history.player.store.getState().at - day.from;
          go(parseDateTime(parts, 0, time.timeZone) + since);
        }}
      />
      <IconButton
        icon={ChevronRight}
        size="small"
        label={t('history.day_next')}
        disabled={day.to > now}
        onPress={() => go(sameTimeOn(time, history.player.store.getState().at, 1))}
      />
    </div>
  );
}

function Lanes() {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const { history } = app;
  const lane = useRef<HTMLDivElement>(null);
  const { width } = useElementSize(lane);
  const day = useStore(history.store, (state) => state.day);
  const edition = useStore(history.store, (state) => state.edition);
  const vehicleId = useStore(history.store, (state) => state.vehicleId);
  const load = useStore(history.store, (state) => state.tracksLoad);
  const progress = useStore(history.store, (state) => state.progress);
  const hourFrom = useStore(history.store, (state) => hourOf(state.shownAt, state.day.from).from);
  const name = useStore(
    history.store,
    (state) => state.vehicles.find((it) => it.vehicle_id === state.vehicleId)?.name ?? '',
  );
  const numbers = useStore(app.settings, (state) => state.numbers);
  const moving = useMemo(
    () => countMoving(history.tracks().values(), day, MOVING_STEPS, app.serverTime.now(), numbers),
    // Tracks are those of `edition`.
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `edition`: tracks have come
    [history, day, edition, numbers],
  );
  const speeds = useMemo(() => {
    const track = vehicleId === null ? null : history.track(vehicleId);
    return track == null || width === 0 ? null : speedColumn(track, day, Math.floor(width));
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `edition`: tracks have come
  }, [history, vehicleId, day, edition, width]);
  const share = (at: number) => ((at - day.from) / (day.to - day.from)) * 100;
  const known = progress.total > 0 && progress.done >= progress.total;
  const isEmpty =
    known && moving.every((it) => !(it > 0)) && ![...history.tracks().values()].some(hasFixIn(day.from));
  const note =
    load.phase === 'failed'
      ? `${t('history.failed')}. ${t('history.failed_still')}`
      : progress.total > 0 && !known
        ? t('history.loading', { done: progress.done, total: progress.total })
        : isEmpty
          ? t('history.empty')
          : null;
  return (
    <div className="history-lanes">
      <EventLane />
      <div className="history-lanes__row history-lanes__row--moving">
        <span className="lane__name">{t('history.moving')}</span>
        <div ref={lane}>
          <Area values={moving} top={Math.max(4, ...[...moving].filter((it) => !Number.isNaN(it)))} />
        </div>
      </div>
      {vehicleId !== null && (
        <div className="history-lanes__row history-lanes__row--speed">
          <span className="lane__name ellipsis" title={name}>
            {t('history.speed', { name })}
          </span>
          <div>{speeds !== null && <Area values={speeds} top={Math.max(60, maxOf(speeds))} />}</div>
        </div>
      )}
      <div className="history-lanes__row" aria-hidden>
        <span />
        <div className="time-axis">
          {axisTicks(day, AXIS_HOURS).map((at) => (
            <span key={at} style={{ left: `${share(at)}%` }} title={time.utc(at)}>
              {at === day.to ? '24:00' : time.minute(at)}
            </span>
          ))}
        </div>
      </div>
      <span
        className="history-lanes__hour"
        style={{
          '--from': String(share(hourFrom) / 100),
          '--to': String(share(Math.min(day.to, hourFrom + 3_600_000)) / 100),
        }}
        aria-hidden
      />
      <Scrubber />
      {note !== null && (
        <div className="history-lanes__note" role="status">
          {note}
          {load.phase === 'failed' && (
            <Button size="small" onPress={history.retry}>
              {t('history.retry')}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

const hasFixIn =
  (from: number) =>
  (track: { columns: { time_ms: Float64Array } } | null): boolean =>
    (track?.columns.time_ms.at(-1) ?? 0) >= from;

const maxOf = (values: Float64Array): number => values.reduce((max, value) => (value > max ? value : max), 0);

/** A curve with its ground filled, cut where nothing is known; 0 to `top`. */
function Area({ values, top }: { values: Float64Array; top: number }) {
  const path = useMemo(() => {
    let line = '';
    let area = '';
    let from = null as number | null;
    values.forEach((value, x) => {
      if (Number.isNaN(value)) {
        if (from !== null) area += `L${x - 1} 100Z`;
        from = null;
        return;
      }
      const point = `${x} ${(100 - (value / top) * 96).toFixed(1)}`;
      if (from === null) {
        line += `M${point}`;
        area += `M${x} 100L${point}`;
        from = x;
      } else {
        line += `L${point}`;
        area += `L${point}`;
      }
    });
    if (from !== null) area += `L${values.length - 1} 100Z`;
    return { line, area };
  }, [values, top]);
  return (
    <svg className="history-area" viewBox={`0 0 ${values.length} 100`} preserveAspectRatio="none" aria-hidden>
      <path className="history-area__ground" d={path.area} />
      <path className="history-area__line" d={path.line} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

/** Ticks for what was recorded, marks for alarms and warnings; a press on a mark goes there. */
function EventLane() {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const { history } = app;
  const day = useStore(history.store, (state) => state.day);
  const { events, notifications, isCut } = useStore(history.store, (state) => state.dayEvents);
  const share = (at: number) => (at - day.from) / (day.to - day.from);
  const severities = useMemo(() => severitiesOf(notifications), [notifications]);
  const { ticks, marks } = useMemo(() => {
    const seen = new Set<number>();
    const shown: { id: string; at: number; severity: 'alarm' | 'warning'; vehicleId: string | null }[] = [];
    for (const { event_id, time: at, vehicle_id } of events) {
      const severity = severities.get(event_id) ?? 'info';
      // As fine as the lane can show it, so that a day of thousands is one path of hundreds.
      if (severity === 'info') seen.add(Math.round(share(Date.parse(at)) * 2_000));
      else shown.push({ id: event_id, at: Date.parse(at), severity, vehicleId: vehicle_id });
    }
    return { ticks: [...seen].map((x) => `M${x} 3V13`).join(''), marks: shown.slice(0, MOST_MARKS) };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `share` is that of the day
  }, [events, severities, day]);
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
            onClick={() => {
              history.player.pause();
              if (vehicleId !== null) history.select(vehicleId);
              history.player.seek(at);
            }}
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

function Scrubber() {
  const { history } = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const { player } = history;
  const day = useStore(history.store, (state) => state.day);
  const shownAt = useStore(history.store, (state) => state.shownAt);
  const scrubbed = useMemo(
    (): Scrubbed => ({
      position: () => (player.store.getState().at - day.from) / 1_000,
      subscribe: (run) => player.store.subscribe(run),
      // The end of the day is the beginning of the next.
      seek: (s) => player.seek(Math.min(day.to - 1, Math.max(day.from, day.from + s * 1_000))),
      isPlaying: () => player.store.getState().isPlaying,
      play: player.play,
      pause: player.pause,
    }),
    [player, day],
  );
  return (
    <Playhead
      label={t('history.scrub')}
      lengthS={(day.to - day.from) / 1_000}
      seconds={Math.round((shownAt - day.from) / 1_000)}
      text={time.clock(shownAt)}
      arrowS={STEP_MS / 1_000}
      pageS={PAGE_S}
      scrubbed={scrubbed}
    />
  );
}
