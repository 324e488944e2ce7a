import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../../server/telemetry/protocols/jt808/message.ts';
import {
  createPartJoiner,
  createRoom,
  type Joined,
} from '../../../../../server/telemetry/protocols/jt808/parts.ts';

const wide = () => createRoom(1 << 30);

/** Part `number` of a message whose parts are numbered on from `firstSerial`. */
function part(
  number: number,
  total: number,
  options: { firstSerial?: number; id?: number; body?: Uint8Array } = {},
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
  return [message, { total, number }] as const;
}

describe('parts', () => {
  it('make the message in whatever order they come, however often', () => {
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
        const joined: Joined[] = [];
        for (const number of numbers) {
          const one = joiner.add(...part(number, total, { firstSerial }), 0);
          if (one !== null) joined.push(one);
        }
        const wanted = Array.from({ length: total }, (_, at) => at + 1);
        expect([...(joined[0]?.message.body ?? [])]).toEqual(wanted);
        expect(joined[0]?.message.part).toBeNull();
        expect(joined[0]?.serials).toEqual(wanted.map((number) => (firstSerial + number - 1) % 0x1_0000));
      }),
    );
  });

  it('of two messages do not mix', () => {
    const joiner = createPartJoiner(wide());
    expect(joiner.add(...part(1, 2, { firstSerial: 10, body: Buffer.from('a') }), 0)).toBeNull();
    expect(joiner.add(...part(1, 2, { firstSerial: 12, body: Buffer.from('c') }), 0)).toBeNull();
    const body = (joined: Joined | null) => Buffer.from(joined?.message.body ?? []).toString();
    expect(body(joiner.add(...part(2, 2, { firstSerial: 12, body: Buffer.from('d') }), 0))).toBe('cd');
    expect(body(joiner.add(...part(2, 2, { firstSerial: 10, body: Buffer.from('b') }), 0))).toBe('ab');
    expect(joiner.isOpen()).toBe(false);
  });

  it('that are missing are asked for once, five seconds after the last that came', () => {
    const joiner = createPartJoiner(wide());
    joiner.add(...part(2, 5), 0);
    joiner.add(...part(4, 5), 1_000);
    expect(joiner.overdue(5_999)).toEqual([]);
    expect(joiner.overdue(6_000)).toEqual([{ firstSerial: 100, numbers: [1, 3, 5] }]);
    expect(joiner.overdue(20_000)).toEqual([]);
  });

  it('that come again under new serials, as they were asked for, are taken', () => {
    const joiner = createPartJoiner(wide());
    joiner.add(...part(1, 2), 0);
    joiner.overdue(10_000);
    const joined = joiner.add(...part(2, 2, { firstSerial: 900 }), 10_100);
    expect([...(joined?.message.body ?? [])]).toEqual([1, 2]);
    expect(joined?.serials).toEqual([100, 901]);
  });

  it('are forgotten after a minute without another', () => {
    const room = createRoom(300);
    const joiner = createPartJoiner(room);
    joiner.add(...part(1, 2), 0);
    joiner.overdue(60_000);
    expect(joiner.isOpen()).toBe(false);
    expect(room.take(300)).toBe(true);
  });

  it('of more than four messages at once push out the oldest', () => {
    const joiner = createPartJoiner(wide());
    for (let at = 0; at < 5; at += 1) joiner.add(...part(1, 2, { firstSerial: at * 10 }), 0);
    expect(joiner.overdue(10_000).map((it) => it.firstSerial)).toEqual([10, 20, 30, 40]);
  });

  it('never take more room than there is, and give all of it back', () => {
    let taken = 0;
    let most = 0;
    const room = createRoom(10_000);
    const counted = {
      take(bytes: number) {
        if (!room.take(bytes)) return false;
        taken += bytes;
        most = Math.max(most, taken);
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
    expect(most).toBeGreaterThan(9_000);
    expect(most).toBeLessThanOrEqual(10_000);
    for (const joiner of joiners) joiner.clear();
    expect(taken).toBe(0);
  });

  it('of one message beyond two megabytes are let go', () => {
    const room = createRoom(1 << 30);
    const joiner = createPartJoiner(room);
    for (let number = 1; number <= 4_000; number += 1)
      joiner.add(...part(number, 4_001, { body: Buffer.alloc(1_023) }), 0);
    expect(room.take((1 << 30) - 3 * 1024 * 1024)).toBe(true);
  });
});
