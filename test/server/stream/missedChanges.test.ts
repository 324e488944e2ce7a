import { describe, expect, it } from 'vitest';
import { createChangeFeed } from '../../../server/app/changeFeed.ts';
import type { ChangeTopic } from '../../../server/store/telemetry/rows.ts';
import { changeItems, type VisibleResource } from '../../../server/stream/streamItems.ts';
import { openHub, type HubBench } from './hubBench.ts';

const idsOf = (text: string) => [...text.matchAll(/^id: (\S+)$/gm)].map(([, id]) => id ?? '');
/** The response is over. */
const lastChunk = '\r\n0\r\n\r\n';
const numbersOf = (text: string) => idsOf(text).map((id) => Number(id.split('.')[1]));

describe('a change that is stored and not yet published', () => {
  it('a stream that begins in between is sent the change when it is published', async () => {
    const bench = await openHub({});
    bench.change('first');
    const publish = bench.store('second');
    const client = await bench.open({ user: 'anna' });
    await client.until('snapshot');
    await client.until('\n\n');
    publish();
    await client.until('"second"');
    expect(numbersOf(client.text())).toEqual([1, 2]);
  });

  it('a stream that replays in between is sent the change once, when it is published', async () => {
    const bench = await openHub({});
    bench.change('first');
    const before = await bench.open({ user: 'anna' });
    await before.until('snapshot');
    const [lastId = ''] = idsOf(before.text());
    before.socket.destroy();
    await before.ended;
    bench.change('second');
    const publish = bench.store('third');
    const client = await bench.open({ user: 'anna', lastId });
    await client.until('"second"');
    expect(client.text()).not.toContain('"third"');
    publish();
    await client.until('"third"');
    expect(numbersOf(client.text())).toEqual([2, 3]);
  });

  it('a restart of the streams replays a change that is never published', async () => {
    const bench = await openHub({});
    const before = await bench.open({ user: 'anna' });
    await before.until('snapshot');
    const [lastId = ''] = idsOf(before.text());
    bench.store('unpublished');
    bench.hub.restart(1);
    await before.until(lastChunk);
    const client = await bench.open({ user: 'anna', lastId });
    await client.until('"unpublished"');
    expect(client.text()).not.toContain('event: reset');
  });
});

describe('a change that could not be recorded', () => {
  interface Rule {
    rule_id: string;
    version: number;
    created_at: string;
    updated_at: string;
  }

  /** A feed whose log fails as often as `failures` says. */
  function openFeed(bench: HubBench, failures: number) {
    let left = failures;
    const logged: unknown[] = [];
    const rules = new Map<string, Rule>();
    const lookup = (ids: readonly string[]) =>
      new Map<string, VisibleResource>(
        ids.flatMap((id) => {
          const rule = rules.get(id);
          return rule === undefined ? [] : [[id, { resource: rule, sees: () => true }]];
        }),
      );
    const feed = createChangeFeed({
      store: {
        recordChanges(changes) {
          left -= 1;
          if (left >= 0) return Promise.reject(new Error('the disk is full'));
          return Promise.resolve({ changes: changes.map((it) => bench.record(it)) });
        },
      },
      lookups: new Proxy({} as Parameters<typeof createChangeFeed>[0]['lookups'], { get: () => lookup }),
      hub: bench.hub,
      clock: bench.clock,
      log: { error: (fields: unknown) => logged.push(fields) } as never,
    });
    return {
      logged,
      add: (rule_id: string) => {
        const rule = { rule_id, version: 1, created_at: '', updated_at: '' };
        rules.set(rule_id, rule);
        feed.record([{ topic: 'rule', resource_id: rule_id, seen_by: null }]);
      },
    };
  }

  it('every stream ends, and a client that comes back with its last id is answered reset and a snapshot', async () => {
    const bench = await openHub({});
    const { add, logged } = openFeed(bench, 1);
    const before = await bench.open({ user: 'anna' });
    await before.until('snapshot');
    const [lastId = ''] = idsOf(before.text());
    add('unrecorded');
    await before.until(lastChunk);
    expect(logged).toHaveLength(1);
    const client = await bench.open({ user: 'anna', lastId });
    await client.until('event: snapshot');
    expect(client.text()).toContain('event: reset');
    expect(idsOf(client.text())[0]).not.toBe(lastId);
  });

  it('it is recorded five seconds later, and sent to the streams in its present form', async () => {
    const bench = await openHub({});
    const { add } = openFeed(bench, 2);
    add('late');
    await new Promise(setImmediate);
    bench.clock.advance(5_000);
    await new Promise(setImmediate);
    const client = await bench.open({ user: 'anna' });
    await client.until('snapshot');
    bench.clock.advance(5_000);
    await client.until('"rule_id":"late"');
    expect(numbersOf(client.text())).toEqual([0, 1]);
  });
});

it('a change of a topic that the stream does not have is left out of what is replayed', async () => {
  const rows = [
    { seq: 1, at_ms: 0, topic: 'recipient' as ChangeTopic, resource_id: 'r', seen_by: null },
    { seq: 2, at_ms: 0, topic: 'group' as const, resource_id: 'g', seen_by: null },
  ];
  const items = await changeItems(rows, { group: () => new Map() } as unknown as Parameters<
    typeof changeItems
  >[1]);
  expect(items.map((it) => it.seq)).toEqual([2]);
});
