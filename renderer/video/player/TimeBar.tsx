import { Flag } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import type { Event } from '../../../server/contract/events.ts';
import { useDepotTime } from '../../appContext/useMoment.ts';
import { useT } from '../../i18n/useT.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Playhead, type Scrubbed } from '../../ui/Playhead.tsx';
import type { VideoRequest } from '../requests/videoOrders.ts';
import type { ClipMark } from '../store/clipIndex.ts';
import { DayBar, type DayBarProps } from './DayBar.tsx';
import { EventMark, useEventMarks } from './EventMark.tsx';
import { SpeedChart } from './SpeedChart.tsx';
import type { Playback } from './playback.ts';
import type { TrackLoad } from './readTrack.ts';
import { useElementSize } from '../../ui/useWindowSize.ts';
import type { SeenChannel } from './channelViews.ts';
import './TimeBar.css';

const QUARTERS = [0, 0.25, 0.5, 0.75, 1] as const;
const ARROW_S = 1;
const PAGE_S = 10;

export interface TimeBarProps {
  order: VideoRequest;
  channels: readonly SeenChannel[];
  events: EventLaneProps['events'];
  marks: EventLaneProps['marks'];
  nameOf: (channel: number) => string;
  track: TrackLoad;
  limitKmh: number | null;
  playback: Playback;
  day: Omit<DayBarProps, 'order'>;
}

/** Events, speed and channels on one axis, crossed by one playhead; dragging it goes to a moment. */
export function TimeBar(props: TimeBarProps) {
  const { order, channels, events, marks, nameOf, track, limitKmh, playback, day } = props;
  const time = useDepotTime();
  const lengthS = (order.to - order.from) / 1_000;
  return (
    <div className="time-bar">
      <div className="time-bar__span">
        <EventLane from={order.from} to={order.to} events={events} marks={marks} playback={playback} />
        <SpeedChart track={track} from={order.from} to={order.to} limitKmh={limitKmh} />
        <div className="time-bar__row" aria-hidden>
          <span />
          <div className="time-axis">
            {QUARTERS.map((share) => (
              <span key={share} style={{ left: `${share * 100}%` }}>
                {time.clock(order.from + share * (order.to - order.from))}
              </span>
            ))}
          </div>
        </div>
        {channels.map(({ channel, isHere, gaps }) => {
          const shareOf = (s: number) => `${Math.min(100, Math.max(0, (s / lengthS) * 100))}%`;
          return (
            <div key={channel} className="time-bar__row lane">
              <span className="lane__name ellipsis">{`${channel} ${nameOf(channel)}`}</span>
              <span className="lane__bar">
                <i className={isHere ? 'is-here' : 'is-there'} style={{ left: 0, right: 0 }} />
                {gaps.map(({ fromS, toS }) => (
                  <i
                    key={fromS}
                    className="is-missing"
                    style={{ left: shareOf(fromS), width: shareOf(toS - fromS) }}
                  />
                ))}
              </span>
            </div>
          );
        })}
        <ClipPlayhead playback={playback} from={order.from} lengthS={lengthS} />
      </div>
      <DayBar order={order} {...day} />
    </div>
  );
}

function ClipPlayhead({ playback, from, lengthS }: { playback: Playback; from: number; lengthS: number }) {
  const t = useT();
  const time = useDepotTime();
  const seconds = useStore(playback.store, (state) => Math.round(state.position));
  const scrubbed = useMemo(
    (): Scrubbed => ({
      position: () => playback.store.getState().position,
      subscribe: (run) => playback.store.subscribe(run),
      seek: (s) => playback.seek(s),
      isPlaying: () => playback.store.getState().isPlaying,
      play: () => playback.play(),
      pause: () => playback.pause(),
    }),
    [playback],
  );
  return (
    <Playhead
      label={t('player.scrub')}
      lengthS={lengthS}
      seconds={seconds}
      text={time.clock(from + seconds * 1_000)}
      arrowS={ARROW_S}
      pageS={PAGE_S}
      scrubbed={scrubbed}
    />
  );
}

interface EventLaneProps {
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  events: readonly Event[];
  marks: readonly ClipMark[];
  playback: Playback;
}

/** Events during the recording and the operator’s marks, above the speed; a press goes there. */
function EventLane({ from, to, events, marks, playback }: EventLaneProps) {
  const t = useT();
  const time = useDepotTime();
  const line = useRef<HTMLDivElement>(null);
  const { width } = useElementSize(line);
  const shareOf = (at: number) => (at - from) / (to - from);
  const visible = useEventMarks(events, (at) => shareOf(at) * width);
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
          {visible.map(({ event, severity, at, words }) => (
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
