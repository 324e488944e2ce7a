import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { notificationRoutes } from '../../../server/contract/notifications.ts';
import { serviceRoutes } from '../../../server/contract/settings.ts';
import { createActs } from '../../../server/store/acts.ts';
import { asCaller, currentCaller } from '../../../server/store/caller.ts';
import type { Document } from '../../../server/store/documents/Document.ts';
import { produce, settle } from '../../../server/store/documents/draft.ts';
import { openLoggedDocument } from '../../../server/store/loggedDocument.ts';
import { storeOver } from '../../../server/store/memoryStore.ts';
import type { Store } from '../../../server/store/operations.ts';
import { DiskFull } from '../../../server/store/storeErrors.ts';
import { openDatabase, type Database } from '../../../server/store/telemetry/database.ts';
import { migrations } from '../../../server/store/telemetry/schema.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { startTestHost } from '../../support/testHost.ts';

const mail = z.object({
  version: z.int(),
  server: z.string(),
  password: z.string().nullable().default(null),
});
type Mail = z.infer<typeof mail>;

/** A document whose file is in memory, and cannot be written while `isFull`. */
function documentFile(initial: Mail) {
  const file = { data: settle(initial), isFull: false, writes: 0 };
  const document: Document<Mail> = {
    get data() {
      return file.data;
    },
    update(mutate) {
      const { next, result } = produce(file.data, mutate);
      if (file.isFull) return Promise.reject(new DiskFull('the disk is full'));
      file.writes += 1;
      file.data = next;
      return Promise.resolve(result);
    },
    close: () => Promise.resolve(),
  };
  return { file, document };
}

const first: Mail = { version: 1, server: 'a.example', password: 'a secret' };

async function openBench(
  options: {
    file?: ReturnType<typeof documentFile>;
    db?: Database;
    key?: number;
    overrides?: Partial<Store>;
  } = {},
) {
  const clock = createFakeClock();
  let { db } = options;
  if (db === undefined) {
    db = openDatabase(':memory:', { readOnly: false });
    for (const { sql } of migrations) db.exec(sql);
    onTestFinished(() => db?.close());
  }
  const store = storeOver(db, clock, options.overrides);
  const { file, document } = options.file ?? documentFile(first);
  const lines: string[] = [];
  const logged = await openLoggedDocument({
    ...{ name: 'mail', document, store, clock },
    schema: mail,
    acts: createActs({ store, clock, by: currentCaller }),
    key: new Uint8Array(32).fill(options.key ?? 1),
    shownInLog: ({ password, ...rest }) => ({ ...rest, password: password === null ? null : 'changed' }),
    log: { info: (_, line) => lines.push(line), warn: (_, line) => lines.push(line) },
  });
  const rows = () =>
    db.all<Record<string, unknown>>(
      "SELECT resource_id, version, actor_name, before, after FROM change_log WHERE topic = 'settings' ORDER BY seq",
    );
  const intents = () => db.all('SELECT document, version FROM document_intents').map((it) => ({ ...it }));
  const move = (server: string) =>
    logged.update((draft) => {
      draft.server = server;
      draft.version += 1;
    });
  return { db, clock, store, file, logged, lines, rows, intents, move };
}

const dora = { user_id: 'd', login: 'dora', address: '127.0.0.1', request_id: 'r' };

test('a change of a document stands in the log with who made it, and no secret, and then in the file', async () => {
  const { logged, file, rows, intents } = await openBench();
  await asCaller(dora, () =>
    logged.update((draft) => {
      Object.assign(draft, { server: 'b.example', password: 'another secret', version: 2 });
    }),
  );
  expect(file.data).toEqual({ version: 2, server: 'b.example', password: 'another secret' });
  expect(rows().map((it) => ({ ...it }))).toEqual([
    {
      resource_id: 'mail',
      version: 2,
      actor_name: 'dora',
      before: JSON.stringify({ server: 'a.example', password: 'changed' }),
      after: JSON.stringify({ server: 'b.example', password: 'changed' }),
    },
  ]);
  expect(intents()).toEqual([]);
});

test('a change of a document that changes nothing is no line of the log', async () => {
  const { logged, file, rows } = await openBench();
  expect(await logged.update(() => 'nothing')).toBe('nothing');
  expect([rows(), file.writes]).toEqual([[], 0]);
});

