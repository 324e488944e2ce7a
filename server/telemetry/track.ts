import type { Position, trackFormats } from '../contract/positions.ts';
import { fieldsOfFix } from '../contract/trackImport.ts';
import type { PositionRow } from '../store/telemetry/rows.ts';
import { isoTime, presentPosition } from './presentPosition.ts';
import type { Store } from '../store/operations.ts';

type TrackFormat = (typeof trackFormats)[number];

export interface TrackWriter {
  contentType: string;
  /** Only drawn positions belong into this format. */
  drawnOnly: boolean;
  head: string;
  /** Of a page of rows, one or more; `isFirst`: nothing was written yet. */
  rows: (rows: readonly PositionRow[], isFirst: boolean) => string;
  tail: string;
}

const csvColumns = [
  'vehicle_id',
  'terminal_id',
  'time',
  'received_at',
  ...fieldsOfFix,
] as const satisfies (keyof Position)[];

/** How a track is written in each format, a page at a time. */
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
        rows: commaBetween((row) => JSON.stringify(presentPosition(row, terminal_id))),
        tail: ']}',
      };
    case 'csv':
      return {
        contentType: 'text/csv; charset=utf-8',
        drawnOnly: false,
        head: `${csvColumns.join(',')}\r\n`,
        rows: each((row) => {
          const position = presentPosition(row, terminal_id);
          return `${csvColumns.map((column) => String(position[column] ?? '')).join(',')}\r\n`;
        }),
        tail: '',
      };
    case 'geojson':
      return {
        contentType: 'application/geo+json; charset=utf-8',
        drawnOnly: true,
        head: `{"type":"FeatureCollection","features":[`,
        rows: commaBetween((row) => {
          const { lat, lon, ...properties } = presentPosition(row, terminal_id);
          const geometry = { type: 'Point', coordinates: [lon, lat] };
          return JSON.stringify({ type: 'Feature', geometry, properties });
        }),
        tail: ']}',
      };
    case 'gpx':
      return {
        contentType: 'application/gpx+xml; charset=utf-8',
        drawnOnly: true,
        head: `<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="Fleetdeck" xmlns="http://www.topografix.com/GPX/1/1" xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2"><trk><name>${xml(vehicle.name)}</name><trkseg>\n`,
        rows: each(gpxPoint),
        tail: '</trkseg></trk></gpx>\n',
      };
    case 'kml':
      return {
        contentType: 'application/vnd.google-earth.kml+xml; charset=utf-8',
        drawnOnly: true,
        head: `<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document><name>${xml(vehicle.name)}</name>${kmlSchema}<Placemark><name>${xml(vehicle.name)}</name><gx:MultiTrack><gx:interpolate>1</gx:interpolate>\n`,
        rows: kmlTrack,
        tail: '</gx:MultiTrack></Placemark></Document></kml>\n',
      };
  }
}

type WriteRows = TrackWriter['rows'];

function each(write: (row: PositionRow) => string): WriteRows {
  return (rows) => rows.map(write).join('');
}

function commaBetween(write: (row: PositionRow) => string): WriteRows {
  return (rows, isFirst) => `${isFirst ? '' : ','}${rows.map(write).join(',')}`;
}

/** GPX 1.1, with speed and course as Garmin's TrackPointExtension v2 has them: in m/s, and below 360. */
function gpxPoint({ lat, lon, time_ms, ...measured }: PositionRow): string {
  const { altitude_m, satellites, hdop, speed_kmh, course_deg } = measured;
  const motion =
    element('gpxtpx:speed', speed_kmh === null ? null : Number((speed_kmh / 3.6).toFixed(6))) +
    element('gpxtpx:course', course_deg === null ? null : course_deg % 360);
  const extensions =
    motion === ''
      ? ''
      : `<extensions><gpxtpx:TrackPointExtension>${motion}</gpxtpx:TrackPointExtension></extensions>`;
  const time = `<time>${isoTime(time_ms)}</time>`;
  return `<trkpt lat="${decimal(lat)}" lon="${decimal(lon)}">${element('ele', altitude_m)}${time}${element('sat', satellites)}${element('hdop', hdop)}${extensions}</trkpt>\n`;
}

function element(name: string, value: number | null): string {
  return value === null ? '' : `<${name}>${decimal(value)}</${name}>`;
}

/** What stands beside the places of a KML track, by the names of the API. */
const kmlValues = ['speed_kmh', 'course_deg'] as const;
const kmlSchema = `<Schema id="fix">${kmlValues
  .map((name) => `<gx:SimpleArrayField name="${name}" type="float"></gx:SimpleArrayField>`)
  .join('')}</Schema>`;

/** A `gx:Track` of a page: it has all its times before all its places, which a stream of the whole could not hold. */
function kmlTrack(rows: readonly PositionRow[]): string {
  const whens = rows.map(({ time_ms }) => `<when>${isoTime(time_ms)}</when>\n`);
  const places = rows.map(
    ({ lat, lon, altitude_m }) =>
      `<gx:coord>${decimal(lon)} ${decimal(lat)} ${decimal(altitude_m ?? 0)}</gx:coord>\n`,
  );
  const values = kmlValues.map((name) => {
    const cells = rows.map((row) => `<gx:value>${row[name] === null ? '' : decimal(row[name])}</gx:value>`);
    return `<gx:SimpleArrayData name="${name}">${cells.join('')}</gx:SimpleArrayData>\n`;
  });
  return `<gx:Track>\n${whens.join('')}${places.join('')}<ExtendedData><SchemaData schemaUrl="#fix">${values.join('')}</SchemaData></ExtendedData></gx:Track>\n`;
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
