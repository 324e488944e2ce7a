import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redactAuthCode, writeMessage } from '../../../../../server/telemetry/protocols/jt808/message.ts';

const header = { serial: 0x7e7d, phoneBcd: '013912345678', version: null };
const later = { serial: 1, phoneBcd: '00000000013912345678', version: 1 };
const code = Buffer.from('secret\x7e\x7d', 'latin1');

test.each([
  ['2013', header, 12],
  ['2019', later, 17],
] as const)('the body of an authentication of %s is overwritten, and its check byte', (_, head, length) => {
  const bytes = Buffer.from(writeMessage({ ...head, id: 0x0102 }, code));
  const plain = Buffer.from(bytes);
  expect(redactAuthCode(bytes)).toBe(true);
  const escapes = head === header ? 2 : 0;
  const bodyStart = 1 + length + escapes;
  expect(bytes.subarray(0, bodyStart)).toEqual(plain.subarray(0, bodyStart));
  expect(bytes.subarray(bodyStart, -1).every((byte) => byte === 0x2a)).toBe(true);
  expect(bytes.at(-1)).toBe(0x7e);
});

test('nothing of another message is overwritten, not even one that looks like it further on', () => {
  for (const id of [0x0002, 0x0100, 0x0200, 0x0704, 0x0201]) {
    const bytes = Buffer.from(writeMessage({ ...header, id }, Buffer.from([0x01, 0x02, ...code])));
    const plain = Buffer.from(bytes);
    expect(redactAuthCode(bytes)).toBe(false);
    expect(bytes).toEqual(plain);
  }
});

test('no code stays, wherever the bytes are cut off and whatever stands before them', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 30 }),
      fc.uint8Array({ maxLength: 30 }),
      fc.boolean(),
      fc.nat(80),
      (secret, before, isLater, cut) => {
        const message = Buffer.from(writeMessage({ ...(isLater ? later : header), id: 0x0102 }, secret));
        const bodyStart = before.length + (isLater ? 1 + 17 : 1 + 14);
        const bytes = Buffer.concat([before, message]).subarray(0, bodyStart + cut);
        redactAuthCode(bytes);
        const body = bytes.subarray(bodyStart, before.length + message.length - 1);
        expect(body.every((byte) => byte === 0x2a)).toBe(true);
      },
    ),
  );
});
