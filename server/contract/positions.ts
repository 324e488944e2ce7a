import { z } from 'zod';
import { eitherOr } from './conditions.ts';
import {
  alarmName,
  attributes,
  featureCollection,
  id,
  lat,
  listQuery,
  lon,
  newAttributes,
  page,
  speedKmh,
  terminalId,
  time,
} from './fields.ts';
import { longestPreviewDays, previewError, previewPeriod } from './preview.ts';
import { route } from './route.ts';

const tag = 'Telemetry';

/** Of one call: to check so many takes some 80 ms, in which the host does nothing else. */
export const maxPositions = 5_000;

/** What a terminal may measure beside time and place; all may be missing. */
const measured = {
  altitude_m: z.number().min(-12_000).max(100_000).nullable().default(null),
  speed_kmh: speedKmh.nullable().default(null),
  course_deg: z.number().min(0).max(360).nullable().default(null),
  accuracy_m: z.number().min(0).max(100_000_000).nullable().default(null),
  satellites: z.int().min(0).max(255).nullable().default(null),
  hdop: z.number().min(0).max(1_000_000).nullable().default(null),
  valid: z.boolean().default(true),
  ignition: z.boolean().nullable().default(null),
  odometer_m: z.number().min(0).max(1_000_000_000_000).nullable().default(null),
  battery_pct: z.number().min(0).max(100).nullable().default(null),
  alarms: z.array(alarmName).max(32).default([]),
  attributes: newAttributes.default({}),
};

/** The same as it is shown: checked, or rejected, before. */
export const shownMeasured = {
  altitude_m: z.number().nullable(),
  speed_kmh: z.number().nullable(),
  course_deg: z.number().nullable(),
  accuracy_m: z.number().nullable(),
  satellites: z.number().nullable(),
  hdop: z.number().nullable(),
  valid: z.boolean(),
  ignition: z.boolean().nullable(),
  odometer_m: z.number().nullable(),
  battery_pct: z.number().nullable(),
  alarms: z.array(z.string()),
  attributes,
};

/** The range of coordinates is not checked here: the call succeeds, and an invalid one is recorded as rejected. */
export const newPosition = eitherOr(
  z.strictObject({
    terminal_id: terminalId.optional(),
    vehicle_id: id.optional(),
    time,
    lat: z.number(),
    lon: z.number(),
    ...measured,
  }),
  ['terminal_id', 'vehicle_id'],
  'names its vehicle by either terminal_id or vehicle_id',
).meta({ id: 'NewPosition' });
export type NewPosition = z.infer<typeof newPosition>;

export const position = z
  .object({
    vehicle_id: id,
    terminal_id: z.string(),
    time,
    received_at: time,
    lat,
    lon,
    ...shownMeasured,
  })
  .meta({ id: 'Position' });
export type Position = z.infer<typeof position>;

const positionOutcome = z.enum(['stored', 'duplicate', 'merged', 'rejected']);

/** Why a position was not taken. */
export const rejectionCode = z.enum([
  'unknown_terminal',
  'time_in_future',
  'invalid_coordinates',
  'undecodable',
  'store_failed',
]);
export type RejectionCode = z.infer<typeof rejectionCode>;

export const positionResult = z
  .object({ status: positionOutcome, code: rejectionCode.nullable(), detail: z.string().nullable() })
  .meta({ id: 'PositionResult' });
export type PositionResult = z.infer<typeof positionResult>;

const rejectedPosition = z
  .object({
    rejected_id: z.int(),
    terminal_id: z.string(),
    received_at: time,
    code: rejectionCode,
    detail: z.string(),
    protocol: z.string(),
    raw: z.string().meta({ description: 'the position as decoded, as JSON' }),
  })
  .meta({ id: 'RejectedPosition' });

export const unknownTerminal = z
  .object({
    terminal_id: z.string(),
    protocol: z.string(),
    first_seen_at: time,
    last_seen_at: time,
    messages: z.int(),
    address: z.string().nullable(),
    lat: z.number().nullable(),
    lon: z.number().nullable(),
  })
  .meta({ id: 'UnknownTerminal' });
export type UnknownTerminal = z.infer<typeof unknownTerminal>;

export const trackFormats = ['json', 'geojson', 'gpx', 'kml', 'csv'] as const;

const trackQuery = z
  .strictObject({
    ...previewPeriod,
    format: z.enum(trackFormats).default('json'),
    max_points: z.coerce.number().int().min(2).max(20_000).optional(),
  })
  .check(previewError);

export const track = z.object({ positions: z.array(position) }).meta({ id: 'Track' });

export const positionRoutes = {
  latest: route({
    id: 'listLatestPositions',
    tag,
    method: 'GET',
    path: '/api/v1/positions/latest',
    summary: 'List the latest position of every visible vehicle in one response',
    access: { right: 'vehicles', level: 'read' },
    query: z.strictObject({ format: z.enum(['json', 'geojson']).default('json') }),
    reply: z.union([z.object({ positions: z.array(position) }), featureCollection]),
  }),
  post: route({
    id: 'postPositions',
    tag,
    method: 'POST',
    path: '/api/v1/positions',
    access: 'dealer',
    bodyLimit: 8 * 1024 * 1024,
    summary: 'Submit positions; the response follows their order, after they are stored',
    body: z.strictObject({ positions: z.array(newPosition).min(1).max(maxPositions) }),
    reply: z.object({ results: z.array(positionResult) }),
    errors: ['unavailable', 'disk_full'],
  }),
  rejected: route({
    id: 'listRejectedPositions',
    tag,
    method: 'GET',
    path: '/api/v1/positions/rejected',
    access: 'dealer',
    summary: 'List rejected positions with the reason',
    query: z.strictObject(listQuery),
    reply: page(rejectedPosition),
  }),
  track: route({
    id: 'getVehicleTrack',
    tag,
    method: 'GET',
    path: '/api/v1/vehicles/{vehicle}/track',
    summary: `List the positions of a period in order of time; not paged, at most ${longestPreviewDays} days`,
    access: { right: 'vehicles', level: 'read' },
    params: z.object({ vehicle: z.string().min(1).max(64) }),
    query: trackQuery,
    exports: true,
    bytes: {
      contentTypes: [
        'application/json',
        'application/geo+json',
        'application/gpx+xml',
        'application/vnd.google-earth.kml+xml',
        'text/csv',
      ],
      json: track,
    },
    errors: ['not_found'],
  }),
  tracks: route({
    id: 'getFleetTracks',
    tag,
    method: 'GET',
    path: '/api/v1/tracks',
    summary:
      'Export the positions of all visible vehicles: one position per line, by vehicle, then in order of time',
    access: { right: 'vehicles', level: 'read' },
    query: z.strictObject({ ...previewPeriod, group_id: id.optional() }).check(previewError),
    exports: true,
    bytes: { contentTypes: ['application/x-ndjson'] },
    errors: ['not_found'],
  }),
  unknownTerminals: route({
    id: 'listUnknownTerminals',
    tag,
    method: 'GET',
    path: '/api/v1/terminals/unknown',
    access: 'dealer',
    summary: 'List unregistered terminals, at most the last 1,000',
    query: z.strictObject(listQuery),
    reply: page(unknownTerminal),
  }),
};
