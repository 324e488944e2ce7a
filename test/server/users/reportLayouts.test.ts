import { afterAll, beforeAll, expect, it } from 'vitest';
import { reportLayoutRoutes } from '../../../server/contract/reportLayouts.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

let host: TestHost;
let anna: Caller;
let boris: Caller;
beforeAll(async () => {
  host = await startTestHost({ users: [{ login: 'anna' }, { login: 'boris' }] });
  [anna, boris] = [await host.login('anna'), await host.login('boris')];
});
afterAll(() => host.close());

const put = (caller: Caller, layouts: Record<string, object>, headers: Record<string, string> = {}) =>
  caller.outcome(reportLayoutRoutes.put, {
    body: { layouts: layouts },
    headers,
  });

it('report layouts are there for another session of the same user, and for no other user', async () => {
  expect(await boris.ask(reportLayoutRoutes.get)).toEqual({ version: 1, layouts: {} });
  expect(await put(anna, { trips: { columns: ['vehicle', 'distance'], group_by: 'week' } })).toBe(200);
  expect(await (await host.login('anna')).ask(reportLayoutRoutes.get)).toEqual({
    version: 2,
    layouts: { trips: { columns: ['vehicle', 'distance'], sort: null, group_by: 'week' } },
  });
  expect(await boris.ask(reportLayoutRoutes.get)).toEqual({ version: 1, layouts: {} });
  const dealer = await host.login();
  const { user_id } = await anna.ask(userRoutes.me);
  expect(await dealer.ask(userRoutes.get, { params: { user_id } })).not.toHaveProperty('report_layouts');
});

it('report layouts of an older version are refused with 412', async () => {
  const { version } = await anna.ask(reportLayoutRoutes.get);
  expect(await put(anna, {}, { 'If-Match': `"${version - 1}"` })).toBe('412 version_conflict');
  expect(await put(anna, {}, { 'If-Match': `"${version}"` })).toBe(200);
});

it('report layouts of more than 20 kinds, of more than 20,000 characters, or of wrong names are refused', async () => {
  const kinds = (count: number, layout: object = {}) =>
    Object.fromEntries(
      Array.from('abcdefghijklmnopqrstu')
        .slice(0, count)
        .map((kind) => [kind, layout]),
    );
  const columns = Array.from({ length: 60 }, (_, at) => `${'c'.repeat(60)}${at}`);
  expect(await put(boris, kinds(20))).toBe(200);
  for (const refused of [
    kinds(21),
    kinds(20, { columns }),
    { trips: { columns: [...columns, 'one more'] } },
    { trips: { group_by: 'moon' } },
    { Trips: {} },
  ])
    expect(await put(boris, refused)).toBe('400 validation_failed');
});
