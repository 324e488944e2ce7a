import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ruleRoutes } from '../../../server/contract/rules.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { openStream } from '../../support/streamReader.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

let host: TestHost;
let dealer: Caller;
let anna: Caller;
let boris: Caller;
beforeAll(async () => {
  const rights = { notifications: 'write' } as const;
  host = await startTestHost({
    users: [
      { login: 'anna', rights },
      { login: 'boris', rights },
      { login: 'clara', rights },
    ],
  });
  [dealer, anna, boris] = [await host.login(), await host.login('anna'), await host.login('boris')];
});
afterAll(() => host.close());

describe('the stream', () => {
  it('the stream publishes the change and end of a private rule to its owner and dealers alone', async () => {
    const make = (caller: Caller) =>
      caller.ask(ruleRoutes.create, { body: { name: 'mine', event_kind: 'sos', scope: { all: true } } });
    const { rule_id } = await make(anna);
    const ofDepot = await make(dealer);
    const [annas, boriss, dealers] = await Promise.all(
      [anna, boris, dealer].map((caller) => openStream(host.url, caller, { query: 'topics=rule' })),
    );
    if (annas === undefined || boriss === undefined || dealers === undefined) throw new Error('no stream');
    await anna.ask(ruleRoutes.patch, { params: { rule_id }, body: { name: 'still mine' } });
    await anna.ask(ruleRoutes.remove, { params: { rule_id } });
    await dealer.ask(ruleRoutes.remove, { params: { rule_id: ofDepot.rule_id } });
    const end = (id: string) => (data: { rule_id: string }) => data.rule_id === id && 'deleted' in data;
    for (const stream of [annas, boriss, dealers]) await stream.next('rule', end(ofDepot.rule_id));
    const publishedOf = (stream: typeof annas) =>
      stream.messages.filter(
        (it) => it.topic === 'rule' && 'rule_id' in it.data && it.data.rule_id === rule_id,
      );
    expect(publishedOf(annas)).toHaveLength(2);
    expect(publishedOf(dealers)).toHaveLength(2);
    expect(publishedOf(boriss)).toEqual([]);
    for (const stream of [annas, boriss, dealers]) stream.close();
  });
});

describe('the rules of a user that is deleted', () => {
  it('the rules of a user that is deleted are off, say why to dealers, and cannot be switched on without its rights', async () => {
    const clara = await host.login('clara');
    const body = { name: 'clara’s', event_kind: 'sos', scope: { all: true } } as const;
    const { rule_id } = await clara.ask(ruleRoutes.create, { body });
    const { user_id } = await clara.ask(userRoutes.me);
    const stream = await openStream(host.url, dealer, { query: 'topics=rule' });
    await dealer.ask(userRoutes.remove, { params: { user_id } });
    const isOff = (rule: { rule_id: string; enabled?: boolean }) =>
      rule.rule_id === rule_id && rule.enabled === false;
    await stream.next('rule', isOff);
    stream.close();
    const params = { rule_id };
    expect(await dealer.ask(ruleRoutes.get, { params })).toMatchObject({
      enabled: false,
      disabled_reason: 'Its owner, clara, was deleted.',
    });
    expect(await dealer.outcome(ruleRoutes.patch, { params, body: { enabled: true } })).toBe(
      '400 validation_failed',
    );
    expect(await dealer.outcome(ruleRoutes.remove, { params })).toBe(204);
  });
});
