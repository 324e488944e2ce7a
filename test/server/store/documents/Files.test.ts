import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDiskFiles, withRetries } from '../../../../server/store/documents/Files.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
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

test('the files of a disk keep their rights on Windows, which has none of Unix, and no folder is opened there', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'settings.json');
  await writeFile(file, '{}', { mode: 0o644 });
  const { mode } = await stat(file);
  const onWindows = createDiskFiles('win32');
  expect(await onWindows.tighten(file)).toBe(false);
  expect((await stat(file)).mode).toBe(mode);
  await onWindows.syncFolder(join(folder, 'not there'));
  await expect(createDiskFiles('linux').syncFolder(join(folder, 'not there'))).rejects.toThrow('ENOENT');
});

test.skipIf(process.platform === 'win32')(
  'the files of a disk are for their owner alone once tightened',
  async () => {
    const file = join(await temporaryFolder(), 'settings.json');
    await writeFile(file, '{}', { mode: 0o644 });
    expect(await createDiskFiles('linux').tighten(file)).toBe(true);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  },
);
