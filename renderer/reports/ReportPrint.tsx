import { useEffect, useState, type ReactNode, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { formatNumber } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import type { Column } from '../ui/tableOrder.ts';
import './ReportPrint.css';

/** As many as the PDF has; more are for a spreadsheet. */
const MOST_ROWS = 2_000;
/** The width of a page of A4 across, without its margins, in CSS pixels. */
const PAGE_PX = 1_040;

/** While the page is printed: by how much its chart is made smaller, to fit the paper. Else null. */
export function usePrinting(chart: RefObject<HTMLElement | null>): number | null {
  const [zoom, setZoom] = useState<number | null>(null);
  useEffect(() => {
    // What is printed is what stands on the page when the event is over.
    const begin = () =>
      flushSync(() => setZoom(Math.min(1, PAGE_PX / Math.max(1, chart.current?.clientWidth ?? 1))));
    const end = () => setZoom(null);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, [chart]);
  return zoom;
}

/** The lines of a report's table on paper: the table on the screen draws those alone that are in sight. */
export function PrintedTable<Line>({
  columns,
  lines,
  keyOf,
  isHeading,
  foot,
}: {
  columns: readonly Column<Line>[];
  lines: readonly Line[];
  keyOf: (line: Line) => string;
  isHeading: (line: Line) => boolean;
  /** By the ids of the columns. */
  foot: ReadonlyMap<string, ReactNode>;
}) {
  const t = useT();
  const cells = (of: (column: Column<Line>) => ReactNode) =>
    columns.map((column) => (
      <td key={column.id} data-align={column.align}>
        {of(column)}
      </td>
    ));
  return (
    <>
      {lines.length > MOST_ROWS && (
        <p>{t('reports.printed', { shown: formatNumber(MOST_ROWS), all: formatNumber(lines.length) })}</p>
      )}
      <table className="report-print">
        <thead>
          <tr>
            {columns.map(({ id, head, align }) => (
              <th key={id} data-align={align}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.slice(0, MOST_ROWS).map((line) => (
            <tr key={keyOf(line)} data-heading={isHeading(line) || undefined}>
              {cells(({ cell, value }) => (cell === undefined ? value(line) : cell(line)))}
            </tr>
          ))}
          <tr data-heading>{cells(({ id }) => foot.get(id))}</tr>
        </tbody>
      </table>
    </>
  );
}
