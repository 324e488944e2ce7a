import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditRoutes } from '../../../server/contract/audit.ts';
import { mapViewRoutes, type MapView } from '../../../server/contract/mapViews.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

let host: TestHost;
let anna: Caller;
let boris: Caller;
let dealer: Caller;
beforeAll(async () => {
  host = await startTestHost({ users: [{ login: 'anna' }, { login: 'boris' }] });
  [dealer, anna, boris] = [await host.login(), await host.login('anna'), await host.login('boris')];
});
afterAll(() => host.close());

const view = (name: string, more: object = {}) => ({ name, lat: 57, lon: 24, zoom: 12, layers: {}, ...more });
const put = (caller: Caller, views: object[], headers: Record<string, string> = {}) =>
  caller.outcome(mapViewRoutes.put, { body: { views: views as MapView[] }, headers });
const namesOf = async (caller: Caller) => (await caller.ask(mapViewRoutes.get)).views.map(({ name }) => name);

it('a user without saved views has none, at version 1', async () => {
  expect(await boris.ask(mapViewRoutes.get)).toEqual({ version: 1, views: [] });
});

it('saved views are there for another session of the same user, and for no other user', async () => {
  expect(await put(anna, [view('Harbour', { start: true }), view('North')])).toBe(200);
  expect(await namesOf(await host.login('anna'))).toEqual(['Harbour', 'North']);
  expect(await namesOf(boris)).toEqual([]);
  const { views } = await anna.ask(mapViewRoutes.get);
  expect(views[0]).toEqual({
    ...view('Harbour', { start: true }),
    layers: { labels: true, poi: true, trails: true, geofences: true, hidden_group_ids: [], imagery: true },
    group_id: null,
    status: null,
  });
});

it('saved views of an older version are refused with 412, and those of the present version replace them', async () => {
  const { version } = await anna.ask(mapViewRoutes.get);
  expect(await put(anna, [], { 'If-Match': `"${version - 1}"` })).toBe('412 version_conflict');
  expect(await put(anna, [view('South')], { 'If-Match': `"${version}"` })).toBe(200);
  expect(await anna.ask(mapViewRoutes.get)).toMatchObject({
    version: version + 1,
    views: [{ name: 'South' }],
  });
});

it('saved views beyond 50, beyond 20,000 characters, of equal names or with two start views are refused', async () => {
  const many = (count: number, more: object = {}) =>
    Array.from({ length: count }, (_, at) => view(`View ${at}`, more));
  const layers = { hidden_group_ids: Array.from({ length: 20 }, () => crypto.randomUUID()) };
  expect(await put(boris, many(50))).toBe(200);
  for (const refused of [
    many(51),
    many(50, { layers }),
    [view('Harbour'), view('harbour')],
    many(2, { start: true }),
  ])
    expect(await put(boris, refused)).toBe('400 validation_failed');
  expect(await namesOf(boris)).toHaveLength(50);
});

it('saved views are no part of the user that others see, and the audit log names them only as changed', async () => {
  const { user_id } = await anna.ask(userRoutes.me);
  const user = await dealer.ask(userRoutes.get, { params: { user_id } });
  expect(user).not.toHaveProperty('map_views');
  const { items } = await dealer.ask(auditRoutes.list, { query: { limit: 100 } });
  expect(JSON.stringify(items)).not.toContain('Harbour');
});

it('saved views are deleted with their user', async () => {
  const made = await dealer.ask(userRoutes.create, { body: { login: 'carl', password: 'a long password' } });
  const carl = await host.login('carl', 'a long password');
  expect(await put(carl, [view('Yard')])).toBe(200);
  await dealer.ask(userRoutes.remove, { params: { user_id: made.user_id } });
  expect(await carl.outcome(mapViewRoutes.get)).toMatch(/^401/);
});
