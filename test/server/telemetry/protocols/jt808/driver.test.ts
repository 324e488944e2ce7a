import fc from 'fast-check';
import { expect, it } from 'vitest';
import { attributes } from '../../../../../server/contract/fields.ts';
import { readDriver } from '../../../../../server/telemetry/protocols/jt808/messageReports.ts';
import { bcdTime } from '../../../../support/fakeJt808.ts';

const header = { id: 0x0702, serial: 0, phoneBcd: '013800001234', version: null };
const header2019 = { ...header, phoneBcd: '00000000013800001234', version: 1 };
const time_ms = Date.UTC(2026, 10, 21, 4, 43);
const padded = (text: string, length: number) =>
  Buffer.concat([Buffer.from(text), Buffer.alloc(length)]).subarray(0, length);
/** 张三 in GBK, behind its length. */
const name = Buffer.from('04d5c5c8fd', 'hex');
const issuer = Buffer.concat([Buffer.of(4), Buffer.from('Riga')]);
const comes = Buffer.concat([
  Buffer.of(1),
  bcdTime(time_ms),
  Buffer.of(0),
  name,
  padded('LIC-77', 20),
  issuer,
  Buffer.from('20290630', 'hex'),
]);

it('a driver who comes is reported by name and licence', () => {
  expect(readDriver(comes, header)).toMatchObject({
    terminal_id: '13800001234',
    time_ms,
    place: null,
    attributes: {
      driver_card: 'in',
      driver_card_result: 0,
      driver_name: '张三',
      driver_licence: 'LIC-77',
      driver_licence_issuer: 'Riga',
      driver_licence_until: '2029-06-30',
    },
  });
});

it('a driver since 2019 is reported by the number of a card as well', () => {
  const body = Buffer.concat([comes, padded('ID-5', 20)]);
  expect(readDriver(body, header2019)?.attributes).toMatchObject({ driver_name: '张三', driver_id: 'ID-5' });
});

it('a driver who goes, or whose card cannot be read, is reported without them', () => {
  const goes = Buffer.concat([Buffer.of(2), bcdTime(time_ms)]);
  expect(readDriver(goes, header)).toMatchObject({ time_ms, attributes: { driver_card: 'out' } });
  const unread = Buffer.concat([Buffer.of(1), bcdTime(time_ms), Buffer.of(4)]);
  expect(readDriver(unread, header)?.attributes).toEqual({ driver_card: 'in', driver_card_result: 4 });
});

it('a driver of 2011 is reported by name and numbers alone', () => {
  const body = Buffer.concat([name, padded('ID-5', 20), padded('LIC-77', 40), issuer]);
  expect(readDriver(body, header)).toMatchObject({
    time_ms: null,
    attributes: {
      driver_name: '张三',
      driver_id: 'ID-5',
      driver_licence: 'LIC-77',
      driver_licence_issuer: 'Riga',
    },
  });
});

it('an item that is too short is ignored', () => {
  expect(readDriver(Buffer.alloc(0), header)).toBeNull();
  expect(readDriver(Buffer.of(1, 0x26), header2019)).toBeNull();
});

it('an item with any bytes has attributes that the contract has space for', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.constantFrom(header, header2019), (body, by) => {
      const report = readDriver(body, by);
      if (report !== null) expect(attributes.safeParse(report.attributes).success).toBe(true);
    }),
    { numRuns: 300 },
  );
});
