import { z } from 'zod';
import { causes } from './causes.ts';
import { maxColumnName } from './csv.ts';
import { shortText, time, timeZone } from './fields.ts';
import { route } from './route.ts';
import { foldText } from './searchText.ts';

/** Of one file. */
export const maxImportedPositions = 100_000;
/** Three days of GPX at a fix every 10 s, or eleven of CSV. */
const maxFileBytes = 8 * 1024 * 1024;
/** Of what is rejected so many are listed. */
export const maxListedFaults = 100;

/** What a table says of a position beside its time, in the order in which the export writes it. */
export const fieldsOfFix = [
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
] as const;
/** What the columns of a table of positions may hold. */
export const trackFields = ['date', 'time', ...fieldsOfFix] as const;
export type TrackField = (typeof trackFields)[number];

/** The column of a file from which each field is read. */
export type TrackColumns = Partial<Record<TrackField, string>>;

/**
 * Other names of the columns in exports of tracking platforms, folded, without their units; the surest first.
 * A `date` beside a `time` is put before it.
 */
const synonyms: Readonly<Record<TrackField, readonly string[]>> = {
  date: ['datum', 'fecha'],
  time: [
    ...['timeutciso', 'timeutc', 'utctime', 'timestamp', 'datetime', 'fixtime', 'gpstime', 'devicetime'],
    ...['timegps', 'messagetime', 'positiontime', 'recordedat', 'dt', 'dateandtime', 'zeit', 'uhrzeit'],
    ...['zeitpunkt', 'datumuhrzeit', 'zeitstempel', 'hora', 'heure', 'czas', 'tijd', 'время'],
  ],
  lat: ['latitude', 'gpslatitude', 'breite', 'breitengrad', 'latitud', 'latitudine', 'широта', 'y'],
  lon: [
    'longitude',
    'lng',
    'long',
    'gpslongitude',
    'lange',
    'langengrad',
    'longitud',
    'longitudine',
    'долгота',
    'x',
  ],
  altitude_m: ['altitude', 'alt', 'elevation', 'ele', 'height', 'hohe', 'altitud', 'высота'],
  speed_kmh: [
    'speed',
    'gpsspeed',
    'velocity',
    'geschwindigkeit',
    'velocidad',
    'vitesse',
    'predkosc',
    'скорость',
  ],
  course_deg: ['course', 'heading', 'bearing', 'direction', 'angle', 'azimuth', 'richtung', 'kurs', 'cap'],
  accuracy_m: ['accuracy', 'horizontalaccuracy', 'genauigkeit'],
  satellites: ['sat', 'sats', 'satellitecount', 'numsat', 'satelliten'],
  hdop: [],
  valid: ['gpsvalid', 'isvalid', 'gultig'],
  ignition: ['ign', 'acc', 'engine', 'ignitionon', 'zundung', 'zaplon', 'зажигание'],
  odometer_m: ['odometer', 'mileage', 'totaldistance', 'kilometerstand', 'tacho', 'przebieg', 'пробег'],
  battery_pct: ['battery', 'batterylevel', 'batterie'],
};

const lengths = {
  ...{ m: 1, meters: 1, metres: 1, km: 1_000, kilometers: 1_000, kilometres: 1_000 },
  ...{ ft: 0.3048, feet: 0.3048, mi: 1_609.344, miles: 1_609.344 },
};
/** How many of the field's own unit one of each is; fields without a number have none here. */
const units: Partial<Record<TrackField, Readonly<Record<string, number>>>> = {
  lat: { deg: 1, degrees: 1 },
  lon: { deg: 1, degrees: 1 },
  speed_kmh: {
    ...{ kmh: 1, kph: 1, mph: 1.609344, mih: 1.609344, kn: 1.852, kt: 1.852, kts: 1.852, knots: 1.852 },
    ...{ ms: 3.6, mps: 3.6, milesperhour: 1.609344 },
  },
  altitude_m: lengths,
  accuracy_m: lengths,
  odometer_m: lengths,
  course_deg: { deg: 1, degrees: 1 },
  battery_pct: { pct: 1, percent: 1 },
  satellites: {},
  hdop: {},
};
const knownUnits = new Set([
  ...Object.values(units).flatMap((it) => Object.keys(it)),
  ...['cm', 'mm', 'yd', 'nm', 'nmi', 'fts', 'rad', 'v', 'mv', 'volt', 'volts'],
  ...['h', 'hour', 'hours', 'second', 'seconds'],
]);

