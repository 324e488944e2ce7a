import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { attributes } from '../../../../../server/contract/fields.ts';
import {
  dataAnswer,
  readData,
  splitBlackBox,
  type DataType,
} from '../../../../../server/telemetry/protocols/wialon/dataPackets.ts';
import { readChecked, readPacket } from '../../../../../server/telemetry/protocols/wialon/packets.ts';
import type { TerminalReport } from '../../../../../server/telemetry/terminalReport.ts';
import { longBody, shortBody, type WialonData } from '../../../../support/fakeWialon.ts';
import { expectStated } from './statedReports.ts';
import { noVectors, wialonVectors } from './wialonData.ts';

if (wialonVectors.length === 0) {
  test('the Wialon decoder reads the vectors that were collected from other programs', ({ skip }) =>
    skip(noVectors));
}

test.each(wialonVectors.filter((it) => it.expect.positions !== undefined))(
  'the Wialon decoder reads vector $id as stated',
  (vector) => {
    const packet = readPacket(Buffer.from(vector.input, 'utf8'));
    if (packet === null) throw new Error('no packet');
    const isBox = packet.type === 'B';
    const text =
      vector.expect.crc === undefined
        ? packet.body.toString('utf8')
        : readChecked(packet.body, isBox ? '|' : ';');
    if (text === null) throw new Error('the CRC does not fit');
    const type = packet.type === 'SD' ? 'SD' : 'D';
    const ones = isBox ? (splitBlackBox(text) ?? []) : [{ type, text } as const];
    expectStated(
      ones.map((it) => reportOf(it.type, it.text)),
      vector,
    );
  },
);

/** What is answered to a body. */
function answerTo(type: DataType, body: string): string {
  return dataAnswer(type, readData(type, body, '7').fault?.kind ?? null).toString();
}

function reportOf(type: DataType, body: string): TerminalReport {
  const { report, fault } = readData(type, body, '7');
  if (fault !== null) throw new Error(fault.why);
  return report;
}

const short = '270413;205601;5544.6025;N;03739.6834;E;1;2;3;4';
const long = `${short};1.5;5;0;14.77,3.6;AB45DF01145;count1:1:564,fuel:2:45.8,hw:3:V4.5`;
/** The body with some of its fields written otherwise. */
const withFields = (body: string, changes: Readonly<Record<number, string>>) =>
  body
    .split(';')
    .map((field, at) => changes[at] ?? field)
    .join(';');

describe('the answer names what cannot be read', () => {
  const faults: [code: number, changes: Record<number, string>][] = [
    [0, { 0: '310213' }],
    [0, { 0: '000000' }],
    [0, { 0: '2704' }],
    [0, { 1: '240000' }],
    [0, { 1: 'noon' }],
    [10, { 2: 'north' }],
    [10, { 3: 'E' }],
    [10, { 3: 'NA' }],
    [10, { 2: 'NA' }],
    [10, { 4: '-3739.6834' }],
    [11, { 6: 'fast' }],
    [11, { 7: '1.2.3' }],
    [11, { 8: '1e999' }],
    [12, { 9: 'many' }],
  ];
  const longFaults: typeof faults = [
    [12, { 10: 'x' }],
    [13, { 11: '-1' }],
    [13, { 12: '1.5' }],
    [14, { 13: '1,x' }],
    [15, { 15: 'count1' }],
    [15, { 15: 'count1:1:x' }],
    [15, { 15: 'count1:4:1' }],
    [15, { 15: ':1:1' }],
  ];

  it.each(faults)(
    'the answer names what cannot be read with code %i for %o in short data',
    (code, changes) => {
      expect(answerTo('SD', withFields(short, changes))).toBe(`#ASD#${code}\r\n`);
    },
  );

  it.each([...faults, ...longFaults])(
    'the answer names what cannot be read with code %i for %o in data',
    (code, changes) => {
      expect(answerTo('D', withFields(long, changes))).toBe(`#AD#${code}\r\n`);
    },
  );

  it('the answer names what cannot be read as a wrong structure when there are too few or too many fields', () => {
    expect(answerTo('SD', `${short};1`)).toBe('#ASD#-1\r\n');
    expect(answerTo('SD', '')).toBe('#ASD#-1\r\n');
    expect(answerTo('D', short)).toBe('#AD#-1\r\n');
  });

  it('the answer names what cannot be read as a wrong checksum', () => {
    expect(dataAnswer('SD', 'checksum').toString()).toBe('#ASD#13\r\n');
    expect(dataAnswer('D', 'checksum').toString()).toBe('#AD#16\r\n');
  });

  it('the answer names no error when all is well', () => {
    expect(answerTo('SD', short)).toBe('#ASD#1\r\n');
    expect(answerTo('D', long)).toBe('#AD#1\r\n');
  });
});

