import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRefusal } from '../../../server/app.ts';
import { ConfigError } from '../../../server/config.ts';
import { migrations } from '../../../server/store/telemetry/schema.ts';
import { folderOf010 } from '../../support/folderOf010.ts';
import { hashesOf } from '../../support/hashesOf.ts';
import { startTestHost } from '../../support/testHost.ts';
import { temporaryFolder } from '../store/temporaryFolder.ts';

/** A folder of this version, closed in good order. */
let current: string;
/** The same of 0.1.0. */
let older: string;
beforeAll(async () => {
  const host = await startTestHost();
  await host.stop();
  current = host.data;
  older = await folderOf010();
});
afterAll(async () => {
  for (const folder of [current, older]) await rm(folder, { recursive: true, force: true });
});

async function copyOf(folder: string): Promise<string> {
  const copy = join(await temporaryFolder(), 'data');
  await cp(folder, copy, { recursive: true, preserveTimestamps: true });
  return copy;
}

/** The one line of a start; null: it has started. */
async function refusal(data: string): Promise<string | null> {
  try {
    await (await startTestHost({ data })).stop();
    return null;
  } catch (error) {
    return error instanceof ConfigError ? error.message : startRefusal(error);
  }
}

async function setVersion(folder: string, version: number): Promise<void> {
  const db = new DatabaseSync(join(folder, 'telemetry.db'));
  db.exec(`PRAGMA user_version = ${version}`);
  db.close();
  return Promise.resolve();
}

const overwrite = (folder: string, name: string, text: string) => writeFile(join(folder, name), text);
async function replaceByFolder(folder: string, name: string): Promise<void> {
  await rm(join(folder, name), { force: true });
  await mkdir(join(folder, name));
}

type Case = readonly [what: string, words: RegExp, harm: (folder: string) => Promise<unknown>];

const newer =
  /written by a newer version \(.*\)\. Nothing was changed: start that version, or restore a backup/;
const cases: readonly (readonly [string, () => string, readonly Case[]])[] = [
  [
    'this version',
    () => current,
    [
      ['has a newer format', newer, (it) => overwrite(it, 'format.json', '{"schema":99}')],
      [
        'has a format that cannot be read',
        /format\.json cannot be read.*Restore the file/,
        (it) => overwrite(it, 'format.json', '{'),
      ],
      ['has newer settings', newer, (it) => overwrite(it, 'settings.json', '{"schema":99,"data":{}}')],
      ['has newer secrets', newer, (it) => overwrite(it, 'secrets.json', '{"schema":99,"data":{}}')],
      ['has a newer list of recoveries', newer, (it) => overwrite(it, 'recoveries.json', '{"schema":99}')],
      ['has a newer database', newer, (it) => setVersion(it, migrations.length + 1)],
      [
        'has a newer database, whose host was killed',
        newer,
        async (it) => {
          const file = join(it, 'telemetry.db');
          const db = new DatabaseSync(file);
          db.exec(`PRAGMA wal_autocheckpoint = 0; PRAGMA user_version = ${migrations.length + 1}`);
          await cp(`${file}-wal`, `${file}-kept`);
          db.close();
          await rename(`${file}-kept`, `${file}-wal`);
        },
      ],
      [
        'has a half migrated database',
        /could not be brought from version 3 to \d+: .*Nothing was changed: start the version that wrote/,
        (it) => setVersion(it, 3),
      ],
      [
        'has a broken database and no copy of its users',
        /Neither telemetry\.db nor the copy.*put back a backup of the folder/,
        async (it) => {
          await overwrite(it, 'telemetry.db', 'no database '.repeat(1_000));
          await rm(join(it, 'depot-copy.json'));
        },
      ],
      [
        'has a database without its users, and no copy of them',
        /Neither telemetry\.db nor the copy.*put back a backup of the folder/,
        async (it) => {
          const db = new DatabaseSync(join(it, 'telemetry.db'));
          db.exec("DELETE FROM meta WHERE name = 'adopted'");
          db.close();
          await overwrite(it, 'depot-copy.json', '{"schema":1,');
        },
      ],
      [
        'has no database, and a newer copy of its users',
        /Neither telemetry\.db nor the copy.*put back a backup of the folder/,
        async (it) => {
          await rm(join(it, 'telemetry.db'));
          await overwrite(it, 'depot-copy.json', '{"schema":99}');
        },
      ],
      ...['telemetry.db', 'jwt.key', 'settings.json', 'format.json', 'depot-copy.json'].map((name): Case => [
        `has a folder in the place of ${name}`,
        new RegExp(
          `cannot be used: ${name.replace('.', '[.]')} in it is no file. Nothing was changed: move it away`,
        ),
        (it) => replaceByFolder(it, name),
      ]),
      [
        'has a file in the place of video',
        /cannot be used: video in it is no folder\. Nothing was changed: move it away/,
        async (it) => {
          await rm(join(it, 'video'), { recursive: true, force: true });
          await overwrite(it, 'video', '');
        },
      ],
    ],
  ],
  [
    '0.1.0',
    () => older,
    [
      ['has newer users', newer, (it) => overwrite(it, 'users.json', '{"schema":99}')],
      [
        'has users that cannot be read',
        /Neither users\.json nor its backup .*: put back a copy/,
        async (it) => {
          await overwrite(it, 'users.json', '{');
          await overwrite(it, 'users.json.bak', '{');
        },
      ],
      [
        'has lost its users',
        /holds a depot without its users\.json: put back a copy/,
        async (it) => {
          await rm(join(it, 'users.json'));
          await rm(join(it, 'users.json.bak'));
        },
      ],
      ['has a newer database', newer, (it) => setVersion(it, migrations.length + 1)],
      [
        'has a database with half of the next version in it',
        /could not be brought from version \d+ to \d+: .*Nothing was changed/,
        (it) => {
          const db = new DatabaseSync(join(it, 'telemetry.db'));
          db.exec('CREATE TABLE vehicles (half TEXT)');
          db.close();
          return Promise.resolve();
        },
      ],
      [
        'has a login twice',
        /hold more than one user/,
        async (it) => {
          const text = await readFile(join(it, 'users.json'), 'utf8');
          const users = JSON.parse(text) as { data: { items: Record<string, { user_id: string }> } };
          const [id = '', user] = Object.entries(users.data.items)[0] ?? [];
          const other = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;
          if (user !== undefined) users.data.items[other] = { ...user, user_id: other };
          await overwrite(it, 'users.json', JSON.stringify(users));
        },
      ],
    ],
  ],
];

