import { useMemo, useRef, useState } from 'react';
import type { Event } from '../../../server/contract/events.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../../appContext/useMoment.ts';
import { useT } from '../../i18n/useT.ts';
import { spanAround } from '../createVideoRequest.ts';
import type { VideoRequest } from '../requests/videoOrders.ts';
import { EventMark, useEventMarks } from './EventMark.tsx';
import { useDayEvents } from './useDayEvents.ts';
import { useElementSize } from '../../ui/useWindowSize.ts';

/** A moment that could be ordered. */
export interface Orderable {
  vehicleId: string;
  from: number;
  to: number;
  eventId: string | null;
}

export interface DayBarProps {
  order: VideoRequest;
  /** All orders of the vehicle. */
  others: readonly VideoRequest[];
  onShow: (order: VideoRequest) => void;
  onOrder: (filter: Orderable) => void;
}

/** The recordings of two hours: what was fetched, and the events that could be. */
export function DayBar({ order, others, onShow, onOrder }: DayBarProps) {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  // As of when the order was opened: a bar that moves cannot be pointed at, and each new span is a call.
  const [opened] = useState(() => app.serverTime.now());
  const { from, to } = order;
  const window = useMemo(() => dayWindow({ from, to }, opened), [from, to, opened]);
  const { events } = useDayEvents({ ...window, vehicleId: order.vehicleId }, order);
  const shareOf = (ms: number) => ((ms - window.from) / (window.to - window.from)) * 100;
  const line = useRef<HTMLDivElement>(null);
  const { width } = useElementSize(line);
  const marks = useEventMarks(events, (at) => (shareOf(at) / 100) * width);
  const visible = others.filter((it) => it.to >= window.from && it.from <= window.to);
  const orderOf = (event: Event) =>
    visible.find((it) => it.eventId === event.event_id) ??
    visible.find((it) => it.from <= Date.parse(event.time) && Date.parse(event.time) <= it.to);

  return (
    <>
      <div className="time-bar__row day-bar">
        <span className="lane__name">{t('day.title')}</span>
        <div className="day-bar__line" ref={line}>
          {visible.map((it) => (
            <i
              key={it.id}
              className={it.phase === 'ready' ? 'is-here' : it.phase === 'failed' ? 'is-missing' : 'is-there'}
              style={{
                left: `${shareOf(it.from)}%`,
                width: `${Math.max(0.5, shareOf(it.to) - shareOf(it.from))}%`,
              }}
            />
          ))}
          {marks.map(({ event, severity, at, words }) => {
            const its = orderOf(event);
            const label =
              its === undefined ? t('day.order', { event: words }) : t('day.show', { event: words });
            return (
              <button
                key={event.event_id}
                type="button"
                className="day-bar__event"
                style={{ left: `${shareOf(at)}%` }}
                title={label}
                aria-label={label}
                onClick={() => {
                  if (its !== undefined) {
                    onShow(its);
                    return;
                  }
                  const { video_before_s, video_after_s } = app.settings.getState().numbers;
                  const around = { before_s: video_before_s, after_s: video_after_s };
                  onOrder({
                    vehicleId: order.vehicleId,
                    ...spanAround(at, around, app.serverTime.now()),
                    eventId: event.event_id,
                  });
                }}
              >
                <EventMark severity={severity} isFetched={its?.phase === 'ready'} />
              </button>
            );
          })}
          <span
            className="day-bar__window"
            style={{ left: `${shareOf(order.from)}%`, width: `${shareOf(order.to) - shareOf(order.from)}%` }}
          />
        </div>
      </div>
      <div className="time-bar__row" aria-hidden>
        <span />
        <div className="day-bar__axis">
          {window.marks.map((ms) => (
            <span key={ms} style={{ left: `${shareOf(ms)}%` }}>
              {time.minute(ms)}
            </span>
          ))}
        </div>
      </div>
    </>
  );
}

/** The span of recordings that is shown around an order: two hours, as far as they are over. */
const BEFORE_MS = 90 * 60_000;
const AFTER_MS = 30 * 60_000;
const HALF_HOUR_MS = 30 * 60_000;

export interface DayWindow {
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  /** The half hours in it. */
  marks: readonly number[];
}

/** Half hours are cut in UTC; the zones whose clocks differ from it by quarters see quarters. */
export function dayWindow(order: { from: number; to: number }, now: number): DayWindow {
  const to = Math.max(order.to, Math.min(now, order.to + AFTER_MS));
  const from = Math.floor((order.from - BEFORE_MS) / HALF_HOUR_MS) * HALF_HOUR_MS;
  const marks: number[] = [];
  for (let at = from; at <= to; at += HALF_HOUR_MS) marks.push(at);
  return { from, to, marks };
}