describe('data', () => {
  const read = (changes: Readonly<Record<number, string>>) => reportOf('D', withFields(long, changes));

  it('data has its parameters by their types', () => {
    expect(reportOf('D', long)).toMatchObject({
      terminal_id: '7',
      time_ms: Date.UTC(2013, 3, 27, 20, 56, 1),
      speed_kmh: 1,
      course_deg: 2,
      altitude_m: 3,
      satellites: 4,
      hdop: 1.5,
      attributes: {
        inputs: 5,
        outputs: 0,
        adc1: 14.77,
        adc2: 3.6,
        ibutton: 'AB45DF01145',
        count1: 564,
        fuel: 45.8,
        hw: 'V4.5',
      },
    });
  });

  it('data may have commas, colons and semicolons in the text of a parameter', () => {
    const { attributes: kept } = reportOf('D', `${long},text:3:on site: gate 3; late, sorry,n:1:2`);
    expect(kept).toMatchObject({ text: 'on site: gate 3; late, sorry', n: 2 });
  });

  it('data keeps a parameter beside the field that has its name', () => {
    const params = 'inputs:1:9,adc1:2:7.5,ibutton:3:zz,adc3:2:1';
    expect(read({ 15: params }).attributes).toEqual({
      inputs: 5,
      outputs: 0,
      adc1: 14.77,
      adc2: 3.6,
      ibutton: 'AB45DF01145',
      param_inputs: 9,
      param_adc1: 7.5,
      param_ibutton: 'zz',
      adc3: 1,
    });
  });

  it('data keeps whole numbers exactly', () => {
    const params = 'mcc:1:02,card:1:12345678901234567890,odo:1:1.5';
    expect(read({ 11: '18446744073709551615', 15: params }).attributes).toMatchObject({
      inputs: '18446744073709551615',
      mcc: 2,
      card: '12345678901234567890',
      odo: 1.5,
    });
  });

  it('data raises the alarm of the button, and says whether the ignition is on', () => {
    expect(read({ 15: 'SOS:1:1,ign:1:0' })).toMatchObject({ alarms: ['sos'], ignition: false });
    expect(read({ 15: 'sos:1:0,Ignition:1:1' })).toMatchObject({ alarms: [], ignition: true });
    expect(read({ 15: 'SOS:1:1,ign:1:0' }).attributes).toEqual({
      inputs: 5,
      outputs: 0,
      adc1: 14.77,
      adc2: 3.6,
      ibutton: 'AB45DF01145',
    });
    expect(read({ 15: 'SOS:3:help,ign:2:12.6' })).toMatchObject({
      alarms: [],
      ignition: null,
      attributes: { SOS: 'help', ign: 12.6 },
    });
  });

  it('data raises the alarm of the button that is written as a text, and of no other text', () => {
    expect(read({ 15: 'n:1:1,SOS:3:1,ign:3:1' })).toMatchObject({ alarms: ['sos'], ignition: true });
    expect(read({ 15: 'SOS:3:1,ign:3:1' }).attributes).not.toHaveProperty('SOS');
    expect(read({ 15: 'sos:3:0' })).toMatchObject({ alarms: [] });
    expect(read({ 15: 'SOS:3:1,2' })).toMatchObject({ alarms: [], attributes: { SOS: '1,2' } });
  });

  it('data leaves out what is NA or empty', () => {
    const nothing = Object.fromEntries(Array.from({ length: 16 }, (_, at) => [at, at % 2 === 0 ? 'NA' : '']));
    expect(read(nothing)).toMatchObject({
      time_ms: null,
      place: null,
      altitude_m: null,
      speed_kmh: null,
      course_deg: null,
      satellites: null,
      hdop: null,
      valid: true,
      attributes: {},
    });
    expect(read({ 13: '1,,NA,4', 15: 'a:1:NA,b:2:,c:1:3,' }).attributes).toMatchObject({
      adc1: 1,
      adc4: 4,
      c: 3,
    });
  });

  it('data has no fix when it sees no satellite', () => {
    expect(read({ 9: '0' }).valid).toBe(false);
    expect(read({ 9: 'NA' }).valid).toBe(true);
  });

  it('data is taken without what cannot be measured so', () => {
    expect(read({ 6: '-1', 7: '361', 9: '999', 10: '-1' })).toMatchObject({
      speed_kmh: null,
      course_deg: null,
      satellites: null,
      hdop: null,
    });
    expect(read({ 7: '360' }).course_deg).toBe(0);
    expect(Object.is(read({ 8: '-0.0' }).altitude_m, 0)).toBe(true);
  });

  it('data has places in all quarters of the earth, with zeros left out in front', () => {
    const place = (...[lat, ns, lon, ew]: string[]) =>
      read({ 2: lat ?? '', 3: ns ?? '', 4: lon ?? '', 5: ew ?? '' }).place;
    const south = -(36 + 44.67041 / 60);
    expect(place('3644.670410', 'S', '3644.670410', 'W')).toEqual({ lat: south, lon: south });
    expect(place('30', 'N', '6.5', 'e')).toEqual({ lat: 0.5, lon: 6.5 / 60 });
    expect(place('0000.0', 'S', '00000.0', 'W')).toEqual({ lat: 0, lon: 0 });
    // Beyond the earth: refused for all protocols alike where positions are admitted.
    expect(place('9930.', 'N', '03730.', 'E')).toEqual({ lat: 99.5, lon: 37.5 });
  });

  it('data has fractions of a second, in UTC', () => {
    expect(read({ 1: '205601.25' }).time_ms).toBe(Date.UTC(2013, 3, 27, 20, 56, 1, 250));
    expect(read({ 0: '290224', 1: '000000' }).time_ms).toBe(Date.UTC(2024, 1, 29));
  });
});

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const rounded = (min: number, max: number) =>
  fc.integer({ min: Math.round(min * 100), max: Math.round(max * 100) }).map((it) => it / 100);
