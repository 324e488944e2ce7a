import { expect, it } from 'vitest';
import {
  resendRequestBody,
  generalResponseBody,
  registrationAnswerBody,
  result,
  serverTimeBody,
  textBody,
  readGeneralAnswer,
} from '../../../../../server/telemetry/protocols/jt808/bodies.ts';

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

it('a general answer names serial and id, and is read as it was written', () => {
  const body = generalResponseBody(0x7fff, 0x0200, result.badMessage);
  expect(hexOf(body)).toBe('7fff020002');
  expect(readGeneralAnswer(body)).toEqual({ serial: 0x7fff, id: 0x0200, outcome: 2 });
  expect(readGeneralAnswer(body.subarray(0, 4))).toBeNull();
});

it('a registration is answered with a code only when it is taken', () => {
  expect(hexOf(registrationAnswerBody(1, { taken: true, code: '12345678901' }))).toBe(
    '0001003132333435363738393031',
  );
  expect(hexOf(registrationAnswerBody(1, { taken: false }))).toBe('000104');
});

it('missing parts are counted in a byte before 2019 and in a word since', () => {
  const before = { version: null };
  expect(hexOf(resendRequestBody(4_249, [1, 2, 3, 4, 5, 6, 7, 8, 9], before))).toBe(
    '109909000100020003000400050006000700080009',
  );
  expect(hexOf(resendRequestBody(4_249, [3], { version: 1 }))).toBe('109900010003');
});

it('no more parts are asked for than a message can name', () => {
  const many = Array.from({ length: 2_000 }, (_, at) => at + 1);
  expect(resendRequestBody(0, many, { version: null })).toHaveLength(3 + 2 * 255);
  expect(resendRequestBody(0, many, { version: 1 })).toHaveLength(4 + 2 * 509);
});

it('the time of the host is answered in UTC', () => {
  expect(hexOf(serverTimeBody(Date.UTC(2026, 10, 21, 20, 43, 9, 900)))).toBe('261121204309');
});

it('a text is for the display, and since 2019 a notice', () => {
  const text = Buffer.from('d6d0cec4', 'hex');
  expect(hexOf(textBody(text, { version: null }))).toBe('04d6d0cec4');
  expect(hexOf(textBody(text, { version: 1 }))).toBe('0401d6d0cec4');
});
