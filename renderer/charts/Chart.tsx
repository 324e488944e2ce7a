import { type KeyboardEvent, type MouseEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useElementSize } from '../ui/useWindowSize.ts';
import type { ChartData, Tone } from './chartData.ts';
import {
  type ChartPicture,
  type DrawnMark,
  LANE_PX,
  layOutChart,
  markAt,
  markBeside,
} from './chartLayout.ts';
import './Chart.css';

const AXIS_PX = 20;
/** Strengths of a heat map. */
const STRENGTHS = 6;

export interface ChartProps {
  data: ChartData;
  /** Its mark is ringed, and in sight. */
  selectedKey: string | null;
  /** A click on a mark, or Enter. */
  onPick: (rowKey: string) => void;
}

/**
 * A chart of a report. The table beside it says the same in words; the chart takes the focus once, arrows go from mark to
 * mark, and each is spoken as the value of a slider.
 */
export function Chart({ data, selectedKey, onPick }: ChartProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const size = useElementSize(scroller);
  const picture = useMemo(
    () => (size.width === 0 ? null : layOutChart(data, { width: size.width, height: size.height })),
    [data, size.width, size.height],
  );
  const [pointed, setPointed] = useState<number | null>(null);
  const [active, setActive] = useState<number | null>(null);
  const marks = picture?.marks ?? NO_MARKS;
  const selectedMarks = useMemo(
    () => (selectedKey === null ? NO_MARKS : marks.filter(({ rowKey }) => rowKey === selectedKey)),
    [marks, selectedKey],
  );
  const selected = selectedMarks[0] === undefined ? -1 : marks.indexOf(selectedMarks[0]);
  const current = active !== null && active < marks.length ? active : Math.max(0, selected);
  const spoken = marks[pointed ?? current];

  const show = (mark: DrawnMark | undefined) => {
    const box = scroller.current;
    if (box === null || mark === undefined) return;
    const { scrollTop, clientHeight } = box;
    if (mark.y < scrollTop) box.scrollTo({ top: mark.y - LANE_PX });
    else if (mark.y + mark.height > scrollTop + clientHeight)
      box.scrollTo({ top: mark.y + mark.height + LANE_PX - clientHeight });
  };
  useEffect(() => {
    show(marks[selected]);
  }, [marks, selected]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const mark = marks[current];
    if (event.key === 'Enter' && mark !== undefined) {
      event.preventDefault();
      onPick(mark.rowKey);
      return;
    }
    // The first arrow shows where the keys are.
    const next =
      active === null && selected === -1 ? firstOf(event.key) : markBeside(marks, current, event.key);
    if (next === null || marks.length === 0) return;
    event.preventDefault();
    setActive(next);
    show(marks[next]);
  };
  const indexAt = (event: MouseEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    return markAt(marks, event.clientX - box.left, event.clientY - box.top);
  };

  return (
    <div className="chart">
      <div className="chart__head">
        <h3>{data.title}</h3>
        <Legend legend={data.legend} />
        <span className="chart__readout ellipsis" aria-hidden>
          {(pointed !== null || active !== null || selectedMarks.length === 1) && spoken?.text()}
        </span>
        {data.limited !== undefined && <span className="faint">{data.limited}</span>}
      </div>
      <div
        ref={scroller}
        className="chart__scroller"
        role="slider"
        tabIndex={0}
        aria-label={data.title}
        aria-orientation="horizontal"
        aria-valuemin={marks.length === 0 ? 0 : 1}
        aria-valuemax={marks.length}
        aria-valuenow={marks.length === 0 ? 0 : current + 1}
        aria-valuetext={marks[current]?.text() ?? ''}
        onKeyDown={onKeyDown}
        onBlur={() => setActive(null)}
      >
        {picture !== null && (
          <Marks
            picture={picture}
            selected={selectedMarks}
            active={active === null ? undefined : marks[active]}
            pointed={pointed === null ? undefined : marks[pointed]}
            onMove={(event) => setPointed(indexAt(event))}
            onLeave={() => setPointed(null)}
            onClick={(event) => {
              const at = indexAt(event);
              const mark = marks[at ?? -1];
              if (mark === undefined) return;
              setActive(at);
              onPick(mark.rowKey);
            }}
          />
        )}
      </div>
      {picture !== null && <AxisBelow picture={picture} />}
    </div>
  );
}

const NO_MARKS: readonly DrawnMark[] = [];

const firstOf = (key: string): number | null => (key.startsWith('Arrow') || key === 'Home' ? 0 : null);

function Legend({ legend }: Pick<ChartData, 'legend'>) {
  const hatch = useId();
  return (
    <>
      {legend.map(({ tone, label, strength = 1 }) => (
        <span key={label} className="chart__legend">
          <svg width={10} height={10} aria-hidden>
            {tone === 'no-data' && <Hatch id={hatch} />}
            <rect
              width={10}
              height={10}
              className={`chart-tone chart-tone--${tone}`}
              style={{ fillOpacity: strength }}
              {...fillOf(tone, hatch)}
            />
          </svg>
          {label}
        </span>
      ))}
    </>
  );
}

