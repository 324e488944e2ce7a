import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DiskFull } from '../../../../server/store/storeErrors.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { FaultyFiles, STEPS, fileWith, filesOf, openPeople, textOf } from './people.ts';

describe('an update', () => {
  test('an update is seen at once, and is in the file when it resolves', async () => {
    const folder = await temporaryFolder();
    const { document, close } = await openPeople(folder);
    const stored = document.update((draft) => {
      draft.people['ada'] = 36;
    });
    expect(document.data).toEqual({ people: { ada: 36 } });
    expect(await textOf(folder, 'people.json')).toBe(fileWith({}));
    await stored;
    expect(await textOf(folder, 'people.json')).toBe(fileWith({ ada: 36 }));
    expect(await textOf(folder, 'people.json.bak')).toBe(fileWith({}));
    await close();
    const again = await openPeople(folder);
    expect(again.document.data).toEqual({ people: { ada: 36 } });
    expect(again.recoveries.pending()).toEqual([]);
    await again.close();
  });

  test('an update resolves with what its mutator returned', async () => {
    const { document, close } = await openPeople(await temporaryFolder());
    const size = await document.update((draft) => {
      draft.people['ada'] = 36;
      return Object.keys(draft.people).length;
    });
    expect(size).toBe(1);
    await close();
  });

  test('an update whose mutator throws changes nothing, writes nothing and rejects with what was thrown', async () => {
    const faulty = new FaultyFiles();
    const { document, close } = await openPeople(await temporaryFolder(), { files: faulty.files });
    const before = document.data;
    faulty.renamed = [];
    const refused = document.update((draft) => {
      draft.people['ada'] = 36;
      throw new Error('the name is taken');
    });
    await expect(refused).rejects.toThrow('the name is taken');
    expect(document.data).toBe(before);
    expect(faulty.renamed).toEqual([]);
    await close();
  });

  test('an update that changes nothing writes nothing', async () => {
    const faulty = new FaultyFiles();
    const { document, close } = await openPeople(await temporaryFolder(), { files: faulty.files });
    faulty.renamed = [];
    await document.update((draft) => draft.people['nobody']);
    expect(faulty.renamed).toEqual([]);
    await close();
  });

  test('an update cannot be started from inside a mutator, nor after closing', async () => {
    const { document, close } = await openPeople(await temporaryFolder());
    let inner: Promise<unknown> | undefined;
    await document.update(() => {
      inner = document.update(() => undefined);
      inner.catch(() => undefined);
    });
    await expect(inner).rejects.toThrow('must not call update');
    await close();
    await expect(document.update(() => undefined)).rejects.toThrow('closed');
  });

  test('an update under way is waited for by close', async () => {
    const folder = await temporaryFolder();
    const { document, close } = await openPeople(folder);
    const stored = document.update((draft) => {
      draft.people['ada'] = 36;
    });
    await close();
    expect(await textOf(folder, 'people.json')).toBe(fileWith({ ada: 36 }));
    await stored;
  });
});

test('a mutator gets the state that its draft starts from, with what is not stored yet', async () => {
  const { document, close } = await openPeople(await temporaryFolder());
  const claim = (age: number): Promise<number> =>
    document.update((draft, before) => {
      if (before.people['ada'] !== undefined) throw new Error('the name is taken');
      return (draft.people['ada'] = age);
    });
  const [first, second] = await Promise.allSettled([claim(36), claim(37)]);
  expect(first).toMatchObject({ status: 'fulfilled', value: 36 });
  expect(second).toMatchObject({ status: 'rejected', reason: { message: 'the name is taken' } });
  await close();
});

describe('a write', () => {
  test('a write is shared by the updates of one turn, and by those that come while one is under way', async () => {
    const folder = await temporaryFolder();
    const faulty = new FaultyFiles();
    const { document, close } = await openPeople(folder, { files: faulty.files });
    const create = faulty.files.create;
    const started = new Promise<void>((resolve) => {
      faulty.files.create = (path) => {
        resolve();
        return create(path);
      };
    });
    faulty.renamed = [];
    const add = (name: string): Promise<void> =>
      document.update((draft) => {
        draft.people[name] = 1;
      });

    const first = Array.from({ length: 100 }, (_, index) => add(`first ${index}`));
    await started;
    const second = Array.from({ length: 100 }, (_, index) => add(`second ${index}`));
    await Promise.all([...first, ...second]);

    expect(faulty.renamed.filter((name) => name === 'people.json')).toHaveLength(2);
    expect(Object.keys(document.data.people)).toHaveLength(200);
    await close();
    const again = await openPeople(folder);
    expect(again.document.data).toEqual(document.data);
    await again.close();
  });

  test('a write leaves the file, its backup and the recovery log to their owner alone', async () => {
    const folder = await temporaryFolder();
    const { document, close } = await openPeople(folder);
    await document.update((draft) => {
      draft.people['ada'] = 36;
    });
    await close();
    expect(await filesOf(folder)).toEqual(['people.json', 'people.json.bak']);
    for (const name of ['people.json', 'people.json.bak', 'recoveries.json']) {
      expect([name, (await stat(join(folder, name))).mode & 0o777]).toEqual([name, 0o600]);
    }
  });

  test('a write corrects loosened permissions', async () => {
    const folder = await temporaryFolder();
    const opened = await openPeople(folder);
    await opened.document.update((draft) => {
      draft.people['ada'] = 36;
    });
    await opened.close();
    const names = ['people.json', 'people.json.bak'];
    for (const name of names) await chmod(join(folder, name), 0o644);
    await (await openPeople(folder)).close();
    for (const name of names) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  });

  test('a write falls back to copies where the file system has no links', async () => {
    const folder = await temporaryFolder();
    const faulty = new FaultyFiles();
    const { document, close } = await openPeople(folder, { files: faulty.files });
    faulty.fail('ENOTSUP', 'link');
    await document.update((draft) => {
      draft.people['ada'] = 36;
    });
    await close();
    expect(await textOf(folder, 'people.json')).toBe(fileWith({ ada: 36 }));
    expect(await textOf(folder, 'people.json.bak')).toBe(fileWith({}));
  });
});

