import { z } from 'zod';
import { readVectors } from './readVectors.ts';

const number = z.number().nullable().optional();
const expected = z.strictObject({
  time: z.string().nullable(),
  time_note: z.string().optional(),
  lat: z.number().nullable(),
  lon: z.number().nullable(),
  valid: z.boolean(),
  alt_m: number,
  accuracy_m: number,
  hdop: number,
  speed_kmh: number,
  speed_knots: number,
  course_deg: number,
  battery_percent: number,
  charging: z.boolean().optional(),
  moving: z.boolean().optional(),
  event: z.string().optional(),
  activity: z.string().optional(),
  cells: z.array(z.string()).optional(),
  wifi: z.array(z.string()).optional(),
  other: z.record(z.string(), z.string()).optional(),
});
const vector = z.object({
  id: z.string(),
  input_encoding: z.enum(['url', 'text']),
  http: z.object({ method: z.string(), content_type: z.string().optional() }),
  input: z.string(),
  expect: z.strictObject({
    kind: z.enum(['positions', 'no_location']),
    device_id: z.string(),
    count: z.number(),
    positions: z.array(expected).length(1),
    http_status: z.number(),
    note: z.string().optional(),
  }),
});
export type OsmandVector = z.infer<typeof vector>;

/** Messages of real clients, as other programs' tests have them; empty where the data is not there. */
export const osmandVectors: OsmandVector[] = readVectors('osmand.jsonl', vector);

export const noVectors = 'the collected vectors (data/protocols/osmand.jsonl) are not on this machine';
