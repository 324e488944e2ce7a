import { describe, expect, it } from 'vitest';
import type { StreamMessage } from '../../../server/contract/stream.ts';
import { readStreamMessage } from '../../../renderer/stream/streamSource.ts';
import { createFakeStream } from './fakeStream.ts';

function read(event: string, data: string) {
  const messages: StreamMessage[] = [];
  const malformed: string[] = [];
  readStreamMessage(
    { event, data, id: null },
    { message: (message) => messages.push(message), malformed: (topic) => malformed.push(topic) },
  );
  return { messages, malformed };
}

describe('the reader of a stream message', () => {
  it('the reader of a stream message hands on what the contract knows', () => {
    const { messages, malformed } = read('heartbeat', '{"server_time":"2026-11-21T12:00:00Z"}');
    expect(messages).toEqual([{ topic: 'heartbeat', data: { server_time: '2026-11-21T12:00:00.000Z' } }]);
    expect(malformed).toEqual([]);
  });

  it('the reader of a stream message reports a message that is not JSON or not as specified', () => {
    expect(read('heartbeat', '{').malformed).toEqual(['heartbeat']);
    expect(read('position', '{"positions":[{"lat":91}]}').malformed).toEqual(['position']);
  });

  it('the reader of a stream message leaves topics alone that a newer server may have', () => {
    expect(read('weather', '{}')).toEqual({ messages: [], malformed: [] });
    expect(read('toString', '{}')).toEqual({ messages: [], malformed: [] });
  });
});

describe('the stream as the domains see it', () => {
  it('the stream as the domains see it delivers each topic to its subscribers, until they unsubscribe', () => {
    const { stream, send } = createFakeStream();
    const heard: string[] = [];
    const undo = stream.on('heartbeat', ({ server_time }) => heard.push(server_time));
    stream.on('reset', ({ reason }) => heard.push(reason));
    stream.start();
    send({ topic: 'heartbeat', data: { server_time: 'a' } });
    undo();
    send({ topic: 'heartbeat', data: { server_time: 'b' } });
    send({ topic: 'reset', data: { reason: 'c' } });
    expect(heard).toEqual(['a', 'c']);
  });
});
