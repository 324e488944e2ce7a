import { useMemo } from 'react';
import { useStore } from 'zustand';
import { vehicleRoutes, type ImportResult } from '../../../server/contract/vehicles.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { useT } from '../../i18n/useT.ts';
import { ImportWizard, type ImportLine } from '../../resources/ImportWizard.tsx';
import { readVehicleFile, UnreadableFile } from './readVehicleFile.ts';
import { csvTemplate } from './vehicleCsv.ts';

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
  const read = (text: string) => {
    try {
      const source = readVehicleFile(text, idByName);
      if (source.length <= MOST_ROWS) return { source };
      return {
        fault: t('import.too_many', {
          rows: formatNumber(source.length),
          allowed: formatNumber(MOST_ROWS),
        }),
      };
    } catch (error) {
      return {
        fault:
          error instanceof UnreadableFile
            ? t(`import.unreadable.${error.reason}`, { line: error.line ?? 1 })
            : t('import.unreadable.not_text'),
      };
    }
  };
  return (
    <ImportWizard<unknown[]>
      title={t('import.title')}
      about={t('import.how')}
      accept={['.csv', '.json', 'text/csv', 'application/json']}
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
      send={async (rows, dryRun) => {
        const answer = await app.api.request(vehicleRoutes.import, {
          query: dryRun ? { dry_run: '1' } : {},
          body: rows,
        });
        return { ...answer, lines: answer.results.map((result) => lineOf(result, rows)) };
      }}
      submit={(count) => t('import.do', { count })}
      onClose={onClose}
    />
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
