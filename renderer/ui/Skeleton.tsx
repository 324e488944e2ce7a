import { useEffect, useState } from 'react';
import './Skeleton.css';

/** A wait shorter than this shows nothing (LOOKS 2). */
const SHOW_AFTER_MS = 150;

/** Rows that keep the columns of the list to come; widths in pixels, column by column, row by row in turn. */
export function SkeletonRows({
  className,
  widths,
  rows,
  label,
}: {
  /** The class that lays out a row of the real list. */
  className: string;
  widths: readonly (readonly number[])[];
  rows: number;
  label: string;
}) {
  const [visible, setVisible] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setVisible(true), SHOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" aria-label={label} aria-busy className="skeleton">
      {visible &&
        Array.from({ length: rows }, (_, row) => (
          <div key={row} className={className} aria-hidden>
            {(widths[row % widths.length] ?? []).map((width, column) => (
              <span key={column} className="skeleton__bar" style={{ width }} />
            ))}
          </div>
        ))}
    </div>
  );
}
