import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiTokenRoutes } from '../../../server/contract/apiTokens.ts';
import { authRoutes } from '../../../server/contract/auth.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { startProgram } from '../../support/program.ts';
import {
  callerFor,
  dealerPassword as password,
  startTestHost,
  type TestHost,
} from '../../support/testHost.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost({ settings: { apiAccess: 'granted' }, users: [{ login: 'anna' }] });
});
afterAll(() => host.close());

const logIn = (query: string, login = 'anna', secret = password) =>
  host.anybody.post(`/auth/login${query}`, { login, password: secret });
const me = async (headers: Record<string, string>) => {
  const { status, code } = await host.anybody.get('/api/v1/me', headers);
  return code === undefined ? status : `${status} ${code}`;
};

async function grant(
  name: 'grant' | 'revoke',
  login: string,
): Promise<{ code: number | null; said: string }> {
  const args = ['dealer', '--data', host.data, `--${name}-api`, login];
  const program = startProgram('server/commands/fleetdeck.ts', args, {});
  const { code } = await program.ended;
  return { code, said: program.stderr() };
}

describe('with --api-access granted', () => {
  it('a login for a JWT without a grant is refused with the reason, after the password was checked', async () => {
    const refused = await logIn('?jwt=1');
    expect(refused).toMatchObject({ status: 403, code: 'api_not_granted' });
    expect(refused.body.detail).toContain('--grant-api');
    expect(await logIn('?jwt=1', 'anna', 'a wrong password')).toMatchObject({ code: 'credentials_invalid' });
  });

  it("the web login's JWT is valid only with its cookie, and so is its refresh", async () => {
    const answer = await logIn('');
    const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
    expect(answer.headers.get('set-cookie')).toContain('Path=/;');
    const { jwt } = authRoutes.login.reply.parse(answer.body);
    const Authorization = `JWT ${jwt}`;
    expect(await me({ Authorization })).toBe('401 jwt_invalid');
    expect(await me({ Authorization, Cookie: cookie })).toBe(200);
    const other = (await logIn('')).headers.get('set-cookie')?.split(';')[0] ?? '';
    expect(await me({ Authorization, Cookie: other })).toBe('401 jwt_invalid');

    const refresh = (headers: Record<string, string>) =>
      host.anybody.call('POST', '/auth/refresh', undefined, headers);
    expect(await refresh({ 'Authorization-Refresh': jwt })).toMatchObject({ status: 401 });
    for (const headers of [
      { 'Authorization-Refresh': jwt, Cookie: cookie },
      { Cookie: cookie, Origin: host.url },
    ]) {
      const again = await refresh(headers);
      const next = `JWT ${authRoutes.refresh.reply.parse(again.body).jwt}`;
      expect(await me({ Authorization: next })).toBe('401 jwt_invalid');
      expect(await me({ Authorization: next, Cookie: cookie })).toBe(200);
    }
  });

  it('a grant from the machine of the host lets a user log in for a JWT and create API tokens, until it is taken away', async () => {
    const web = await logIn('');
    const headers = {
      Authorization: `JWT ${authRoutes.login.reply.parse(web.body).jwt}`,
      Cookie: web.headers.get('set-cookie')?.split(';')[0] ?? '',
    };
    const body = { name: 'Sync', expires_at: new Date(Date.now() + 86_400_000).toISOString() };
    const before = await host.anybody.call('POST', '/api/v1/tokens', body, headers);
    expect(before).toMatchObject({ status: 403, code: 'api_not_granted' });

    expect(await grant('grant', 'Anna')).toEqual({ code: 0, said: 'User Anna may use the API.\n' });
    const { jwt } = authRoutes.login.reply.parse((await logIn('?jwt=1')).body);
    const anna = callerFor(host.url, jwt);
    expect(await anna.outcome(userRoutes.me)).toBe(200);
    const token = await anna.ask(apiTokenRoutes.create, { body });
    expect(await callerFor(host.url, token.jwt).outcome(userRoutes.me)).toBe(200);

    expect((await grant('revoke', 'anna')).code).toBe(0);
    expect(await callerFor(host.url, jwt).outcome(userRoutes.me)).toBe('403 api_not_granted');
    expect(await callerFor(host.url, token.jwt).outcome(userRoutes.me)).toBe('403 api_not_granted');
    expect(await logIn('?jwt=1')).toMatchObject({ status: 403, code: 'api_not_granted' });
  });

  it('a grant is given on the folder when no host runs on it, and is in the change log as done by the host machine', async () => {
    await host.stop();
    expect(await grant('grant', 'anna')).toEqual({ code: 0, said: 'User anna may use the API.\n' });
    const db = new DatabaseSync(join(host.data, 'telemetry.db'), { readOnly: true });
    const last = db.prepare('SELECT topic, actor_name, after FROM change_log ORDER BY seq DESC').get();
    db.close();
    expect(last).toEqual({ topic: 'user', actor_name: 'host machine', after: '{"api_access":true}' });
    host = await startTestHost({ data: host.data, settings: { apiAccess: 'granted' } });
    expect((await logIn('?jwt=1')).status).toBe(200);
    expect((await grant('revoke', 'anna')).code).toBe(0);
  });

  it('a grant for a login that nobody has ends with one line', async () => {
    expect(await grant('grant', 'nobody')).toEqual({
      code: 1,
      said: 'fleetdeck: There is no user nobody.\n',
    });
  });
});

it('without the option every user may log in for a JWT, and the cookie goes to the authorization methods alone', async () => {
  const open = await startTestHost({ users: [{ login: 'anna' }] });
  try {
    expect(await (await open.login('anna')).outcome(userRoutes.me)).toBe(200);
    const web = await open.anybody.post('/auth/login', { login: 'anna', password });
    expect(web.headers.get('set-cookie')).toContain('Path=/auth;');
    const { jwt } = authRoutes.login.reply.parse(web.body);
    expect(await callerFor(open.url, jwt).outcome(userRoutes.me)).toBe(200);
  } finally {
    await open.close();
  }
});
