import { describe, expect, it } from 'vitest';
import type { ChangeTopic } from '../../../server/store/telemetry/rows.ts';
import { changeItems } from '../../../server/stream/streamItems.ts';
import { openHub } from './hubBench.ts';

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

it('a change of a topic that the stream does not have is left out of what is replayed', async () => {
  const rows = [
    { seq: 1, at_ms: 0, topic: 'recipient' as ChangeTopic, resource_id: 'r', visible_to: null },
    { seq: 2, at_ms: 0, topic: 'group' as const, resource_id: 'g', visible_to: null },
  ];
  const items = await changeItems(rows, { group: () => new Map() } as unknown as Parameters<
    typeof changeItems
  >[1]);
  expect(items.map((it) => it.seq)).toEqual([2]);
});