describe('a failed write', () => {
  const add = (name: string) => (draft: { people: Record<string, number> }) => {
    draft.people[name] = 1;
  };

  test.each(STEPS)(
    'a failure at %s is reported, undone, absent after a restart, and stops no later one',
    async (step) => {
      const folder = await temporaryFolder();
      const faulty = new FaultyFiles();
      const { document } = await openPeople(folder, { files: faulty.files });
      await document.update(add('before'));

      faulty.fail('EIO', step);
      const failing = [document.update(add('first')), document.update(add('second'))];
      for (const outcome of await Promise.allSettled(failing)) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'EIO' } });
      }
      expect(document.data).toEqual({ people: { before: 1 } });
      // As if the process had been killed here: opened without closing the first.
      const restarted = await openPeople(folder);
      expect(restarted.document.data).toEqual({ people: { before: 1 } });
      expect(restarted.recoveries.pending()).toEqual([]);
      await restarted.close();

      await document.update(add('after'));
      expect(await textOf(folder, 'people.json')).toBe(fileWith({ before: 1, after: 1 }));
      expect(await textOf(folder, 'people.json.bak')).toBe(fileWith({ before: 1 }));
      await document.close();
      expect(await filesOf(folder)).toEqual(['people.json', 'people.json.bak']);
    },
  );

  test.each(['ENOSPC', 'EDQUOT'])('a failed write for want of space (%s) is a DiskFull', async (code) => {
    const folder = await temporaryFolder();
    const faulty = new FaultyFiles();
    const { document, close } = await openPeople(folder, { files: faulty.files });
    faulty.fail(code, 'write');
    await expect(document.update(add('ada'))).rejects.toThrow(DiskFull);
    expect(await filesOf(folder)).toEqual(['people.json']);
    await document.update(add('bob'));
    expect(await textOf(folder, 'people.json')).toBe(fileWith({ bob: 1 }));
    await close();
  });

  test('a failed write leaves changes standing that were made while it was under way', async () => {
    const folder = await temporaryFolder();
    const faulty = new FaultyFiles();
    const { document, close } = await openPeople(folder, { files: faulty.files });
    let onWrite = (): void => undefined;
    const create = faulty.files.create;
    faulty.files.create = (path) => {
      onWrite();
      onWrite = () => undefined;
      return create(path);
    };
    const later: Promise<unknown>[] = [];
    onWrite = () => {
      later.push(document.update(add('independent')));
      later.push(
        document.update((draft) => {
          if (draft.people['ada'] === undefined) throw new Error('nobody of that name');
          draft.people['ada']++;
        }),
      );
    };
    faulty.fail('EIO', 'sync');
    await expect(document.update(add('ada'))).rejects.toThrow('EIO');

    const [independent, onTop] = await Promise.allSettled(later);
    expect(independent).toMatchObject({ status: 'fulfilled' });
    expect(onTop).toMatchObject({ status: 'rejected', reason: { message: 'nobody of that name' } });
    expect(document.data).toEqual({ people: { independent: 1 } });
    expect(await textOf(folder, 'people.json')).toBe(fileWith({ independent: 1 }));
    await close();
  });

  test('a failed write that could not be taken back from the file is overwritten by the next write, or by closing', async () => {
    const folder = await temporaryFolder();
    const faulty = new FaultyFiles();
    const { document, close } = await openPeople(folder, { files: faulty.files });
    await document.update(add('before'));
    const refuse = async (): Promise<void> => {
      // The folder cannot be flushed, and the old file not be put back.
      faulty.fail('EIO', 'syncFolder', 'rename');
      await expect(document.update(add('refused'))).rejects.toThrow('EIO');
      expect(await textOf(folder, 'people.json')).toContain('refused');
    };
    await refuse();
    expect(document.data).toEqual({ people: { before: 1 } });
    await document.update(() => undefined);
    expect(await textOf(folder, 'people.json')).toBe(fileWith({ before: 1 }));
    expect(await textOf(folder, 'people.json.bak')).toBe(fileWith({ before: 1 }));
    await refuse();
    await close();
    expect(await textOf(folder, 'people.json')).toBe(fileWith({ before: 1 }));
    expect(await textOf(folder, 'people.json.bak')).toBe(fileWith({ before: 1 }));
  });
});
