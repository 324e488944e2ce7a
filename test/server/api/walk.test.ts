import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiRoutes } from '../../../server/contract/api.ts';
import { rightNames } from '../../../server/contract/rights.ts';
import type { Route } from '../../../server/contract/route.ts';
import { pathOf } from '../../support/caller.ts';
import {
  startTestHost,
  wideLimits,
  type Answer,
  type Caller,
  type TestHost,
} from '../../support/testHost.ts';
import { faultsBy, type Faults } from './documented.ts';
import { goodCalls, type Depot, type Good } from './goodCalls.ts';
import { seedWorld } from './world.ts';

const allOf = (level: 'none' | 'write') => Object.fromEntries(rightNames.map((name) => [name, level]));

let host: TestHost;
let dealer: Caller;
let powerless: Caller;
let depot: Depot;
let faultsOf: Faults;
beforeAll(async () => {
  host = await startTestHost({
    users: [
      { login: 'owner', rights: allOf('write') },
      { login: 'powerless', rights: allOf('none') },
    ],
  });
  dealer = await host.login();
  powerless = await host.login('powerless');
  const owner = await host.login('owner');
  depot = {
    dealer,
    owner,
    world: await seedWorld({ dealer, owner, mark: 'MINE1', now: Date.now }),
    now: Date.now,
  };
  faultsOf = faultsBy((await host.anybody.get('/openapi.json')).body as Parameters<typeof faultsBy>[0]);
});
afterAll(() => host.close());

/** Their bodies are other people's files, whose fields are not ours. */
const takesAnything = new Set(['importVehicles', 'importGeofences', 'importVehicleTrack']);

/** The ground is the same for everybody. */
const isForAll = new Set(['getMap', 'getTileJson', 'getTile']);

const operations = apiRoutes.map((route) => ({ name: `${route.method} ${route.path}`, route }));

it('the walk has a good call for every operation of the contract, and for no other', () => {
  expect(Object.keys(goodCalls).sort()).toEqual(apiRoutes.map(({ id }) => id).sort());
});

async function goodOf(route: Route): Promise<Good> {
  const prepare = goodCalls[route.id];
  if (prepare === undefined) throw new Error(`there is no good call for ${route.id}`);
  return prepare(depot);
}

/** Calls and answers what came, which must be as documented. */
async function call(caller: Caller, route: Route, good: Good, other: Good = {}): Promise<Answer> {
  const query = { ...good.query, ...other.query };
  const answer = await caller.call(
    route.method,
    pathOf(route, { params: good.params, query }),
    'body' in other ? other.body : good.body,
    { ...good.headers, ...other.headers },
  );
  expect(faultsOf(route, answer)).toEqual([]);
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  // A request from another origin is rejected before the caller is identified.
  const isAnonymousHealth = route.id === 'getHealth' && caller.jwt === '';
  const isCounted = !isAnonymousHealth && answer.code !== 'origin_not_allowed';
  for (const name of ['limit', 'remaining', 'reset']) {
    const header = answer.headers.get(`ratelimit-${name}`);
    if (isCounted) expect(header).toMatch(/^\d+$/);
    else expect(header).toBeNull();
  }
  return answer;
}

/** What cannot be asked of an operation is no test of it. */
const unless = (isOutOfPlace: boolean) => (name: string, test: () => Promise<void>) => {
  if (!isOutOfPlace) it(name, test);
};

const outcome = ({ status, code }: Answer) => (code === undefined ? status : `${status} ${code}`);

