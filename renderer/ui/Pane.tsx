import type { ReactNode } from 'react';
import './Pane.css';

/** A pane with its head; `name` is spoken, F6 goes from pane to pane. */
export function Pane({
  name,
  head,
  children,
  className = '',
}: {
  name: string;
  head: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <section className={`pane ${className}`} aria-label={name} data-pane tabIndex={-1}>
      <div className="pane__head">{head}</div>
      {children}
    </section>
  );
}
