import { useMemo } from 'react';
import { useStore } from 'zustand';
import { readCsv, UnreadableFile, type CsvRecord } from '../../../server/contract/csv.ts';
import {
  missingColumns,
  plainCell,
  requiredColumns,
  vehicleColumns,
  vehicleRows,
  type ColumnMapping,
} from '../../../server/contract/vehicleColumns.ts';
import { vehicleRoutes, type ImportResult } from '../../../server/contract/vehicles.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { formatNumber } from '../../format/numbers.ts';
import type { Translate } from '../../i18n/text.ts';
import { useT } from '../../i18n/useT.ts';
import { ImportWizard, type ImportLine } from '../../resources/ImportWizard.tsx';
import { ImportColumns } from './ImportColumns.tsx';
import { mappingOf, rememberMapping } from './importMapping.ts';
import { csvTemplate } from './vehicleCsv.ts';
import { FIELD_NAMES } from './vehicleForm.ts';
import { detailText, faultText } from '../../ui/formFaults.ts';

/** The server takes so many rows at once (server/contract/vehicles.ts). */
const MOST_ROWS = 5_000;

interface Source {
  file: VehicleFile;
  mapping: ColumnMapping;
}

/** Many vehicles from a file or a pasted text. */
export function VehicleImport({ file = null, onClose }: { file?: File | null; onClose: () => void }) {
  const app = useAppContext();
  const t = useT();
  const groups = useStore(app.groups.store, (state) => state.byId);
  const idByName = useMemo(
    () => new Map([...groups.values()].map(({ name, group_id }) => [name.toLowerCase(), group_id])),
    [groups],
  );
  const { storage } = app.platform;
  const key = `import_columns.${app.user.user_id}`;
  const read = (text: string) => {
    try {
      const file = readVehicleFile(text);
      const count = 'rows' in file ? file.rows.length : file.records.length;
      if (count > MOST_ROWS) {
        return {
          fault: t('import.too_many', { rows: formatNumber(count), allowed: formatNumber(MOST_ROWS) }),
        };
      }
      if ('rows' in file) return { source: { file, mapping: {} } };
      const { mapping, isSure } = mappingOf(file.columns, storage.read(key));
      return { source: { file, mapping }, open: !isSure };
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      return { fault: t(`import.unreadable.${error.reason}`, { line: error.line }) };
    }
  };
  return (
    <ImportWizard<Source>
      title={t('import.title')}
      about={t('import.how')}
      file={file}
      accept={['.csv', '.txt', '.tsv', '.json', 'text/csv', 'application/json']}
      template={{
        name: 'vehicles-template.csv',
        text: () => csvTemplate([...groups.values()][0]?.name ?? ''),
      }}
      pasteExample="terminal_id,name,plate"
      words={[
        { head: t('vehicle.terminal_id'), width: '136px' },
        { head: t('vehicle.name'), width: 'minmax(80px, 1fr)' },
      ]}
      read={read}
      settle={({ file, mapping }, onChange) =>
        'rows' in file ? null : (
          <ImportColumns
            fields={vehicleColumns.map((id) => ({
              id,
              label: t(FIELD_NAMES[id]),
              isRequired: requiredColumns.some((it) => it === id),
            }))}
            cellOf={plainCell}
            columns={file.columns}
            records={file.records}
            mapping={mapping}
            onChange={(changed) => onChange({ file, mapping: changed })}
          />
        )
      }
      faultOf={({ file, mapping }) => {
        const missing = 'rows' in file ? [] : missingColumns(mapping);
        if (missing.length === 0) return null;
        return t('import.no_columns', {
          fields: missing.map((field) => t(FIELD_NAMES[field])).join(', '),
          expected: vehicleColumns.join(', '),
        });
      }}
      send={async ({ file, mapping }, dryRun) => {
        const rows = rowsOf(file, mapping, idByName);
        const answer = await app.api.request(vehicleRoutes.import, {
          query: dryRun ? { dry_run: '1' } : {},
          body: [...rows],
        });
        if ('columns' in file) {
          storage.write(key, rememberMapping(storage.read(key), { columns: file.columns, mapping }));
        }
        // As spreadsheets number the rows of the file.
        const placeOf = (row: number) => ('columns' in file ? (file.records[row - 1]?.line ?? row) : row);
        return {
          ...answer,
          lines: answer.results.map((result) => lineOf(result, rows[result.row - 1], placeOf(result.row), t)),
        };
      }}
      submit={(count) => t('import.do', { count })}
      onClose={onClose}
    />
  );
}

function lineOf({ status, errors }: ImportResult, given: unknown, row: number, t: Translate): ImportLine {
  const sentences = errors.map((fault) => {
    const field = fault.path.replace(/^body[./]/, '');
    const group = /^group_ids\.\d+$/.test(field) ? valueAt(given, field.split('.')) : null;
    return typeof group === 'string'
      ? t('import.no_group', { name: group })
      : field === ''
        ? detailText({ detail: fault.message, causes: fault.causes }, t)
        : `${field} ${faultText(fault, t)}`;
  });
  return {
    row,
    status,
    words: [wordOf(given, 'terminal_id'), wordOf(given, 'name')],
    faults: sentences.join(', '),
  };
}

function wordOf(row: unknown, field: string): string {
  const value = valueAt(row, [field]);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function valueAt(value: unknown, [field, ...rest]: readonly string[]): unknown {
  if (field === undefined) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  return valueAt(Object.entries(value).find(([name]) => name === field)?.[1], rest);
}

/** A file as it was read, before its columns are those of vehicles. */
export type VehicleFile =
  { rows: readonly unknown[] } | { columns: readonly string[]; records: readonly CsvRecord[] };

/** A JSON array, or a CSV text with a head line. Throws UnreadableFile. */
export function readVehicleFile(text: string): VehicleFile {
  const content = text.replace(/^\uFEFF/, '');
  if (content.trim() === '') throw new UnreadableFile('empty');
  if (/^\s*[[{]/.test(content)) return { rows: rowsOfJson(content) };
  const { columns, records: all } = readCsv(content);
  const records = [...all].filter(({ fields }) => fields.some((field) => field.trim() !== ''));
  if (records.length === 0) throw new UnreadableFile('empty');
  return { columns, records };
}

function rowsOfJson(text: string): unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableFile('not_json');
  }
  if (!Array.isArray(value)) throw new UnreadableFile('not_a_list');
  if (value.length === 0) throw new UnreadableFile('empty');
  return value;
}

/**
 * Each row of a file as a new vehicle is written. Groups may stand by their names, parted by bars, commas or semicolons;
 * a name that no group has stays, for the server to say so.
 */
export function rowsOf(
  file: VehicleFile,
  mapping: ColumnMapping,
  groupIdByName: ReadonlyMap<string, string>,
): readonly unknown[] {
  if ('rows' in file) return file.rows;
  return [...vehicleRows(file, mapping, (text) => groupsOf(text, groupIdByName))];
}

const UUIDS = /^[0-9a-f-]{36}(\s+[0-9a-f-]{36})*$/i;

function groupsOf(text: string, idByName: ReadonlyMap<string, string>): string[] {
  const named = (name: string, parts: (name: string) => string[]): string[] => {
    const id = idByName.get(name.trim().toLowerCase());
    return id === undefined ? parts(name.trim()) : [id];
  };
  const listed = (part: string) => part.split(/[,;]/).flatMap((name) => named(name, idsOf));
  return text
    .split('|')
    .flatMap((part) => named(part, listed))
    .filter((part) => part !== '');
}

const idsOf = (text: string) => (UUIDS.test(text) ? text.split(/\s+/) : [text]);
