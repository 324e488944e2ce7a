import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../../server/telemetry/protocols/jt808/message.ts';
import {
  createPartJoiner,
  createRoom,
  type Added,
  type AssembledMessage,
} from '../../../../../server/telemetry/protocols/jt808/subpackages.ts';

const wide = () => createRoom(1 << 30);

/** Part `number` of a message whose parts are numbered on from `firstSerial`. */
function part(
  number: number,
  total: number,
  options: { firstSerial?: number; id?: number; body?: Uint8Array; isAnswered?: boolean } = {},
) {
  const { firstSerial = 100, id = 0x1205, body = Buffer.of(number & 0xff) } = options;
  const message: Message = {
    id,
    serial: (firstSerial + number - 1) % 0x1_0000,
    phoneBcd: '013800001234',
    version: null,
    isEncrypted: false,
    part: { total, number },
    body,
  };
  return [message, { total, number }, options.isAnswered ?? false] as const;
}

describe('parts', () => {
  it('parts make the message in whatever order they come, however often', () => {
    const order = fc.integer({ min: 1, max: 12 }).chain((total) =>
      fc.record({
        total: fc.constant(total),
        firstSerial: fc.constantFrom(0, 100, 0xfffe),
        numbers: fc
          .array(fc.integer({ min: 1, max: total }), { maxLength: 30 })
          .map((some) => [...some, ...Array.from({ length: total }, (_, at) => at + 1)]),
      }),
    );
    fc.assert(
      fc.property(order, ({ total, firstSerial, numbers }) => {
        const joiner = createPartJoiner(wide());
        const joined: AssembledMessage[] = [];
        for (const number of numbers) {
          const one = joiner.add(...part(number, total, { firstSerial }), 0).joined;
          one?.settle(true);
          if (one !== null) joined.push(one);
        }
        const wanted = Array.from({ length: total }, (_, at) => at + 1);
        expect([...(joined[0]?.message.body ?? [])]).toEqual(wanted);
        expect(joined[0]?.message.part).toBeNull();
        expect(joined[0]?.serials).toEqual(wanted.map((number) => (firstSerial + number - 1) % 0x1_0000));
      }),
    );
  });

  it('parts of two messages do not mix', () => {
    const joiner = createPartJoiner(wide());
    expect(joiner.add(...part(1, 2, { firstSerial: 10, body: Buffer.from('a') }), 0).joined).toBeNull();
    expect(joiner.add(...part(1, 2, { firstSerial: 12, body: Buffer.from('c') }), 0).joined).toBeNull();
    const body = ({ joined }: Added) => {
      joined?.settle(true);
      return Buffer.from(joined?.message.body ?? []).toString();
    };
    expect(body(joiner.add(...part(2, 2, { firstSerial: 12, body: Buffer.from('d') }), 0))).toBe('cd');
    expect(body(joiner.add(...part(2, 2, { firstSerial: 10, body: Buffer.from('b') }), 0))).toBe('ab');
    expect(joiner.isOpen()).toBe(false);
  });

  it('parts that are missing are asked for once, five seconds after the last that came', () => {
    const joiner = createPartJoiner(wide());
    joiner.add(...part(2, 5), 0);
    joiner.add(...part(4, 5), 1_000);
    expect(joiner.pause(5_999).missing).toEqual([]);
    expect(joiner.pause(6_000).missing).toMatchObject([{ firstSerial: 100, numbers: [1, 3, 5] }]);
    expect(joiner.pause(20_000).missing).toEqual([]);
  });

  it('parts that come again under new serials, as they were asked for, are taken at the next pause', () => {
    const joiner = createPartJoiner(wide());
    joiner.add(...part(1, 3), 0);
    joiner.pause(10_000);
    expect(joiner.add(...part(2, 3, { firstSerial: 900 }), 10_100).joined).toBeNull();
    expect(joiner.add(...part(3, 3, { firstSerial: 800 }), 10_200).joined).toBeNull();
    expect(joiner.pause(12_699).joined).toEqual([]);
    const [joined] = joiner.pause(12_700).joined;
    expect([...(joined?.message.body ?? [])]).toEqual([1, 2, 3]);
    expect(joined).toMatchObject({ serials: [901, 802], isSure: false });
    joined?.settle(true);
    expect(joiner.isOpen()).toBe(false);
  });

  it('parts of a new message are not taken for those of an older one that misses some', () => {
    const joiner = createPartJoiner(wide());
    const body = (text: string) => ({ body: Buffer.from(text) });
    joiner.add(...part(2, 3, body('b')), 0);
    joiner.add(...part(3, 3, body('c')), 0);
    joiner.pause(10_000);
    joiner.add(...part(1, 3, { firstSerial: 103, ...body('x') }), 10_100);
    joiner.add(...part(2, 3, { firstSerial: 103, ...body('y') }), 10_100);
    const { joined } = joiner.add(...part(3, 3, { firstSerial: 103, ...body('z') }), 10_100);
    expect(Buffer.from(joined?.message.body ?? []).toString()).toBe('xyz');
    expect(joined).toMatchObject({ serials: [103, 104, 105], isSure: true });
    joined?.settle(true);
    // The older one still misses its first part.
    expect(joiner.pause(20_000).joined).toEqual([]);
    const again = joiner.add(...part(1, 3, body('a')), 20_100).joined;
    expect(Buffer.from(again?.message.body ?? []).toString()).toBe('abc');
  });

  it('parts can be answered before their message is whole, as long as none is missing before them', () => {
    const joiner = createPartJoiner(wide());
    expect(joiner.add(...part(2, 4), 0).receipts()).toEqual([]);
    expect(joiner.add(...part(1, 4), 0).receipts()).toEqual([100, 101]);
    expect(joiner.add(...part(1, 4), 0).receipts()).toEqual([100]);
    const whole = [3, 4].map((number) => joiner.add(...part(number, 4), 0)).at(-1);
    expect(whole?.receipts()).toEqual([]);
    expect(whole?.joined?.serials).toEqual([102, 103]);
  });

  it('parts can be answered after a pause, but for those that have their answer', () => {
    const joiner = createPartJoiner(wide());
    joiner.add(...part(1, 3), 0);
    joiner.add(...part(1, 3, { firstSerial: 200, isAnswered: true }), 0);
    expect(joiner.pause(2_499).receipts).toEqual([]);
    expect(joiner.pause(2_500).receipts).toMatchObject([{ serials: [100] }]);
    expect(joiner.pause(4_000).receipts).toEqual([]);
  });

  it('parts make their message again when it was not processed and one of them is repeated', () => {
    const joiner = createPartJoiner(wide());
    joiner.add(...part(1, 2), 0);
    const { joined } = joiner.add(...part(2, 2), 0);
    // While that is not known it is not made again.
    expect(joiner.add(...part(2, 2), 0)).toMatchObject({ joined: null, isRepeat: false });
    joined?.settle(false);
    const again = joiner.add(...part(2, 2), 0).joined;
    expect([...(again?.message.body ?? [])]).toEqual([1, 2]);
    expect(again?.serials).toEqual([100, 101]);
    again?.settle(true);
    expect(joiner.isOpen()).toBe(false);
    expect(joiner.add(...part(2, 2), 0).joined).toBeNull();
  });

  it('parts are forgotten after a minute without another', () => {
    const room = createRoom(300);
    const joiner = createPartJoiner(room);
    joiner.add(...part(1, 2), 0);
    joiner.pause(60_000);
    expect(joiner.isOpen()).toBe(false);
    expect(room.take(300)).toBe(true);
  });

  it('parts of more than four messages at once push out the oldest', () => {
    const joiner = createPartJoiner(wide());
    for (let at = 0; at < 5; at += 1) joiner.add(...part(1, 2, { firstSerial: at * 10 }), 0);
    expect(joiner.pause(10_000).missing.map((it) => it.firstSerial)).toEqual([10, 20, 30, 40]);
  });

  it('parts never take more space than there is, and give all of it back', () => {
    let taken = 0;
    let max = 0;
    const room = createRoom(10_000);
    const counted = {
      take(bytes: number) {
        if (!room.take(bytes)) return false;
        taken += bytes;
        max = Math.max(max, taken);
        return true;
      },
      give(bytes: number) {
        taken -= bytes;
        room.give(bytes);
      },
    };
    const joiners = [createPartJoiner(counted), createPartJoiner(counted)];
    for (let number = 1; number <= 500; number += 1) {
      for (const joiner of joiners) joiner.add(...part(number, 60_000, { body: Buffer.alloc(100) }), 0);
    }
    expect(max).toBeGreaterThan(9_000);
    expect(max).toBeLessThanOrEqual(10_000);
    for (const joiner of joiners) joiner.clear();
    expect(taken).toBe(0);

    // Also of what is given up while it is being stored, of strays and of what they are taken for.
    const joiner = createPartJoiner(counted);
    joiner.add(...part(1, 3), 0);
    joiner.pause(10_000);
    for (const number of [2, 3]) joiner.add(...part(number, 3, { firstSerial: 500 }), 10_000);
    const [first] = joiner.pause(20_000).joined;
    first?.settle(false);
    joiner.add(...part(2, 3, { firstSerial: 500 }), 20_000);
    joiner.add(...part(1, 3, { firstSerial: 500 }), 20_000);
    joiner.add(...part(2, 3, { firstSerial: 700 }), 20_000);
    joiner.add(...part(3, 3), 20_000);
    const [second] = joiner.pause(30_000).joined;
    joiner.clear();
    second?.settle(false);
    expect([first, second]).not.toContain(undefined);
    expect(taken).toBe(0);
  });

  it('parts of one message beyond two megabytes are let go', () => {
    const room = createRoom(1 << 30);
    const joiner = createPartJoiner(room);
    for (let number = 1; number <= 4_000; number += 1)
      joiner.add(...part(number, 4_001, { body: Buffer.alloc(1_023) }), 0);
    expect(room.take((1 << 30) - 3 * 1024 * 1024)).toBe(true);
  });
});
