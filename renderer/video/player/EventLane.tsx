import { Flag } from 'lucide-react';
import { useRef } from 'react';
import type { Event } from '../../../server/contract/events.ts';
import { useDepotTime } from '../../appContext/useMoment.ts';
import { useT } from '../../i18n/useT.ts';
import { Icon } from '../../ui/Icon.tsx';
import type { ClipMark } from '../store/clipMarks.ts';
import { EventMark } from './EventMark.tsx';
import type { Playback } from './playback.ts';
import { useElementSize } from './useElementSize.ts';
import { useEventMarks } from './useEventMarks.ts';

export interface EventLaneProps {
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  events: readonly Event[];
  marks: readonly ClipMark[];
  playback: Playback;
}

/** Events during the recording and the operator’s marks, above the speed; a press goes there. */
export function EventLane({ from, to, events, marks, playback }: EventLaneProps) {
  const t = useT();
  const time = useDepotTime();
  const line = useRef<HTMLDivElement>(null);
  const { width } = useElementSize(line);
  const shareOf = (at: number) => (at - from) / (to - from);
  const shown = useEventMarks(events, (at) => shareOf(at) * width);
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
        <span className="lane__name">{t('player.events')}</span>
        <div className="event-lane__line" ref={line}>
          {shown.map(({ event, severity, at, words }) => (
            <button
              key={event.event_id}
              className="event-lane__one"
              {...button(at, t('player.go_event', { event: words }))}
            >
              <EventMark severity={severity} isFetched />
            </button>
          ))}
        </div>
      </div>
      {marks.length > 0 && (
        <div className="time-bar__row event-lane">
          <span className="lane__name">{t('player.marks')}</span>
          <div className="event-lane__line">
            {marks.map(({ at, note }) => (
              <button
                key={at}
                className="event-lane__one event-lane__one--mark"
                {...button(at, t('player.go_mark', { mark: `${time.clock(at)} ${note}`.trim() }))}
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
