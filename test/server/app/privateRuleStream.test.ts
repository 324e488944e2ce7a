import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ruleRoutes } from '../../../server/contract/rules.ts';
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
    ],
  });
  [dealer, anna, boris] = [await host.login(), await host.login('anna'), await host.login('boris')];
});
afterAll(() => host.close());

describe('the stream', () => {
  it('tells of the change and end of a private rule its owner and dealers alone', async () => {
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
    const toldOf = (stream: typeof annas) =>
      stream.messages.filter(
        (it) => it.topic === 'rule' && 'rule_id' in it.data && it.data.rule_id === rule_id,
      );
    expect(toldOf(annas)).toHaveLength(2);
    expect(toldOf(dealers)).toHaveLength(2);
    expect(toldOf(boriss)).toEqual([]);
    for (const stream of [annas, boriss, dealers]) stream.close();
  });
});
