import { DataFolderError } from '../../../server/store/storeErrors.ts';
import { chmod, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDataFolder } from '../../../server/store/dataFolder.ts';
import { temporaryFolder } from './temporaryFolder.ts';

async function refusal(path: string): Promise<DataFolderError> {
  try {
    (await openDataFolder(path)).close();
  } catch (error) {
    if (error instanceof DataFolderError) return error;
    throw error;
  }
  throw new Error(`${path} was opened`);
}

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

describe('a data folder', () => {
  test('a data folder is made with its parents, for its owner alone', async () => {
    const path = join(await temporaryFolder(), 'depot', 'data');
    const folder = await openDataFolder(path);
    expect(folder.path).toBe(path);
    expect(folder.warnings).toEqual([]);
    expect(await modeOf(path)).toBe(0o700);
    expect(await modeOf(join(path, 'format.json'))).toBe(0o600);
    expect(await readdir(path)).toEqual(['format.json', 'lock.db']);
    folder.close();
  });

  test('a data folder opens again after it was closed', async () => {
    const path = await temporaryFolder();
    (await openDataFolder(path)).close();
    const again = await openDataFolder(path);
    again.close();
    again.close();
  });

  test('a data folder is refused in one clear line while another host holds it', async () => {
    const path = await temporaryFolder();
    const first = await openDataFolder(path);
    const { code, message } = await refusal(path);
    expect(code).toBe('locked');
    expect(message).toBe(`The data folder ${path} is in use by another host.`);
    first.close();
  });

  test('a data folder is refused in one clear line when it cannot be made', async () => {
    const file = join(await temporaryFolder(), 'file');
    await writeFile(file, '');
    for (const path of [file, join(file, 'below')]) {
      const { code, message } = await refusal(path);
      expect(code).toBe('not_writable');
      expect(message).toContain(`The data folder ${path} cannot be written: `);
      expect(message).not.toContain('\n');
    }
  });

  // Root may write anywhere.
  test('a data folder is refused when it is read-only', async ({ skip }) => {
    skip(process.getuid?.() === 0, 'root may write into every folder');
    const path = await temporaryFolder();
    await chmod(path, 0o500);
    expect((await refusal(path)).code).toBe('not_writable');
  });

  test('written by a newer version is refused, free and as it was', async () => {
    const path = await temporaryFolder();
    const newer = '{"schema":3,"layout":"of the future"}';
    await writeFile(join(path, 'format.json'), newer);
    for (const attempt of [1, 2]) {
      const { code, message } = await refusal(path);
      expect([attempt, code]).toEqual([attempt, 'newer_version']);
      expect(message).toContain('format 3, this version knows 2');
    }
    expect(await readFile(join(path, 'format.json'), 'utf8')).toBe(newer);
  });

  test('a data folder with a format file that cannot be read is refused in one line, and nothing is changed', async () => {
    const path = await temporaryFolder();
    const file = join(path, 'format.json');
    for (const text of ['', 'null', '{"schema":', '{"schema":"1"}']) {
      await writeFile(file, text);
      const fault: unknown = await openDataFolder(path).catch((error: unknown) => error);
      expect(fault).toMatchObject({ name: 'DataFolderError', code: 'unreadable' });
      expect(String(fault)).toContain(`${file} cannot be read`);
      expect(String(fault)).not.toContain('\n');
      expect(await readFile(file, 'utf8')).toBe(text);
    }
    await writeFile(file, '{"schema":2}');
    (await openDataFolder(path)).close();
  });

  test('a data folder that was opened to others is closed again, with a warning', async () => {
    const path = await temporaryFolder();
    (await openDataFolder(path)).close();
    await chmod(path, 0o755);
    const folder = await openDataFolder(path);
    expect(await modeOf(path)).toBe(0o700);
    expect(folder.warnings).toHaveLength(1);
    folder.close();
  });

  test("a data folder keeps its rights when it held other people's files before", async () => {
    const path = join(await temporaryFolder(), 'shared');
    await mkdir(path);
    await chmod(path, 0o755);
    await writeFile(join(path, 'holiday.jpg'), '');
    for (const attempt of ['first', 'second']) {
      const folder = await openDataFolder(path);
      expect([attempt, await modeOf(path)]).toEqual([attempt, 0o755]);
      expect(folder.warnings).toHaveLength(1);
      folder.close();
    }
  });
});