/** What nobody knows is hatched. */
const Hatch = ({ id }: { id: string }) => (
  <pattern id={id} width={4} height={4} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
    <rect width={1.5} height={4} className="chart-tone chart-tone--hatch" />
  </pattern>
);

const fillOf = (tone: Tone, hatch: string) => (tone === 'no-data' ? { fill: `url(#${hatch})` } : {});

function Marks({
  picture,
  selected,
  active,
  pointed,
  ...handlers
}: {
  picture: ChartPicture;
  selected: readonly DrawnMark[];
  active: DrawnMark | undefined;
  pointed: DrawnMark | undefined;
  onMove: (event: MouseEvent<SVGSVGElement>) => void;
  onLeave: () => void;
  onClick: (event: MouseEvent<SVGSVGElement>) => void;
}) {
  const hatch = useId();
  const { shape, hasGrid, width, height, left, right, marks, xTicks, yTicks, notes } = picture;
  const isLanes = shape === 'lanes';
  // One path for all that look alike: thousands of marks are few elements.
  const paths = useMemo(() => pathsOf(marks, shape === 'points'), [marks, shape]);
  return (
    <div className="chart__all" style={{ height }}>
      <svg
        width={width}
        height={height}
        aria-hidden
        className={pointed === undefined ? 'chart__marks' : 'chart__marks chart__marks--pointed'}
        onMouseMove={handlers.onMove}
        onMouseLeave={handlers.onLeave}
        onClick={handlers.onClick}
      >
        <Hatch id={hatch} />
        {!hasGrid
          ? null
          : isLanes
            ? xTicks.map(({ x }) => <line key={x} className="chart__grid" x1={x} x2={x} y1={0} y2={height} />)
            : yTicks.map(({ y }) => (
                <line key={y} className="chart__grid" x1={left} x2={right} y1={y} y2={y} />
              ))}
        {paths.map(({ key, tone, strength, d }) => (
          <path
            key={key}
            d={d}
            className={`chart-tone chart-tone--${tone}`}
            style={{ fillOpacity: strength }}
            {...fillOf(tone, hatch)}
          />
        ))}
        {pointed !== undefined && <Ring mark={pointed} />}
        {selected.map((mark, at) => (
          <Ring key={at} mark={mark} isSelected />
        ))}
        {active !== undefined && <Ring mark={active} isSelected />}
        {notes.map(({ x, y, label }) => (
          <text key={y} className="chart__note" x={x} y={y + 4}>
            {label}
          </text>
        ))}
        {!isLanes &&
          yTicks.map(({ y, label }) => (
            <text
              key={y}
              className="chart__tick"
              x={left - 6}
              // That of the base line would be cut.
              y={Math.min(y + 4, height - 1)}
              textAnchor="end"
            >
              {label}
            </text>
          ))}
      </svg>
      {isLanes &&
        yTicks.map(({ y, label }) => (
          <span
            key={y}
            className="chart__lane ellipsis"
            title={label}
            style={{ top: y - LANE_PX / 2, width: left - 8 }}
            aria-hidden
          >
            {label}
          </span>
        ))}
    </div>
  );
}

function Ring({ mark, isSelected = false }: { mark: DrawnMark; isSelected?: boolean }) {
  return (
    <rect
      className={isSelected ? 'chart__ring chart__ring--selected' : 'chart__ring'}
      x={mark.x - 1.5}
      y={mark.y - 1.5}
      width={mark.width + 3}
      height={mark.height + 3}
    />
  );
}

interface MarkPath {
  key: string;
  tone: Tone;
  strength: number;
  d: string;
}

function pathsOf(marks: readonly DrawnMark[], isRound: boolean): MarkPath[] {
  const byLook = new Map<string, Omit<MarkPath, 'd'> & { parts: string[] }>();
  for (const { tone, strength, x, y, width, height } of marks) {
    const step = Math.ceil(strength * STRENGTHS) / STRENGTHS;
    const key = `${tone} ${step}`;
    const known = byLook.get(key) ?? { key, tone, strength: step, parts: [] };
    byLook.set(key, known);
    const [left, top, wide, high] = [x, y, width, height].map((it) => it.toFixed(1));
    const radius = width / 2;
    known.parts.push(
      isRound
        ? `M${x.toFixed(1)} ${(y + radius).toFixed(1)}a${radius} ${radius} 0 1 0 ${width} 0a${radius} ${radius} 0 1 0 -${width} 0z`
        : `M${left} ${top}h${wide}v${high}h-${wide}z`,
    );
  }
  return [...byLook.values()].map(({ parts, ...look }) => ({ ...look, d: parts.join('') }));
}

function AxisBelow({ picture: { width, left, right, xTicks } }: { picture: ChartPicture }) {
  return (
    <svg className="chart__axis" width={width} height={AXIS_PX} aria-hidden>
      <line className="chart__base" x1={left} x2={right} y1={0.5} y2={0.5} />
      {xTicks.map(({ x, label }) => (
        <text key={x} className="chart__tick" x={x} y={14} textAnchor="middle">
          {label}
        </text>
      ))}
    </svg>
  );
}