describe.each(operations)('$name', ({ route }) => {
  unless(route.access === 'anybody')('is refused to nobody in particular', async () => {
    expect(outcome(await call(host.anybody, route, await goodOf(route)))).toBe('401 jwt_missing');
  });

  unless(typeof route.access === 'string' && route.access !== 'dealer')(
    'is refused to a user who lacks the right',
    async () => {
      expect(outcome(await call(powerless, route, await goodOf(route)))).toBe('403 forbidden');
    },
  );

  unless(route.access !== 'user' || route.params === undefined || isForAll.has(route.id))(
    'shows a user nothing of other groups',
    async () => {
      expect(outcome(await call(powerless, route, await goodOf(route)))).toBe('404 not_found');
    },
  );

  it('is refused to a page of elsewhere', async () => {
    const headers = { Origin: 'http://elsewhere.example' };
    const answer = await call(dealer, route, await goodOf(route), { headers });
    expect(outcome(answer)).toBe('403 origin_not_allowed');
  });

  it('refuses a query parameter that it does not know', async () => {
    const answer = await call(dealer, route, await goodOf(route), { query: { no_such_parameter: '1' } });
    expect(outcome(answer)).toBe('400 validation_failed');
    expect(answer.text).toContain('no_such_parameter');
  });

  unless(route.body === undefined)('refuses a body that is not JSON, and one of another kind', async () => {
    const good = await goodOf(route);
    expect(outcome(await call(dealer, route, good, { body: '{"' }))).toBe('400 malformed_json');
    const asText = { body: 'x', headers: { 'Content-Type': 'application/octet-stream' } };
    expect(outcome(await call(dealer, route, good, asText))).toBe('415 unsupported_media_type');
    expect(outcome(await call(dealer, route, good, { body: '7' }))).toBe('400 validation_failed');
  });

  unless(route.body === undefined || takesAnything.has(route.id))(
    'refuses a field that it does not know',
    async () => {
      const good = await goodOf(route);
      const body = { ...(good.body as object), no_such_field: 1 };
      const answer = await call(dealer, route, good, { body });
      expect(outcome(answer)).toBe('400 validation_failed');
      expect(answer.text).toContain('no_such_field');
    },
  );

  unless(
    route.body !== undefined ||
      route.method === 'GET' ||
      route.ignoresBody === true ||
      route.bytesBody !== undefined,
  )('refuses a body where it takes none', async () => {
    const answer = await call(dealer, route, await goodOf(route), { body: {} });
    expect(outcome(answer)).toBe('400 validation_failed');
  });

  unless(route.id === 'openStream')('answers as documented', async () => {
    // Logging out ends the session that is called with.
    const caller = route.id === 'logout' ? await host.login() : dealer;
    const answer = await call(caller, route, await goodOf(route));
    expect(outcome(answer)).toBe(route.status);
    const body: unknown = answer.body;
    const version = typeof body === 'object' && body !== null && 'version' in body ? body.version : null;
    if (['getTile', 'getSharedTile'].includes(route.id))
      expect(answer.headers.get('etag')).toMatch(/^"[\w-]{27}"$/);
    else if (['getVideoTaskFile', 'getIncidentSnapshot'].includes(route.id))
      expect(answer.headers.get('etag')).toMatch(/^"[0-9a-f]{64}"$/);
    else expect(answer.headers.get('etag')).toBe(typeof version === 'number' ? `"${version}"` : null);
  });

  const isAnsweredOtherwise = new Set([
    'createSnooze',
    'createApiToken',
    'createShare',
    'createIncident',
    'addIncidentNote',
    'attachIncidentSnapshot',
  ]).has(route.id);
  unless(route.status !== 201 || isAnsweredOtherwise)('says where to find what it made', async () => {
    const answer = await call(dealer, route, await goodOf(route));
    const location = answer.headers.get('location') ?? '';
    expect((await dealer.get(location)).body).toEqual(answer.body);
  });

  unless(route.versioned !== true)('refuses a change of another version', async () => {
    const good = await goodOf(route);
    const stale = await call(dealer, route, good, { headers: { 'If-Match': '"999999"' } });
    expect(outcome(stale)).toBe('412 version_conflict');
    const broken = await call(dealer, route, good, { headers: { 'If-Match': 'the newest' } });
    expect(outcome(broken)).toBe('400 validation_failed');
  });

  unless(route.idempotent !== true)('gives the first answer again to the same key', async () => {
    const good = await goodOf(route);
    const headers = { 'Idempotency-Key': `key of ${route.id}` };
    const first = await call(dealer, route, good, { headers });
    const again = await call(dealer, route, good, { headers });
    expect(again.text).toBe(first.text);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    const other = await call(dealer, route, good, { headers, body: { ...(good.body as object), name: 'x' } });
    expect(other.status).toBe(400);
  });
});

describe('the stream', () => {
  it('the stream is documented, and begins with a snapshot', async () => {
    const controller = new AbortController();
    const response = await fetch(`${host.url}/api/v1/stream`, {
      headers: { Authorization: `JWT ${dealer.jwt}` },
      signal: controller.signal,
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toContain('event: snapshot');
    controller.abort();
  });
});

describe('past the limits', () => {
  it('every operation is refused, with the time of the next try', async () => {
    const spent = await startTestHost({ limits: { ...wideLimits, authorized_calls: 1 } });
    try {
      const caller = await spent.login();
      await caller.get('/api/v1/me');
      for (const route of apiRoutes) {
        if (route.access === 'anybody') continue;
        const answer = await caller.call(route.method, pathOf(route, { params: depot.world }));
        expect([route.id, outcome(answer), ...faultsOf(route, answer)]).toEqual([
          route.id,
          '429 rate_limited',
        ]);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(answer.headers.get('ratelimit-remaining')).toBe('0');
      }
    } finally {
      await spent.close();
    }
  });
});
