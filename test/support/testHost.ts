import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { openStores } from '../../server/app/openStores.ts';
import { startServer, type RunningHost, type StartOptions } from '../../server/app.ts';
import { systemClock, type Clock } from '../../server/clock.ts';
import type { Config } from '../../server/config.ts';
import { rights, type Rights, type Role } from '../../server/contract/rights.ts';
import { createGroups } from '../../server/groups/groups.ts';
import { createCollection } from '../../server/store/documents/collection.ts';
import { everySession } from '../../server/users/userRecord.ts';
import { callerFor, type Caller } from './caller.ts';
import { quickHash } from './quickHash.ts';

export { callerFor, type Answer, type Caller } from './caller.ts';

/** A real host on free ports of this machine, over a temporary data folder. */
export interface TestHost extends RunningHost {
  data: string;
  intakeUrl: string;
  /** Where JT/T 808 terminals come in. */
  jt808Port: number;
  /** Lines of the log, parsed. */
  logged: Record<string, unknown>[];
  /** Logs in and returns calls in that user's name. */
  login(login?: string, password?: string): Promise<Caller>;
  /** Calls without a JWT. */
  anybody: Caller;
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
export const wideLimits = { failed_attempts: 10_000, authorized_calls: 100_000, unauthorized_calls: 100_000 };

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
    ...rest,
    config: {
      data,
      host: '127.0.0.1',
      port: 0,
      intakeHost: '127.0.0.1',
      osmandPort: 0,
      jt808Port: 0,
      jt1078Port: 0,
      jwtTtl_s: null,
      timezone: null,
      tlsCert: null,
      tlsKey: null,
      allowHosts: [],
      insecureLan: false,
      ...settings,
    },
  });
  const anybody = callerFor(host.url, '');
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
    async login(login = dealerLogin, password = dealerPassword) {
      const answer = await anybody.post('/auth/login?jwt=1', { login, password });
      if (answer.status !== 200) throw new Error(`login answered ${answer.status}: ${answer.text}`);
      return callerFor(host.url, (answer.body as { jwt: string }).jwt);
    },
    stop,
    async close() {
      await stop();
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** Writes users with hashes that cost nothing to check, so that a test waits for what it is about. */
async function seed(data: string, users: readonly SeededUser[], clock: Clock): Promise<void> {
  const password_hash = quickHash(dealerPassword);
  const stores = await openStores(data, clock, pino({ level: 'silent' }));
  try {
    const { documents } = stores;
    const groups = createGroups(createCollection(documents.groups, (it) => it.group_id, clock));
    const collection = createCollection(documents.users, (it) => it.user_id, clock);
    for (const user of users) {
      const { group_id } = await groups.addFor(user.login);
      await collection.add([
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
  } finally {
    await stores.close();
  }
}
