import { expect, test } from 'vitest';
import { avlReport } from '../../../../../server/telemetry/protocols/teltonika/avlReport.ts';
import {
  readAvlData,
  type AvlRecord,
} from '../../../../../server/telemetry/protocols/teltonika/avlRecords.ts';
import {
  answers,
  frameLength,
  readFrame,
} from '../../../../../server/telemetry/protocols/teltonika/frames.ts';
import { elementsOf } from './avlElements.ts';
import { brokenPackets, goodPackets, noVectors, teltonikaVectors, vectorsOf } from './teltonikaData.ts';

if (teltonikaVectors.length === 0) {
  test('the Teltonika decoder reads the vectors that were collected from other programs', ({ skip }) =>
    skip(noVectors));
}

function recordsOf(hex: string): AvlRecord[] {
  const frame = readFrame(Buffer.from(hex, 'hex'));
  const read = frame.kind === 'packet' ? readAvlData(frame.data) : null;
  if (read?.kind !== 'records') throw new Error('no records');
  return read.records;
}

/** As long as it says that it is. */
function isWhole(hex: string): boolean {
  const bytes = Buffer.from(hex, 'hex');
  return frameLength(bytes) === bytes.length;
}

test.each(goodPackets)(
  'the Teltonika decoder reads the records of vector $id as stated',
  ({ input, expect: stated }) => {
    expect(isWhole(input)).toBe(true);
    const records = recordsOf(input);
    expect(records).toHaveLength(stated.count);
    expect(answers.taken(records.length).toString('hex')).toBe(stated.reply_hex);
    for (const [at, wanted] of stated.positions.entries()) {
      const record = records[at];
      if (record === undefined) throw new Error('a record is missing');
      expect(record.event_io).toBe(wanted.event_io);
      expect(record.priority).toBe(wanted.priority);
      expect(record.generation_type).toBe(wanted.generation_type ?? null);
      expect(Object.fromEntries(elementsOf(record.io))).toEqual(wanted.io);
      expect(avlReport(record, '1')).toMatchObject({
        time_ms: Date.parse(wanted.time),
        place: { lat: wanted.lat, lon: wanted.lon },
        altitude_m: wanted.alt_m,
        course_deg: wanted.course_deg,
        satellites: wanted.sats,
        speed_kmh: wanted.speed_kmh,
        valid: wanted.valid,
        ignition: wanted.io['239'] === undefined ? null : wanted.io['239'] === '01',
      });
    }
  },
);

test.each(brokenPackets)(
  'the Teltonika decoder takes vector $id for no packet: its length or CRC is wrong',
  ({ input }) => {
    const bytes = Buffer.from(input, 'hex');
    const length = frameLength(bytes) ?? 0;
    expect(length > bytes.length || readFrame(bytes.subarray(0, length)).kind === 'broken').toBe(true);
  },
);

test.each(vectorsOf('login'))(
  'the Teltonika decoder reads the IMEI of vector $id',
  ({ input, expect: stated }) => {
    expect(isWhole(input)).toBe(true);
    expect(readFrame(Buffer.from(input, 'hex'))).toEqual({ kind: 'imei', imei: stated.device_id });
    expect(answers.welcome.toString('hex')).toBe(stated.reply_hex);
  },
);

test.each(vectorsOf('framing'))(
  'the Teltonika decoder cuts the first frame of vector $id',
  ({ input, expect: stated }) => {
    const bytes = Buffer.from(input, 'hex');
    const length = frameLength(bytes) ?? 0;
    expect(bytes.subarray(0, length).toString('hex')).toBe(stated.first_frame_hex);
  },
);
