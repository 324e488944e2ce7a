import type { Position } from '../contract/positions.ts';
import type { PositionRow } from '../store/telemetry/rows.ts';
import { isoTime, presentPosition } from './presentPosition.ts';
import type { Store } from '../store/operations.ts';

type TrackFormat = 'json' | 'geojson' | 'gpx' | 'csv';

export interface TrackWriter {
  contentType: string;
  /** Only drawn positions belong into this format. */
  drawnOnly: boolean;
  head: string;
  /** `isFirst`: nothing was written yet. */
  row: (row: PositionRow, isFirst: boolean) => string;
  tail: string;
}

const csvColumns = [
  'vehicle_id',
  'terminal_id',
  'time',
  'received_at',
  'lat',
  'lon',
  'altitude_m',
  'speed_kmh',
  'course_deg',
  'accuracy_m',
  'satellites',
  'hdop',
  'valid',
  'ignition',
  'odometer_m',
  'battery_pct',
] as const satisfies (keyof Position)[];

/** How a track is written in each format, a row at a time. */
export function trackWriter(
  format: TrackFormat,
  vehicle: { name: string; terminal_id: string },
): TrackWriter {
  const { terminal_id } = vehicle;
  switch (format) {
    case 'json':
      return {
        contentType: 'application/json; charset=utf-8',
        drawnOnly: false,
        head: '{"positions":[',
        row: (row, isFirst) => `${isFirst ? '' : ','}${JSON.stringify(presentPosition(row, terminal_id))}`,
        tail: ']}',
      };
    case 'csv':
      return {
        contentType: 'text/csv; charset=utf-8',
        drawnOnly: false,
        head: `${csvColumns.join(',')}\r\n`,
        row: (row) => {
          const position = presentPosition(row, terminal_id);
          return `${csvColumns.map((column) => String(position[column] ?? '')).join(',')}\r\n`;
        },
        tail: '',
      };
    case 'geojson':
      return {
        contentType: 'application/geo+json; charset=utf-8',
        drawnOnly: true,
        head: `{"type":"FeatureCollection","features":[`,
        row: (row, isFirst) => {
          const { lat, lon, ...properties } = presentPosition(row, terminal_id);
          const feature = {
            type: 'Feature',
            geometry: { type: 'Point', coordinates: [lon, lat] },
            properties,
          };
          return `${isFirst ? '' : ','}${JSON.stringify(feature)}`;
        },
        tail: ']}',
      };
    case 'gpx':
      return {
        contentType: 'application/gpx+xml; charset=utf-8',
        drawnOnly: true,
        head: `<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="Fleetdeck" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>${xml(vehicle.name)}</name><trkseg>\n`,
        row: (row) => {
          const height = row.altitude_m === null ? '' : `<ele>${decimal(row.altitude_m)}</ele>`;
          const place = `lat="${decimal(row.lat)}" lon="${decimal(row.lon)}"`;
          return `<trkpt ${place}>${height}<time>${isoTime(row.time_ms)}</time></trkpt>\n`;
        },
        tail: '</trkseg></trk></gpx>\n',
      };
  }
}

/** XML 1.0, section 2.2: what is left out here may not stand in a document, not even escaped. */
const notXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function xml(text: string): string {
  return text.replaceAll(notXml, '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** xsd:decimal, which GPX asks for, knows no exponent. */
function decimal(value: number): string {
  const short = String(value);
  return short.includes('e') ? value.toFixed(9) : short;
}

/** The drawn positions of a vehicle from `from_ms` to `to_ms`, both included, in order of time; for short periods. */
export async function validTrack(
  store: Pick<Store, 'track'>,
  vehicle_id: string,
  from_ms: number,
  to_ms: number,
): Promise<PositionRow[]> {
  const rows: PositionRow[] = [];
  for await (const page of store.track({ vehicle_id, from_ms, to_ms }))
    rows.push(...page.filter((row) => row.valid));
  return rows;
}
