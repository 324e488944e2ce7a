import type { CsvRecord } from '../../../server/contract/csv.ts';
import {
  plainCell,
  requiredColumns,
  vehicleColumns,
  type ColumnMapping,
  type VehicleColumn,
} from '../../../server/contract/vehicleColumns.ts';
import { useT } from '../../i18n/useT.ts';
import { Choice } from '../../ui/Select.tsx';
import { FIELD_NAMES } from './vehicleForm.ts';
import './vehicles.css';

const PREVIEWED_ROWS = 3;
/** A file may have a thousand columns. */
const MOST_LISTED = 12;
/** Each of the lists offers so many at most, and the one that is mapped. */
const MOST_OFFERED = 200;
const NONE = 'none';

/** From which column of a file each field of a vehicle is read, with what stands there in the first rows. */
export function ImportColumns({
  columns,
  records,
  mapping,
  onChange,
}: {
  columns: readonly string[];
  records: readonly CsvRecord[];
  mapping: ColumnMapping;
  onChange: (mapping: ColumnMapping) => void;
}) {
  const t = useT();
  const first = records.slice(0, PREVIEWED_ROWS);
  const isRequired = (field: VehicleColumn) => requiredColumns.some((it) => it === field);
  const unused = columns.filter((column) => !Object.values(mapping).includes(column));
  const more = unused.length - MOST_LISTED;
  const choose = (field: VehicleColumn, chosen: string) => {
    const { [field]: _, ...others } = mapping;
    const column = columns[Number(chosen)];
    onChange(column === undefined ? others : { ...others, [field]: column });
  };
  return (
    <div>
      <table className="import-columns" aria-label={t('import.columns')}>
        <thead>
          <tr>
            <th>{t('import.columns.field')}</th>
            <th>{t('import.columns.column')}</th>
            <th>{t('import.columns.rows')}</th>
          </tr>
        </thead>
        <tbody>
          {vehicleColumns.map((field) => {
            const column = mapping[field];
            const at = column === undefined ? -1 : columns.indexOf(column);
            return (
              <tr key={field}>
                <th scope="row">{t(FIELD_NAMES[field])}</th>
                <td>
                  <Choice
                    quiet
                    label={t('import.columns.of', { field: t(FIELD_NAMES[field]) })}
                    value={at < 0 ? NONE : String(at)}
                    onChange={(chosen) => choose(field, chosen)}
                    options={[
                      {
                        id: NONE,
                        label: t(isRequired(field) ? 'import.columns.choose' : 'import.columns.none'),
                      },
                      ...columns
                        .map((label, index) => ({ id: String(index), label }))
                        .filter((_, index) => index < MOST_OFFERED || index === at),
                    ]}
                  />
                </td>
                <td className="ellipsis quiet">
                  {at < 0
                    ? ''
                    : first.map(({ fields }) => plainCell(field, fields[at] ?? '') || '–').join(' · ')}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {unused.length > 0 && (
        <p className="quiet">
          {t('import.columns.unused', {
            columns:
              unused.slice(0, MOST_LISTED).join(', ') +
              (more > 0 ? ` ${t('import.columns.more', { count: more })}` : ''),
          })}
        </p>
      )}
    </div>
  );
}
