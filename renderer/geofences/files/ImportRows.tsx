import { useMemo } from 'react';
import type { GeofenceImportResult } from '../../../server/contract/geofences.ts';
import type { Translate } from '../../i18n/text.ts';
import { useT } from '../../i18n/useT.ts';
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
  const t = useT();
  const columns = useMemo(
    (): Column<GeofenceImportResult>[] => [
      {
        id: 'row',
        head: t('geofence_files.column.row'),
        value: ({ row }) => row,
        align: 'end',
        width: '48px',
      },
      {
        id: 'name',
        head: t('geofence.name'),
        value: ({ name }) => name,
        cell: ({ name }) => <span title={name ?? ''}>{name ?? t('geofence_files.no_name')}</span>,
        width: 'minmax(96px, 1fr)',
      },
      {
        id: 'result',
        head: t('geofence_files.column.result'),
        value: ({ status }) => STATUSES.indexOf(status),
        cell: ({ status, errors }) => {
          const text =
            status === 'created'
              ? t(isDone ? 'geofence_files.added' : 'geofence_files.fits')
              : errors.map((fault) => faultText(fault, t)).join(', ');
          return (
            <span className={status === 'invalid' ? 'strong' : 'quiet'} title={text}>
              {text}
            </span>
          );
        },
        width: 'minmax(200px, 2fr)',
      },
    ],
    [t, isDone],
  );
  return (
    <div className="geofence-import__rows">
      <DataTable
        name={t('geofence_files.rows')}
        columns={columns}
        rows={results}
        keyOf={keyOf}
        initialSort={FAULTS_FIRST}
      />
    </div>
  );
}

/** Where in a ring something is wrong says the message itself, by its latitude and longitude. */
function faultText({ path, message }: { path: string; message: string }, t: Translate): string {
  if (path === 'radius_m') return t('geofence_files.needs_radius');
  if (path === 'width_m') return t('geofence_files.needs_width');
  return path.startsWith('geometry') ? message : `${path} ${message}`;
}
