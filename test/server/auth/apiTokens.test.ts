import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiTokenRoutes, type ApiToken, type NewApiToken } from '../../../server/contract/apiTokens.ts';
import { authRoutes } from '../../../server/contract/auth.ts';
import { geofenceRoutes } from '../../../server/contract/geofences.ts';
import { groupRoutes } from '../../../server/contract/groups.ts';
import { ruleRoutes } from '../../../server/contract/rules.ts';
import { serviceRoutes } from '../../../server/contract/settings.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { openStream } from '../../support/streamReader.ts';
import { callerFor, startTestHost, wideLimits, type Caller, type TestHost } from '../../support/testHost.ts';

const clock = createFakeClock();
const dayMs = 86_400_000;
let host: TestHost;
let dealer: Caller;
let anna: Caller;
let annaId: string;
/** Of anna: her own, and another one. */
let own: string;
let north: string;
beforeAll(async () => {
  const all = { vehicles: 'write', geofences: 'write', notifications: 'write', reports: 'read' } as const;
  host = await startTestHost({
    clock,
    settings: { jwtTtlS: 86_400 },
    users: [{ login: 'anna', rights: all }],
  });
  dealer = await host.login();
  ({ group_id: north } = await dealer.ask(groupRoutes.create, { body: { name: 'North' } }));
  anna = await host.login('anna');
  const me = await anna.ask(userRoutes.me);
  annaId = me.user_id;
  own = me.group_ids[0] ?? '';
  await dealer.ask(groupRoutes.addUser, { params: { group_id: north, user_id: annaId } });
  for (const [terminal_id, group_id] of [
    ['N1', north],
    ['O1', own],
  ] as const) {
    await dealer.ask(vehicleRoutes.create, {
      body: { terminal_id, name: terminal_id, group_ids: [group_id] },
    });
  }
});
afterAll(() => host.close());

const later = (days: number) => new Date(clock.now() + days * dayMs).toISOString();
let made = 0;
async function create(
  by: Caller,
  wanted: Partial<NewApiToken> = {},
): Promise<{ token: ApiToken; jwt: string; program: Caller }> {
  made += 1;
  const body = { name: `Program ${made}`, expires_at: later(30), ...wanted };
  const answer = await by.ask(apiTokenRoutes.create, { body });
  return { ...answer, program: callerFor(host.url, answer.jwt) };
}
const namesOf = async (caller: Caller) =>
  (await caller.ask(vehicleRoutes.list, {})).items.map((it) => it.name).sort();
const revoke = (by: Caller, { token_id }: ApiToken) =>
  by.outcome(apiTokenRoutes.revoke, { params: { token_id } });
/** Rows of the database, read while the host runs. */
function select<T>(sql: string): T[] {
  const db = new DatabaseSync(join(host.data, 'telemetry.db'), { readOnly: true });
  try {
    return db.prepare(sql).all() as T[];
  } finally {
    db.close();
  }
}

