import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { standardOffsetMin } from '../../../../../server/telemetry/protocols/jt808/encodings.ts';
import {
  isEmptyList,
  playbackEnd,
  playbackRequest,
  readRecordings,
  recordingsQuery,
} from '../../../../../server/video/terminals/jt1078/signalling.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const span = {
  from_ms: Date.UTC(2026, 10, 21, 4, 43, 0, 250),
  to_ms: Date.UTC(2026, 10, 21, 4, 43, 30, 250),
};

describe('a request to a terminal', () => {
  it('a request for its list is 24 bytes with times in GMT+8, in whole seconds that cover the period', () => {
    expect(hex(recordingsQuery(0, span, standardOffsetMin))).toBe(
      '00' + '261121124300' + '261121124331' + '0000000000000000' + '03' + '00' + '00',
    );
  });

  it('a request for playback names this host, its TCP port, the channel, the stream and the times', () => {
    const order = { address: '192.168.1.9', port: 1078, channel: 3, offsetMin: -180, ...span };
    const body = hex(playbackRequest({ ...order, stream: 'sub' }));
    const address = Buffer.from('192.168.1.9').toString('hex');
    expect(body).toBe(
      '0b' + address + '0436' + '0000' + '03' + '00' + '02' + '00' + '0000' + '261121014300' + '261121014331',
    );
    const streamOf = (stream: 'main' | 'either') => playbackRequest({ ...order, stream })[1 + 11 + 4 + 2];
    expect([streamOf('main'), streamOf('either')]).toEqual([1, 0]);
  });

  it('a request for its end is nine bytes', () => {
    expect(hex(playbackEnd(3))).toBe('030200000000000000');
  });
});

describe('the list of recordings', () => {
  const entry = '03' + '261121124300' + '261121125300' + '0000000000000001' + '00' + '02' + '01' + '00100000';
  const other = '01' + '261121000000' + '261121001000' + '0000000000000000' + '02' + '00' + '02' + '00000000';

  it('the list of recordings is read with its channels, times, streams, alarms and sizes', () => {
    expect(readRecordings(Buffer.from('0007' + '00000002' + entry + other, 'hex'), 480)).toEqual([
      {
        channel: 3,
        from_ms: Date.UTC(2026, 10, 21, 4, 43),
        to_ms: Date.UTC(2026, 10, 21, 4, 53),
        stream: 'sub',
        alarm: true,
        size_bytes: 1_048_576,
      },
      {
        channel: 1,
        from_ms: Date.UTC(2026, 10, 20, 16, 0),
        to_ms: Date.UTC(2026, 10, 20, 16, 10),
        stream: null,
        alarm: false,
        size_bytes: null,
      },
    ]);
  });

  it('the list of recordings that promises more than it holds, or holds times that are none, gives what is there', () => {
    const broken = entry.replace('261121125300', '261399126161');
    expect(
      readRecordings(Buffer.from('0007' + 'ffffffff' + broken + other + '0301', 'hex'), 480),
    ).toHaveLength(1);
  });

  it('the list of recordings is empty when it says so, and not when it is cut short', () => {
    expect(isEmptyList(Buffer.from('000700000000', 'hex'))).toBe(true);
    expect(isEmptyList(Buffer.from('000700000001', 'hex'))).toBe(false);
    expect(isEmptyList(Buffer.from('0007', 'hex'))).toBe(false);
  });

  it('the list of recordings of any bytes is read without an error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        for (const it of readRecordings(bytes, 480)) expect(it.to_ms).toBeGreaterThan(it.from_ms);
      }),
    );
  });
});
