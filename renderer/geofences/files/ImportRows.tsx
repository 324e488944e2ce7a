import { useMemo } from 'react';
import type { GeofenceImportResult } from '../../../server/contract/geofences.ts';
import type { Say } from '../../i18n/text.ts';
import { useText } from '../../i18n/useText.ts';
import { DataTable, type Column } from '../../ui/DataTable.tsx';

const STATUSES = ['invalid', 'created'] as const;
const FAULTS_FIRST = { id: 'result', desc: false };
const keyOf = ({ row }: GeofenceImportResult): string => String(row);

/** What becomes of each shape of a file, those with faults first. */
export function ImportRows({
  results,
  isDone,
}: {
  results: readonly GeofenceImportResult[];
  isDone: boolean;
}) {
  const say = useText();
  const columns = useMemo(
    (): Column<GeofenceImportResult>[] => [
      {
        id: 'row',
        head: say('fence_files.column.row'),
        value: ({ row }) => row,
        align: 'end',
        width: '48px',
      },
      {
        id: 'name',
        head: say('fence.name'),
        value: ({ name }) => name,
        cell: ({ name }) => <span title={name ?? ''}>{name ?? say('fence_files.no_name')}</span>,
        width: 'minmax(96px, 1fr)',
      },
      {
        id: 'result',
        head: say('fence_files.column.result'),
        value: ({ status }) => STATUSES.indexOf(status),
        cell: ({ status, errors }) => {
          const text =
            status === 'created'
              ? say(isDone ? 'fence_files.added' : 'fence_files.fits')
              : errors.map((fault) => faultText(fault, say)).join(', ');
          return (
            <span className={status === 'invalid' ? 'strong' : 'quiet'} title={text}>
              {text}
            </span>
          );
        },
        width: 'minmax(200px, 2fr)',
      },
    ],
    [say, isDone],
  );
  return (
    <div className="fence-import__rows">
      <DataTable
        name={say('fence_files.rows')}
        columns={columns}
        rows={results}
        keyOf={keyOf}
        initialSort={FAULTS_FIRST}
      />
    </div>
  );
}

/** Where in a ring something is wrong says the message itself, by its latitude and longitude. */
function faultText({ path, message }: { path: string; message: string }, say: Say): string {
  if (path === 'radius_m') return say('fence_files.needs_radius');
  if (path === 'width_m') return say('fence_files.needs_width');
  return path.startsWith('geometry') ? message : `${path} ${message}`;
}
