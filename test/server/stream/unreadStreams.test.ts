import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openHub, type HubBench, type StreamClient } from './hubBench.ts';

const MiB = 1024 * 1024;
/** One message of positions is about this long, a socket's own buffer too. */
const messageBytes = 64 * 1024;

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

/** The ids of the vehicles that a client has read of, each with the number of its last move. */
function movesIn(client: StreamClient): Map<string, number> {
  const found = client.text().matchAll(/"vehicle_id":"(\w+)","move":(\d+)/g);
  return new Map([...found].map(([, id = '', move]) => [id, Number(move)]));
}
const rulesIn = (client: StreamClient) =>
  [...client.text().matchAll(/event: rule\ndata: "([\w ]*)/g)].map(([, text = '']) =>
    text.slice(0, 20).trim(),
  );
const lastIdIn = (client: StreamClient) => [...client.text().matchAll(/^id: (\S+)/gm)].at(-1)?.[1] ?? '';

/** Publishes large changes until this client's sockets and buffers are full. */
async function fill(bench: HubBench): Promise<void> {
  for (let at = 0; at < 80; at += 1) {
    bench.change(`fill ${at} ${'x'.repeat(100_000)}`, 'filler');
    await turns(3);
  }
}

describe('clients that never read', () => {
  it('clients that never read have no more unsent than one message and one socket buffer each, however much happens', async () => {
    const clientCount = 32;
    const bench = await openHub({ vehicles: 10_000 });
    const clients: StreamClient[] = [];
    for (let at = 0; at < clientCount; at += 1) {
      const [user, session] = [`user ${at % 2}`, `session ${at % 8}`];
      clients.push(await bench.open({ user, session }));
    }
    expect(clients.every((it) => it.status === 200)).toBe(true);
    await turns(50);
    for (let round = 0; round < 3; round += 1) {
      bench.move(Array.from({ length: 10_000 }, (_, at) => `v${at}`));
      await turns(10);
    }
    // As much as the sockets take: some 4 MB each, 64 KiB of all in four turns.
    await turns(10_000);
    expect(bench.hub.listeners()).toBe(clientCount);
    expect(bench.hub.unsentBytes()).toBeLessThanOrEqual(clientCount * 3 * messageBytes);
    bench.clock.advance(65_000);
    expect(bench.hub.listeners()).toBe(0);
    expect(bench.hub.unsentBytes()).toBe(0);
  });

  it('clients that never read of one user are refused from the twenty-fifth on, with 429 and the number', async () => {
    const bench = await openHub({});
    const statuses: number[] = [];
    for (let at = 0; at < 30; at += 1)
      statuses.push((await bench.open({ user: 'anna', session: `session ${at}` })).status);
    expect(statuses).toEqual(Array.from({ length: 30 }, (_, at) => (at < 24 ? 200 : 429)));
    const refused = await bench.open({ user: 'anna', session: 'one more' });
    await refused.until('24 are the most for one user');
    expect(refused.text()).toMatch(/Retry-After: 10/);
    expect((await bench.open({ user: 'boris' })).status).toBe(200);
  });
});

describe('a client', () => {
  it('a client that does not read gets of each vehicle the newest position alone when it reads again', async () => {
    const bench = await openHub({ vehicles: 16_000 });
    const client = await bench.open({ user: 'anna' });
    await turns(1_000);
    const unsent = bench.hub.unsentBytes();
    expect(unsent).toBeGreaterThan(0);
    for (let round = 1; round <= 50; round += 1) {
      bench.move(Array.from({ length: 2_000 }, (_, at) => `v${at}`));
      await nextTurn();
    }
    expect(bench.hub.unsentBytes()).toBe(unsent);
    bench.change('the end');
    await client.until('"v15999"');
    await expect.poll(() => movesIn(client).get('v1999')).toBe(50);
    const moves = movesIn(client);
    expect(moves.size).toBe(16_000);
    for (let at = 0; at < 16_000; at += 1) expect(moves.get(`v${at}`)).toBe(at < 2_000 ? 50 : 0);
    expect(rulesIn(client)).toEqual(['the end']);
    expect(client.isOver()).toBe(false);
  });

  it('a client that reads gets every position and every change, in their order', async () => {
    const bench = await openHub({ vehicles: 3 });
    const client = await bench.open({ user: 'anna' });
    await client.until('"v2"');
    for (let at = 1; at <= 20; at += 1) {
      bench.move(['v0', 'v1']);
      bench.change(`change ${at}`);
      await client.until(`"change ${at}"`);
    }
    expect([...client.text().matchAll(/"v0","move":(\d+)/g)].map(([, move]) => Number(move))).toEqual(
      Array.from({ length: 21 }, (_, at) => at),
    );
    expect(rulesIn(client)).toEqual(Array.from({ length: 20 }, (_, at) => `change ${at + 1}`));
  });

  it('a client that has read nothing for a minute is closed, resumes by its last id and misses nothing', async () => {
    const bench = await openHub({});
    const client = await bench.open({ user: 'anna' });
    await client.until('event: snapshot');
    const lastId = lastIdIn(client);
    client.socket.pause();
    await fill(bench);
    for (let at = 0; at < 300; at += 1) bench.change(`missed ${at}`);
    await turns(5);
    bench.clock.advance(59_000);
    expect(bench.hub.listeners()).toBe(1);
    bench.clock.advance(6_000);
    expect(bench.hub.listeners()).toBe(0);
    const again = await bench.open({ user: 'anna', lastId });
    await again.until('"missed 299"');
    const missed = rulesIn(again).filter((it) => it.startsWith('missed'));
    expect(missed).toEqual(Array.from({ length: 300 }, (_, at) => `missed ${at}`));
  });

  it('a client that resumes receives nothing twice that is stored while the past is replayed, and misses nothing', async () => {
    const bench = await openHub({});
    const first = await bench.open({ user: 'anna' });
    await first.until('event: snapshot');
    const lastId = lastIdIn(first);
    first.socket.destroy();
    bench.change('before');
    const letGo = bench.holdStore();
    const again = await bench.open({ user: 'anna', lastId });
    await expect.poll(() => bench.reads.running).toBe(1);
    bench.change('meanwhile');
    letGo();
    await again.until('"meanwhile"');
    bench.change('after');
    await again.until('"after"');
    expect(rulesIn(again)).toEqual(['before', 'meanwhile', 'after']);
  });

  it('a client that is too far behind the changes is closed, and clients that read stay', async () => {
    const bench = await openHub({ limits: { behindBytes: 2 * MiB } });
    const unread = await bench.open({ user: 'anna' });
    const reading = await bench.open({ user: 'boris' });
    reading.socket.resume();
    for (let at = 0; at < 40; at += 1) {
      bench.change(`step ${at} ${'x'.repeat(300_000)}`);
      await reading.until(`"step ${at} `);
    }
    expect(bench.hub.listeners()).toBe(1);
    unread.socket.resume();
    await unread.ended;
    expect(reading.isOver()).toBe(false);
  });
});

describe('the budget of unsent bytes', () => {
  it('the budget of unsent bytes closes the stream with the most of them that does not read, and keeps one that does', async () => {
    const bench = await openHub({ limits: { unsentBytes: 2.5 * MiB } });
    const reading = await bench.open({ user: 'anna' });
    for (const user of ['boris', 'clara']) await bench.open({ user });
    // One message is written whole, however long it is; the system's buffers take some megabytes first.
    for (let at = 0; at < 12; at += 1) {
      bench.change(`${'x'.repeat(1.5 * MiB)} ${at} whole`);
      await reading.until(` ${at} whole"`);
    }
    expect(bench.hub.unsentBytes()).toBeGreaterThan(3 * MiB);
    expect(bench.hub.listeners()).toBe(3);
    bench.clock.advance(2_000);
    expect(bench.hub.listeners()).toBe(2);
    expect(bench.hub.unsentBytes()).toBeLessThan(2.5 * MiB);
    expect(reading.isOver()).toBe(false);
  });

  it('the budget of unsent bytes is never exceeded twofold, whichever clients read', async () => {
    const bench = await openHub({ limits: { unsentBytes: 4 * MiB } });
    for (const user of ['anna', 'boris', 'clara']) await bench.open({ user });
    bench.change('x'.repeat(12 * MiB));
    await turns(3);
    expect(bench.hub.unsentBytes()).toBeLessThanOrEqual(8 * MiB);
  });
});

describe('a connection', () => {
  it('a connection has one stream, however many are asked for on it', async () => {
    const bench = await openHub({});
    const client = await bench.open({ user: 'anna' });
    for (let at = 0; at < 20; at += 1)
      client.socket.write('GET / HTTP/1.1\r\nHost: hub\r\nuser: anna\r\n\r\n');
    await turns(100);
    expect(bench.hub.listeners()).toBe(1);
    bench.change('goes on');
    await client.until('goes on');
    client.socket.destroy();
    await expect.poll(() => bench.hub.listeners()).toBe(0);
  });
});

describe('a session', () => {
  it('a session that comes back for the ninth time is let in at once, and its oldest stream is closed', async () => {
    const bench = await openHub({});
    const clients: StreamClient[] = [];
    for (let at = 0; at < 9; at += 1) clients.push(await bench.open({ user: 'anna' }));
    expect(clients.map((it) => it.status)).toEqual(Array.from({ length: 9 }, () => 200));
    clients[0]?.socket.resume();
    await clients[0]?.ended;
    expect(bench.hub.listeners()).toBe(8);
    expect(clients.filter((it) => it.isOver())).toHaveLength(1);
  });
});

describe('an address that has as many streams as it may', () => {
  it('an address with its maximum of streams admits a user with fewer in place of the oldest stream of the user who has the most', async () => {
    const bench = await openHub({ limits: { perAddress: 6 } });
    const greedy: StreamClient[] = [];
    for (let at = 0; at < 6; at += 1)
      greedy.push(await bench.open({ user: 'greedy', session: `session ${at}` }));
    const statuses: number[] = [];
    for (const user of ['anna', 'boris', 'clara']) statuses.push((await bench.open({ user })).status);
    // Now greedy has three, the others one each.
    expect(statuses).toEqual([200, 200, 200]);
    expect((await bench.open({ user: 'greedy', session: 'new' })).status).toBe(429);
    expect((await bench.open({ user: 'elsewhere', address: '10.0.0.1' })).status).toBe(200);
    expect(bench.hub.listeners()).toBe(7);
  });

  it('an address that has as many streams as it may refuses when nobody has more than the newcomer would', async () => {
    const bench = await openHub({ limits: { perAddress: 2, inAll: 3 } });
    for (const user of ['anna', 'boris']) await bench.open({ user });
    const refused = await bench.open({ user: 'clara' });
    await refused.until('2 are the most for one address');
    await bench.open({ user: 'clara', address: '10.0.0.1' });
    const full = await bench.open({ user: 'dora', address: '10.0.0.2' });
    await full.until('This host has 3 streams open');
    expect(full.status).toBe(429);
  });
});

describe('streams that are sent the past', () => {
  it('streams that replay the past are limited in number, and more so per user, whichever asks first', async () => {
    const bench = await openHub({ limits: { replays: 4, replaysPerUser: 2 } });
    const first = await bench.open({ user: 'anna' });
    await first.until('event: snapshot');
    const lastId = lastIdIn(first);
    for (let at = 0; at < 10; at += 1) bench.change(`change ${at}`);
    const letGo = bench.holdStore();
    const many: StreamClient[] = [];
    for (let at = 0; at < 20; at += 1)
      many.push(await bench.open({ user: 'anna', session: `session ${at}`, lastId }));
    await turns(20);
    expect(bench.reads.running).toBe(2);
    const honest = await bench.open({ user: 'boris', lastId });
    await expect.poll(() => bench.reads.running).toBe(3);
    letGo();
    await honest.until('"change 9"');
    for (const client of many) await client.until('"change 9"');
    expect(bench.reads.max).toBe(3);
  });
});