describe.each(cases)('a data folder of %s', (version, folder, list) => {
  it.each(list)(
    `a data folder of ${version} that %s is refused in one line, and nothing in it is changed`,
    async (_what, words, harm) => {
      const data = await copyOf(folder());
      await harm(data);
      const before = await hashesOf(data);
      for (const attempt of [1, 2]) {
        const line = await refusal(data);
        expect([attempt, line]).toEqual([attempt, expect.stringMatching(words)]);
        expect(line).not.toContain('\n');
        expect(line).toContain(data);
        expect(await hashesOf(data)).toEqual(before);
      }
    },
  );

  it(`a data folder of ${version} without a lock gets none when it is refused`, async () => {
    const data = await copyOf(folder());
    await rm(join(data, 'lock.db'), { force: true });
    await setVersion(data, migrations.length + 1);
    const before = await hashesOf(data);
    expect(await refusal(data)).toMatch(newer);
    expect(await hashesOf(data)).toEqual(before);
  });

  it(`a data folder of ${version} that is sound starts`, async () => {
    const data = await copyOf(folder());
    expect(await refusal(data)).toBeNull();
    expect(JSON.parse(await readFile(join(data, 'format.json'), 'utf8'))).toMatchObject({ schema: 2 });
  });
});

describe('a data folder without rights to it', () => {
  /** Nobody's number on Debian; a start as root may do everything. */
  const nobody = 65_534;

  async function startAsNobody(data: string): Promise<{ code: unknown; stderr: string }> {
    const script = fileURLToPath(new URL('./refusedStart.ts', import.meta.url));
    const child = spawn(process.execPath, [script, data], {
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}),
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const [code] = (await once(child, 'close')) as [unknown];
    return { code, stderr };
  }

  it.each([
    ['settings.json that cannot be read', (it: string) => chmod(join(it, 'settings.json'), 0o000)],
    ['a database that cannot be written', (it: string) => chmod(join(it, 'telemetry.db'), 0o400)],
    ['a folder that cannot be written', (it: string) => chmod(it, 0o500)],
    ['a key that cannot be read', (it: string) => chmod(join(it, 'jwt.key'), 0o000)],
    ['a video folder that cannot be entered', (it: string) => chmod(join(it, 'video'), 0o000)],
  ])('a data folder with %s is refused in one line, and nothing in it is changed', async (_what, harm) => {
    const data = await copyOf(current);
    await mkdir(join(data, 'video'), { recursive: true });
    if (process.getuid?.() === 0) {
      for (const name of ['', ...(await readdir(data, { recursive: true }))])
        await chown(join(data, name), nobody, nobody);
      await chmod(join(data, '..'), 0o755);
    }
    await harm(data);
    const before = process.getuid?.() === 0 ? await hashesOf(data) : null;
    const { code, stderr } = await startAsNobody(data);
    expect(code).toBe(1);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toContain(`The data folder ${data} cannot be written: `);
    expect(stderr).toContain(
      'Let this user read and write all that lies in it, or name another folder with --data.',
    );
    if (before !== null) expect(await hashesOf(data)).toEqual(before);
    await chmod(data, 0o700);
    for (const name of await readdir(data)) await chmod(join(data, name), 0o700);
  });

  it('a data folder whose name is a file is refused in one line', async () => {
    const data = join(await temporaryFolder(), 'data');
    await writeFile(data, 'a file');
    expect(await refusal(data)).toMatch(
      /^The data folder .*data cannot be written: .* name another folder with --data\.$/,
    );
    expect(await readFile(data, 'utf8')).toBe('a file');
    await rename(data, `${data}.away`);
  });
});
