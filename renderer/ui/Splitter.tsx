import { useRef, type KeyboardEvent, type PointerEvent } from 'react';
import './Splitter.css';

const STEP_PX = 16;

export interface SplitterProps {
  label: string;
  /** Where the edge lies on the pane that it sizes. */
  edge: 'left' | 'right' | 'top' | 'bottom';
  size: number;
  min: number;
  max: number;
  onSize: (size: number) => void;
  /** A double click folds. */
  onFold: () => void;
}

/** The edge between two panes: a line of 1 px with 8 px to take hold of. */
export function Splitter({ label, edge, size, min, max, onSize, onFold }: SplitterProps) {
  const start = useRef<{ at: number; size: number } | null>(null);
  const along = edge === 'top' || edge === 'bottom' ? 'y' : 'x';
  const sign = edge === 'right' || edge === 'bottom' ? 1 : -1;
  const place = (event: PointerEvent) => (along === 'x' ? event.clientX : event.clientY);
  const set = (next: number) => onSize(Math.round(Math.min(max, Math.max(min, next))));

  const onKeyDown = (event: KeyboardEvent) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 };
    const step = Object.entries(steps).find(([key]) => key === event.key)?.[1];
    if (step === undefined || (along === 'x') !== (event.key === 'ArrowLeft' || event.key === 'ArrowRight'))
      return;
    event.preventDefault();
    event.stopPropagation();
    set(size + step * sign * STEP_PX);
  };

  return (
    <div
      className={`splitter splitter--${edge}`}
      role="separator"
      aria-label={label}
      aria-orientation={along === 'x' ? 'vertical' : 'horizontal'}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onDoubleClick={onFold}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { at: place(event), size };
      }}
      onPointerMove={(event) => {
        if (start.current !== null) set(start.current.size + (place(event) - start.current.at) * sign);
      }}
      onPointerUp={() => {
        start.current = null;
      }}
      onPointerCancel={() => {
        start.current = null;
      }}
    />
  );
}
