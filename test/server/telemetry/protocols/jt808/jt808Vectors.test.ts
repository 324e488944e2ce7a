import { expect, test } from 'vitest';
import { readLocation, readLocationBatch } from '../../../../../server/telemetry/protocols/jt808/location.ts';
import {
  readMessage,
  writeMessage,
  type Message,
} from '../../../../../server/telemetry/protocols/jt808/message.ts';
import {
  generalAnswerBody,
  registrationAnswerBody,
  result,
} from '../../../../../server/telemetry/protocols/jt808/platformBodies.ts';
import { readRegistration } from '../../../../../server/telemetry/protocols/jt808/terminalBodies.ts';
import { jt808Vectors, noVectors, type Jt808Vector } from './jt808Data.ts';
import { framesOf } from './jt808Frames.ts';

function messagesIn(hex: string): Message[] {
  const frames = framesOf(Buffer.from(hex, 'hex'));
  return frames.flatMap((frame) => readMessage(frame) ?? []);
}

if (jt808Vectors.length === 0) {
  test('reads the vectors that were collected from other programs', ({ skip }) => skip(noVectors));
}

/** One maker's frames have a serial of one byte in these, so that their length never fits. */
const foreignIds: unknown[] = ['5501', '5502'];
const isBroken = ({ expect: it }: Jt808Vector) =>
  it.checksum_ok === false || it.kind === 'reject' || foreignIds.includes(it.msg_id);
const reads = jt808Vectors.filter((it) => !isBroken(it));
const ofKind = (kind: string) => reads.filter((it) => it.expect.kind === kind);

test.each(reads.filter((it) => it.expect.phone_bcd !== undefined))(
  'reads the header of vector $id',
  ({ input, expect: stated }) => {
    const [message] = messagesIn(input);
    expect(message?.id.toString(16).padStart(4, '0')).toBe(stated.msg_id);
    expect(message?.phoneBcd).toBe(stated.phone_bcd);
    expect(message?.serial).toBe(stated.serial);
    expect(message?.version === null ? '2011/2013' : '2019').toBe(stated.standard);
    if (stated.encryption !== undefined) expect(message?.isEncrypted).toBe(stated.encryption !== 0);
    if (stated.body_len !== undefined) expect(message?.body).toHaveLength(stated.body_len);
  },
);

test.each(jt808Vectors.filter(isBroken))('takes nothing of vector $id, which is broken', ({ input }) => {
  expect(messagesIn(input)).toEqual([]);
});

test.each(ofKind('framing'))('finds the frames of vector $id', ({ input, expect: { frames = 1 } }) => {
  const bytes = Buffer.from(input, 'hex');
  const start = bytes.indexOf(0x7e);
  expect(framesOf(bytes.subarray(start))).toHaveLength(frames);
  // What stands before is cut off as one more, which is no message.
  expect(framesOf(bytes).filter((it) => it.length > start || readMessage(it) !== null)).toHaveLength(frames);
});

test.each(ofKind('subpacket'))('sees that vector $id is a part', ({ input, expect: stated }) => {
  expect(messagesIn(input)[0]?.part).toEqual({ total: stated.packets_total, number: stated.packet_no });
});

test.each(ofKind('positions').filter((it) => it.expect.positions !== undefined))(
  'reads the positions of vector $id as stated',
  ({ input, expect: stated }) => {
    const [message] = messagesIn(input);
    if (message === undefined) throw new Error('no message');
    const one = message.id === 0x0200 ? readLocation(message.body, message) : null;
    const batch = readLocationBatch(message.body, message);
    if (one === null) expect(batch.isWhole).toBe(true);
    const reports = one === null ? batch.reports : [one];
    expect(reports).toHaveLength(stated.positions?.length ?? -1);
    for (const [at, wanted] of (stated.positions ?? []).entries()) {
      const report = reports[at];
      expect(report?.terminal_id).toBe(stated.phone_bcd?.replace(/^0+(?=.)/, ''));
      expect(report?.place?.lat).toBeCloseTo(wanted.lat, 6);
      expect(report?.place?.lon).toBeCloseTo(wanted.lon, 6);
      expect(report?.speed_kmh).toBeCloseTo(wanted.speed_kmh, 3);
      expect(report?.course_deg).toBe(wanted.course_deg > 360 ? null : wanted.course_deg % 360);
      expect(report?.ignition).toBe(wanted.acc);
      expect(report?.time_ms).toBe(wanted.time === null ? null : Date.parse(wanted.time));
      expect(report?.valid).toBe(wanted.valid && wanted.time !== null);
      expect(report?.altitude_m).toBe(wanted.alt_m > 32_767 ? wanted.alt_m - 65_536 : wanted.alt_m);
      if (wanted.mileage_km !== undefined)
        expect(report?.odometer_m).toBeCloseTo(wanted.mileage_km * 1_000, 3);
      if (wanted.rssi !== undefined) expect(report?.attributes['signal']).toBe(wanted.rssi);
      if (wanted.sats !== undefined) expect(report?.satellites).toBe(wanted.sats);
    }
  },
);

test.each(ofKind('register').filter((it) => it.expect.maker !== undefined))(
  'reads the registration of vector $id',
  ({ input, expect: stated }) => {
    const [message] = messagesIn(input);
    expect(message === undefined ? null : readRegistration(message.body, message)).toEqual({
      maker: stated.maker,
      model: stated.model,
      deviceId: stated.terminal_id,
      plate: stated.plate,
    });
  },
);

const general = reads.filter((it) => it.expect.reply_frame_hex?.startsWith('7e8001') === true);
test.each(general)('answers vector $id byte for byte as stated', ({ input, expect: stated }) => {
  const [message] = messagesIn(input);
  if (message === undefined) throw new Error('no message');
  const body = generalAnswerBody(message.serial, message.id, result.ok);
  const answer = writeMessage({ ...message, id: 0x8001, serial: 0 }, body);
  expect(Buffer.from(answer).toString('hex')).toBe(stated.reply_frame_hex);
});

test.each(reads.filter((it) => it.expect.reply_frame_hex?.startsWith('7e8100') === true))(
  'answers the registration of vector $id byte for byte as stated',
  ({ input, expect: stated }) => {
    const [message] = messagesIn(input);
    if (message === undefined) throw new Error('no message');
    const body = registrationAnswerBody(message.serial, { taken: true, code: '12345678901' });
    const answer = writeMessage({ ...message, id: 0x8100, serial: 0 }, body);
    expect(Buffer.from(answer).toString('hex')).toBe(stated.reply_frame_hex);
  },
);
