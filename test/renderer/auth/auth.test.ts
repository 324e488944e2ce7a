import { describe, expect, it } from 'vitest';
import type { Route } from '../../../server/contract/route.ts';
import { createApi } from '../../../renderer/api/client.ts';
import { ApiProblem, Unreachable } from '../../../renderer/api/errors.ts';
import type { Transport } from '../../../renderer/api/transport.ts';
import { createAuth } from '../../../renderer/auth/auth.ts';
import { createTokens } from '../../../renderer/auth/tokens.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { createFakeChannels } from '../windows/fakeChannels.ts';
import { createMemoryStorage } from '../memoryStorage.ts';

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

const claims = {
  ...{ sub: 'u1', sid: 's1', role: 'dealer', rights: {}, iss: 'depot', aud: 'fleetdeck' },
  iat: 0,
  exp: 1_800,
};
const granted = {
  jwt: `a.${btoa(JSON.stringify(claims))}.c`,
  expires_at: '2026-11-21T12:30:00.000Z',
  user: {
    user_id: '6f3c1c52-6d3f-4c49-9d0a-0d3f0a3b6c11',
    login: 'k.weiss',
    name: null,
    email: null,
    role: 'dealer',
    rights: {
      vehicles: 'write',
      geofences: 'write',
      notifications: 'write',
      reports: 'read',
      video: 'write',
    },
    group_ids: [],
    blocked: false,
    version: 1,
    created_at: '2026-11-21T12:00:00.000Z',
    updated_at: '2026-11-21T12:00:00.000Z',
  },
};

function setUp({
  setupNeeded = false,
  storage = createMemoryStorage(),
  others = createFakeChannels()(),
} = {}) {
  const clock = createFakeClock();
  const sent: string[] = [];
  let failure: Error | null = null;
  let hasSession = true;
  const transport: Transport = {
    send(route: Route) {
      sent.push(route.id);
      if (failure !== null) return Promise.reject(failure);
      if (route.id === 'refresh' && !hasSession) {
        const problem = {
          type: '',
          title: '',
          status: 401,
          detail: '',
          code: 'jwt_missing',
          request_id: 'r',
        } as const;
        return Promise.reject(new ApiProblem(problem, null));
      }
      const depot = { setup_needed: setupNeeded, depot_name: 'Depot North' };
      return Promise.resolve(Response.json(route.id === 'getSetupState' ? depot : granted));
    },
  };
  const tokens = createTokens({ transport, clock, onEnd: (reason) => auth.ended(reason) });
  const auth = createAuth({
    api: createApi({ transport, tokens }),
    transport,
    tokens,
    storage,
    clock,
    others,
  });
  return {
    auth,
    clock,
    sent,
    storage,
    tokens,
    fail: (error: Error | null) => (failure = error),
    endSession: () => (hasSession = false),
    phase: () => auth.store.getState().state.phase,
  };
}

describe('the console', () => {
  it('the console has no user on a first visit, requests no session, and so counts no failed attempt', async () => {
    const { auth, sent, phase } = setUp();
    auth.start();
    await settle();
    expect(phase()).toBe('logged_out');
    expect(sent).toEqual(['getSetupState']);
    expect(auth.store.getState().depotName).toBe('Depot North');
  });

  it('the console has the operator of the last visit after a reload', async () => {
    const first = setUp();
    await first.auth.login('k.weiss', 'secret');
    const second = setUp({ storage: first.storage });
    second.auth.start();
    await settle();
    expect(second.auth.store.getState().state).toMatchObject({
      phase: 'logged_in',
      user: { login: 'k.weiss' },
    });
  });

  it('the console has no user when that session has ended, and does not request it again', async () => {
    const first = setUp();
    await first.auth.login('k.weiss', 'secret');
    const second = setUp({ storage: first.storage });
    second.endSession();
    second.auth.start();
    await settle();
    expect(second.phase()).toBe('logged_out');
    const third = setUp({ storage: first.storage });
    third.auth.start();
    await settle();
    expect(third.sent).toEqual(['getSetupState']);
  });

  it('the console offers the setup of a depot that has no user', async () => {
    const { auth, phase } = setUp({ setupNeeded: true });
    auth.start();
    await settle();
    expect(phase()).toBe('setup');
    await auth.setup('CODE', 'k.weiss', 'correct horse');
    expect(phase()).toBe('logged_in');
  });

  it('the console finds its user as soon as the server answers', async () => {
    const { auth, phase, clock, fail } = setUp();
    fail(new Unreachable('down'));
    auth.start();
    await settle();
    expect(phase()).toBe('unreachable');
    fail(null);
    clock.advance(1_000);
    await settle();
    expect(phase()).toBe('logged_out');
  });

  it('the console has no user after logging out, even when the server cannot be reached', async () => {
    const { auth, phase, fail, storage } = setUp();
    await auth.login('k.weiss', 'secret');
    fail(new Unreachable('down'));
    await auth.logout();
    expect(phase()).toBe('logged_out');
    expect(storage.texts.size).toBe(0);
  });

  it('the console explains why a session ended', async () => {
    const { auth, tokens } = setUp();
    await auth.login('k.weiss', 'secret');
    tokens.end('session_revoked');
    expect(auth.store.getState().state).toEqual({ phase: 'logged_out', reason: 'session_revoked' });
  });
});

describe('the login of several windows', () => {
  it('the login of one window is taken up by the others, and its logout ends them all', async () => {
    const channel = createFakeChannels();
    const storage = createMemoryStorage();
    const [one, other] = [channel(), channel()].map((others) => setUp({ storage, others }));
    if (one === undefined || other === undefined) throw new Error('no windows');
    one.auth.start();
    other.auth.start();
    await settle();
    expect([one.phase(), other.phase()]).toEqual(['logged_out', 'logged_out']);
    await one.auth.login('k.weiss', 'secret');
    await settle();
    expect([one.phase(), other.phase()]).toEqual(['logged_in', 'logged_in']);
    expect(other.tokens.sessionId()).toBe(one.tokens.sessionId());
    await other.auth.logout();
    expect([one.phase(), other.phase()]).toEqual(['logged_out', 'logged_out']);
    expect(one.auth.store.getState().state).toMatchObject({ reason: null });
  });

  it('the login of a window that has another session stays when one of the others logs out', async () => {
    const channel = createFakeChannels();
    const one = setUp({ others: channel() });
    const stranger = channel();
    one.auth.start();
    await one.auth.login('k.weiss', 'secret');
    stranger.postMessage({ kind: 'logged_out', session: 'another one' });
    stranger.postMessage({ kind: 'nonsense' });
    expect(one.phase()).toBe('logged_in');
  });
});
