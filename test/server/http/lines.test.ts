import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLines } from '../../../server/http/lines.ts';
import { openRaw, type RawConnection } from '../../support/rawConnection.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

describe('a line', () => {
  it('a line lets its members through one at a time, in the order of coming', async () => {
    const lines = createLines();
    const through: number[] = [];
    const first = await lines.enter('a');
    const others = [1, 2].map(async (at) => {
      const leave = await lines.enter('a');
      through.push(at);
      leave();
      leave();
    });
    await nextTurn();
    expect(through).toEqual([]);
    first();
    await Promise.all(others);
    expect(through).toEqual([1, 2]);
  });

  it('a line of a width of two lets the third one through when one of the two has left', async () => {
    const lines = createLines(2);
    const [first] = [await lines.enter('a'), await lines.enter('a')];
    let isThrough = false;
    const third = lines.enter('a').then(() => (isThrough = true));
    await nextTurn();
    expect(isThrough).toBe(false);
    first();
    await third;
    expect(isThrough).toBe(true);
  });

  it('a connection that closes frees one slot in each turn of the event loop for each that left at its end, and another caller at once', async () => {
    const lines = createLines();
    const begun: string[] = [];
    const begin = async (key: string) => {
      setImmediate(await lines.enter(key));
      begun.push(key);
    };
    const all = [...Array.from({ length: 5 }, () => begin('many')), begin('one')];
    const perTurn: number[] = [];
    while (begun.length < all.length) {
      await Promise.resolve();
      perTurn.push(begun.length);
      await nextTurn();
    }
    expect(perTurn[0]).toBe(2);
    expect(perTurn.every((count, at) => count - (perTurn[at - 1] ?? 0) <= 2)).toBe(true);
    await Promise.all(all);
  });
});

describe('large bodies', () => {
  let host: TestHost;
  let dealer: Caller;
  let other: Caller;
  beforeAll(async () => {
    host = await startTestHost({ users: [{ login: 'second', role: 'dealer' }] });
    dealer = await host.login();
    other = await host.login('second');
  });
  afterAll(() => host.close());

  const text = JSON.stringify([{ padding: 'x'.repeat(100_000) }]);
  const path = '/api/v1/vehicles/import?dry_run=1';

  function begin(caller: Caller): RawConnection {
    const connection = openRaw(host.url);
    const lines = [
      ...[`POST ${path} HTTP/1.1`, `Host: ${new URL(host.url).host}`, `Authorization: JWT ${caller.jwt}`],
      ...['Content-Type: application/json', `Content-Length: ${text.length}`, '', ''],
    ];
    connection.write(lines.join('\r\n'));
    connection.write(text.slice(0, 50_000));
    return connection;
  }

  it('large bodies of one user are read one at a time; those of others, and small ones, do not wait', async () => {
    const first = begin(dealer);
    // The first is under way when the host has answered something that came after it.
    await other.get('/api/v1/me');
    const answered: string[] = [];
    const second = dealer.post(path, text).then(() => answered.push('second'));
    expect((await other.post(path, text)).status).toBe(200);
    expect((await dealer.post(path, [{}])).status).toBe(200);
    expect(answered).toEqual([]);
    first.write(text.slice(50_000));
    expect((await first.answer()).status).toBe(200);
    await second;
    expect(answered).toEqual(['second']);
    first.close();
  });

  it('large bodies let the next one through when the client of the one before it is gone', async () => {
    const first = begin(dealer);
    await other.get('/api/v1/me');
    const second = dealer.post(path, text);
    first.close();
    expect((await second).status).toBe(200);
  });
});
