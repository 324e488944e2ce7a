import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiTokenRoutes } from '../../../server/contract/apiTokens.ts';
import { preferenceRoutes } from '../../../server/contract/preferences.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { userRecord } from '../../../server/users/userRecord.ts';
import { callerFor, startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

let host: TestHost;
let anna: Caller;
let dealer: Caller;
beforeAll(async () => {
  host = await startTestHost({ users: [{ login: 'anna' }] });
  [dealer, anna] = [await host.login(), await host.login('anna')];
});
afterAll(() => host.close());

const put = (caller: Caller, preferences: Record<string, unknown>, headers: Record<string, string> = {}) =>
  caller.outcome(preferenceRoutes.put, { body: { preferences }, headers });

it('preferences are there for another session of the same user, with fields of later versions, and for no other user', async () => {
  expect(await anna.ask(preferenceRoutes.get)).toEqual({ version: 1, preferences: {} });
  const set = { language: 'de', time_zone: 'Europe/Riga', of_later: { deep: [1] } };
  expect(await put(anna, set)).toBe(200);
  expect(await (await host.login('anna')).ask(preferenceRoutes.get)).toEqual({
    version: 2,
    preferences: set,
  });
  expect(await dealer.ask(preferenceRoutes.get)).toEqual({ version: 1, preferences: {} });
  const { user_id } = await anna.ask(userRoutes.me);
  expect(await dealer.ask(userRoutes.get, { params: { user_id } })).not.toHaveProperty('preferences');
});

it('preferences of an older version are refused with 412', async () => {
  const { version } = await anna.ask(preferenceRoutes.get);
  expect(await put(anna, {}, { 'If-Match': `"${version - 1}"` })).toBe('412 version_conflict');
  expect(await put(anna, {}, { 'If-Match': `"${version}"` })).toBe(200);
});

it('preferences of unknown values or of more than 32,768 characters are refused', async () => {
  expect(await put(anna, { of_later: 'x'.repeat(32_700) })).toBe(200);
  for (const refused of [
    { of_later: 'x'.repeat(32_768) },
    { language: 'tlh' },
    { time_zone: 'Mars/Olympus' },
    { distance_unit: 'ell' },
  ])
    expect(await put(anna, refused)).toBe('400 validation_failed');
});

it('saved views of the queue are kept, and refused when two have the same name or they are too many or too long', async () => {
  const view = { name: 'Night', list: 'open', group_by: 'rule', folded: ['r1'] };
  const named = (count: number, folded: string[]) =>
    Array.from({ length: count }, (_, at) => ({ ...view, name: `Night ${at}`, folded }));
  expect(await put(anna, { queue_views: [view] })).toBe(200);
  expect((await anna.ask(preferenceRoutes.get)).preferences).toEqual({ queue_views: [view] });
  expect(await put(anna, { queue_views: named(20, []) })).toBe(200);
  for (const queue_views of [
    [view, { ...view, name: 'NIGHT' }],
    named(21, []),
    named(
      5,
      Array.from({ length: 20 }, () => 'x'.repeat(120)),
    ),
    [{ ...view, group_by: 'colour' }],
    [{ ...view, name: ' ' }],
  ])
    expect(await put(anna, { queue_views })).toBe('400 validation_failed');
});

it('an API token may read the preferences of its owner, and may not change them', async () => {
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  const { jwt } = await dealer.ask(apiTokenRoutes.create, {
    body: { name: 'program', role: 'dealer', expires_at },
  });
  const token = callerFor(host.url, jwt);
  expect(await token.outcome(preferenceRoutes.get)).toBe(200);
  expect(await put(token, { language: 'ru' })).toBe('403 forbidden');
});

it('a stored preference that this version does not know leaves the others as they are', () => {
  const stored = userRecord.shape.preferences.parse({
    version: 4,
    preferences: { language: 'tlh', hour_cycle: 'h12', of_later: 1 },
  });
  expect(stored).toEqual({ version: 4, preferences: { hour_cycle: 'h12', of_later: 1 } });
});
