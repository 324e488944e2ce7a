import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSha256 } from '../../../../renderer/video/store/sha256.ts';
import { sha256OfBlob } from '../../../../renderer/video/store/sha256OfBlob.ts';

const sumOf = (pieces: Uint8Array[]): string => {
  const sum = createSha256();
  for (const piece of pieces) sum.update(piece);
  return sum.digest();
};

test('SHA-256 sums any pieces as the whole is summed', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 12 }), (pieces) => {
      expect(sumOf(pieces)).toBe(createHash('sha256').update(Buffer.concat(pieces)).digest('hex'));
    }),
  );
});

test('SHA-256 pads messages of every length around a block', () => {
  for (let length = 0; length <= 130; length += 1) {
    const bytes = new Uint8Array(length).fill(length);
    expect(sumOf([bytes])).toBe(createHash('sha256').update(bytes).digest('hex'));
  }
});

test('SHA-256 sums a small blob and a large one alike', async () => {
  const bytes = new Uint8Array(40 * 1024 * 1024).fill(7);
  for (const part of [bytes, bytes.subarray(0, 1_000)]) {
    expect(await sha256OfBlob(new Blob([part]))).toBe(createHash('sha256').update(part).digest('hex'));
  }
});
