import { useEffect, useRef, type KeyboardEvent, type PointerEvent } from 'react';
import './Playhead.css';

/** What a playhead moves; seconds since the beginning of the bar. */
export interface Scrubbed {
  position: () => number;
  subscribe: (run: () => void) => () => void;
  seek: (seconds: number) => void;
  isPlaying: () => boolean;
  play: () => void;
  pause: () => void;
}

export interface PlayheadProps {
  /** Spoken. */
  label: string;
  lengthS: number;
  /** The part of the bar that is shown; all of it when it is left out. */
  shown?: { fromS: number; toS: number } | undefined;
  /** The position as a screen reader hears it; its words. */
  seconds: number;
  text: string;
  arrowS: number;
  pageS: number;
  /** Keeps its identity while it is the same. */
  scrubbed: Scrubbed;
}

/** A line across the lanes of a time bar; dragging it goes to a moment. It moves with every picture, not through React. */
export function Playhead({ label, lengthS, shown, seconds, text, arrowS, pageS, scrubbed }: PlayheadProps) {
  const { fromS, toS } = shown ?? { fromS: 0, toS: lengthS };
  const area = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLSpanElement>(null);
  const wasPlaying = useRef(false);

  useEffect(() => {
    const place = () => {
      const share = (scrubbed.position() - fromS) / (toS - fromS);
      const isOutside = shown !== undefined && (share < 0 || share > 1);
      head.current?.style.setProperty('left', `${Math.min(1, Math.max(0, share)) * 100}%`);
      head.current?.toggleAttribute('hidden', isOutside);
    };
    place();
    return scrubbed.subscribe(place);
  }, [scrubbed, shown, fromS, toS]);

  const seekTo = (event: PointerEvent) => {
    const box = area.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return;
    scrubbed.seek(fromS + ((event.clientX - box.left) / box.width) * (toS - fromS));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number | undefined>> = {
      ArrowLeft: -arrowS,
      ArrowRight: arrowS,
      PageDown: -pageS,
      PageUp: pageS,
      Home: -lengthS,
      End: lengthS,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    scrubbed.seek(scrubbed.position() + step);
  };

  return (
    <div
      ref={area}
      className="scrub"
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.round(lengthS)}
      aria-valuenow={seconds}
      aria-valuetext={text}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        wasPlaying.current = scrubbed.isPlaying();
        scrubbed.pause();
        seekTo(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) seekTo(event);
      }}
      onPointerUp={() => {
        if (wasPlaying.current) scrubbed.play();
      }}
    >
      <span ref={head} className="playhead" />
    </div>
  );
}
