import { detailText } from '../../ui/formFaults.ts';
import { useState } from 'react';
import { useStore } from 'zustand';
import {
  gpxType,
  maxImportedPositions,
  proposeTrackColumns,
  requiredTrackFields,
  trackFields,
  trackImportRoutes,
  type TrackColumns,
  type TrackImportResult,
} from '../../../server/contract/trackImport.ts';
import { readCsv, UnreadableFile, type CsvRecord } from '../../../server/contract/csv.ts';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../../appContext/useMoment.ts';
import { dateField } from '../../format/depotMoment.ts';
import { formatNumber } from '../../format/numbers.ts';
import { useT } from '../../i18n/useT.ts';
import { ImportColumns } from './ImportColumns.tsx';
import { ImportWizard } from '../../resources/ImportWizard.tsx';
import { Facts } from '../../ui/Facts.tsx';

/** As many letters of a file's name are kept with its positions. */
const MOST_SOURCE = 64;

interface Source {
  name: string;
  text: string;
  /** Null for GPX, which has no columns. */
  table: { columns: readonly string[]; records: readonly CsvRecord[]; mapping: TrackColumns } | null;
}

const PREVIEWED_ROWS = 3;

/** Throws UnreadableFile. */
function tableOf(text: string): Source['table'] {
  const { columns, records } = readCsv(text);
  const first: CsvRecord[] = [];
  for (const record of records) {
    if (first.push(record) === PREVIEWED_ROWS) break;
  }
  return { columns, records: first, mapping: proposeTrackColumns(columns) };
}

const isUnmapped = ({ table }: Source) =>
  table !== null && requiredTrackFields.some((field) => table.mapping[field] === undefined);

/** Positions of a vehicle out of another system's file: GPX, or a table. */
export function TrackImport({
  vehicle,
  file = null,
  onClose,
}: {
  vehicle: Vehicle;
  file?: File | null;
  onClose: () => void;
}) {
  const app = useAppContext();
  const t = useT();
  const zone = useStore(app.settings, (state) => state.time.timeZone);
  const [answer, setAnswer] = useState<TrackImportResult | null>(null);
  return (
    <ImportWizard<Source>
      title={t('track_import.title', { name: vehicle.name })}
      about={t('track_import.how', { number: formatNumber(maxImportedPositions), zone })}
      file={file}
      accept={['.gpx', '.csv', '.txt', gpxType, 'text/csv']}
      words={[]}
      read={(text, name) => {
        setAnswer(null);
        try {
          const source = { name, text, table: isXml(text) ? null : tableOf(text) };
          return { source, open: isUnmapped(source) };
        } catch (error) {
          if (!(error instanceof UnreadableFile)) throw error;
          return { fault: t(`import.unreadable.${error.reason}`, { line: error.line }) };
        }
      }}
      settle={({ table, ...source }, onChange) =>
        table !== null && (
          <ImportColumns
            fields={trackFields.map((id) => ({
              id,
              label: t(`track_import.field.${id}`),
              isRequired: requiredTrackFields.some((it) => it === id),
            }))}
            columns={table.columns}
            records={table.records}
            mapping={table.mapping}
            onChange={(mapping) => onChange({ ...source, table: { ...table, mapping } })}
          />
        )
      }
      faultOf={(source) => (isUnmapped(source) ? t('track_import.no_columns') : null)}
      options={answer !== null && <ReadTrack answer={answer} />}
      send={async ({ name, text, table }, dryRun) => {
        const result = await app.api.request(trackImportRoutes.import, {
          params: { vehicle: vehicle.vehicle_id },
          query: {
            dry_run: dryRun ? '1' : '0',
            source: name.slice(-MOST_SOURCE) || 'file',
            ...mappingOf(table),
          },
          text: { content: text, contentType: table === null ? gpxType : 'text/csv' },
        });
        setAnswer(result);
        return {
          created: result.imported,
          exists: result.duplicates,
          invalid: result.rejected,
          lines: result.faults.map(({ row, message: detail, causes }) => ({
            row,
            words: [],
            status: 'invalid' as const,
            faults: detailText({ detail, causes }, t),
          })),
        };
      }}
      submit={(count) => t('track_import.do', { count, number: formatNumber(count) })}
      onClose={onClose}
    />
  );
}

const isXml = (text: string): boolean => /^\s*</.test(text);

function mappingOf(table: Source['table']): { mapping?: string } {
  if (table === null) return {};
  const entries = Object.entries(table.mapping).map(([field, column]) => `${field}:${column}`);
  return { mapping: entries.join('\n') };
}

/** What was read of the file, so that a wrong column or time zone is seen before the import. */
function ReadTrack({ answer: { from, to, columns } }: { answer: TrackImportResult }) {
  const t = useT();
  const time = useDepotTime();
  const momentOf = (at: string | null) =>
    at === null ? '–' : `${dateField(Date.parse(at), time.timeZone)} ${time.clock(Date.parse(at))}`;
  const named = Object.entries(columns).map(([field, column]) => `${field}: ${column}`);
  return (
    <Facts
      facts={[
        [t('track_import.from'), momentOf(from)],
        [t('track_import.to'), momentOf(to)],
        [t('import.columns'), named.join(', ')],
      ]}
    />
  );
}
