import { useMemo, useRef, type KeyboardEvent, type PointerEvent } from 'react';
import type { Recording, Task } from '../../../server/contract/video.ts';
import type { Profile } from '../../../server/contract/videoProfiles.ts';
import { useDepotTime } from '../../appContext/useMoment.ts';
import { useT } from '../../i18n/useT.ts';
import { stretchesOf, type Window } from './stretches.ts';

const QUARTERS = [0, 0.25, 0.5, 0.75, 1] as const;
const HOUR_MS = 3_600_000;
const ARROW_MS = 1_000;
const PAGE_MS = 60_000;

export interface RecordingsBarProps {
  channels: Profile['channels'];
  /** What the bar shows, and the day that the terminal was asked of. */
  view: Window;
  known: Window;
  /** What the terminal said it has; null while it said nothing. */
  list: { items: readonly Recording[]; askedAt: number } | null;
  /** Of this vehicle. */
  tasks: readonly Task[];
  filter: Window | null;
  onFilterChange: (filter: Window) => void;
  limits: SpanLimits;
}

/** A lane for each channel under one axis, and over all of them the requested period. */
export function RecordingsBar({
  channels,
  view,
  known,
  list,
  tasks,
  filter,
  onFilterChange,
  limits,
}: RecordingsBarProps) {
  const t = useT();
  const time = useDepotTime();
  const share = (ms: number) => ((ms - view.from) / (view.to - view.from)) * 100;
  const seen = useMemo(
    () => ({ from: Math.max(view.from, known.from), to: Math.min(view.to, known.to) }),
    [view.from, view.to, known],
  );
  const lanes = useMemo(
    () => channels.map((it) => ({ ...it, stretches: stretchesOf(it.channel, seen, list, tasks) })),
    [channels, seen, list, tasks],
  );
  const isWide = view.to - view.from > HOUR_MS;
  const label = (ms: number) => (isWide ? time.minute(ms) : time.clock(ms));
  return (
    <div className="recordings__bar">
      <div className="recordings__row" aria-hidden>
        <span />
        <div className="recordings__axis">
          {QUARTERS.map((part) => (
            <span key={part} style={{ left: `${part * 100}%` }}>
              {label(view.from + part * (view.to - view.from))}
            </span>
          ))}
        </div>
      </div>
      {lanes.map(({ channel, name, stretches }) => (
        <div key={channel} className="recordings__row recordings__lane">
          <span
            className="recordings__name ellipsis"
            title={`${channel} ${name}`}
          >{`${channel} ${name}`}</span>
          <span className="recordings__line">
            {stretches.map((it) => (
              <i
                key={`${it.kind} ${it.from}`}
                className={`recordings__part--${it.kind}${it.alarm ? ' recordings__part--alarm' : ''}`}
                title={t(`recordings.part_${it.kind}`, {
                  from: time.clock(it.from),
                  to: time.clock(it.to),
                })}
                style={{ left: `${share(it.from)}%`, width: `${share(it.to) - share(it.from)}%` }}
              />
            ))}
          </span>
        </div>
      ))}
      {filter !== null && (
        <Filter view={view} filter={filter} onFilterChange={onFilterChange} limits={limits} />
      )}
    </div>
  );
}

