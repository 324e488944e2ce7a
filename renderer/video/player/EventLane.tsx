import { Flag } from 'lucide-react';
import { useRef } from 'react';
import { useStore } from 'zustand';
import type { Event } from '../../../server/contract/events.ts';
import { useDesk } from '../../desk/DeskContext.tsx';
import { useDepotTime } from '../../desk/useMoment.ts';
import { useText } from '../../i18n/useText.ts';
import { eventWords } from '../../notifications/alarmWords.ts';
import { Icon } from '../../ui/Icon.tsx';
import { severityOfEvent } from '../../vehicles/eventSeverity.ts';
import type { ClipMark } from '../store/clipMarks.ts';
import { dayMarks } from './dayMarks.ts';
import { EventMark } from './EventMark.tsx';
import type { Playback } from './playback.ts';
import { useElementSize } from './useElementSize.ts';

/** So wide is a mark that can be hit (WCAG 2.5.8). */
const MARK_PX = 24;

export interface EventLaneProps {
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  events: readonly Event[];
  marks: readonly ClipMark[];
  playback: Playback;
}

/** What happened while it was filmed, and what the operator marked, above the speed; a press goes there. */
export function EventLane({ from, to, events, marks, playback }: EventLaneProps) {
  const desk = useDesk();
  const say = useText();
  const time = useDepotTime();
  const notifications = useStore(desk.notifications.store, (state) => state.byId);
  const line = useRef<HTMLDivElement>(null);
  const { width } = useElementSize(line);
  const shareOf = (at: number) => (at - from) / (to - from);
  const shown = dayMarks(
    events,
    (event) => severityOfEvent(event, notifications.values()),
    (event) => shareOf(Date.parse(event.time)) * width,
    MARK_PX,
  );
  const button = (at: number, label: string) => ({
    type: 'button' as const,
    style: { left: `${shareOf(at) * 100}%` },
    title: label,
    'aria-label': label,
    onClick: () => playback.seek((at - from) / 1_000),
  });
  return (
    <>
      <div className="time-bar__row event-lane">
        <span className="lane__name">{say('player.events')}</span>
        <div className="event-lane__line" ref={line}>
          {shown.map(({ event, severity, others }) => {
            const at = Date.parse(event.time);
            const own = `${time.clock(at)} ${eventWords(event, desk).short}`;
            const words = others === 0 ? own : say('day.close', { event: own, count: others });
            return (
              <button
                key={event.event_id}
                className="event-lane__one"
                {...button(at, say('player.go_event', { event: words }))}
              >
                <EventMark severity={severity} isFetched />
              </button>
            );
          })}
        </div>
      </div>
      {marks.length > 0 && (
        <div className="time-bar__row event-lane">
          <span className="lane__name">{say('player.marks')}</span>
          <div className="event-lane__line">
            {marks.map(({ at, note }) => (
              <button
                key={at}
                className="event-lane__one event-lane__one--mark"
                {...button(at, say('player.go_mark', { mark: `${time.clock(at)} ${note}`.trim() }))}
              >
                <Icon of={Flag} />
              </button>
            ))}
          </div>
        </div>
      )}
    </>
  );
}
