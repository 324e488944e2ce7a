import { ChevronLeft, ChevronRight, Pause, Play, StepBack, StepForward, X } from 'lucide-react';
import { useRef } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../appContext/useMoment.ts';
import { formatAge } from '../format/age.ts';
import { parseDateTime } from '../../server/contract/localTime.ts';
import { dateField, readDate } from '../format/depotMoment.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { SegmentedControl } from '../ui/Segments.tsx';
import { viewAround } from './barView.ts';
import { followPast, isVideoOfSpan, orderVideoOfInstant, stepEvent } from './historyActions.ts';
import { HISTORY_RATES } from './historyClock.ts';
import { sameTimeOn } from './historyDay.ts';
import { TrackExport } from './TrackExport.tsx';
import { ValueMenu } from './ValueLanes.tsx';
import '../video/player/Transport.css';

const RATES = HISTORY_RATES.map((rate) => ({ id: String(rate), label: `${rate}×` }));

/** What moves the instant: day, transport, speeds; and what can be done with it. */
export function HistoryTransport() {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const { history } = app;
  const { player } = history;
  const isPlaying = useStore(player.store, (state) => state.isPlaying);
  const rate = useStore(player.store, (state) => state.rate);
  const shownAt = useStore(history.store, (state) => state.shownAt);
  const vehicleId = useStore(history.store, (state) => state.vehicleId);
  const mostS = useStore(app.settings, (state) => state.numbers.video_max_s);
  const isOfSpan = useStore(history.store, (state) => isVideoOfSpan(state, state.shownAt, mostS));
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
      <ChosenSpan />
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
      {vehicleId !== null && <ValueMenu vehicleName={name} />}
      <TrackExport />
      {vehicleId !== null && (
        <>
          <Button kind="quiet" keycap="F" onPress={() => followPast(app)}>
            {t('history.follow', { name })}
          </Button>
          {app.video.mayOrder && (
            <Button kind="quiet" keycap="V" onPress={() => orderVideoOfInstant(app)}>
              {t(isOfSpan ? 'history.video_span' : 'history.video')}
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

/** The part of the day that is chosen. */
function ChosenSpan() {
  const { history } = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const span = useStore(history.store, (state) => state.span);
  const day = useStore(history.store, (state) => state.day);
  if (span === null) return null;
  const words = `${time.minute(span.from)} – ${span.to === day.to ? '24:00' : time.minute(span.to)}`;
  return (
    <div className="history-span" role="group" aria-label={t('history.span')}>
      <button
        type="button"
        className="history-span__words"
        title={t('history.span_show')}
        onClick={() => history.show(viewAround(span, day))}
      >
        {words} <span className="quiet">{formatAge(span.to - span.from)}</span>
      </button>
      <IconButton
        icon={X}
        size="small"
        label={t('history.span_clear')}
        onPress={() => history.chooseSpan(null)}
      />
    </div>
  );
}
