import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { authRoutes, setupRoute, setupStateRoute } from '../../../server/contract/auth.ts';
import { preferenceRoutes } from '../../../server/contract/preferences.ts';
import { serviceRoutes, settingsFields } from '../../../server/contract/settings.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { createFirstRun } from '../../../server/auth/firstRun.ts';
import { createAllowedHosts } from '../../../server/http/allowedHosts.ts';
import { contractLimits } from '../../../server/http/rateLimit.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { callerFor, startTestHost, type TestHost } from '../../support/testHost.ts';

const clock = createFakeClock();
let host: TestHost;
beforeAll(async () => {
  host = await startTestHost({ clock, dealer: false, limits: contractLimits });
});
afterAll(() => host.close());
beforeEach(() => clock.advance(60_000));

const wanted = { login: 'first', password: 'the first of all' };
const setUp = (body: object, headers: Record<string, string> = { Origin: host.url }) =>
  host.anybody.post(setupRoute.path, body, headers);
const setupState = () => host.anybody.ask(setupStateRoute);

describe('POST /setup, while there is no user', () => {
  it('POST /setup, while there is no user is announced by a one-time code of at least 80 bits', async () => {
    // 32 letters and digits, 5 bits each.
    expect(host.setupCode).toMatch(/^[2-9A-HJ-NP-Z]{5}(-[2-9A-HJ-NP-Z]{5}){3}$/);
    expect(await setupState()).toMatchObject({ setup_needed: true });
    expect(JSON.stringify(await setupState())).not.toContain(host.setupCode);
  });

  it('POST /setup, while there is no user is refused without our own Origin', async () => {
    const body = { ...wanted, code: host.setupCode };
    expect(await setUp(body, {})).toMatchObject({ status: 403, code: 'forbidden' });
    const foreign = await setUp(body, { Origin: 'http://example.test' });
    expect(foreign).toMatchObject({ status: 403, code: 'origin_not_allowed' });
  });

  it('POST /setup, while there is no user counts a wrong code as a failed attempt, and after ten does not even look at the right one', async () => {
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      const answer = await setUp({ ...wanted, code: 'AAAAA-AAAAA-AAAAA-AAAAA' });
      expect(answer).toMatchObject({ status: 401, code: 'credentials_invalid' });
    }
    const refused = await setUp({ ...wanted, code: host.setupCode });
    expect(refused).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(refused.headers.get('retry-after')).toBe('60');
  });

  it('POST /setup, while there is no user keeps the code when login or password cannot be', async () => {
    const answer = await setUp({ login: 'first', password: 'short', code: host.setupCode });
    expect(answer).toMatchObject({ status: 400, code: 'validation_failed' });
    expect((await setupState()).setup_needed).toBe(true);
  });

  it('POST /setup, while there is no user makes one dealer of the first of concurrent callers, and logs it in', async () => {
    // As read aloud: small letters and a stray space do no harm.
    const body = { ...wanted, language: 'de', code: ` ${host.setupCode?.toLowerCase() ?? ''}` };
    const answers = await Promise.all([setUp(body), setUp({ ...body, login: 'second' })]);
    const [made, late] = answers.sort((a, b) => a.status - b.status);
    expect(made.status).toBe(201);
    expect(late).toMatchObject({ status: 404, code: 'not_found' });
    const { jwt, user } = authRoutes.login.reply.parse(made.body);
    expect(user.role).toBe('dealer');
    const { preferences } = await callerFor(host.url, jwt).ask(preferenceRoutes.get);
    expect(preferences).toEqual({ hints_seen: [] });
    expect(await callerFor(host.url, jwt).outcome(userRoutes.list)).toBe(200);
    const settings = await callerFor(host.url, jwt).ask(serviceRoutes.settings);
    expect(settings.incident_close_reasons[1]).toBe('Fehlalarm');
    expect(settings.incident_checklists[0]?.items[0]).toBe('Fahrer anrufen');
    expect(made.headers.get('set-cookie')).toMatch(/^fleetdeck_.*HttpOnly/);
  });

  it('POST /setup, while there is no user is not there any more afterwards, nor after a restart', async () => {
    expect((await setupState()).setup_needed).toBe(false);
    const body = { ...wanted, login: 'third', code: host.setupCode };
    expect(await setUp(body)).toMatchObject({ status: 404, code: 'not_found' });
    await host.stop();
    host = await startTestHost({ clock, data: host.data });
    expect(host.setupCode).toBeNull();
    expect(await setUp({ ...body, code: 'x' })).toMatchObject({ status: 404, code: 'not_found' });
  });
});

describe('the operation of the first run', () => {
  it('the operation of the first run is there for this machine alone, whatever the origin', async () => {
    const refuse = () => Promise.reject(new Error('nobody is to be made'));
    const nobody = { all: () => [], add: refuse, setOwnDocument: refuse };
    const ownNames = createAllowedHosts({ tls: true, bound: '0.0.0.0', allowHosts: ['depot.lan'] });
    ownNames.setPort(8471);
    const firstRun = createFirstRun(nobody, ownNames, { now: () => settingsFields.parse({}), patch: refuse });
    const asked = { ...wanted, language: 'en' as const, code: firstRun.code() ?? '' };
    for (const address of ['192.168.1.20', 'fd00:0:0:0:0:0:0:1', 'unknown']) {
      const from = { address, origin: 'https://depot.lan:8471' };
      await expect(firstRun.makeDealer(asked, from)).rejects.toMatchObject({ code: 'forbidden' });
    }
  });

  it('the operation of the first run is no part of the REST API', async () => {
    expect((await host.anybody.get('/openapi.json')).text).not.toContain(setupRoute.path);
  });
});
