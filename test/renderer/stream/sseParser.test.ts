import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createSseParser,
  MAX_MESSAGE_CHARS,
  type SseMessage,
} from '../../../renderer/stream/streamReader.ts';

function parse(chunks: readonly Uint8Array[]): SseMessage[] {
  const messages: SseMessage[] = [];
  const feed = createSseParser((message) => messages.push(message));
  for (const chunk of chunks) feed(chunk);
  return messages;
}

const bytes = (text: string) => new TextEncoder().encode(text);

function cut(whole: Uint8Array, at: readonly number[]): Uint8Array[] {
  const places = [...new Set(at.map((it) => it % (whole.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((from, index) => whole.slice(from, places[index] ?? whole.length));
}

describe('the parser of the event stream', () => {
  it('the parser of the event stream reads a message with its name, its data and its id', () => {
    expect(parse([bytes('event: position\nid: a.7\ndata: {"x":1}\n\n')])).toEqual([
      { event: 'position', data: '{"x":1}', id: 'a.7' },
    ]);
  });

  it('the parser of the event stream joins several lines of data and calls a message without a name "message"', () => {
    expect(parse([bytes('data: one\ndata:two\ndata\n\n')])).toEqual([
      { event: 'message', data: 'one\ntwo\n', id: null },
    ]);
  });

  it('the parser of the event stream keeps the last id for messages that bring none', () => {
    const messages = parse([bytes('id: 1\ndata: a\n\ndata: b\n\n')]);
    expect(messages.map((it) => it.id)).toEqual(['1', '1']);
  });

  it('the parser of the event stream leaves out comments, unknown fields and messages without data', () => {
    expect(parse([bytes(': hello\n\nretry: 5\n\nevent: x\n\ndata: y\n\n')])).toEqual([
      { event: 'message', data: 'y', id: null },
    ]);
  });

  it('the parser of the event stream does not hand on a message whose end has not come', () => {
    expect(parse([bytes('data: y\n')])).toEqual([]);
  });

  it('the parser of the event stream reads the same messages however the bytes are cut and whatever ends the lines', () => {
    const line = fc
      .string({ unit: 'grapheme', maxLength: 12 })
      .map((it) => it.replace(/[\r\n\0\ufeff]/g, ''));
    const message = fc.record({
      event: line,
      data: fc.array(line, { minLength: 1, maxLength: 3 }),
      id: line,
    });
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 5 }),
        fc.constantFrom('\n', '\r', '\r\n'),
        fc.array(fc.nat()),
        (wanted, ending, places) => {
          const text = wanted
            .map(({ event, data, id }) =>
              [`event: ${event}`, `id: ${id}`, ...data.map((it) => `data: ${it}`), '', ''].join(ending),
            )
            .join('');
          expect(parse(cut(bytes(text), places))).toEqual(
            wanted.map(({ event, data, id }) => ({
              event: event === '' ? 'message' : event,
              data: data.join('\n'),
              id,
            })),
          );
        },
      ),
    );
  });

  it('the parser of the event stream holds no more of a message without its end than the largest message has', () => {
    const feed = createSseParser(() => undefined);
    const piece = bytes(`data: ${'x'.repeat(MAX_MESSAGE_CHARS / 4)}\n`);
    for (let count = 0; count < 3; count += 1) feed(piece);
    expect(() => feed(piece)).toThrow('exceeded max buffer size');
  });

  it('the parser of the event stream is not upset by any bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array()), (chunks) => {
        parse(chunks);
      }),
    );
  });
});
