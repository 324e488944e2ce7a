import { useEffect, useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { useStore } from 'zustand';
import { useDepotTime } from '../../appContext/useMoment.ts';
import type { VideoRequest } from '../requests/videoOrders.ts';
import { useT } from '../../i18n/useT.ts';
import { DayBar, type DayBarProps } from './DayBar.tsx';
import { EventLane, type EventLaneProps } from './EventLane.tsx';
import type { Playback } from './playback.ts';
import type { SeenChannel } from './visibleChannels.ts';
import { SpeedChart } from './SpeedChart.tsx';
import type { TrackLoad } from './readTrack.ts';
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
        <Playhead playback={playback} from={order.from} lengthS={lengthS} />
      </div>
      <DayBar order={order} {...day} />
    </div>
  );
}

function Playhead({ playback, from, lengthS }: { playback: Playback; from: number; lengthS: number }) {
  const t = useT();
  const time = useDepotTime();
  const area = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLSpanElement>(null);
  const wasPlaying = useRef(false);
  const seconds = useStore(playback.store, (state) => Math.round(state.position));

  // With every picture of the screen: not through React.
  useEffect(() => {
    const place = () => {
      const share = Math.min(1, playback.store.getState().position / lengthS);
      head.current?.style.setProperty('left', `${share * 100}%`);
    };
    place();
    return playback.store.subscribe(place);
  }, [playback, lengthS]);

  const seekTo = (event: PointerEvent) => {
    const box = area.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return;
    playback.seek(((event.clientX - box.left) / box.width) * lengthS);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number | undefined>> = {
      ArrowLeft: -ARROW_S,
      ArrowRight: ARROW_S,
      PageDown: -PAGE_S,
      PageUp: PAGE_S,
      Home: -lengthS,
      End: lengthS,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    playback.seek(playback.store.getState().position + step);
  };

  return (
    <div
      ref={area}
      className="scrub"
      role="slider"
      tabIndex={0}
      aria-label={t('player.scrub')}
      aria-valuemin={0}
      aria-valuemax={Math.round(lengthS)}
      aria-valuenow={seconds}
      aria-valuetext={time.clock(from + seconds * 1_000)}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        wasPlaying.current = playback.store.getState().isPlaying;
        playback.pause();
        seekTo(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) seekTo(event);
      }}
      onPointerUp={() => {
        if (wasPlaying.current) playback.play();
      }}
    >
      <span ref={head} className="playhead" />
    </div>
  );
}
