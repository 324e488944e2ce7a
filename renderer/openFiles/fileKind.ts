import { readCsv, UnreadableFile } from '../../server/contract/csv.ts';
import { decodeText } from '../../server/contract/textEncoding.ts';
import { proposeTrackColumns, requiredTrackFields } from '../../server/contract/trackImport.ts';
import { missingColumns, proposeMapping } from '../../server/contract/vehicleColumns.ts';

/** What a file is to the console; a `table` may be one of vehicles or a track, which only the operator knows. */
export type FileKind = 'map' | 'geofences' | 'track' | 'vehicles' | 'table';

/** As much of a file says what it is. */
const HEAD_BYTES = 64 * 1024;

/** Decides by the first bytes, and by the name where these say nothing; null for what the console does not take. */
export async function kindOf(file: File): Promise<FileKind | null> {
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  return kindOfHead(head, file.name.toLowerCase());
}

/** The first bytes of a PMTiles archive (its specification, version 3, section 3) and of an SQLite file, as MBTiles are. */
const MAP_STARTS = ['PMTiles', 'SQLite format 3\0'];

function kindOfHead(head: Uint8Array, name: string): FileKind | null {
  const start = String.fromCharCode(...head.subarray(0, 16));
  if (MAP_STARTS.some((it) => start.startsWith(it))) return /\.(pmtiles|mbtiles)$/.test(name) ? 'map' : null;
  const text = decodeText(head)?.text.trimStart() ?? '';
  if (text === '') return null;
  if (text.startsWith('<'))
    return /<gpx[\s>]/i.test(text) ? 'track' : /<kml[\s>]/i.test(text) ? 'geofences' : null;
  if (text.startsWith('{')) return 'geofences';
  if (text.startsWith('[')) return 'vehicles';
  return /\.(csv|tsv|txt)$/.test(name) ? kindOfTable(text) : null;
}

/** By the names of its columns. */
function kindOfTable(text: string): FileKind | null {
  try {
    // Its last line may be cut.
    const { columns } = readCsv(text);
    const track = proposeTrackColumns(columns);
    const isTrack = requiredTrackFields.every((field) => track[field] !== undefined);
    const isVehicles = missingColumns(proposeMapping(columns)).length === 0;
    if (isTrack === isVehicles) return 'table';
    return isTrack ? 'track' : 'vehicles';
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    // Its import says why it cannot be read.
    return 'table';
  }
}
