import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { ColumnMapping } from '../../../server/contract/vehicleCsv.ts';
import {
  vehicleColumns,
  vehicleRoutes,
  type ImportResult,
  type VehicleColumn,
} from '../../../server/contract/vehicles.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { useT } from '../../i18n/useT.ts';
import { ImportWizard, type ImportLine } from '../../resources/ImportWizard.tsx';
import { Choice } from '../../ui/Select.tsx';
import { csvTemplate } from './vehicleCsv.ts';
import {
  createColumnMemory,
  isMapped,
  readVehicleFile,
  rowsOf,
  unreadable,
  type VehicleFile,
  type VehicleTable,
} from './vehicleFile.ts';

/** The server takes so many rows at once (server/contract/vehicles.ts). */
const MOST_ROWS = 5_000;

/** Many vehicles from a file or a pasted text. */
export function VehicleImport({ onClose }: { onClose: () => void }) {
  const app = useAppContext();
  const t = useT();
  const groups = useStore(app.groups.store, (state) => state.byId);
  const idByName = useMemo(
    () => new Map([...groups.values()].map(({ name, group_id }) => [name.toLowerCase(), group_id])),
    [groups],
  );
  const memory = useMemo(() => createColumnMemory(app.platform.storage), [app]);
  const [table, setTable] = useState<VehicleTable | null>(null);
  const [chosen, setChosen] = useState<{ names: string; mapping: ColumnMapping } | null>(null);
  const mappingOf = (file: VehicleFile): ColumnMapping => {
    if (file.kind === 'rows') return {};
    return chosen?.names === file.names.join('\n') ? chosen.mapping : memory.mappingOf(file.names);
  };

  const read = (text: string) => {
    try {
      const source = readVehicleFile(text, MOST_ROWS);
      const count = source.kind === 'rows' ? source.rows.length : source.records.length;
      if (count > MOST_ROWS) return { fault: t('import.too_many', { allowed: formatNumber(MOST_ROWS) }) };
      setTable(source.kind === 'table' ? source : null);
      return { source };
    } catch (error) {
      return { fault: unreadable(error, t) };
    }
  };
  const mapping = table === null ? {} : mappingOf(table);
  return (
    <ImportWizard<VehicleFile>
      title={t('import.title')}
      about={t('import.how')}
      accept={['.csv', '.txt', '.tsv', '.json', 'text/csv', 'application/json']}
      template={{
        name: 'vehicles-template.csv',
        text: () => csvTemplate([...groups.values()][0]?.name ?? ''),
      }}
      pasteExample="terminal_id,name,plate"
      options={
        table !== null && (
          <ColumnFields
            table={table}
            mapping={mapping}
            onChange={(next) => setChosen({ names: table.names.join('\n'), mapping: next })}
          />
        )
      }
      optionsKey={(source) => JSON.stringify(mappingOf(source))}
      isReady={(source) => source === null || source.kind === 'rows' || isMapped(mappingOf(source))}
      words={[
        { head: t('vehicle.terminal_id'), width: '136px' },
        { head: t('vehicle.name'), width: 'minmax(80px, 1fr)' },
      ]}
      read={read}
      send={async (source, dryRun) => {
        let rows: unknown[];
        try {
          rows = rowsOf(source, mappingOf(source), idByName);
        } catch (error) {
          return { fault: unreadable(error, t) };
        }
        const answer = await app.api.request(vehicleRoutes.import, {
          query: dryRun ? { dry_run: '1' } : {},
          body: rows,
        });
        if (!dryRun && source.kind === 'table') memory.remember(source.names, mappingOf(source));
        return { ...answer, lines: answer.results.map((result) => lineOf(result, rows)) };
      }}
      submit={(count) => t('import.do', { count })}
      onClose={onClose}
    />
  );
}

const LABELS = {
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
} as const satisfies Record<VehicleColumn, string>;

/** So much of the first row is shown beside the name of its column. */
const SAMPLE_CHARS = 24;

/** Which column of the file is what; nothing while the file has our own names and no others. */
function ColumnFields({
  table: { names, records },
  mapping,
  onChange,
}: {
  table: VehicleTable;
  mapping: ColumnMapping;
  onChange: (mapping: ColumnMapping) => void;
}) {
  const t = useT();
  const options = useMemo(
    () => [
      { id: '', label: t('import.columns_none') },
      ...[...new Set(names)].flatMap((name) => {
        const sample = (records[0]?.fields[names.indexOf(name)] ?? '').slice(0, SAMPLE_CHARS);
        return name === '' ? [] : [{ id: name, label: sample === '' ? name : `${name} · ${sample}` }];
      }),
    ],
    [names, records, t],
  );
  const used = new Set(Object.values(mapping));
  const unread = names.filter((name) => name !== '' && !used.has(name));
  const isOwn = isMapped(mapping) && vehicleColumns.every((column) => (mapping[column] ?? column) === column);
  if (isOwn && unread.length === 0) return null;
  return (
    <fieldset className="import-columns">
      <legend className="field__label">{t('import.columns')}</legend>
      <div className="form-grid">
        {vehicleColumns.map((column) => (
          <Choice
            key={column}
            label={t(LABELS[column])}
            options={options}
            value={mapping[column] ?? ''}
            onChange={(name) => onChange({ ...mapping, [column]: name })}
          />
        ))}
      </div>
      {!isMapped(mapping) && <p className="strong">{t('import.columns_needed')}</p>}
      {unread.length > 0 && (
        <p className="quiet">{t('import.columns_unread', { names: unread.join(', ').slice(0, 500) })}</p>
      )}
    </fieldset>
  );
}

function lineOf({ row, status, errors }: ImportResult, rows: readonly unknown[]): ImportLine {
  const given = rows[row - 1];
  return {
    row,
    status,
    words: [wordOf(given, 'terminal_id'), wordOf(given, 'name')],
    faults: errors.map(({ path, message }) => `${path.replace(/^body[./]/, '')} ${message}`).join(', '),
  };
}

function wordOf(row: unknown, field: string): string {
  if (typeof row !== 'object' || row === null) return '';
  const value = Object.entries(row).find(([name]) => name === field)?.[1] as unknown;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
