import { useEffect, useMemo, useRef, type KeyboardEvent } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../appContext/useMoment.ts';
import { speedNumber } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { Playhead, type Scrubbed } from '../ui/Playhead.tsx';
import { useElementSize } from '../ui/useWindowSize.ts';
import { Area } from './Area.tsx';
import { listenForGestures } from './barGestures.ts';
import { overlapOf, zoomed } from './barView.ts';
import { ClipLane } from './ClipLane.tsx';
import { EventLane } from './EventLane.tsx';
import { STEP_MS } from './historyClock.ts';
import { axisTicks, hourOf } from './historyDay.ts';
import type { TrackPeriod } from './trackCache.ts';
import { countMoving, speedColumn } from './trackPicture.ts';
import { ValueLanes } from './ValueLanes.tsx';

/** Of the names of the lanes, as the style sheet has it. */
const GUTTER_PX = 88;
const MOST_SPEED_LANES = 4;
const PAGE_S = 600;
const ZOOM_STEP = 2;
/** One every five minutes of a day. */
const MOVING_STEPS = 288;

/** The lanes of the part of the day that is shown, under one playhead. */
export function HistoryLanes() {
  const app = useAppContext();
  const t = useT();
  const { history } = app;
  const root = useRef<HTMLDivElement>(null);
  const day = useStore(history.store, (state) => state.day);
  const view = useStore(history.store, (state) => state.view);
  const span = useStore(history.store, (state) => state.span);
  const edition = useStore(history.store, (state) => state.edition);
  const load = useStore(history.store, (state) => state.tracksLoad);
  const progress = useStore(history.store, (state) => state.progress);
  const hourFrom = useStore(history.store, (state) => hourOf(state.shownAt, state.day.from).from);
  const groupId = useStore(history.store, (state) => state.groupId);
  const onlyChosen = useStore(history.store, (state) => state.onlyChosen);
  const numbers = useStore(app.settings, (state) => state.numbers);
  const moving = useMemo(
    () => {
      const tracks = history.vehiclesShown().map((it) => history.track(it.vehicle_id) ?? null);
      return countMoving(tracks, view, MOVING_STEPS, app.serverTime.now(), numbers);
    },
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `edition`: tracks have come; what is shown of them
    [history, view, edition, numbers, groupId, onlyChosen],
  );
  useEffect(() => {
    const element = root.current;
    if (element === null) return undefined;
    return listenForGestures(element, {
      gutterPx: GUTTER_PX,
      day: () => history.store.getState().day,
      view: () => history.store.getState().view,
      show: history.show,
      chooseSpan: history.chooseSpan,
    });
  }, [history]);
  // The wheel's keys: the instant stays where it is.
  const onKeyDown = (event: KeyboardEvent) => {
    const factor = { ArrowUp: 1 / ZOOM_STEP, ArrowDown: ZOOM_STEP }[event.key];
    if (factor === undefined) return;
    event.preventDefault();
    const { shownAt, day: whole, view: part } = history.store.getState();
    history.show(zoomed(part, whole, shownAt, factor));
  };
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
    <div className="history-lanes" ref={root} onKeyDown={onKeyDown}>
      <EventLane />
      <ClipLane />
      <div className="history-lanes__row history-lanes__row--moving">
        <span className="lane__name">{t('history.moving')}</span>
        <div>
          <Area values={moving} top={Math.max(4, maxOf(moving))} />
        </div>
      </div>
      <SpeedLanes />
      <ValueLanes />
      <Axis />
      <Mark period={{ from: hourFrom, to: hourFrom + 3_600_000 }} className="history-lanes__hour" />
      {span !== null && <Mark period={span} className="history-lanes__span" />}
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

/** Marks what is seen of a period across all lanes. */
function Mark({ period, className }: { period: TrackPeriod; className: string }) {
  const { history } = useAppContext();
  const view = useStore(history.store, (state) => state.view);
  const seen = overlapOf(period, view);
  if (seen === null) return null;
  const share = (at: number) => String((at - view.from) / (view.to - view.from));
  return (
    <span className={className} style={{ '--from': share(seen.from), '--to': share(seen.to) }} aria-hidden />
  );
}

function Axis() {
  const { history } = useAppContext();
  const time = useDepotTime();
  const day = useStore(history.store, (state) => state.day);
  const view = useStore(history.store, (state) => state.view);
  const { ticks, everyMs } = axisTicks(day, view);
  return (
    <div className="history-lanes__row" aria-hidden>
      <span />
      <div className="time-axis history-axis">
        {ticks.map((at) => {
          const share = (at - view.from) / (view.to - view.from);
          // The names of the first and the last one stay within the bar.
          const shift = share < 0.02 ? 0 : share > 0.98 ? -100 : -50;
          return (
            <span
              key={at}
              style={{ left: `${share * 100}%`, transform: `translateX(${shift}%)` }}
              title={time.utc(at)}
            >
              {at === day.to ? '24:00' : everyMs < 60_000 ? time.clock(at) : time.minute(at)}
            </span>
          );
        })}
      </div>
    </div>
  );
}

/** The speeds of the chosen vehicles, that of the one that is looked at first. */
function SpeedLanes() {
  const { history } = useAppContext();
  const vehicleId = useStore(history.store, (state) => state.vehicleId);
  const chosenIds = useStore(history.store, (state) => state.chosenIds);
  if (vehicleId === null) return null;
  const ids = [vehicleId, ...chosenIds.filter((it) => it !== vehicleId)].slice(0, MOST_SPEED_LANES);
  return ids.map((id) => <SpeedLane key={id} vehicleId={id} isAlone={ids.length === 1} />);
}

function SpeedLane({ vehicleId, isAlone }: { vehicleId: string; isAlone: boolean }) {
  const { history } = useAppContext();
  const t = useT();
  const lane = useRef<HTMLDivElement>(null);
  const { width } = useElementSize(lane);
  const view = useStore(history.store, (state) => state.view);
  const edition = useStore(history.store, (state) => state.edition);
  const name = useStore(
    history.store,
    (state) => state.vehicles.find((it) => it.vehicle_id === vehicleId)?.name ?? '',
  );
  // States are those of the instant.
  useStore(history.store, (state) => state.shownAt);
  const kmh = history.states.get(vehicleId)?.speedKmh ?? null;
  const speeds = useMemo(() => {
    const track = history.track(vehicleId);
    return track == null || width === 0 ? null : speedColumn(track, view, Math.floor(width));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `edition`: tracks have come
  }, [history, vehicleId, view, edition, width]);
  return (
    <div className={`history-lanes__row history-lanes__row--${isAlone ? 'speed' : 'one'}`}>
      <span className="lane__name" title={name}>
        <span className="ellipsis">{t('history.speed', { name })}</span>
        <b>{kmh === null ? '–' : speedNumber(kmh)}</b>
      </span>
      <div ref={lane}>{speeds !== null && <Area values={speeds} top={Math.max(60, maxOf(speeds))} />}</div>
    </div>
  );
}

const hasFixIn =
  (from: number) =>
  (track: { columns: { time_ms: Float64Array } } | null): boolean =>
    (track?.columns.time_ms.at(-1) ?? 0) >= from;

const maxOf = (values: Float64Array): number => values.reduce((max, value) => (value > max ? value : max), 0);

function Scrubber() {
  const { history } = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const { player } = history;
  const day = useStore(history.store, (state) => state.day);
  const view = useStore(history.store, (state) => state.view);
  const shownAt = useStore(history.store, (state) => state.shownAt);
  const shown = useMemo(
    () => ({ fromS: (view.from - day.from) / 1_000, toS: (view.to - day.from) / 1_000 }),
    [view, day],
  );
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
      shown={shown}
      seconds={Math.round((shownAt - day.from) / 1_000)}
      text={time.clock(shownAt)}
      arrowS={STEP_MS / 1_000}
      pageS={PAGE_S}
      scrubbed={scrubbed}
    />
  );
}
