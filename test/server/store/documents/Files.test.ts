import { expect, test } from 'vitest';
import { withRetries } from '../../../../server/store/documents/Files.ts';
import { systemError } from './people.ts';

test.each(['EPERM', 'EBUSY', 'EACCES'])(
  'a rename that another program holds up (%s) is tried again',
  async (code) => {
    let failures = 3;
    const waits: number[] = [];
    const rename = withRetries(
      () => (failures-- > 0 ? Promise.reject(systemError(code)) : Promise.resolve()),
      (ms) => Promise.resolve(void waits.push(ms)),
    );
    await rename('a', 'b');
    expect(waits).toEqual([10, 20, 40]);
  },
);

test('a rename that stays held up fails after eight tries, any other failure at once', async () => {
  for (const [code, tries] of [
    ['EBUSY', 8],
    ['ENOENT', 1],
  ] as const) {
    let tried = 0;
    const rename = withRetries(
      () => {
        tried++;
        return Promise.reject(systemError(code));
      },
      () => Promise.resolve(),
    );
    await expect(rename('a', 'b')).rejects.toThrow(code);
    expect(tried).toBe(tries);
  }
});
