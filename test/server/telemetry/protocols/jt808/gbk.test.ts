import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { gbkOf, notInGbk } from '../../../../../server/telemetry/protocols/jt808/encodings.ts';

test.each([
  ['', ''],
  ['RESET#', '524553455423'],
  ['中文', 'd6d0cec4'],
  ['请停车 A1', 'c7ebcda3b3b5204131'],
  ['Стой', 'a7b3a7e4a7e0a7db'],
  ['é', 'a8a6'],
])('%s is written as %s', (text, hex) => {
  expect(Buffer.from(gbkOf(text)).toString('hex')).toBe(hex);
  expect(notInGbk(text)).toBeNull();
});

test.each([
  ['Ķekava', 'Ķ'],
  ['stop 😀!', '😀'],
  ['中\u{20000}', '\u{20000}'],
])('the encoder names the character of %s that GBK does not have', (text, lacking) => {
  expect(notInGbk(text)).toBe(lacking);
  expect(() => gbkOf(text)).toThrow(RangeError);
});

test('text that can be encoded is decoded to the same text', () => {
  const decoder = new TextDecoder('gbk');
  assert(
    property(string({ unit: 'binary', maxLength: 40 }), (text) => {
      const lacking = notInGbk(text);
      if (lacking === null) expect(decoder.decode(gbkOf(text))).toBe(text);
      else expect(text).toContain(lacking);
    }),
    { numRuns: 300 },
  );
});

test('each character of the basic plane that the decoder knows by two bytes is written', () => {
  const decoder = new TextDecoder('gbk');
  let known = 0;
  for (let code = 0x80; code < 0xd800; code += 1) {
    const character = String.fromCodePoint(code);
    if (notInGbk(character) !== null) continue;
    known += 1;
    const bytes = gbkOf(character);
    expect(bytes).toHaveLength(2);
    expect(decoder.decode(bytes)).toBe(character);
  }
  // GBK has 21,886 characters; a few more have come since.
  expect(known).toBeGreaterThan(21_000);
});