test('a change of a document holds while its file cannot be written, which is tried again', async () => {
  const bench = await openBench();
  bench.file.isFull = true;
  await bench.move('b.example');
  expect([bench.logged.data.server, bench.file.data.server]).toEqual(['b.example', 'a.example']);
  expect(bench.logged.fault()).toBe('the file of the mail cannot be written');
  bench.clock.advance(10_000);
  await bench.move('c.example');
  expect([bench.logged.data.server, bench.file.data.server]).toEqual(['c.example', 'a.example']);
  bench.file.isFull = false;
  bench.clock.advance(10_000);
  await bench.logged.close();
  expect([bench.file.data.server, bench.file.data.version, bench.logged.fault()]).toEqual([
    'c.example',
    3,
    null,
  ]);
  expect(bench.intents()).toEqual([]);
});

test('a change of a document that a killed host did not write to the file is written at the next start', async () => {
  const before = await openBench();
  before.file.isFull = true;
  await before.move('b.example');
  expect(before.intents()).toEqual([{ document: 'mail', version: 2 }]);
  const left = documentFile(before.file.data);
  const after = await openBench({ db: before.db, file: left });
  expect(after.logged.data).toEqual({ ...first, server: 'b.example', version: 2 });
  expect(left.file.data).toEqual(after.logged.data);
  expect(after.lines).toEqual(['the last change of a document was written again']);
  expect([after.intents(), after.rows().length]).toEqual([[], 1]);
});

test('a change that an earlier version did not write gets what that version did not have', async () => {
  const before = await openBench();
  before.file.isFull = true;
  await before.logged.update((draft) => {
    Reflect.deleteProperty(draft, 'password');
    draft.version += 1;
  });
  const after = await openBench({ db: before.db, file: documentFile(before.file.data) });
  expect(after.logged.data).toEqual({ ...first, password: null, version: 2 });
});

test('a file that holds a change already is left alone at the next start', async () => {
  const before = await openBench({
    overrides: { endDocumentIntent: () => Promise.reject(new Error('killed')) },
  });
  await before.move('b.example');
  expect(before.intents()).toHaveLength(1);
  const left = documentFile(before.file.data);
  const after = await openBench({ db: before.db, file: left });
  expect([after.logged.data.server, left.file.writes]).toEqual(['b.example', 0]);
});

test('a change of a document that the database does not take has not happened', async () => {
  const bench = await openBench({
    overrides: { act: () => Promise.reject(new DiskFull('the disk is full')) },
  });
  await expect(bench.move('b.example')).rejects.toBeInstanceOf(DiskFull);
  expect([bench.logged.data, bench.file.data, bench.rows()]).toEqual([first, first, []]);
});

test('what the database holds of a document shows no secret, and is lost with the key of the host', async () => {
  const before = await openBench();
  before.file.isFull = true;
  await before.move('b.example');
  const [row] = before.db.all<{ sealed: Uint8Array }>('SELECT sealed FROM document_intents');
  expect(Buffer.from(row?.sealed ?? []).includes('secret')).toBe(false);
  const after = await openBench({ db: before.db, file: documentFile(before.file.data), key: 2 });
  expect(after.logged.data).toEqual(first);
  expect(after.lines).toEqual(['the last change of a document cannot be read; it is lost']);
});

test('changes of a document that are asked for at once come one after the other', async () => {
  const bench = await openBench();
  const add = (letter: string) =>
    bench.logged.update((draft) => {
      draft.server += letter;
      draft.version += 1;
    });
  await Promise.all(['1', '2', '3'].map(add));
  expect(bench.file.data).toMatchObject({ server: 'a.example123', version: 4 });
  expect(bench.rows().map((it) => it['version'])).toEqual([2, 3, 4]);
});

test('settings and channels that a dealer changes stand in the change log, without passwords', async () => {
  const host = await startTestHost();
  onTestFinished(() => host.close());
  const dealer = await host.login();
  await dealer.ask(serviceRoutes.patchSettings, { body: { depot_name: 'Port' } });
  const smtp = { host: 'mail.example', port: 465, security: 'tls' as const, username: 'u' };
  await dealer.ask(notificationRoutes.patchChannels, {
    body: { smtp: { ...smtp, password: 'a mail secret', from: 'fleet@port.example' } },
  });
  await host.stop();
  const file = join(host.data, 'telemetry.db');
  const db = openDatabase(file, { readOnly: true });
  const rows = db.all('SELECT resource_id, actor_name, after FROM change_log WHERE actor IS NOT NULL');
  db.close();
  expect(rows).toMatchObject([
    { resource_id: 'settings', actor_name: 'dealer', after: expect.stringContaining('"depot_name":"Port"') },
    { resource_id: 'channels', actor_name: 'dealer', after: expect.stringContaining('"has_password":true') },
  ]);
  expect((await readFile(file)).includes('a mail secret')).toBe(false);
});
