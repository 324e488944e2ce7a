import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filesToEvict } from '../../../server/video/diskQuota.ts';
import type { KeptFile } from '../../../server/video/taskRepository.ts';

const kept = (file_name: string, more: Partial<KeptFile> = {}): KeptFile => ({
  file_name,
  size_bytes: 10,
  done_ms: 0,
  important: false,
  ...more,
});

describe('the clips deleted to free space', () => {
  it('the clips deleted to free space are the oldest, and no more of them than are needed', () => {
    const files = [kept('new', { done_ms: 9 }), kept('old'), kept('middle', { done_ms: 5 })];
    expect(filesToEvict(files, 0)).toEqual([]);
    expect(filesToEvict(files, 1)).toEqual(['old']);
    expect(filesToEvict(files, 10)).toEqual(['old']);
    expect(filesToEvict(files, 11)).toEqual(['old', 'middle']);
    expect(filesToEvict(files, 1_000)).toEqual(['old', 'middle', 'new']);
  });

  it('the clips deleted to free space are never important ones, whatever is needed', () => {
    const file = fc.record({
      file_name: fc.uuid(),
      size_bytes: fc.nat(100),
      done_ms: fc.nat(20),
      important: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(file), fc.nat(2_000), (files, bytes) => {
        const gone = new Set(filesToEvict(files, bytes));
        const [given, left] = [
          files.filter((it) => gone.has(it.file_name)),
          files.filter((it) => !gone.has(it.file_name)),
        ];
        expect(given.every((it) => !it.important)).toBe(true);
        const youngest = Math.max(-1, ...given.map((it) => it.done_ms));
        const oldestLeft = Math.min(Infinity, ...left.filter((it) => !it.important).map((it) => it.done_ms));
        expect(youngest).toBeLessThanOrEqual(oldestLeft);
        const freed = given.reduce((sum, it) => sum + it.size_bytes, 0);
        if (freed < bytes) expect(left.every((it) => it.important)).toBe(true);
      }),
    );
  });
});
