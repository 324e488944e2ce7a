import { expect, test } from 'vitest';
import { z } from 'zod';
import { gbkOf } from '../../../../../server/telemetry/protocols/jt808/encodings.ts';
import { type Message, readMessage } from '../../../../../server/telemetry/protocols/jt808/message.ts';
import { readReports } from '../../../../../server/telemetry/protocols/jt808/messageReports.ts';
import {
  resendRequestBody,
  generalResponseBody,
  registrationAnswerBody,
  textBody,
  readRegistration,
} from '../../../../../server/telemetry/protocols/jt808/bodies.ts';
import type { TerminalReport } from '../../../../../server/telemetry/terminalReport.ts';
import { readRecordings } from '../../../../../server/video/terminals/jt1078/signalling.ts';
import { jt808Vectors, noVectors, type Jt808Vector } from './jt808Data.ts';
import { framesOf } from './jt808Frames.ts';

// The collected vectors name the fields of many bodies, each of two libraries in its own words.

type Fields = Readonly<Record<string, unknown>>;

/** What one or the other library calls so. */
function field(fields: Fields, ...names: readonly string[]): unknown {
  const name = names.find((it) => it in fields);
  if (name === undefined) throw new Error(`none of ${names.join(', ')}`);
  return fields[name];
}

const number = (fields: Fields, ...names: readonly string[]) => z.number().parse(field(fields, ...names));
const text = (fields: Fields, ...names: readonly string[]) => z.string().parse(field(fields, ...names));
const objects = (fields: Fields, ...names: readonly string[]) =>
  z.array(z.record(z.string(), z.unknown())).parse(field(fields, ...names));
const numbers = (fields: Fields, ...names: readonly string[]) =>
  z.array(z.number()).parse(field(fields, ...names));
/** A time of the standard, GMT+8, in Unix ms. */
const moment = (local: string) => Date.parse(`${local.replace(' ', 'T')}+08:00`);
const bitsIn = (flags: number) => flags.toString(2).replaceAll('0', '').length;

function expectLocation(report: TerminalReport | undefined, fields: Fields): void {
  if (report === undefined) throw new Error('no report');
  const status = number(fields, 'StatusSign', 'statusBit');
  const degrees = (millionths: number, side: number) =>
    ((status >>> side) & 1) === 1 ? -millionths / 1e6 : millionths / 1e6;
  expect(report.attributes['status']).toBe(status);
  expect(report.place?.lat).toBeCloseTo(degrees(number(fields, 'Latitude', 'latitude'), 2), 6);
  expect(report.place?.lon).toBeCloseTo(degrees(number(fields, 'Longitude', 'longitude'), 3), 6);
  const altitude = number(fields, 'Altitude', 'altitude');
  expect(report.altitude_m).toBe(altitude > 32_767 ? altitude - 65_536 : altitude);
  expect(report.speed_kmh).toBeCloseTo(number(fields, 'Speed', 'speed') / 10, 6);
  expect(report.course_deg).toBe(number(fields, 'Direction', 'direction') % 360);
  expect(report.time_ms).toBe(moment(text(fields, 'DateTime', 'deviceTime')));
  const unnamed = report.attributes['alarm_bits'];
  const published = report.alarms.length + (unnamed === undefined ? 0 : String(unnamed).split(',').length);
  expect(published).toBe(bitsIn(number(fields, 'AlarmSign', 'warnBit')));
}

const reportsOf = (message: Message) => {
  const read = readReports(message);
  expect(read?.isWhole).toBe(true);
  return read?.reports ?? [];
};
const firstOf = (message: Message) => reportsOf(message)[0];

function expectMedia(report: TerminalReport | undefined, fields: Fields): void {
  expect(report?.attributes).toMatchObject({
    media_id: number(fields, 'MultimediaID', 'id'),
    media_type: number(fields, 'MultimediaType', 'type'),
    media_format: number(fields, 'MultimediaFormatEncode', 'format'),
    media_event: number(fields, 'EventItemEncode', 'event'),
    media_channel: number(fields, 'ChannelID', 'channelId'),
  });
}

