import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redactPassword } from '../../../../../server/telemetry/protocols/wialon/packets.ts';

function redact(text: string): { text: string; isRedacted: boolean } {
  const bytes = Buffer.from(text, 'utf8');
  const isRedacted = redactPassword(bytes);
  return { text: bytes.toString('utf8'), isRedacted };
}

test.each([
  ['#L#86;secret\r\n', '#L#86;******\r\n'],
  ['#L#2.0;86;secret;1A2B\r\n', '#L#2.0;86;***********\r\n'],
  ['2.0;86#L#86;se;cret', '2.0;86#L#86;*******'],
  ['#l#86;secret\n#D#1', '#l#86;******\n#D#1'],
  ['#L#86;a\r\n#L#87;b\r\n', '#L#86;*\r\n#L#87;*\r\n'],
])('the password of %j is overwritten', (text, shown) => {
  expect(redact(text)).toEqual({ text: shown, isRedacted: true });
});

test.each(['#L#86\r\n', '#L#86;\r\n', '#L#2.0;86', '#D#NA;NA;L;1\r\n', '#M#hello;\r\n', '', '#L#'])(
  'nothing of %j is overwritten',
  (text) => {
    expect(redact(text)).toEqual({ text, isRedacted: false });
  },
);

test('no password stays, wherever the bytes are cut off and whatever stands before them', () => {
  const password = fc.stringMatching(/^[^\r\n]{1,20}$/);
  fc.assert(
    fc.property(password, fc.boolean(), fc.string(), fc.nat(40), (secret, isNew, before, cut) => {
      const head = `#L#${isNew ? '2.0;' : ''}352093081234567;`;
      const bytes = Buffer.from(`${before}\r\n${head}${secret}`, 'utf8');
      const start = Buffer.byteLength(`${before}\r\n${head}`);
      const shown = Buffer.from(bytes.subarray(0, start + cut));
      redactPassword(shown);
      expect(shown.subarray(start).every((byte) => byte === 0x2a)).toBe(true);
    }),
  );
});
