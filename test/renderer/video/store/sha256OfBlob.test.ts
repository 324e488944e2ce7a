import { createHash } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { sha256OfBlob } from '../../../../renderer/video/store/sha256OfBlob.ts';

afterEach(() => vi.unstubAllGlobals());

const expectedOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

test('SHA-256 sums a small blob and a large one alike', async () => {
  const bytes = new Uint8Array(40 * 1024 * 1024).fill(7);
  for (const part of [bytes, bytes.subarray(0, 1_000)]) {
    expect(await sha256OfBlob(new Blob([part]))).toBe(expectedOf(part));
  }
});

test('SHA-256 of a blob needs no crypto.subtle, whatever the length around a block and a piece', async () => {
  vi.stubGlobal('crypto', {});
  const piece = 4 * 1024 * 1024;
  const lengths = [...Array(131).keys(), piece - 1, piece, piece + 1];
  const bytes = new Uint8Array(piece + 1).map((_, at) => at % 251);
  for (const length of lengths) {
    const part = bytes.subarray(0, length);
    expect(await sha256OfBlob(new Blob([part]))).toBe(expectedOf(part));
  }
});
