import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frameOf } from '../../../../../server/telemetry/protocols/jt808/frames.ts';
import { readMessage, writeMessage } from '../../../../../server/telemetry/protocols/jt808/message.ts';
import { jt808Vectors } from './jt808Data.ts';
import { framesOf } from './jt808Frames.ts';

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const hexOf = (some: Uint8Array) => Buffer.from(some).toString('hex');
const split = (...chunks: Uint8Array[]) => framesOf(...chunks).map(hexOf);

const header = fc.record({
  id: fc.integer({ min: 0, max: 0xffff }),
  serial: fc.integer({ min: 0, max: 0xffff }),
  phone: fc.oneof(
    fc.record({ version: fc.constant(null), phoneBcd: digits(12) }),
    fc.record({ version: fc.integer({ min: 0, max: 255 }), phoneBcd: digits(20) }),
  ),
});
type Written = typeof message extends fc.Arbitrary<infer T> ? T : never;
const message = fc.record({ header, body: fc.uint8Array({ maxLength: 1_023 }) });

function digits(length: number) {
  return fc
    .array(fc.constantFrom(...Array.from('0123456789abcdef')), { minLength: length, maxLength: length })
    .map((it) => it.join(''));
}

function write({ header: { id, serial, phone }, body }: Written) {
  return writeMessage({ id, serial, ...phone }, body);
}

/** Cuts the bytes at these places. */
function cut(whole: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [0, ...places.map((place) => place % (whole.length + 1)).sort((a, b) => a - b), whole.length];
  return at.slice(1).map((end, index) => whole.subarray(at[index], end));
}

describe('a frame', () => {
  it('a frame is escaped as in the example of the standard', () => {
    expect(hexOf(frameOf(bytes('30 7e 08 7d 55')))).toBe('7e307d02087d01557e');
    expect(split(bytes('7e307d02087d01557e'))).toEqual(['307e087d55']);
  });

  it('a frame is found behind bytes that belong to none, and behind delimiters alone', () => {
    expect(split(bytes('2424 7e 01 7e'))).toEqual(['2424', '01']);
    expect(readMessage(bytes('2424'))).toBeNull();
    expect(split(bytes('7e 01 7e 7e 02 7e'))).toEqual(['01', '02']);
    expect(split(bytes('7e7e7e 01 7e7e7e 02 7e'))).toEqual(['01', '02']);
  });

  it('a frame that is badly escaped costs only itself', () => {
    expect(split(bytes('7e 01 7e 7e 02 7d 03 7e 7e 03 7e'))).toEqual(['01', '03']);
  });

  it('a frame of a message as long as can be, with every byte escaped, is whole', () => {
    const body = Buffer.alloc(1_023, 0x7e);
    const wire = writeMessage({ id: 0x7e7e, serial: 0x7e7e, phoneBcd: '7e'.repeat(10), version: 0x7e }, body);
    const [frame] = framesOf(wire);
    expect(frame === undefined ? null : readMessage(frame)?.body).toEqual(body);
  });

  it('a frame may come in any pieces', () => {
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 5 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        (messages, places) => {
          const wire = Buffer.concat(messages.map(write));
          const read = framesOf(...cut(wire, places)).map(readMessage);
          expect(read).toEqual(
            messages.map(({ header: { id, serial, phone }, body }) => ({
              id,
              serial,
              ...phone,
              isEncrypted: false,
              part: null,
              body: Buffer.from(body),
            })),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('a frame that was damaged leaves those around it whole', () => {
    const noDelimiter = fc
      .uint8Array({ minLength: 1, maxLength: 40 })
      .map((it) => it.filter((byte) => byte !== 0x7e));
    fc.assert(
      fc.property(message, noDelimiter, message, (before, garbage, after) => {
        const wire = Buffer.concat([write(before), bytes('7e'), garbage, bytes('7e'), write(after)]);
        const found = split(wire);
        expect(found[0]).toBe(split(write(before))[0]);
        expect(found.at(-1)).toBe(split(write(after))[0]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a message', () => {
  const heartbeat = writeMessage(
    { id: 2, serial: 1, phoneBcd: '013800000000', version: null },
    new Uint8Array(),
  );

  it('a message whose bytes were changed is none', () => {
    const plain = bytes('0002 0000 013800000000 0001');
    const check = plain.reduce((sum, byte) => sum ^ byte, 0);
    expect(readMessage(Buffer.concat([plain, Buffer.of(check)]))?.id).toBe(2);
    expect(readMessage(Buffer.concat([plain, Buffer.of(check ^ 1)]))).toBeNull();
    expect(split(heartbeat)).toEqual([hexOf(plain) + check.toString(16).padStart(2, '0')]);
  });

  it('a message whose check byte was not escaped is read all the same', () => {
    for (const check of [0x7d, 0x7e]) {
      const plain = bytes('0002 0000 013800000000 0000');
      plain[11] = plain.reduce((sum, byte) => sum ^ byte, 0) ^ check;
      const wire = Buffer.concat([bytes('7e'), plain, Buffer.of(check), bytes('7e')]);
      const [frame] = framesOf(wire);
      expect(frame === undefined ? null : readMessage(frame)?.id).toBe(2);
    }
  });

  it('a message that says it is a part beyond all parts is none', () => {
    for (const part of ['0000 0000', '0002 0000', '0002 0003']) {
      const plain = bytes(`1205 2000 013800000000 0001 ${part}`);
      const check = plain.reduce((sum, byte) => sum ^ byte, 0);
      expect(readMessage(Buffer.concat([plain, Buffer.of(check)]))).toBeNull();
    }
  });

  it('a message with a body that is too long is not written', () => {
    expect(() =>
      writeMessage({ id: 1, serial: 0, phoneBcd: '013800000000', version: null }, Buffer.alloc(1_024)),
    ).toThrow(RangeError);
  });
});

describe('mutated packets of real terminals', () => {
  it('mutated packets of real terminals never break the reader', ({ skip }) => {
    if (jt808Vectors.length === 0) skip('the collected vectors are not on this machine');
    const edits = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 6 });
    fc.assert(
      fc.property(fc.constantFrom(...jt808Vectors), edits, (one, changes) => {
        const wire = bytes(one.input);
        for (const [at, value] of changes) wire[at % wire.length] = value;
        for (const frame of framesOf(wire)) {
          const read = readMessage(frame);
          if (changes.length === 1 && read !== null) expect(read.body.length).toBeLessThanOrEqual(1_023);
        }
      }),
      { numRuns: 500 },
    );
  });
});
