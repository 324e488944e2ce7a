import type { CsvRecord } from '../../../server/contract/csv.ts';
import { useT } from '../../i18n/useT.ts';
import { Choice } from '../../ui/Select.tsx';
import './vehicles.css';

const PREVIEWED_ROWS = 3;
/** A file may have a thousand columns. */
const MOST_LISTED = 12;
/** Each of the lists offers so many at most, and the one that is mapped. */
const MOST_OFFERED = 200;
const NONE = 'none';

export interface ImportField<Id extends string> {
  id: Id;
  label: string;
  isRequired: boolean;
}

/** From which column of a file each field is read, with what stands there in the first rows. */
export function ImportColumns<Id extends string>({
  fields,
  columns,
  records,
  mapping,
  cellOf = (_, cell) => cell,
  onChange,
}: {
  fields: readonly ImportField<Id>[];
  columns: readonly string[];
  records: readonly CsvRecord[];
  mapping: Partial<Record<Id, string>>;
  /** A cell as it is read. */
  cellOf?: (field: Id, cell: string) => string;
  onChange: (mapping: Partial<Record<Id, string>>) => void;
}) {
  const t = useT();
  const first = records.slice(0, PREVIEWED_ROWS);
  const unused = columns.filter((column) => !Object.values(mapping).includes(column));
  const more = unused.length - MOST_LISTED;
  const choose = (field: Id, chosen: string) => {
    const others = Object.entries(mapping).filter(([it]) => it !== field);
    const column = columns[Number(chosen)];
    onChange(
      Object.fromEntries(column === undefined ? others : [...others, [field, column]]) as typeof mapping,
    );
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
          {fields.map(({ id: field, label, isRequired }) => {
            const column = mapping[field];
            const at = column === undefined ? -1 : columns.indexOf(column);
            return (
              <tr key={field}>
                <th scope="row">{label}</th>
                <td>
                  <Choice
                    quiet
                    label={t('import.columns.of', { field: label })}
                    value={at < 0 ? NONE : String(at)}
                    onChange={(chosen) => choose(field, chosen)}
                    options={[
                      {
                        id: NONE,
                        label: t(isRequired ? 'import.columns.choose' : 'import.columns.none'),
                      },
                      ...columns
                        .map((name, index) => ({ id: String(index), label: name }))
                        .filter((_, index) => index < MOST_OFFERED || index === at),
                    ]}
                  />
                </td>
                <td className="ellipsis quiet">
                  {at < 0
                    ? ''
                    : first.map(({ fields: cells }) => cellOf(field, cells[at] ?? '') || '–').join(' · ')}
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
