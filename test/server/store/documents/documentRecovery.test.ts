import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { boxOf, createSealing } from '../../../../server/store/sealing.ts';
import { diskFiles } from '../../../../server/store/documents/Files.ts';
import { DiskFull, DataFolderError } from '../../../../server/store/storeErrors.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { FaultyFiles, fileWith, filesOf, openPeople, put, systemError, textOf } from './people.ts';

const STAMP = '20261121T074300Z';
const AT = '2026-11-21T07:43:00.000Z';

const broken: [string, string | Buffer][] = [
  ['empty', ''],
  ['null', 'null'],
  ['truncated', fileWith({ ada: 36 }).slice(0, -7)],
  ['full of zeros', Buffer.alloc(512)],
  ['no JSON', 'people: ada'],
  ['without its envelope', '{"people":{"ada":36}}'],
  ['null in its envelope', '{"schema":1,"data":null}'],
  ['of another shape', '{"schema":1,"data":{"people":{"ada":"36"}}}'],
  ['not UTF-8', Buffer.from(fileWith({ 'ad\u00e1': 36 }), 'latin1')],
  ['numbered below one', '{"schema":0,"data":{"people":{}}}'],
];

describe('a broken document', () => {
  test.each(broken)(
    'a broken document that is %s is set aside, its backup is read, and that stays pending',
    async (_, text) => {
      const folder = await temporaryFolder();
      await put(folder, { 'people.json': text, 'people.json.bak': fileWith({ ada: 35 }) });
      const first = await openPeople(folder);
      expect(first.document.data).toEqual({ people: { ada: 35 } });
      const aside = `people.json.broken-${STAMP}`;
      const pending = [{ document: 'people', quarantinedAs: [aside], restoredFrom: 'bak', at: AT }];
      expect(first.recoveries.pending()).toEqual(pending);
      expect(await filesOf(folder)).toEqual(['people.json', 'people.json.bak', aside]);
      expect(await diskFiles.read(join(folder, aside))).toEqual(Buffer.from(text));
      expect((await stat(join(folder, aside))).mode & 0o777).toBe(0o600);
      expect(await textOf(folder, 'people.json')).toBe(fileWith({ ada: 35 }));
      await first.close();

      const second = await openPeople(folder);
      expect(second.document.data).toEqual({ people: { ada: 35 } });
      expect(second.recoveries.pending()).toEqual(pending);
      await second.recoveries.confirm(['somebody else']);
      expect(second.recoveries.pending()).toEqual(pending);
      await second.recoveries.confirm(['people']);
      await second.close();

      const third = await openPeople(folder);
      expect(third.recoveries.pending()).toEqual([]);
      await third.close();
    },
  );

  test.each(broken)(
    'a broken document that is %s like its backup starts again, and that stays pending',
    async (_, text) => {
      const folder = await temporaryFolder();
      await put(folder, { 'people.json': text, 'people.json.bak': text });
      const first = await openPeople(folder);
      expect(first.document.data).toEqual({ people: {} });
      await first.close();
      const second = await openPeople(folder);
      const quarantinedAs = [`people.json.broken-${STAMP}`, `people.json.bak.broken-${STAMP}`];
      expect(second.recoveries.pending()).toEqual([
        { document: 'people', quarantinedAs, restoredFrom: 'initial', at: AT },
      ]);
      for (const name of quarantinedAs)
        expect(await diskFiles.read(join(folder, name))).toEqual(Buffer.from(text));
      await second.close();
    },
  );

  test.each([
    ['of an older version that cannot be migrated', '{"schema":1,"data":{"people":{"ada":"36"}}}'],
    ['of a newer version', '{"schema":3,"data":{"people":{}}}'],
    ['broken', '{'],
  ])('a document with secrets opens and keeps its file when its backup is %s', async (_, text) => {
    const folder = await temporaryFolder();
    const files = { 'people.json': '{"schema":2,"data":{"people":{"ada":36}}}', 'people.json.bak': text };
    await put(folder, files);
    const { document, recoveries, close } = await openPeople(folder, {
      ...{ version: 2, migrations: [(data: unknown) => data] },
      secrets: { sealing: createSealing(boxOf('Keychain', new Uint8Array(32))), replace: (data) => data },
    });
    expect(document.data).toEqual({ people: { ada: 36 } });
    expect(recoveries.pending()).toEqual([]);
    await close();
    expect(await filesOf(folder)).toEqual(Object.keys(files));
    expect(await textOf(folder, 'people.json')).toBe(files['people.json']);
  });

  test('a broken document that is missing is read from its backup, which is a recovery too', async () => {
    const folder = await temporaryFolder();
    await put(folder, { 'people.json.bak': fileWith({ ada: 35 }) });
    const { document, recoveries, close } = await openPeople(folder);
    expect(document.data).toEqual({ people: { ada: 35 } });
    expect(recoveries.pending()).toEqual([
      { document: 'people', quarantinedAs: [], restoredFrom: 'bak', at: AT },
    ]);
    expect(await textOf(folder, 'people.json')).toBe(fileWith({ ada: 35 }));
    await close();
  });

  test('a broken document that lies on a bad sector is read from its backup', async () => {
    const folder = await temporaryFolder();
    await put(folder, { 'people.json': fileWith({ ada: 36 }), 'people.json.bak': fileWith({ ada: 35 }) });
    const files = {
      ...diskFiles,
      read: (path: string) =>
        path.endsWith('.json') ? Promise.reject(systemError('EIO')) : diskFiles.read(path),
    };
    const { document, close } = await openPeople(folder, { files });
    expect(document.data).toEqual({ people: { ada: 35 } });
    await close();
  });

  test('a broken document stays, and stops the start, when it may not be read', async () => {
    const folder = await temporaryFolder();
    await put(folder, { 'people.json': fileWith({ ada: 36 }), 'people.json.bak': fileWith({ ada: 35 }) });
    const files = { ...diskFiles, read: () => Promise.reject(systemError('EACCES')) };
    await expect(openPeople(folder, { files })).rejects.toThrow('EACCES');
    expect(await filesOf(folder)).toEqual(['people.json', 'people.json.bak']);
  });

  test('twice in one second is kept under two names', async () => {
    const folder = await temporaryFolder();
    for (const text of ['first', 'second']) {
      await put(folder, { 'people.json': text });
      await (await openPeople(folder)).close();
    }
    expect(await textOf(folder, `people.json.broken-${STAMP}`)).toBe('first');
    expect(await textOf(folder, `people.json.broken-${STAMP}-2`)).toBe('second');
  });

  test('a broken document is never replaced before its recovery is on record', async () => {
    const folder = await temporaryFolder();
    await put(folder, { 'people.json': 'broken', 'people.json.bak': 'broken too' });
    const recoveries = {
      pending: () => [],
      report: () => Promise.reject(new DiskFull('no space')),
      confirm: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
    await expect(openPeople(folder, { recoveries })).rejects.toThrow(DiskFull);
    expect(await textOf(folder, 'people.json')).toBe('broken');
    const { recoveries: log, close } = await openPeople(folder);
    expect(log.pending()).toMatchObject([{ document: 'people', restoredFrom: 'initial' }]);
    await close();
  });

  test('a broken document is recovered again when the first attempt could not be written', async () => {
    const folder = await temporaryFolder();
    await put(folder, { 'people.json': 'broken', 'people.json.bak': fileWith({ ada: 35 }) });
    const faulty = new FaultyFiles();
    faulty.fail('ENOSPC', 'write');
    await expect(openPeople(folder, { files: faulty.files })).rejects.toThrow(DiskFull);
    const { document, recoveries, close } = await openPeople(folder);
    expect(document.data).toEqual({ people: { ada: 35 } });
    expect(recoveries.pending().map(({ document: name }) => name)).toEqual(['people', 'people']);
    await recoveries.confirm(['people']);
    expect(recoveries.pending()).toEqual([]);
    await close();
  });
});

describe('a document as a whole', () => {
  test('a document as a whole may begin with a byte order mark', async () => {
    const folder = await temporaryFolder();
    await put(folder, { 'people.json': `\uFEFF${fileWith({ ada: 36 })}` });
    const { document, recoveries, close } = await openPeople(folder);
    expect(document.data).toEqual({ people: { ada: 36 } });
    expect(recoveries.pending()).toEqual([]);
    await close();
  });

  test('a document as a whole is not disturbed by a broken backup or by what a crash left', async () => {
    const folder = await temporaryFolder();
    await put(folder, {
      'people.json': fileWith({ ada: 36 }),
      'people.json.bak': '',
      'people.json.tmp': '{"sch',
      'people.json.bak.tmp': '{"sch',
    });
    const { document, recoveries, close } = await openPeople(folder);
    await document.update((draft) => {
      draft.people['ada'] = 37;
    });
    expect(recoveries.pending()).toEqual([]);
    expect(await filesOf(folder)).toEqual(['people.json', 'people.json.bak']);
    expect(await textOf(folder, 'people.json.bak')).toBe(fileWith({ ada: 36 }));
    await close();
  });

  test('a document as a whole that is new begins with its initial value and is no recovery', async () => {
    const folder = await temporaryFolder();
    const { document, recoveries, close } = await openPeople(folder, { initial: { people: { ada: 1 } } });
    expect(document.data).toEqual({ people: { ada: 1 } });
    expect(recoveries.pending()).toEqual([]);
    expect(await textOf(folder, 'people.json')).toBe(fileWith({ ada: 1 }));
    await close();
  });
});

describe('a document of a newer version', () => {
  test.each(['people.json', 'people.json.bak'])(
    'a document of a newer version in %s refuses to open and is not touched',
    async (file) => {
      const folder = await temporaryFolder();
      const texts = {
        'people.json': 'broken',
        'people.json.bak': fileWith({ ada: 35 }),
        [file]: '{"schema":2}',
      };
      await put(folder, texts);
      const refusal: unknown = await openPeople(folder).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(DataFolderError);
      expect(refusal).toMatchObject({ code: 'newer_version' });
      expect(String(refusal)).toContain('schema 2 of people, this version knows 1');
      for (const [name, text] of Object.entries(texts)) expect(await textOf(folder, name)).toBe(text);
      expect(await filesOf(folder)).toEqual(['people.json', 'people.json.bak']);
    },
  );
});

describe('migrations', () => {
  // 1: a list of names; 2: with a place for the age; 3: by name.
  const toSecond = (data: unknown): unknown =>
    Array.isArray(data) ? data.map((name: unknown) => [name, 0]) : null;
  const toThird = (data: unknown): unknown => ({
    people: Object.fromEntries(Array.isArray(data) ? (data as [string, number][]) : []),
  });
  const migrated = { version: 3, migrations: [toSecond, toThird] };
  const first = JSON.stringify({ schema: 1, data: ['ada', 'bob'] });

  test('migrations run in order, keep a copy of what was before, and are written back', async () => {
    const folder = await temporaryFolder();
    await put(folder, { 'people.json': first });
    const { document, recoveries, close } = await openPeople(folder, migrated);
    expect(document.data).toEqual({ people: { ada: 0, bob: 0 } });
    expect(await textOf(folder, 'people.json')).toBe(fileWith({ ada: 0, bob: 0 }, 3));
    expect(await textOf(folder, 'people.json.v1')).toBe(first);
    expect((await stat(join(folder, 'people.json.v1'))).mode & 0o777).toBe(0o600);
    expect(recoveries.pending()).toEqual([]);
    await close();
  });

  test('migrations begin at the number of the file', async () => {
    const folder = await temporaryFolder();
    await put(folder, { 'people.json': JSON.stringify({ schema: 2, data: [['ada', 36]] }) });
    const { document, close } = await openPeople(folder, migrated);
    expect(document.data).toEqual({ people: { ada: 36 } });
    expect(await filesOf(folder)).toEqual(['people.json', 'people.json.bak', 'people.json.v2']);
    await close();
  });

  test('migrations bring up a backup as well', async () => {
    const folder = await temporaryFolder();
    await put(folder, { 'people.json': 'broken', 'people.json.bak': first });
    const { document, recoveries, close } = await openPeople(folder, migrated);
    expect(document.data).toEqual({ people: { ada: 0, bob: 0 } });
    expect(await textOf(folder, 'people.json.v1')).toBe(first);
    expect(recoveries.pending()).toMatchObject([{ restoredFrom: 'bak' }]);
    await close();
  });

  test.each([
    ['throws', () => JSON.parse('oops') as unknown],
    ['makes what the schema refuses', () => ({ people: { ada: 'old' } })],
  ])('migrations of which one %s stop the start and touch nothing', async (_, faulty) => {
    const folder = await temporaryFolder();
    await put(folder, { 'people.json': first, 'people.json.bak': first });
    const opening = openPeople(folder, { version: 3, migrations: [toSecond, faulty] });
    await expect(opening).rejects.toThrow('could not be brought from schema 1 to 3');
    expect(await filesOf(folder)).toEqual(['people.json', 'people.json.bak']);
    expect(await textOf(folder, 'people.json')).toBe(first);
  });

  test('migrations must lead up to the version', async () => {
    const folder = await temporaryFolder();
    await expect(openPeople(folder, { version: 3, migrations: [toSecond] })).rejects.toThrow(
      'version 3 needs 2 migrations',
    );
  });
});

describe('the recovery log', () => {
  test.each(broken)(
    'the recovery log that is %s itself reports itself, together with what its backup held',
    async (_, text) => {
      const folder = await temporaryFolder();
      await put(folder, { 'people.json': 'broken' });
      const opened = await openPeople(folder);
      await opened.recoveries.report({ document: 'other', quarantinedAs: [], restoredFrom: 'bak', at: AT });
      await opened.close();
      await put(folder, { 'recoveries.json': text });
      for (const attempt of ['first', 'second']) {
        const { recoveries, close } = await openPeople(folder);
        const names = recoveries.pending().map(({ document }) => document);
        expect([attempt, names]).toEqual([attempt, ['people', 'recoveries']]);
        await close();
      }
    },
  );

  test('the recovery log of 0.1.0 is read under the names of now', async () => {
    const folder = await temporaryFolder();
    const pending = [{ document: 'other', setAside: ['other.json.broken'], readFrom: 'bak', at: AT }];
    await put(folder, { 'recoveries.json': JSON.stringify({ schema: 1, data: { pending } }) });
    const { recoveries, close } = await openPeople(folder);
    expect(recoveries.pending()).toEqual([
      { document: 'other', quarantinedAs: ['other.json.broken'], restoredFrom: 'bak', at: AT },
    ]);
    await close();
  });

  test('the recovery log that is broken with its backup still says that something was lost', async () => {
    const folder = await temporaryFolder();
    await put(folder, { 'recoveries.json': '', 'recoveries.json.bak': '' });
    const { recoveries, close } = await openPeople(folder);
    expect(recoveries.pending()).toMatchObject([{ document: 'recoveries', restoredFrom: 'initial' }]);
    await recoveries.confirm(['recoveries']);
    await close();
    await rm(join(folder, 'people.json'));
    expect((await readdir(folder)).filter((name) => name.includes('broken'))).toHaveLength(2);
  });
});
