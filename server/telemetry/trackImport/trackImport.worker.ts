import { faultOfFile } from '../../geofences/files/feature.ts';
import { serveOrders } from '../../workerChannel.ts';
import type { ReadTrack } from './importedTrack.ts';
import { readGpx } from './readGpx.ts';
import { readTrackCsv } from './readTrackCsv.ts';
import type { TrackFile } from './trackImport.ts';

serveOrders<TrackFile, ReadTrack>(
  (file) => (file.format === 'gpx' ? readGpx(file.text, file.now_ms) : readTrackCsv(file.text, file)),
  faultOfFile,
  ({ table }) => [table.buffer],
);