describe('an API token', () => {
  it('an API token acts as its owner with a part of the rights and groups', async () => {
    const { program, token, jwt } = await create(anna, {
      rights: { vehicles: 'read', geofences: 'none', notifications: 'none', reports: 'none', video: 'none' },
      group_ids: [north],
    });
    expect(token).toMatchObject({ user_id: annaId, role: 'user', last_used_at: null, calls: 0 });
    expect(await program.ask(userRoutes.me)).toMatchObject({
      user_id: annaId,
      rights: { vehicles: 'read', geofences: 'none' },
      group_ids: [north],
    });
    expect(await namesOf(anna)).toEqual(['N1', 'O1']);
    expect(await namesOf(program)).toEqual(['N1']);
    expect(await program.outcome(geofenceRoutes.list, {})).toBe('403 forbidden');
    const patch = { params: { vehicle: 'N1' }, body: { color: '#112233' } };
    expect(await program.outcome(vehicleRoutes.patch, patch)).toBe('403 forbidden');
    const { exp } = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as {
      exp: number;
    };
    expect(exp * 1_000).toBe(Date.parse(token.expires_at));
    await revoke(anna, token);
  });

  it('an API token is never given more than its owner has, and loses what its owner loses', async () => {
    const more = { expires_at: later(1), name: 'more' };
    const refused = async (wanted: object) =>
      (await anna.call('POST', '/api/v1/tokens', { ...more, ...wanted })).body.errors[0].path as string;
    expect(await refused({ role: 'dealer' })).toBe('role');
    expect(await refused({ rights: { video: 'read' } })).toBe('rights.video');
    const { group_id } = await dealer.ask(groupRoutes.create, { body: { name: 'South' } });
    expect(await refused({ group_ids: [group_id] })).toBe('group_ids.0');

    const { program, token } = await create(anna, {
      rights: { ...token0, vehicles: 'write' },
      group_ids: null,
    });
    expect(await namesOf(program)).toEqual(['N1', 'O1']);
    const params = { group_id: north, user_id: annaId };
    await dealer.ask(groupRoutes.removeUser, { params });
    await dealer.ask(userRoutes.patch, {
      params: { user_id: annaId },
      body: { rights: { vehicles: 'read' } },
    });
    expect(await namesOf(program)).toEqual(['O1']);
    const patch = { params: { vehicle: 'O1' }, body: { color: '#112233' } };
    expect(await program.outcome(vehicleRoutes.patch, patch)).toBe('403 forbidden');
    const shown = await anna.ask(apiTokenRoutes.get, { params: { token_id: token.token_id } });
    expect(shown.rights.vehicles).toBe('read');
    await dealer.ask(groupRoutes.addUser, { params });
    await dealer.ask(userRoutes.patch, {
      params: { user_id: annaId },
      body: { rights: { vehicles: 'write' } },
    });
    await revoke(anna, token);
  });

  it("a dealer's API token does as much as its role, and no more when its owner is no dealer any more", async () => {
    const { user_id } = await dealer.ask(userRoutes.create, {
      body: { login: 'second', password: 'a long password', role: 'dealer' },
    });
    const second = await host.login('second', 'a long password');
    const { program: boss } = await create(second, { role: 'dealer' });
    const { program: reader } = await create(second, { group_ids: [north] });
    expect(await boss.outcome(userRoutes.list, {})).toBe(200);
    expect(await reader.outcome(userRoutes.list, {})).toBe('403 forbidden');
    expect(await namesOf(reader)).toEqual(['N1']);
    await dealer.ask(userRoutes.patch, { params: { user_id }, body: { role: 'user' } });
    expect(await boss.outcome(userRoutes.list, {})).toBe('403 forbidden');
    expect(await namesOf(reader)).toEqual([]);
  });

  it('an API token for some groups neither sees nor makes rules of its owner beyond them', async () => {
    const rule = { name: 'Everywhere', event_kind: 'sos' as const, scope: { all: true as const } };
    const { rule_id } = await anna.ask(ruleRoutes.create, { body: rule });
    const { program, token } = await create(anna, {
      rights: { ...token0, notifications: 'write' },
      group_ids: [north],
    });
    expect(await program.outcome(ruleRoutes.get, { params: { rule_id } })).toBe('404 not_found');
    expect(await program.outcome(ruleRoutes.create, { body: rule })).toBe('400 validation_failed');
    const inNorth = { ...rule, scope: { group_ids: [north] } };
    expect(await program.outcome(ruleRoutes.create, { body: inNorth })).toBe(201);
    await revoke(anna, token);
  });

  it('an API token ends with its revocation, by its owner or a dealer, and so does its stream', async () => {
    for (const by of [anna, dealer]) {
      const { program, token } = await create(anna);
      const stream = await openStream(host.url, program);
      expect(await revoke(by, token)).toBe(204);
      await stream.ended;
      expect(await program.outcome(userRoutes.me)).toBe('401 session_revoked');
    }
    const { token } = await create(dealer);
    expect(await revoke(anna, token)).toBe('404 not_found');
    expect(await anna.outcome(apiTokenRoutes.list, { query: { user_id: token.user_id } })).toBe(
      '404 not_found',
    );
    expect(await revoke(dealer, token)).toBe(204);
  });

  it('a change of an API token ends its stream, and holds at once', async () => {
    const { program, token } = await create(anna);
    const stream = await openStream(host.url, program);
    const params = { token_id: token.token_id };
    const changed = await anna.ask(apiTokenRoutes.patch, {
      params,
      body: { group_ids: [own], name: 'Smaller' },
    });
    expect(changed).toMatchObject({ name: 'Smaller', group_ids: [own], version: 2 });
    await stream.ended;
    expect(await namesOf(program)).toEqual(['O1']);
    expect(await dealer.outcome(apiTokenRoutes.patch, { params, body: { name: 'Mine' } })).toBe(
      '403 forbidden',
    );
    await revoke(anna, token);
  });

  it('an API token expires at its time, with its stream', async () => {
    const { program, token } = await create(anna, {
      expires_at: new Date(clock.now() + 60_000).toISOString(),
    });
    const stream = await openStream(host.url, program);
    clock.advance(60_000);
    await stream.ended;
    const answer = await program.get('/api/v1/me');
    expect(answer).toMatchObject({ status: 401, code: 'jwt_expired' });
    expect(answer.body.detail).not.toContain('refresh');
    expect(await revoke(anna, token)).toBe(204);
  });

  it('an API token is not a session: it is neither refreshed nor logged out, and manages no tokens', async () => {
    const { program, jwt, token } = await create(anna);
    const refreshed = await host.anybody.call('POST', '/auth/refresh', undefined, {
      'Authorization-Refresh': jwt,
    });
    expect(refreshed).toMatchObject({ status: 401, code: 'jwt_invalid' });
    expect(await program.outcome(authRoutes.logout)).toBe('403 forbidden');
    const params = { token_id: token.token_id };
    expect(await program.outcome(apiTokenRoutes.list, {})).toBe('403 forbidden');
    expect(await program.outcome(apiTokenRoutes.revoke, { params })).toBe('403 forbidden');
    const body = { name: 'child', expires_at: later(1) };
    expect(await program.outcome(apiTokenRoutes.create, { body })).toBe('403 forbidden');
    await revoke(anna, token);
  });

  it('blocking a user and a new password revoke its API tokens for good', async () => {
    const params = { user_id: annaId };
    const first = await create(anna);
    await dealer.ask(userRoutes.block, { params });
    expect(await first.program.outcome(userRoutes.me)).toBe('401 session_revoked');
    await dealer.ask(userRoutes.unblock, { params });
    expect(await first.program.outcome(userRoutes.me)).toBe('401 session_revoked');
    anna = await host.login('anna');
    const second = await create(anna);
    await dealer.ask(userRoutes.patch, { params, body: { password: 'a dealer of the depot' } });
    expect(await second.program.outcome(userRoutes.me)).toBe('401 session_revoked');
    anna = await host.login('anna');
    expect((await anna.ask(apiTokenRoutes.list, {})).items).toEqual([]);
  });

  it('a user has at most 20 API tokens, each with a name of its own, for at most 366 days', async () => {
    const { token } = await create(anna, { name: 'Dispatch' });
    const outcome = (wanted: object) =>
      anna.outcome(apiTokenRoutes.create, { body: { name: 'x', expires_at: later(1), ...wanted } });
    expect(await outcome({ name: 'dispatch' })).toBe('409 already_exists');
    expect(await outcome({ expires_at: later(367) })).toBe('400 validation_failed');
    expect(await outcome({ expires_at: later(-1) })).toBe('400 validation_failed');
    const others = [token];
    for (let at = 1; at < 20; at += 1) others.push((await create(anna)).token);
    expect(await outcome({})).toBe('409 quota_exceeded');
    for (const it of others) await revoke(anna, it);
  });
});

