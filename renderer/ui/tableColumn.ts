import type { ReactNode } from 'react';

export interface Column<Row> {
  id: string;
  head: string;
  /** What is sorted by, and shown when there is no `cell`. Null comes last in either direction. */
  value: (row: Row) => string | number | null;
  cell?: (row: Row) => ReactNode;
  align?: 'start' | 'end';
  /** A CSS grid track such as '120px' or 'minmax(140px, 2fr)'. */
  width?: string;
  /** True when left out. */
  sortable?: boolean;
  /** A row is called by this column where it is spoken of; by the first one when none says so. */
  isName?: boolean;
}

/** A row with the key that it keeps while it changes. */
export type Keyed<Row> = { key: string; row: Row };

/** Which rows are ticked. */
export interface Boxes {
  checked: ReadonlySet<string>;
  onCheck: (keys: ReadonlySet<string>) => void;
}