const name = fc.string({ unit: fc.constantFrom(...Array.from('abcxyz_.1Ба')), minLength: 1, maxLength: 12 });
const text = fc.string({ unit: fc.constantFrom(...Array.from('abc %:_Бат漢')), maxLength: 20 });
const data: fc.Arbitrary<WialonData> = fc
  .record({
    time_ms: optional(
      fc.integer({ min: Date.UTC(2000), max: Date.UTC(2099) }).map((it) => it - (it % 1_000)),
    ),
    place: optional(fc.record({ lat: rounded(-90, 90), lon: rounded(-180, 180) })),
    speed_kmh: optional(rounded(0, 400)),
    course_deg: optional(rounded(0, 359)),
    altitude_m: optional(rounded(-400, 9_000)),
    satellites: optional(fc.integer({ min: 0, max: 40 })),
    hdop: optional(rounded(0, 50)),
    inputs: optional(fc.nat()),
    outputs: optional(fc.nat()),
    adc: optional(fc.array(rounded(-20, 20), { minLength: 1, maxLength: 4 })),
    ibutton: optional(fc.constantFrom('AB45DF01145', '00')),
    params: optional(
      fc.uniqueArray(
        fc.oneof(
          fc.tuple(name, fc.constant(1 as const), fc.integer()),
          fc.tuple(name, fc.constant(2 as const), rounded(-1e6, 1e6)),
          fc.tuple(name, fc.constant(3 as const), text),
        ),
        { selector: ([key]) => key, minLength: 1, maxLength: 6 },
      ),
    ),
  })
  .map(({ place, ...more }) =>
    Object.fromEntries(Object.entries({ ...more, ...place }).filter(([, it]) => it !== undefined)),
  );