describe('the use of an API token', () => {
  it('calls with an API token are counted, and stored once in a minute and not by each call', async () => {
    const { program, token } = await create(anna);
    const commits = async () => (await dealer.get('/api/v1/status')).body.store.commits as number;
    const before = await commits();
    for (let call = 0; call < 5; call += 1) await program.ask(userRoutes.me);
    const params = { token_id: token.token_id };
    const shown = await anna.ask(apiTokenRoutes.get, { params });
    expect(shown).toMatchObject({ calls: 5, last_used_at: new Date(clock.now()).toISOString() });
    expect(await commits()).toBe(before);
    const stored = () =>
      select<{ calls: number }>(`SELECT calls FROM api_token_uses WHERE token_id = '${token.token_id}'`);
    expect(stored()).toEqual([]);
    clock.advance(60_000);
    await expect.poll(stored).toEqual([{ calls: 5 }]);
    await revoke(anna, token);
  });

  it('calls with an API token count against the calls of its owner', async () => {
    const few = await startTestHost({
      limits: { ...wideLimits, authorized_calls: 4 },
      users: [{ login: 'carl' }],
    });
    try {
      const carl = await few.login('carl');
      const body = { name: 'poller', expires_at: new Date(Date.now() + dayMs).toISOString() };
      const { jwt } = await carl.ask(apiTokenRoutes.create, { body });
      const program = callerFor(few.url, jwt);
      expect(await program.outcome(userRoutes.me)).toBe(200);
      expect(await program.outcome(userRoutes.me)).toBe(200);
      expect(await carl.outcome(userRoutes.me)).toBe(200);
      expect(await program.outcome(userRoutes.me)).toBe('429 rate_limited');
      expect(await carl.outcome(userRoutes.me)).toBe('429 rate_limited');
    } finally {
      await few.close();
    }
  });
});

