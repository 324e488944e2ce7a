import { useState } from 'react';
import { useStore } from 'zustand';
import {
  gpxType,
  maxImportedPositions,
  trackImportRoutes,
  type TrackImportResult,
} from '../../../server/contract/trackImport.ts';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../../appContext/useMoment.ts';
import { dateField } from '../../format/depotMoment.ts';
import { formatNumber } from '../../format/numbers.ts';
import { useT } from '../../i18n/useT.ts';
import { ImportWizard } from '../../resources/ImportWizard.tsx';
import { Facts } from '../../ui/Facts.tsx';

/** As many letters of a file's name are kept with its positions. */
const MOST_SOURCE = 64;

interface Source {
  name: string;
  text: string;
}

/** Positions of a vehicle out of another system's file: GPX, or a table. */
export function TrackImport({ vehicle, onClose }: { vehicle: Vehicle; onClose: () => void }) {
  const app = useAppContext();
  const t = useT();
  const zone = useStore(app.settings, (state) => state.time.timeZone);
  const [answer, setAnswer] = useState<TrackImportResult | null>(null);
  return (
    <ImportWizard<Source>
      title={t('track_import.title', { name: vehicle.name })}
      about={t('track_import.how', { number: formatNumber(maxImportedPositions), zone })}
      accept={['.gpx', '.csv', '.txt', gpxType, 'text/csv']}
      words={[]}
      read={(text, name) => {
        setAnswer(null);
        return { source: { name, text } };
      }}
      options={answer !== null && <ReadTrack answer={answer} />}
      send={async ({ name, text }, dryRun) => {
        const result = await app.api.request(trackImportRoutes.import, {
          params: { vehicle: vehicle.vehicle_id },
          query: { dry_run: dryRun ? '1' : '0', source: name.slice(-MOST_SOURCE) || 'file' },
          text: { content: text, contentType: /^\s*</.test(text) ? gpxType : 'text/csv' },
        });
        setAnswer(result);
        return {
          created: result.imported,
          exists: result.duplicates,
          invalid: result.rejected,
          lines: result.faults.map(({ row, message }) => ({
            row,
            words: [],
            status: 'invalid' as const,
            faults: message,
          })),
        };
      }}
      submit={(count) => t('track_import.do', { count, number: formatNumber(count) })}
      onClose={onClose}
    />
  );
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