describe('a message of a terminal', () => {
  it('a message of a terminal is read as it was written', () => {
    fc.assert(
      fc.property(data, (said) => {
        const report = reportOf('D', longBody(said));
        expect(report.time_ms).toBe(said.time_ms ?? null);
        expect(report.place === null).toBe(said.lat === undefined);
        if (report.place !== null) {
          expect(report.place.lat).toBeCloseTo(said.lat ?? Number.NaN, 7);
          expect(report.place.lon).toBeCloseTo(said.lon ?? Number.NaN, 7);
        }
        expect(report.speed_kmh).toBe(said.speed_kmh ?? null);
        expect(report.course_deg).toBe(said.course_deg ?? null);
        expect(report.altitude_m).toBe(said.altitude_m ?? null);
        expect(report.satellites).toBe(said.satellites ?? null);
        expect(report.hdop).toBe(said.hdop ?? null);
        expect(report.attributes).toEqual({
          ...(said.inputs === undefined ? {} : { inputs: said.inputs }),
          ...(said.outputs === undefined ? {} : { outputs: said.outputs }),
          ...Object.fromEntries((said.adc ?? []).map((value, at) => [`adc${at + 1}`, value])),
          ...(said.ibutton === undefined ? {} : { ibutton: said.ibutton }),
          ...Object.fromEntries((said.params ?? []).map(([key, , value]) => [key, value])),
        });
        expect(reportOf('SD', shortBody(said))).toEqual({ ...report, hdop: null, attributes: {} });
      }),
      { numRuns: 300 },
    );
  });

  it('a message of a terminal is read or refused, never with an attribute that the contract has no space for', () => {
    const edits = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 8,
    });
    const bodies = [short, long, ...wialonVectors.map((it) => it.input)];
    fc.assert(
      fc.property(fc.constantFrom(...bodies), edits, (body, changes) => {
        const bytes = Buffer.from(body, 'utf8');
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        const packet = readPacket(bytes);
        for (const one of splitBlackBox((packet?.body ?? bytes).toString('utf8')) ?? []) {
          const { report } = readData(one.type, one.text, '7');
          if (report !== null) expect(attributes.safeParse(report.attributes).success).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a black box', () => {
  it('a black box with more messages than any terminal has is not read', () => {
    const boxOf = (count: number) => Array.from({ length: count }, () => 'x').join('|');
    expect(splitBlackBox(boxOf(5_000))).toHaveLength(5_000);
    expect(splitBlackBox(`${boxOf(5_000)}|`)).toHaveLength(5_000);
    expect(splitBlackBox(boxOf(5_001))).toBeNull();
    expect(splitBlackBox(`${'|'.repeat(6_000)}x`)).toBeNull();
  });

  it('a black box makes no error, with a note of where it was thrown, of each message that cannot be read', () => {
    for (const body of ['x', '1;2;;;;;;;;', ';;x;N;x;E;;;;', `${short};x;-1;-1;x;;x`]) {
      const { fault } = readData(body.split(';').length === 10 ? 'SD' : 'D', body, '7');
      expect(fault).not.toBeNull();
      expect(fault).not.toBeInstanceOf(Error);
    }
  });
});
