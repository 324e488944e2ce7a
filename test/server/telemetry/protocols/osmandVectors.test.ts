import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { decodeOsmandJson, decodeOsmandParameters } from '../../../../server/telemetry/protocols/osmand.ts';

const file = fileURLToPath(new URL('../../../../../shared/data/protocols/osmand.jsonl', import.meta.url));

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
  expect: z.object({ device_id: z.string(), positions: z.array(expected).length(1) }),
});

const vectors = existsSync(file)
  ? readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => vector.parse(JSON.parse(line)))
  : [];

if (vectors.length === 0) {
  test('reads the vectors that were collected from other programs', ({ skip }) => {
    skip('the collected vectors (data/protocols/osmand.jsonl) are not on this machine');
  });
}

test.each(vectors)('reads vector $id as its collectors state it', (one) => {
  const report =
    one.input_encoding === 'url'
      ? decodeOsmandParameters(new URL(one.input, 'http://terminal.invalid').searchParams, 'kn')
      : decodeOsmandJson(one.input);
  const [wanted] = one.expect.positions;
  if (wanted === undefined) throw new Error('a vector without a position');
  expect(report.terminal_id).toBe(one.expect.device_id);
  expect(report.time_ms).toBe(wanted.time === null ? null : Date.parse(wanted.time));
  expect(report.place).toEqual(wanted.lat === null ? null : { lat: wanted.lat, lon: wanted.lon });
  expect(report.valid).toBe(wanted.valid);
  expect(report.altitude_m).toBe(wanted.alt_m ?? null);
  expect(report.accuracy_m).toBe(wanted.accuracy_m ?? null);
  expect(report.hdop).toBe(wanted.hdop ?? null);
  expect(report.speed_kmh).toBe(wanted.speed_kmh ?? null);
  expect(report.course_deg).toBe(wanted.course_deg ?? null);
  expect(report.battery_pct).toBe(wanted.battery_percent ?? null);
  const { ignition, ...other } = wanted.other ?? {};
  expect(report.ignition).toBe(ignition === undefined ? null : ignition === 'true');
  expect(report.attributes).toMatchObject({
    ...(wanted.charging === undefined ? {} : { charge: wanted.charging }),
    ...(wanted.moving === undefined ? {} : { is_moving: wanted.moving }),
    ...(wanted.event === undefined ? {} : { event: wanted.event }),
    ...(wanted.activity === undefined ? {} : { activity: wanted.activity }),
    ...(wanted.cells === undefined ? {} : { cell: wanted.cells.join(' ') }),
    ...(wanted.wifi === undefined ? {} : { wifi: wanted.wifi.join(' ') }),
    ...Object.fromEntries(Object.entries(other).map(([key, text]) => [key, Number(text)])),
  });
});
