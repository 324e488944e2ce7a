import type { CsvRecord } from '../../../server/contract/csv.ts';
import {
  plainCell,
  requiredColumns,
  vehicleColumns,
  type ColumnMapping,
  type VehicleColumn,
} from '../../../server/contract/vehicleColumns.ts';
import type { TextKey } from '../../i18n/text.ts';
import { useT } from '../../i18n/useT.ts';
import { Choice } from '../../ui/Select.tsx';
import './vehicles.css';

export const columnTexts = {
  terminal_id: 'vehicle.terminal_id',
  name: 'vehicle.name',
  plate: 'vehicle.plate',
  type: 'vehicle.type',
  color: 'vehicles.color',
  driver: 'vehicle.driver',
  phone: 'vehicle.phone',
  vin: 'vehicles.vin',
  speed_limit_kmh: 'vehicle.speed_limit',
  clock_offset_s: 'vehicles.clock_offset',
  group_ids: 'vehicles.groups',
} as const satisfies Record<VehicleColumn, TextKey>;

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
                <th scope="row">{t(columnTexts[field])}</th>
                <td>
                  <Choice
                    quiet
                    label={t('import.columns.of', { field: t(columnTexts[field]) })}
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
                  {at < 0 ? '' : first.map(({ fields }) => plainCell(fields[at] ?? '') || '–').join(' · ')}
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