/** `Speed (km/h)` and `speed_km_h` are `speed`, `km`, `h`. */
function wordsOf(column: string): string[] {
  return column
    .replaceAll('°', ' deg ')
    .replaceAll('%', ' pct ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map(foldText);
}

/** So many words a unit has; the longest is looked for first. */
const wordsOfUnit = [3, 2, 1];

/** Whatever its unit. */
function isNamed(column: string, field: TrackField, name: string): boolean {
  const words = wordsOf(column);
  if (words.join('') === name) return true;
  if (units[field] === undefined) return false;
  return wordsOfUnit.some(
    (length) => words.slice(0, -length).join('') === name && knownUnits.has(words.slice(-length).join('')),
  );
}

/** Without them nobody knows where a vehicle was. */
export const requiredTrackFields = ['time', 'lat', 'lon'] as const satisfies TrackField[];

/** By the names of the columns, each of which is read for one field. */
export function proposeTrackColumns(columns: readonly string[]): TrackColumns {
  const found: TrackColumns = {};
  const free = new Set(columns);
  for (const field of trackFields) {
    const names = [wordsOf(field)[0] ?? field, ...synonyms[field]];
    const named = names.flatMap((name) => [...free].filter((it) => isNamed(it, field, name)));
    const inUnit = named.find((it) => factorOf(field, it) !== null);
    // One whose unit is not the field's is not passed over: it is refused by its name. But for the voltage of a battery,
    // which many files have and which is no charge.
    const column = inUnit ?? (field === 'battery_pct' ? undefined : named[0]);
    if (column === undefined) continue;
    found[field] = column;
    free.delete(column);
  }
  const { date, ...others } = found;
  // One that is alone holds the time too.
  return found.time === undefined && date !== undefined ? { ...others, time: date } : found;
}

/**
 * How many of the field's unit one is of the unit at the end of a header or behind a number: `Speed (mph)`, `Odometer km`.
 *
 * @returns undefined where there is no unit; null where it is one in which the field is not measured
 */
export function factorOf(field: TrackField, text: string): number | null | undefined {
  const own = units[field];
  if (own === undefined) return undefined;
  const words = wordsOf(text);
  const unit = wordsOfUnit.map((it) => words.slice(-it).join('')).find((it) => knownUnits.has(it));
  // A column that is called `v` holds speeds, and `h` heights.
  if (unit === undefined || /^[vh]$/.test(words.join(''))) return undefined;
  return own[unit] ?? null;
}

const entry = `(${trackFields.join('|')}):[^\\n]*\\S[^\\n]*`;
/** No name of a column holds an end of a line. */
const columnsOfFields = z
  .string()
  .max(trackFields.length * (16 + maxColumnName))
  .regex(new RegExp(`^${entry}(\\n${entry})*$`), 'takes a field, a colon and a column, once for each field');

export const trackImportResult = z
  .object({
    rows: z.int().meta({ description: 'positions in the file' }),
    imported: z.int().meta({ description: 'those that were added, or would be' }),
    duplicates: z
      .int()
      .meta({ description: 'those at whose time the vehicle has a position, which stays as it is' }),
    rejected: z.int(),
    from: time.nullable().meta({ description: 'of the first position that can be imported' }),
    to: time.nullable().meta({ description: 'of the last one' }),
    columns: z
      .record(z.string(), z.string())
      .meta({ description: 'of CSV: the column from which each field is read' }),
    faults: z
      .array(z.object({ row: z.int(), message: z.string(), causes }))
      .meta({ description: `why positions are rejected; the first ${maxListedFaults}` }),
  })
  .meta({ id: 'TrackImportResult' });
export type TrackImportResult = z.infer<typeof trackImportResult>;

export const gpxType = 'application/gpx+xml';

export const trackImportRoutes = {
  import: route({
    id: 'importVehicleTrack',
    tag: 'Telemetry',
    method: 'POST',
    path: '/api/v1/vehicles/{vehicle}/track/import',
    access: 'dealer',
    summary: `Import up to ${maxImportedPositions} past positions of a vehicle from GPX or CSV. They are stored with the attribute \`imported\`; positions that are there stay; no rule evaluates them`,
    params: z.object({ vehicle: z.string().min(1).max(64) }),
    query: z.strictObject({
      dry_run: z.enum(['0', '1']).optional(),
      source: shortText
        .max(64)
        .default('file')
        .meta({ description: 'the value of the attribute `imported`: the name of the file, say' }),
      tz: timeZone
        .optional()
        .meta({ description: 'of times of CSV without an offset; left out: that of the depot' }),
      mapping: z
        .union([columnsOfFields, z.array(columnsOfFields).max(trackFields.length)])
        .optional()
        .meta({
          description:
            'of CSV: a field and the column from which it is read, `time:Datum`, as often as needed or each on a line of its own; others are not read then. Without it the fields are found by the usual names of columns',
        }),
    }),
    bodyLimit: maxFileBytes,
    alsoTakes: ['text/csv', gpxType],
    body: z.string().meta({
      description:
        'the file, by its content type: GPX 1.0 or 1.1 (speeds in m/s), or CSV, also as a JSON string, with a header line that names at least a time, a latitude and a longitude; units stand in the header, `Speed (mph)`, or behind the number, `31 mph`',
    }),
    reply: trackImportResult,
    errors: ['not_found', 'too_large', 'queue_full', 'unavailable', 'disk_full'],
  }),
};
