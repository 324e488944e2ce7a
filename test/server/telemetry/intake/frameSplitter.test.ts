import { array, assert, integer, property, string, uint8Array } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFrameSplitter } from '../../../../server/telemetry/intake/frameSplitter.ts';
import { ProtocolMismatch } from '../../../../server/telemetry/intake/protocolHandler.ts';

/** A byte with the length of the whole, then anything. */
const lengthFirst = { longest: 100, frameLength: (bytes: Buffer) => bytes[0] ?? 0 };

/** Text up to a line feed; `!` begins none. */
const lines = {
  longest: 20,
  frameLength(bytes: Buffer): number {
    if (bytes[0] === 0x21) throw new ProtocolMismatch('!');
    return bytes.indexOf(0x0a) + 1;
  },
};

function framesOf(protocol: typeof lines, chunks: readonly Uint8Array[]): string[] {
  const cutter = createFrameSplitter(protocol);
  return chunks.flatMap((chunk) => cutter.push(Buffer.from(chunk)).whole.map((it) => it.toString('hex')));
}

const message = uint8Array({ minLength: 0, maxLength: 99 }).map((rest) =>
  Buffer.concat([Buffer.of(rest.length + 1), rest]),
);

describe('a stream of messages', () => {
  test('a stream of messages is cut alike however it comes', () => {
    assert(
      property(array(message, { maxLength: 20 }), array(integer({ min: 1, max: 150 })), (messages, sizes) => {
        const whole = Buffer.concat(messages);
        const chunks: Buffer[] = [];
        let at = 0;
        for (const size of sizes) {
          chunks.push(whole.subarray(at, at + size));
          at += size;
        }
        chunks.push(whole.subarray(at));
        expect(framesOf(lengthFirst, chunks)).toEqual(messages.map((it) => it.toString('hex')));
      }),
    );
  });

  test('a stream of messages is cut alike when no message says how long it is', () => {
    const text = string({ unit: 'grapheme-ascii', maxLength: 18 }).map((it) => it.replaceAll(/[!\n]/g, '.'));
    assert(
      property(array(text), integer({ min: 1, max: 7 }), (said, size) => {
        const whole = Buffer.from(said.map((it) => `${it}\n`).join(''));
        const count = Math.ceil(whole.length / size);
        const chunks = Array.from({ length: count }, (_, at) => whole.subarray(at * size, (at + 1) * size));
        expect(framesOf(lines, chunks)).toEqual(said.map((it) => Buffer.from(`${it}\n`).toString('hex')));
      }),
    );
  });

  test('a stream of messages has messages that stay as they are when more comes', () => {
    const cutter = createFrameSplitter(lines);
    cutter.push(Buffer.from('on'));
    const [first] = cutter.push(Buffer.from('e\ntw')).whole;
    cutter.push(Buffer.from('o\nthree\n'));
    expect(first?.toString()).toBe('one\n');
  });

  test('a stream of messages begins a message that is not whole', () => {
    const cutter = createFrameSplitter(lines);
    expect(cutter.isInside()).toBe(false);
    cutter.push(Buffer.from('one\nt'));
    expect(cutter.isInside()).toBe(true);
    cutter.push(Buffer.from('wo\n'));
    expect(cutter.isInside()).toBe(false);
  });
});

describe('bytes after the last message', () => {
  test.each([
    ['when none begins so', '!no', '!'],
    ['when it has no end', 'x'.repeat(20), 'no end of a message in 20 bytes'],
  ])('%s', (_, rest, words) => {
    const { whole, foreign } = createFrameSplitter(lines).push(Buffer.from(`one\n${rest}`));
    expect(whole.map(String)).toEqual(['one\n']);
    expect(foreign?.error.message).toBe(words);
    expect(foreign?.bytes.toString()).toBe(rest);
  });

  test('a message is foreign when it announces more bytes than any can have, before it has arrived', () => {
    const { whole, foreign } = createFrameSplitter(lengthFirst).push(Buffer.of(2, 0, 101));
    expect(whole).toHaveLength(1);
    expect(foreign?.error.message).toBe('a message of 101 bytes; it can have 100 at most');
  });
});