/** What reads a message of this id, or writes it, against the fields that are named. */
const checks: Readonly<Record<string, (message: Message, fields: Fields) => void>> = {
  '0100': (message, fields) =>
    expect(readRegistration(message.body, message)).toEqual({
      maker: text(fields, 'ManufacturerID', 'makerId'),
      model: text(fields, 'TerminalModel', 'deviceModel'),
      deviceId: text(fields, 'TerminalID', 'deviceId'),
      plate: text(fields, 'LicensePlateNumber', 'plateNo'),
    }),
  '0200': (message, fields) => expectLocation(firstOf(message), fields),
  '0201': (message, fields) => expectLocation(firstOf(message), fields),
  '0702': (message, fields) =>
    expect(firstOf(message)).toMatchObject({
      attributes: {
        driver_card: { 1: 'in', 2: 'out' }[number(fields, 'status')],
        driver_card_result: number(fields, 'cardStatus'),
        driver_name: text(fields, 'name'),
        driver_licence: text(fields, 'licenseNo'),
        driver_licence_issuer: text(fields, 'institution'),
        driver_licence_until: text(fields, 'licenseValidPeriod').replace(/(..)(..)$/, '-$1-$2'),
      },
      time_ms: moment(text(fields, 'dateTime').replace(/(..)(..)(..)(..)(..)(..)/, '20$1-$2-$3T$4:$5:$6')),
    }),
  '0704': (message, fields) => {
    const reports = reportsOf(message);
    const items = objects(fields, 'items');
    expect(reports).toHaveLength(number(fields, 'total'));
    for (const [at, item] of items.entries()) expectLocation(reports[at], item);
  },
  '0800': (message, fields) => expectMedia(firstOf(message), fields),
  '0801': (message, fields) => {
    expectMedia(firstOf(message), fields);
    expectLocation(firstOf(message), z.record(z.string(), z.unknown()).parse(fields['location']));
    expect(readReports(message)?.mediaId).toBe(fields['id']);
  },
  '1205': (message, fields) =>
    expect(readRecordings(message.body, 480)).toEqual(
      objects(fields, 'AudioVideoResourceList', 'items').map((it) => ({
        channel: number(it, 'ChannelNo', 'channelNo'),
        from_ms: moment(text(it, 'StartTime', 'startTime')),
        to_ms: moment(text(it, 'EndTime', 'endTime')),
        alarm: number(it, 'AlarmFlag', 'warnBit') !== 0,
        stream: { 1: 'main', 2: 'sub' }[number(it, 'StreamType', 'streamType')],
        size_bytes: number(it, 'FileSizeByte', 'size'),
      })),
    ),
  '8001': ({ body }, fields) =>
    expect(body).toEqual(
      generalResponseBody(
        number(fields, 'RespondSerialNumber', 'responseSerialNo'),
        number(fields, 'RespondID', 'responseMessageId'),
        z.literal([0, 1, 2, 3]).parse(field(fields, 'Result', 'resultCode')),
      ),
    ),
  '8003': (message, fields) =>
    expect(message.body).toEqual(
      resendRequestBody(
        number(fields, 'OriginalSerialNumber', 'responseSerialNo'),
        numbers(fields, 'AgainPackageList', 'id'),
        message,
      ),
    ),
  '8100': ({ body }, fields) => {
    const serial = number(fields, 'responseSerialNo');
    const code = text(fields, 'token');
    expect(body).toEqual(registrationAnswerBody(serial, { taken: true, code }));
  },
  '8300': (message, fields) => {
    const said = gbkOf(text(fields, 'Text', 'content'));
    // The first byte are flags, of which this host sets its own.
    expect(message.body.subarray(1)).toEqual(textBody(said, message).subarray(1));
  },
};

/** Fields that are not checked, by the vector or by the id of the message, and why. */
const notChecked: Readonly<Record<string, string>> = {
  '0102': 'any code will do: terminals are known by their number',
  '0303': 'this host offers no information to ask for; the terminal gets the result "not supported"',
  '0705': 'raw frames of a vehicle’s bus, whose meaning only its maker knows; answered as not supported',
  '0805': 'this host asks for no pictures',
  '1003': 'this host asks for no properties of media',
  '1005': 'passengers are not counted here; answered as not supported',
  '1206': 'this host asks for no uploads; recordings are played back',
  '1210': 'attachments come on a connection of their own, which this host never asks for',
  '1212': 'attachments come on a connection of their own, which this host never asks for',
  '8800': 'this host takes pictures whole: lost parts are asked for by 8003, as of any message',
  '8801': 'this host asks for no pictures',
  '9101': 'this host asks for no live video',
  '9105': 'this host asks for no live video',
  '9201': 'this host writes TCP alone: the ports of the vector are of TCP and UDP; see its own tests',
  '9202': 'this host only ends a playback, and the vector pauses one; see its own tests',
  '9206': 'this host asks for no uploads; recordings are played back',
  '9208': 'this host asks for no attachments',
};

