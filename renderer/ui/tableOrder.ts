import type { ReactNode } from 'react';

/**
 * The rows in the order of `keys`, when both hold the same ones; null when a row came or went, and the new order
 * holds.
 */
export function inOrderOf<T extends { key: string }>(
  keys: readonly string[],
  rows: readonly T[],
): T[] | null {
  if (keys.length !== rows.length) return null;
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const ordered: T[] = [];
  for (const key of keys) {
    const row = byKey.get(key);
    if (row === undefined) return null;
    ordered.push(row);
  }
  return ordered;
}

/**
 * The keys that a click on the box of `key` ticks: with Shift all from the last box that was clicked to this one,
 * in the order of the rows, else this one alone.
 */
export function rangeOf(keys: readonly string[], key: string, from: string | null): string[] {
  const at = keys.indexOf(key);
  const start = from === null ? -1 : keys.indexOf(from);
  return start === -1 || at === -1 ? [key] : keys.slice(Math.min(at, start), Math.max(at, start) + 1);
}

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