describe('the change log', () => {
  interface Row {
    topic: string;
    version: number | null;
    actor_name: string;
    actor_token: string | null;
    actor_token_name: string | null;
    after: string | null;
  }
  const rows = () =>
    select<Row>(
      'SELECT topic, version, actor_name, actor_token, actor_token_name, after FROM change_log ORDER BY seq',
    );

  it('the change log names who created, changed and revoked an API token, and never its secret', async () => {
    const seen = rows().length;
    const { token, jwt } = await create(anna, { name: 'Logged' });
    const params = { token_id: token.token_id };
    await anna.ask(apiTokenRoutes.patch, { params, body: { name: 'Renamed' } });
    await revoke(dealer, token);
    const acts = rows().slice(seen);
    expect(acts.map(({ topic, version, actor_name }) => [topic, version, actor_name])).toEqual([
      ['api_token', 1, 'anna'],
      ['api_token', 2, 'anna'],
      ['api_token', null, 'dealer'],
    ]);
    expect(acts[0]?.after).toContain('"jwt_hash":"changed"');
    const [, , signature = ''] = jwt.split('.');
    for (const name of ['telemetry.db', 'telemetry.db-wal']) {
      const bytes = await readFile(join(host.data, name)).catch(() => Buffer.alloc(0));
      expect(bytes.includes(signature)).toBe(false);
    }
  });

  it('the change log names the API token as well as its owner for what is done with it', async () => {
    const { token, program } = await create(anna, { name: 'Sync', rights: { ...token0, vehicles: 'write' } });
    await program.ask(vehicleRoutes.patch, { params: { vehicle: 'N1' }, body: { driver: 'Program' } });
    expect(rows().at(-1)).toMatchObject({
      topic: 'vehicle',
      actor_name: 'anna',
      actor_token: token.token_id,
      actor_token_name: 'Sync',
    });
    await anna.ask(vehicleRoutes.patch, { params: { vehicle: 'N1' }, body: { driver: 'Anna' } });
    expect(rows().at(-1)).toMatchObject({ actor_name: 'anna', actor_token: null, actor_token_name: null });
    await revoke(anna, token);
  });
});

it('API tokens and their uses are there again after a restart', async () => {
  const first = await startTestHost({ users: [{ login: 'carl' }] });
  const carl = await first.login('carl');
  const body = { name: 'poller', expires_at: new Date(Date.now() + dayMs).toISOString() };
  const { jwt, token } = await carl.ask(apiTokenRoutes.create, { body });
  await callerFor(first.url, jwt).ask(userRoutes.me);
  await first.stop();
  const again = await startTestHost({ data: first.data });
  try {
    expect(await callerFor(again.url, jwt).outcome(userRoutes.me)).toBe(200);
    const params = { token_id: token.token_id };
    const shown = await (await again.login('carl')).ask(apiTokenRoutes.get, { params });
    expect(shown).toMatchObject({ calls: 2, name: 'poller' });
  } finally {
    await again.close();
  }
});

it('API tokens of a copy are refused until a dealer has confirmed what was read from it', async () => {
  const first = await startTestHost({ users: [{ login: 'carl' }] });
  const carl = await first.login('carl');
  const body = { name: 'poller', expires_at: new Date(Date.now() + dayMs).toISOString() };
  const { jwt } = await carl.ask(apiTokenRoutes.create, { body });
  await first.stop();
  for (const end of ['', '-wal', '-shm']) await rm(join(first.data, `telemetry.db${end}`), { force: true });
  const again = await startTestHost({ data: first.data });
  try {
    const program = callerFor(again.url, jwt);
    expect(await program.outcome(userRoutes.me)).toBe('401 session_revoked');
    const boss = await again.login();
    const { store } = await boss.ask(serviceRoutes.status);
    const documents = store.recoveries.map((it) => it.document);
    await boss.ask(serviceRoutes.confirmRecoveries, { body: { documents } });
    expect(await program.outcome(userRoutes.me)).toBe(200);
  } finally {
    await again.close();
  }
});

/** No right at all, to which a test adds. */
const token0 = {
  vehicles: 'none',
  geofences: 'none',
  notifications: 'none',
  reports: 'none',
  video: 'none',
} as const;
