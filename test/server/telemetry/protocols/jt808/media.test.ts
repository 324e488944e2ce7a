import { expect, it } from 'vitest';
import {
  mediaHead,
  readMedia,
  readMediaEvent,
} from '../../../../../server/telemetry/protocols/jt808/messageReports.ts';
import { positionBody } from '../../../../support/fakeJt808.ts';

const header = { id: 0x0801, serial: 0, phoneBcd: '013800001234', version: null };
const time_ms = Date.UTC(2026, 10, 21, 4, 43);
const described = Buffer.from('0000007b00010702', 'hex');
const attributes = { media_id: 123, media_type: 0, media_format: 1, media_event: 7, media_channel: 2 };
const where = positionBody({ lat: 56.95, lon: 24.1, time_ms, alarm: 1 });
const picture = Buffer.from('ffd8ffe000104a46494600010100000100010000ffdb004300', 'hex');

it('an event says what was made', () => {
  expect(readMediaEvent(described, header)).toMatchObject({
    terminal_id: '13800001234',
    time_ms: null,
    place: null,
    attributes,
  });
  expect(readMediaEvent(described.subarray(0, 7), header)).toBeNull();
});

it('a picture bears the position where it was made, with its alarms', () => {
  const body = Buffer.concat([described, where, picture]);
  expect(readMedia(body, header)).toMatchObject({
    id: 123,
    report: { time_ms, place: { lat: 56.95, lon: 24.1 }, valid: true, alarms: ['sos'], attributes },
  });
  expect(readMedia(body.subarray(0, mediaHead), header)).toEqual(readMedia(body, header));
});

it('a picture of 2011 bears none, and its own bytes are not taken for one', () => {
  const body = Buffer.concat([described, picture, Buffer.alloc(100)]);
  expect(readMedia(body, header)).toMatchObject({
    id: 123,
    report: { time_ms: null, place: null, attributes },
  });
});

it('a picture that is too short for its header is ignored', () => {
  expect(readMedia(described.subarray(0, 7), header)).toBeNull();
  expect(readMedia(described, header)?.id).toBe(123);
});
