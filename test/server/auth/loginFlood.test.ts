import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSessions } from '../../../server/auth/sessions.ts';
import { setupRoute } from '../../../server/contract/auth.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { contractLimits } from '../../../server/http/rateLimit.ts';
import type { SessionRow } from '../../../server/store/telemetry/rows.ts';
import type { PasswordHasher } from '../../../server/users/passwordHasher.ts';
import { createFakeClock, type FakeClock } from '../../support/fakeClock.ts';
import { quickHasher } from '../../support/quickHash.ts';
import { openRaw, type RawConnection } from '../../support/rawConnection.ts';
import { dealerPassword, startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

const wrong = 'wrong wrong wrong';

/** Hashes that begin at once and end when the test says so. */
function createHeldHasher() {
  const running: { password: string; end: () => void }[] = [];
  /** The passwords that were hashed, in this order. */
  const started: string[] = [];
  let isHeld = false;
  let max = 0;
  let wake = (): void => undefined;

  async function hold(password: string): Promise<void> {
    started.push(password);
    wake();
    if (!isHeld) return;
    await new Promise<void>((end) => {
      running.push({ password, end });
      max = Math.max(max, running.length);
    });
  }

  const hasher: PasswordHasher = {
    async hash(password) {
      await hold(password);
      return quickHasher.hash(password);
    },
    async isPassword(password, hash) {
      await hold(password);
      return quickHasher.isPassword(password, hash);
    },
    close: () => Promise.resolve(),
  };

  return {
    hasher,
    started,
    running,
    maxConcurrent: () => max,
    hold: () => {
      isHeld = true;
      started.length = 0;
    },
    /** Resolves when so many hashes have begun since `hold`. */
    async begun(count: number): Promise<void> {
      while (started.length < count) await new Promise<void>((resolve) => (wake = resolve));
    },
    endOne: () => running.shift()?.end(),
    /** Ends those that run, and holds no more. */
    letGo(): void {
      isHeld = false;
      for (const { end } of running.splice(0)) end();
    },
  };
}

let clock: FakeClock;
let held: ReturnType<typeof createHeldHasher>;
let host: TestHost;
let dealer: Caller;
let connections: RawConnection[];
beforeEach(async () => {
  clock = createFakeClock();
  held = createHeldHasher();
  connections = [];
  host = await startTestHost({
    clock,
    limits: contractLimits,
    passwordHasher: held.hasher,
    users: [{ login: 'anna' }],
  });
  dealer = await host.login();
});
afterEach(async () => {
  held.letGo();
  for (const connection of connections) connection.close();
  await host.close();
});

/** Sends a login from an address of this machine. */
function loginFrom(address: string, password: string) {
  const connection = openRaw(host.url, address);
  connections.push(connection);
  const body = JSON.stringify({ login: 'anna', password });
  const head = [
    'POST /auth/login?jwt=1 HTTP/1.1',
    `Host: ${new URL(host.url).host}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  connection.write([...head, '', body].join('\r\n'));
  return { answer: connection.answer(), close: () => connection.close(), ended: connection.ended };
}

const addresses = (count: number) => Array.from({ length: count }, (_, i) => `127.0.0.${i + 2}`);

/** Sends logins that are answered one after another, while two hashes are held. */
async function flood(): Promise<{ status: number; retryAfter: string | undefined }[]> {
  const refused: { status: number; retryAfter: string | undefined }[] = [];
  const sent = addresses(30).flatMap((address) => [1, 2, 3, 4].map(() => loginFrom(address, wrong).answer));
  // Of each address one waits, beside the two that run; the others are answered at once.
  await new Promise<void>((resolve) => {
    for (const answer of sent) {
      answer.then(
        ({ status, headers }) => {
          refused.push({ status, retryAfter: headers['retry-after'] });
          if (refused.length === 120 - 32) resolve();
        },
        () => undefined,
      );
    }
  });
  return refused;
}

/** Only Linux lets a test come from any address of 127.0.0.0/8. */
describe.skipIf(process.platform !== 'linux')('30 addresses that send 4 wrong passwords each', () => {
  it('30 addresses that send 4 wrong passwords each have two hashes running and one attempt each waiting, and the rest is answered 503 with Retry-After', async () => {
    held.hold();
    const refused = await flood();
    expect(held.running).toHaveLength(2);
    for (const { status, retryAfter } of refused) {
      expect(status).toBe(503);
      expect(Number(retryAfter)).toBeGreaterThan(0);
    }
    while (held.started.length < 32) {
      held.endOne();
      await held.begun(held.started.length + 1);
    }
    held.letGo();
    expect(held.maxConcurrent()).toBe(2);
  });

  it('30 addresses that send 4 wrong passwords each let a login from an address with a recent one be hashed after the two that run', async () => {
    expect((await loginFrom('127.0.1.1', dealerPassword).answer).status).toBe(200);
    held.hold();
    await flood();
    const honest = loginFrom('127.0.1.1', dealerPassword);
    // It waits when a later request of another connection has been answered.
    await dealer.ask(userRoutes.me);
    held.endOne();
    held.endOne();
    await held.begun(4);
    expect(held.started.slice(2, 4)).toContain(dealerPassword);
    held.letGo();
    expect((await honest.answer).status).toBe(200);
  });

  it('30 addresses that send 4 wrong passwords each let a login from an address never seen before be hashed fourth at the latest, counted with the two that run', async () => {
    held.hold();
    await flood();
    const honest = loginFrom('127.0.1.1', dealerPassword);
    await dealer.ask(userRoutes.me);
    held.endOne();
    held.endOne();
    await held.begun(4);
    expect(held.started.slice(2, 4)).toContain(dealerPassword);
    held.letGo();
    expect((await honest.answer).status).toBe(200);
  });

  it('30 addresses that send 4 wrong passwords each are new for one hash each in ten minutes, also with the right password of a blocked user', async () => {
    const { items } = await dealer.ask(userRoutes.list, { query: { q: 'anna' } });
    const user_id = items[0]?.user_id ?? '';
    await dealer.ask(userRoutes.block, { params: { user_id } });
    for (const address of ['127.0.0.2', '127.0.0.3'])
      expect((await loginFrom(address, dealerPassword).answer).status).toBe(403);
    clock.advance(599_000);
    held.hold();
    const flood = ['127.0.0.2', '127.0.0.3'].map((it) => loginFrom(it, dealerPassword).answer);
    await held.begun(1);
    await dealer.ask(userRoutes.me);
    expect(held.running).toHaveLength(1);
    const honest = loginFrom('127.0.1.1', 'of a newcomer');
    await held.begun(2);
    expect(held.started[1]).toBe('of a newcomer');
    held.letGo();
    await Promise.all([...flood, honest.answer]);
  });

  it('30 addresses that send 4 wrong passwords each hold up no write of another user', async () => {
    const vehicle = await dealer.ask(vehicleRoutes.create, { body: { terminal_id: 'M1', name: 'van' } });
    held.hold();
    await flood();
    const changed = await dealer.ask(vehicleRoutes.patch, {
      params: { vehicle: vehicle.vehicle_id },
      body: { name: 'lorry' },
    });
    expect(changed.name).toBe('lorry');
    expect(held.running).toHaveLength(2);
  });

  it('30 addresses that send 4 wrong passwords each leave the queue when they hang up, and nothing is hashed for them', async () => {
    held.hold();
    const [first, second] = [loginFrom('127.0.0.2', wrong), loginFrom('127.0.0.3', wrong)];
    await held.begun(2);
    const left = loginFrom('127.0.0.4', 'of one who left');
    await dealer.ask(userRoutes.me);
    left.close();
    await Promise.all([left.answer.catch(() => undefined), left.ended]);
    // The host has seen that they went when it has answered who came later.
    await dealer.ask(userRoutes.me);
    const last = loginFrom('127.0.0.4', 'of one who stays');
    await dealer.ask(userRoutes.me);
    held.letGo();
    expect((await last.answer).status).toBe(401);
    expect(held.started).toEqual([wrong, wrong, 'of one who stays']);
    await Promise.all([first.answer, second.answer]);
    expect(host.logged.filter(({ msg }) => msg === 'request failed')).toEqual([]);
  });
});

describe('an address past its limit of failed attempts', () => {
  it('an address past its limit of failed attempts has no password hashed any more, also none that waited when the limit was reached', async () => {
    held.hold();
    const logins = Array.from({ length: 30 }, () =>
      host.anybody.post('/auth/login?jwt=1', { login: 'anna', password: wrong }),
    );
    for (let i = 1; i <= 10; i += 1) {
      await held.begun(i);
      expect(held.running).toHaveLength(1);
      held.endOne();
    }
    const statuses = (await Promise.all(logins)).map((it) => it.status);
    expect(statuses.filter((it) => it === 401)).toHaveLength(10);
    expect(statuses.filter((it) => it === 429)).toHaveLength(20);
    expect(held.started).toHaveLength(10);
    const late = await host.anybody.post('/auth/login?jwt=1', { login: 'anna', password: dealerPassword });
    expect(late.status).toBe(429);
    expect(held.started).toHaveLength(10);
  });

  it('an address past its limit of failed attempts is refused at once, while hashes of others take all places', async () => {
    for (let i = 0; i < 10; i += 1) await host.anybody.post('/auth/refresh');
    const before = held.started.length;
    const answer = await host.anybody.post('/auth/login?jwt=1', { login: 'anna', password: dealerPassword });
    expect(answer.status).toBe(429);
    expect(held.started).toHaveLength(before);
  });
});

describe('all other work on passwords', () => {
  it('all other work on passwords goes through the same two places: users that a dealer adds and new passwords beside logins', async () => {
    const { items } = await dealer.ask(userRoutes.list, { query: { q: 'anna' } });
    const user_id = items[0]?.user_id ?? '';
    held.hold();
    const added = ['boris', 'clara', 'dina'].map((login) =>
      dealer.ask(userRoutes.create, { body: { login, password: `${login} has a password` } }),
    );
    const changed = dealer.ask(userRoutes.patch, {
      params: { user_id },
      body: { password: 'a new password' },
    });
    await held.begun(1);
    const login = host.login('dealer');
    await held.begun(2);
    await dealer.ask(userRoutes.me);
    expect(held.running).toHaveLength(2);
    expect(held.running.filter((it) => it.password !== dealerPassword)).toHaveLength(1);
    held.letGo();
    await Promise.all([...added, changed, login]);
    expect(held.started).toHaveLength(5);
    expect(held.maxConcurrent()).toBe(2);
    await expect(host.login('anna', 'a new password')).resolves.toBeDefined();
  });

  it('all other work on passwords is not begun for a user that is not there, nor for a version that has passed', async () => {
    const { items } = await dealer.ask(userRoutes.list, { query: { q: 'anna' } });
    const body = { password: 'a new password' };
    const ask = (user_id: string, version: string) =>
      dealer.outcome(userRoutes.patch, { params: { user_id }, body, headers: { 'If-Match': version } });
    held.hold();
    expect(await ask('00000000-0000-4000-8000-000000000000', '"1"')).toBe('404 not_found');
    expect(await ask(items[0]?.user_id ?? '', '"99"')).toBe('412 version_conflict');
    expect(held.started).toEqual([]);
  });

  it('all other work on passwords is not begun for a wrong set-up code', async () => {
    held.hold();
    const body = { code: 'AAAAA', login: 'second', password: 'a second dealer' };
    const answer = await host.anybody.post(setupRoute.path, body, { Origin: host.url });
    expect(answer.status).toBe(404);
    expect(held.started).toEqual([]);
  });
});

describe('a login from an address', () => {
  const dayMs = 86_400_000;
  const rows: SessionRow[] = [];
  const open = () =>
    loadSessions(
      {
        sessions: () => Promise.resolve([...rows]),
        endedSessions: () => Promise.resolve([]),
        saveSessions: (saved) => Promise.resolve(void rows.push(...saved)),
        deleteSessions: () => Promise.resolve(),
      },
      clock,
      () => 90,
    );

  it('a login from an address is remembered for 30 days, also over a restart, and after the session has ended', async () => {
    rows.length = 0;
    const sessions = await open();
    expect(sessions.hasBegunFrom('192.0.2.1')).toBe(false);
    await sessions.begin('anna', { address: '192.0.2.1', userAgent: null });
    await sessions.end('anna');
    expect(sessions.hasBegunFrom('192.0.2.1')).toBe(true);
    const later = await open();
    clock.advance(30 * dayMs - 1);
    expect(later.hasBegunFrom('192.0.2.1')).toBe(true);
    clock.advance(1);
    expect(later.hasBegunFrom('192.0.2.1')).toBe(false);
  });

  it('a login from an address is remembered of the last 1,000 addresses', async () => {
    rows.length = 0;
    const sessions = await open();
    await sessions.begin('anna', { address: 'the first', userAgent: null });
    await sessions.begin('anna', { address: 'the second', userAgent: null });
    await sessions.begin('anna', { address: 'the first', userAgent: null });
    for (let i = 0; i < 999; i += 1) await sessions.begin(`user ${i}`, { address: `${i}`, userAgent: null });
    expect(sessions.hasBegunFrom('the second')).toBe(false);
    expect(sessions.hasBegunFrom('the first')).toBe(true);
    expect((await open()).hasBegunFrom('the second')).toBe(false);
  });
});
