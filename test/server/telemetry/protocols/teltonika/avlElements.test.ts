import fc from 'fast-check';
import { expect, test } from 'vitest';
import { avlReport } from '../../../../../server/telemetry/protocols/teltonika/avlReport.ts';
import {
  readAvlData,
  type AvlRecord,
} from '../../../../../server/telemetry/protocols/teltonika/avlRecords.ts';
import { elementsOf } from './avlElements.ts';

// Elements as no well-behaved terminal sends them: in any number, several times, in several groups.

interface Element {
  id: number;
  value: Uint8Array;
}

/** Of 1, 2, 4 and 8 bytes; the fifth, of codec 8 Extended alone, of any length. */
type Groups = readonly Element[][];

type Codec = 0x08 | 0x8e | 0x10;

/** Few, so that many come twice; nobody knows one of them, and codec 8 can name them all. */
const id = fc.constantFrom(150, 151, 152, 153, 154, 155);
const longest = 700;

const groupOf = (minLength: number, maxLength = minLength) =>
  fc.array(fc.record({ id, value: fc.uint8Array({ minLength, maxLength, size: 'max' }) }), { maxLength: 6 });
const fixed = [groupOf(1), groupOf(2), groupOf(4), groupOf(8)];

const packet = fc.oneof(
  fc.record({
    codec: fc.constantFrom<Codec>(0x08, 0x10),
    records: fc.array(fc.tuple(...fixed), { maxLength: 4 }),
  }),
  fc.record({
    codec: fc.constant<Codec>(0x8e),
    records: fc.array(fc.tuple(...fixed, groupOf(0, longest)), { maxLength: 4 }),
  }),
);

function bytesOf(codec: Codec, records: readonly Groups[]): Buffer {
  const word = (value: number) => [value >> 8, value & 0xff];
  const idOf = (value: number) => (codec === 0x08 ? [value] : word(value));
  const countOf = (value: number) => (codec === 0x8e ? word(value) : [value]);
  const recordOf = (groups: Groups) => [
    ...new Uint8Array(24),
    ...idOf(0),
    ...(codec === 0x10 ? [7] : []),
    ...countOf(groups.flat().length),
    ...groups.flatMap((group, at) => [
      ...countOf(group.length),
      ...group.flatMap(({ id, value }) => [...idOf(id), ...(at === 4 ? word(value.length) : []), ...value]),
    ]),
  ];
  return Buffer.from([codec, records.length, ...records.flatMap(recordOf), records.length]);
}

/** By id, in the order of the wire; a later value replaces one before it, and stands in its place. */
function wantedOf(groups: Groups): Map<number, Buffer> {
  return new Map(groups.flat().map(({ id, value }) => [id, Buffer.from(value)]));
}

function recordsIn(bytes: Buffer): AvlRecord[] {
  const read = readAvlData(bytes);
  if (read.kind !== 'records') throw new Error(`the packet is ${read.kind}`);
  return read.records;
}

test('elements are read as they were sent, the last of those that come twice', () => {
  fc.assert(
    fc.property(packet, ({ codec, records }) => {
      expect(recordsIn(bytesOf(codec, records)).map(({ io }) => elementsOf(io))).toEqual(
        records.map((groups) => [...wantedOf(groups)].map(([id, value]) => [id, value.toString('hex')])),
      );
    }),
  );
});

test('unknown elements are numbers of up to four bytes, else hex up to the length of a text', () => {
  fc.assert(
    fc.property(packet, ({ codec, records }) => {
      const wanted = records.map((groups) =>
        [...wantedOf(groups)]
          .filter(([, value]) => value.length > 0)
          .map(([id, value]) => {
            const hex = value.toString('hex');
            return [`io_${id}`, value.length <= 4 ? parseInt(hex, 16) : hex.slice(0, 1_000)];
          }),
      );
      const reports = recordsIn(bytesOf(codec, records)).map((one) => avlReport(one, '1'));
      const raw = ({ attributes }: (typeof reports)[number]) =>
        Object.entries(attributes).filter(([name]) => name !== 'generation_type');
      expect(reports.map(raw)).toEqual(wanted);
    }),
  );
});

test('elements of which one ends beyond the packet make no record', () => {
  fc.assert(
    fc.property(packet, fc.nat(), ({ codec, records }, some) => {
      fc.pre(records.length > 0);
      const whole = bytesOf(codec, records);
      // Of what is left out the second count is the least; a byte more, and an element or a count is missing.
      const short = 2 + (some % (whole.length - 4));
      const cut = whole.subarray(0, whole.length - short);
      expect(readAvlData(cut)).toEqual({ kind: 'unreadable', count: records.length, records: [] });
    }),
  );
});

test('a known element that comes again in a width that is not known is kept raw, and only so', () => {
  const voltage = { id: 66, value: Buffer.of(0x30, 0x39) };
  const strange = { id: 66, value: Buffer.of(0, 0, 0, 7) };
  const [record] = recordsIn(bytesOf(0x08, [[[], [voltage], [strange], []]]));
  if (record === undefined) throw new Error('no record');
  expect(avlReport(record, '1').attributes).toEqual({ io_66: 7 });
});

test('an alarm is given by the last value of its element', () => {
  const ofValue = (value: number) => ({ id: 252, value: Buffer.of(value) });
  const alarmsOf = (...values: number[]) => {
    const bytes = bytesOf(0x08, [[values.map(ofValue), [], [], []]]);
    const eventAt = 2 + 24;
    bytes[eventAt] = 252;
    return recordsIn(bytes).map((record) => avlReport(record, '1').alarms);
  };
  expect(alarmsOf(1, 0)).toEqual([[]]);
  expect(alarmsOf(0, 1)).toEqual([['power_cut']]);
});
