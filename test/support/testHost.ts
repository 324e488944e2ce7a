import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { openCollections } from '../../server/app/openCollections.ts';
import { readDocuments } from '../../server/app/adoptDocuments.ts';
import { startServer, type RunningHost, type StartOptions } from '../../server/app.ts';
import { systemClock, type Clock } from '../../server/clock.ts';
import type { Config } from '../../server/config.ts';
import { rights, type Rights, type Role } from '../../server/contract/rights.ts';
import { createGroups } from '../../server/groups/groups.ts';
import { openDataFolder } from '../../server/store/dataFolder.ts';
import { storeOver } from '../../server/store/memoryStore.ts';
import { openDatabase } from '../../server/store/telemetry/database.ts';
import { migrate } from '../../server/store/telemetry/openWriter.ts';
import { migrations } from '../../server/store/telemetry/schema.ts';
import { everySession } from '../../server/users/userRecord.ts';
import { apiClientFor, logIn, type ApiClient } from './caller.ts';
import { quickHash, quickHasher } from './quickHash.ts';

export { apiClientFor as callerFor, type Answer, type ApiClient as Caller } from './caller.ts';

/** A real host on free ports of this machine, over a temporary data folder. */
export interface TestHost extends RunningHost {
  data: string;
  intakeUrl: string;
  /** Where JT/T 808 terminals come in. */
  jt808Port: number;
  /** Where Teltonika terminals come in, by TCP and by UDP. */
  teltonikaPort: number;
  /** Where Wialon IPS terminals come in, by TCP and by UDP. */
  wialonPort: number;
  /** Lines of the log, parsed. */
  logged: Record<string, unknown>[];
  /** Logs in and returns calls in that user's name. */
  login(login?: string, password?: string): Promise<ApiClient>;
  /** Calls without a JWT. */
  anybody: ApiClient;
  /** Ends the host and leaves its folder to be started again. */
  stop(): Promise<void>;
}

/** A user that is there from the start, in a group of its own name, with the password of the dealer. */
export interface SeededUser {
  login: string;
  role?: Role;
  rights?: Partial<Rights>;
}

export const dealerLogin = 'dealer';
export const dealerPassword = 'a dealer of the depot';

/** Limits that no test reaches by accident. */
export const wideLimits = {
  failed_attempts: 10_000,
  authorized_calls: 100_000,
  unauthorized_calls: 100_000,
  tiles: 100_000,
};

/**
 * @param options.data an earlier host's folder, to start on it again; else a new one with a dealer in it
 * @param options.dealer false: nobody is there yet
 * @param options.users who is there beside the dealer
 */
export async function startTestHost(
  options: Partial<StartOptions> & {
    data?: string;
    dealer?: boolean;
    users?: readonly SeededUser[];
    settings?: Partial<Config>;
  } = {},
): Promise<TestHost> {
  const { data: earlier, dealer = true, users = [], settings, ...rest } = options;
  const data = earlier ?? (await mkdtemp(join(tmpdir(), 'fleetdeck-')));
  if (earlier === undefined && dealer) {
    await seed(data, [{ login: dealerLogin, role: 'dealer' }, ...users], rest.clock ?? systemClock);
  }
  const logged: Record<string, unknown>[] = [];
  const log = pino(
    { level: 'debug', base: null },
    { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const host = await startServer({
    log,
    consoleFolder: join(data, 'no-console'),
    checkReplies: true,
    limits: wideLimits,
    passwordHasher: quickHasher,
    // No test lets in who is not of this machine.
    openIntakeHost: '127.0.0.2',
    ...rest,
    config: {
      data,
      host: '127.0.0.1',
      port: 0,
      intakeHost: null,
      osmandPort: 0,
      teltonikaPort: 0,
      wialonPort: 0,
      jt808Port: 0,
      jt1078Port: 0,
      mediaAddress: null,
      jwtTtlS: null,
      timezone: null,
      tlsCert: null,
      tlsKey: null,
      tlsSelf: false,
      allowHosts: [],
      insecureLan: false,
      announce: false,
      apiAccess: 'open',
      ...settings,
    },
  });
  const anybody = apiClientFor(host.url, '');
  let stopped = false;
  async function stop(): Promise<void> {
    if (stopped) return;
    stopped = true;
    await host.close();
  }
  return {
    ...host,
    data,
    logged,
    anybody,
    intakeUrl: `http://127.0.0.1:${host.intake.osmand ?? 0}`,
    jt808Port: host.intake.jt808 ?? 0,
    teltonikaPort: host.intake.teltonika ?? 0,
    wialonPort: host.intake.wialon ?? 0,
    login: (login = dealerLogin, password = dealerPassword) => logIn(host.url, login, password),
    stop,
    async close() {
      await stop();
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** The files of data folders by what is in them: a database of today's tables is the work of a fifth of a host's start. */
const seeded = new Map<string, Map<string, Uint8Array>>();
const mostSeeded = 32;

/** Begins a data folder with these users in it. */
async function seed(data: string, users: readonly SeededUser[], clock: Clock): Promise<void> {
  const key = JSON.stringify([users, clock === systemClock ? null : clock.now()]);
  const kept = seeded.get(key);
  if (kept !== undefined) {
    for (const [name, bytes] of kept) await writeFile(join(data, name), bytes, { mode: 0o600 });
    return;
  }
  await seedAnew(data, users, clock);
  if (seeded.size >= mostSeeded) return;
  const names = (await readdir(data, { withFileTypes: true })).filter((it) => it.isFile());
  const files = names.map(async ({ name }) => [name, await readFile(join(data, name))] as const);
  seeded.set(key, new Map(await Promise.all(files)));
}

/** Writes users with hashes that cost nothing to check, so that a test waits for what it is about. */
async function seedAnew(data: string, users: readonly SeededUser[], clock: Clock): Promise<void> {
  const password_hash = quickHash(dealerPassword);
  const log = pino({ level: 'silent' });
  // Only what is written: opening all stores would start, and end, the store's workers.
  const folder = await openDataFolder(data);
  try {
    const file = join(data, 'telemetry.db');
    const db = openDatabase(file, { readOnly: false });
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
    const adopt = await readDocuments(folder, { clock, log });
    migrate(db, {
      file,
      now_ms: clock.now(),
      migrations,
      adopt,
      database: 'new',
      maxPages: null,
      maxLogBytes: 0,
    });
    const store = storeOver(db, clock);
    const collections = await openCollections({ store, clock, log });
    const groups = createGroups(collections.groups);
    await collections.acts.run(() => {
      for (const user of users) {
        const { group_id } = groups.addFor(user.login);
        collections.users.staged.add([
          {
            user_id: randomUUID(),
            login: user.login,
            name: null,
            email: null,
            role: user.role ?? 'user',
            rights: rights.parse(user.rights ?? {}),
            group_ids: [group_id],
            blocked: false,
            password_hash,
            sessions_since: everySession,
          },
        ]);
      }
    });
    await store.close();
  } finally {
    folder.close();
  }
}
