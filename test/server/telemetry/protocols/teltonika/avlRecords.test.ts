import { assert, property, uint8Array } from 'fast-check';
import { expect, test } from 'vitest';
import { readAvlData } from '../../../../../server/telemetry/protocols/teltonika/avlRecords.ts';
import {
  readDatagram,
  frameLength,
  readFrame,
} from '../../../../../server/telemetry/protocols/teltonika/frames.ts';
import { dataBytes, packetOf, type FakeRecord } from '../../../../support/fakeTeltonika.ts';
import { publishedIn } from './avlElements.ts';

const fix: FakeRecord = { time_ms: 1, lat: 1, lon: 2, io: { 385: Buffer.of(1, 2, 3) } };
const data = dataBytes([fix, fix], 0x8e);

test('data whose records end before the second count cannot be read, and say how many there were to be', () => {
  expect(readAvlData(data).kind).toBe('records');
  expect(readAvlData(Buffer.concat([data, Buffer.of(2)]))).toMatchObject({ kind: 'unreadable', count: 2 });
});

test.each([0, 1, 2, 30, 60])('data that are %i bytes short cannot be read', (short) => {
  const bytes = Buffer.concat([data.subarray(0, data.length - 1 - short - 1), Buffer.of(2)]);
  expect(readAvlData(bytes)).toEqual({ kind: 'unreadable', count: 2, records: [] });
});

test('counts that differ cannot be read, the records before them can', () => {
  const published = (bytes: Buffer) => {
    const read = readAvlData(bytes);
    return 'records' in read ? { ...read, records: read.records.map(publishedIn) } : read;
  };
  const unreadable = { ...published(data), kind: 'unreadable' };
  expect(unreadable).toMatchObject({ count: 2, records: [{ time_ms: 1 }, { time_ms: 1 }] });
  const other = Buffer.from(data);
  other[other.length - 1] = 3;
  expect(published(other)).toEqual(unreadable);
  expect(published(Buffer.concat([data, Buffer.of(7, 7)]))).toEqual(unreadable);
});

test('records behind which neither their count nor the end stands may have been read at a wrong place', () => {
  const bytes = Buffer.concat([data.subarray(0, -1), Buffer.of(7, 7)]);
  expect(readAvlData(bytes)).toEqual({ kind: 'unreadable', count: 2, records: [] });
});

test.each([0, 4_294_967_295, 4_294_967_296, Date.UTC(2026, 10, 21, 12, 0, 0, 123)])(
  'a record of %i ms is of that time',
  (time_ms) => {
    expect(readAvlData(dataBytes([{ ...fix, time_ms }], 0x8e))).toMatchObject({ records: [{ time_ms }] });
  },
);

test('a packet without a record is one', () => {
  expect(readAvlData(dataBytes([], 0x08))).toEqual({ kind: 'records', count: 0, records: [] });
});

test('another codec is named', () => {
  expect(readAvlData(Buffer.of(7, 1, 1))).toEqual({ kind: 'other', codec: 7 });
});

test('a datagram without data is none', () => {
  const bytes = Buffer.from('00090001010100' + '0131' + '080000', 'hex');
  const cut = (length: number) => {
    const one = Buffer.from(bytes.subarray(0, length));
    one.writeUInt16BE(length - 2);
    return readDatagram(one);
  };
  for (const length of [9, 10, 11]) expect(cut(length)).toBeNull();
  expect(cut(12)).toMatchObject({ imei: '1' });
});

test('no bytes crash a reader', () => {
  assert(
    property(uint8Array({ minLength: 3, maxLength: 200 }), (some) => {
      const bytes = Buffer.from(some);
      for (const codec of [0x08, 0x8e, 0x10]) {
        bytes[0] = codec;
        readAvlData(bytes);
      }
      readDatagram(Buffer.from(some));
      readFrame(packetOf(some));
      frameLength(Buffer.from(some));
    }),
  );
});