/** The requested period: its ends and the whole of it can be dragged, or moved by keys. */
function Filter({
  view,
  filter,
  onFilterChange,
  limits,
}: Pick<RecordingsBarProps, 'view' | 'onFilterChange' | 'limits'> & { filter: Window }) {
  const area = useRef<HTMLDivElement>(null);
  const dragged = useRef<{ part: SpanPart; offsetMs: number } | null>(null);
  const share = (ms: number) => ((ms - view.from) / (view.to - view.from)) * 100;
  const middle = (filter.from + filter.to) / 2;
  const placeOf = (part: SpanPart) => (part === 'whole' ? middle : filter[part]);

  const momentAt = (clientX: number): number | null => {
    const box = area.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return null;
    return view.from + ((clientX - box.left) / box.width) * (view.to - view.from);
  };
  const onPointerDown = (event: PointerEvent) => {
    const at = momentAt(event.clientX);
    if (at === null) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const grabbed = partOf(event.target);
    // What is taken hold of stays under the pointer; a press beside the span brings it there.
    dragged.current = { part: grabbed ?? 'whole', offsetMs: grabbed === null ? 0 : placeOf(grabbed) - at };
    if (grabbed === null) onFilterChange(moveSpan(filter, 'whole', at, limits));
  };
  const onPointerMove = (event: PointerEvent) => {
    const at = momentAt(event.clientX);
    if (at === null || dragged.current === null) return;
    const { part, offsetMs } = dragged.current;
    onFilterChange(moveSpan(filter, part, at + offsetMs, limits));
  };
  const clearSelection = () => {
    dragged.current = null;
  };
  const step = (part: SpanPart, ms: number) =>
    onFilterChange(moveSpan(filter, part, placeOf(part) + ms, limits));

  return (
    <div
      ref={area}
      className="recordings__area"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={clearSelection}
      onPointerCancel={clearSelection}
    >
      <Knob part="whole" at={filter.from} view={view} onStep={step} />
      <i
        data-part="whole"
        className="recordings__band"
        style={{ left: `${share(filter.from)}%`, width: `${share(filter.to) - share(filter.from)}%` }}
      />
      <Knob part="from" at={filter.from} left={share(filter.from)} view={view} onStep={step} />
      <Knob part="to" at={filter.to} left={share(filter.to)} view={view} onStep={step} />
    </div>
  );
}

/** The part of the span that a pointer is on; null beside it. */
function partOf(target: EventTarget): SpanPart | null {
  const name = target instanceof HTMLElement ? target.dataset['part'] : undefined;
  return name === 'from' || name === 'to' || name === 'whole' ? name : null;
}

interface KnobProps {
  part: SpanPart;
  at: number;
  /** Percent of the bar; left out for the whole, which takes the keys wherever the bar is. */
  left?: number;
  view: Window;
  onStep: (part: SpanPart, ms: number) => void;
}

function Knob({ part, at, left, view, onStep }: KnobProps) {
  const t = useT();
  const time = useDepotTime();
  const steps: Readonly<Record<string, number | undefined>> = {
    ArrowLeft: -ARROW_MS,
    ArrowDown: -ARROW_MS,
    ArrowRight: ARROW_MS,
    ArrowUp: ARROW_MS,
    PageDown: -PAGE_MS,
    PageUp: PAGE_MS,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const ms = steps[event.key];
    if (ms === undefined) return;
    event.preventDefault();
    onStep(part, ms);
  };
  return (
    <div
      role="slider"
      data-part={left === undefined ? undefined : part}
      tabIndex={0}
      className={`recordings__knob recordings__knob--${part}`}
      style={left === undefined ? {} : { left: `${left}%` }}
      aria-label={t(`recordings.knob_${part}`)}
      aria-valuemin={Math.round(view.from / 1_000)}
      aria-valuemax={Math.round(view.to / 1_000)}
      aria-valuenow={Math.round(at / 1_000)}
      aria-valuetext={time.clock(at)}
      onKeyDown={onKeyDown}
    />
  );
}

/** What of a span is moved: one of its ends, or all of it. */
type SpanPart = 'from' | 'to' | 'whole';

interface SpanLimits {
  /** No part of the span lies outside of these; milliseconds since 1970. */
  earliest: number;
  latest: number;
  maxMs: number;
}

const LEAST_MS = 1_000;

/**
 * Moves a part of a span to a moment, in whole seconds: an end stops at the other one and at the longest that may be ordered;
 * the whole keeps its length and has its middle there.
 */
export function moveSpan(span: Window, part: SpanPart, at: number, limits: SpanLimits): Window {
  const { earliest, latest, maxMs } = limits;
  const length = span.to - span.from;
  const within = (ms: number, min: number, max: number) =>
    Math.round(Math.max(min, Math.min(max, ms)) / 1_000) * 1_000;
  switch (part) {
    case 'from':
      return {
        from: within(at, Math.max(earliest, span.to - maxMs), span.to - LEAST_MS),
        to: span.to,
      };
    case 'to':
      return {
        from: span.from,
        to: within(at, span.from + LEAST_MS, Math.min(latest, span.from + maxMs)),
      };
    case 'whole': {
      const from = within(at - length / 2, earliest, Math.max(earliest, latest - length));
      return { from, to: from + length };
    }
  }
}