const named = jt808Vectors.filter((it) => Object.keys(it.expect.body_fields ?? {}).length > 0);
const isChecked = ({ expect: stated }: Jt808Vector) => checks[stated.msg_id ?? ''] !== undefined;

if (named.length === 0)
  test('the JT/T 808 decoder reads the fields of the collected vectors', ({ skip }) => skip(noVectors));

test.each(named.filter(isChecked))(
  'vector $id has the fields that it states',
  ({ input, expect: stated }) => {
    const [frame] = framesOf(Buffer.from(input, 'hex'));
    const message = frame === undefined ? null : readMessage(frame);
    if (message === null) throw new Error('no message');
    checks[stated.msg_id ?? '']?.(message, stated.body_fields ?? {});
  },
);

test('each vector whose fields are not checked has a reason, and each reason a vector', ({ skip }) => {
  if (named.length === 0) skip(noVectors);
  const left = named.filter((it) => !isChecked(it)).map((it) => it.expect.msg_id ?? it.id);
  expect([...new Set(left)].sort()).toEqual(Object.keys(notChecked).sort());
});

const withItems = named.filter((it) => it.expect.body_fields?.['attributes'] !== undefined);

test.each(withItems)('vector $id has the additional items that it states', ({ input, expect: stated }) => {
  const [frame] = framesOf(Buffer.from(input, 'hex'));
  const message = frame === undefined ? null : readMessage(frame);
  const report = message === null ? undefined : firstOf(message);
  const items = z.record(z.string(), z.unknown()).parse(stated.body_fields?.['attributes']);
  const part = (id: string) => z.record(z.string(), z.unknown()).parse(items[id]);
  const published = report?.attributes ?? {};
  const item: Readonly<Record<string, (id: string) => void>> = {
    '1': (id) => expect(report?.odometer_m).toBe(Number(items[id]) * 100),
    '2': (id) => expect(published['fuel_l']).toBeCloseTo(Number(items[id]) / 10, 6),
    '3': (id) => expect(published['recorder_speed_kmh']).toBeCloseTo(Number(items[id]) / 10, 6),
    '4': (id) => expect(published['event_to_confirm']).toBe(items[id]),
    '17': (id) => {
      expect(published['overspeed_place_type']).toBe(part(id)['areaType']);
      expect(published['overspeed_place']).toBe(part(id)['areaId']);
    },
    '18': (id) => {
      expect(published['crossed_place_type']).toBe(part(id)['areaType']);
      expect(published['crossed_place']).toBe(part(id)['areaId']);
      expect(published['crossed_way']).toBe(part(id)['direction'] === 0 ? 'in' : 'out');
    },
    '19': (id) => {
      expect(published['segment']).toBe(part(id)['areaId']);
      expect(published['segment_s']).toBe(part(id)['driveTime']);
      expect(published['segment_result']).toBe(part(id)['result'] === 0 ? 'too_short' : 'too_long');
    },
    '37': (id) => {
      const bits = Array.from({ length: 32 }, (_, bit) => bit).filter(
        (bit) => (Number(items[id]) >>> bit) % 2 === 1,
      );
      expect(published['vehicle_signals']).toBe(bits.join(','));
    },
    '42': (id) => expect(published['io_status']).toBe(items[id]),
    '43': (id) => expect(published['adc_0']).toBe(items[id]),
    '48': (id) => expect(published['signal']).toBe(items[id]),
    '49': (id) => expect(report?.satellites).toBe(items[id]),
  };
  for (const id of Object.keys(items)) {
    const check = item[id];
    // Tyres and the temperature of 2019 (5, 6), and what active safety adds (100 to 103), are kept as they came.
    if (check === undefined)
      expect(published[`item_${Number(id).toString(16).padStart(2, '0')}`]).toBeTypeOf('string');
    else check(id);
  }
});
