import { useMemo } from 'react';
import type { ImportResult } from '../../../server/contract/vehicles.ts';
import { useT } from '../../i18n/useT.ts';
import { DataTable, type Column } from '../../ui/DataTable.tsx';

/** A row of the file with what the server says of it. */
export interface ImportLine {
  row: number;
  terminal: string;
  name: string;
  status: ImportResult['status'];
  faults: string;
}

/** Rows that are in the way first, each with the words of the file that it is found by. */
export function importLines(rows: readonly unknown[], results: readonly ImportResult[]): ImportLine[] {
  return results.map(({ row, status, errors }) => {
    const given = rows[row - 1];
    return {
      row,
      status,
      terminal: wordOf(given, 'terminal_id'),
      name: wordOf(given, 'name'),
      faults: errors.map(({ path, message }) => `${path.replace(/^body[./]/, '')} ${message}`).join(', '),
    };
  });
}

function wordOf(row: unknown, field: string): string {
  if (typeof row !== 'object' || row === null) return '';
  const value = Object.entries(row).find(([name]) => name === field)?.[1] as unknown;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** What happens to each row of an import. */
export function ImportRows({ lines, isDone }: { lines: readonly ImportLine[]; isDone: boolean }) {
  const t = useT();
  const columns = useMemo(
    (): Column<ImportLine>[] => [
      {
        id: 'row',
        head: t('import.column.row'),
        value: ({ row }) => row,
        align: 'end',
        width: '48px',
      },
      {
        id: 'terminal',
        head: t('vehicle.terminal_id'),
        value: ({ terminal }) => terminal,
        width: '136px',
      },
      { id: 'name', head: t('vehicle.name'), value: ({ name }) => name, width: 'minmax(80px, 1fr)' },
      {
        id: 'result',
        head: t('import.column.result'),
        value: ({ status }) => STATUSES.indexOf(status),
        cell: ({ status, faults }) => {
          const text =
            status === 'invalid'
              ? faults
              : status === 'created' && isDone
                ? t('import.added')
                : t(`import.${status}`);
          return (
            <span
              className={status === 'invalid' ? 'strong' : status === 'exists' ? 'quiet' : ''}
              title={text}
            >
              {text}
            </span>
          );
        },
        width: 'minmax(200px, 3fr)',
      },
    ],
    [t, isDone],
  );
  return (
    <div className="import-rows">
      <DataTable
        name={t('import.rows')}
        columns={columns}
        rows={lines}
        keyOf={keyOf}
        initialSort={FAULTS_FIRST}
      />
    </div>
  );
}

const STATUSES = ['invalid', 'exists', 'created'] as const;
const FAULTS_FIRST = { id: 'result', desc: false };
const keyOf = ({ row }: ImportLine): string => String(row);
