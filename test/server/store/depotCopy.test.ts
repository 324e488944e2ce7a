import { EventEmitter, once } from 'node:events';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDepotCopy } from '../../../server/store/depotCopy.ts';
import { diskFiles } from '../../../server/store/documents/Files.ts';
import { DiskFull } from '../../../server/store/storeErrors.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { temporaryFolder } from './temporaryFolder.ts';

const HOUR_MS = 3_600_000;

/** A copy of a depot that is a text; `written` and `failed` are emitted. */
async function copyOfText({ isFirst = false } = {}) {
  const folder = await temporaryFolder();
  const file = join(folder, 'depot-copy.json');
  if (!isFirst) await writeFile(file, 'of an earlier host');
  const clock = createFakeClock();
  const happened = new EventEmitter();
  const depot = { text: '{"user":[]}', reads: 0, writes: 0, isDiskFull: false };
  const copy = createDepotCopy({
    folder,
    clock,
    store: {
      depotCopy() {
        depot.reads++;
        return Promise.resolve(Buffer.from(depot.text));
      },
    },
    log: { info: () => undefined, warn: () => happened.emit('failed') },
    files: {
      ...diskFiles,
      create(path) {
        depot.writes++;
        if (depot.isDiskFull) throw new DiskFull('full');
        return diskFiles.create(path);
      },
      async syncFolder(path) {
        await diskFiles.syncFolder(path);
        happened.emit('written');
      },
    },
  });
  return {
    copy,
    clock,
    depot,
    file,
    text: () => readFile(file, 'utf8'),
    /** Resolves when that has happened which the clock brings about. */
    pass: async (ms: number, event: 'written' | 'failed') => {
      const awaited = once(happened, event);
      clock.advance(ms);
      await awaited;
    },
  };
}

test('the copy of a depot is written an hour after the first change since the last one', async () => {
  const { copy, clock, depot, text, pass } = await copyOfText();
  clock.advance(HOUR_MS - 1);
  expect(depot.reads).toBe(0);
  await pass(1, 'written');
  clock.advance(5 * HOUR_MS);
  expect(depot.reads).toBe(1);

  depot.text = '{"user":[1]}';
  copy.onChange();
  clock.advance(HOUR_MS / 2);
  copy.onChange();
  await pass(HOUR_MS / 2, 'written');
  expect(await text()).toBe('{"user":[1]}');
  expect(depot.reads).toBe(2);
  await copy.close();
  expect(depot.reads).toBe(2);
});

test('the copy of a depot is written at the close, readable by its owner alone', async () => {
  const { copy, clock, depot, file, text } = await copyOfText();
  await rm(file);
  copy.onChange();
  await copy.close();
  expect(await text()).toBe(depot.text);
  if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
  copy.onChange();
  clock.advance(2 * HOUR_MS);
  await copy.close();
  expect(depot.reads).toBe(1);
});

test('the copy of a depot that is as the depot is stays the file that it is', async () => {
  const { copy, depot, pass } = await copyOfText();
  await pass(HOUR_MS, 'written');
  copy.onChange();
  await copy.close();
  expect(depot).toMatchObject({ reads: 2, writes: 1 });
});

test('the copy of a depot that cannot be written leaves the one before, and is tried again after an hour', async () => {
  const { copy, depot, text, pass } = await copyOfText();
  await pass(HOUR_MS, 'written');
  Object.assign(depot, { text: '{"user":[1]}', isDiskFull: true });
  copy.onChange();
  await pass(HOUR_MS, 'failed');
  expect(await text()).toBe('{"user":[]}');
  depot.isDiskFull = false;
  await pass(HOUR_MS, 'written');
  expect(await text()).toBe('{"user":[1]}');
});

test('the first copy of a depot is written at once', async () => {
  const { copy, depot, text } = await copyOfText({ isFirst: true });
  await copy.close();
  expect(await text()).toBe(depot.text);
  expect(depot.reads).toBe(1);
});
