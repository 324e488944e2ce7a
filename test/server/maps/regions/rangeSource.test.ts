import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Resolve } from '../../../../server/http/outgoingCall.ts';
import { detailOf } from '../../../../server/contract/causeTexts.ts';
import { createRangeSource } from '../../../../server/maps/regions/rangeSource.ts';
import { createFakeClock } from '../../../support/fakeClock.ts';
import { startRangeServer } from '../../../support/rangeServer.ts';

const file = Uint8Array.from({ length: 1_000 }, (_, i) => i % 251);
/** The machine may be busy. */
const until = (look: () => boolean) => vi.waitUntil(look, { timeout: 60_000, interval: 5 });
const never = new AbortController().signal;

async function openSource({ name, resolve }: { name?: string; resolve?: Resolve } = {}) {
  const clock = createFakeClock();
  const server = await startRangeServer(file);
  const interruptions: (string | null)[] = [];
  const url = name === undefined ? server.url : server.url.replace('127.0.0.1', name);
  const source = createRangeSource(
    url,
    { isOwnAddress: () => false, clock, ...(resolve && { resolve }) },
    { attempts: 4, onInterruption: (causes) => interruptions.push(causes && detailOf(causes)) },
  );
  onTestFinished(async () => {
    source.close();
    await server.close();
  });
  /** Lets the next attempt begin once the last one has failed. */
  const retry = async (failures: number, ms: number) => {
    await until(() => interruptions.length === failures);
    // The pause begins in the same turn in which the failure was reported.
    clock.advance(ms);
  };
  return { clock, server, source, interruptions, retry };
}

describe('a range source', () => {
  it('a request that is answered 500 or cut off is made again after growing pauses, until it works', async () => {
    const { server, source, interruptions, retry } = await openSource();
    let count = 0;
    server.state.answer = (_, response) => {
      count++;
      if (count === 1) response.writeHead(503, { 'Retry-After': '30' }).end();
      else if (count === 2)
        response.writeHead(206, { 'Content-Range': 'bytes 10-19/1000', ETag: '"1"' }).end('x');
      else if (count === 3) response.destroy();
      else return false;
      return true;
    };
    const read = source.read(10, 10, never);
    await retry(1, 29_999);
    expect(server.requests).toHaveLength(1);
    await retry(1, 1);
    await retry(2, 2_000);
    await retry(3, 4_000);
    expect([...(await read)]).toEqual([...file.subarray(10, 20)]);
    const host = `127.0.0.1:${server.port}`;
    expect(interruptions).toEqual([
      `${host} answered 503.`,
      `${host} disconnected in the middle.`,
      `${host} closed the connection without an answer.`,
      null,
    ]);
  });

  it('a server that does not answer, or stops in the middle, is given up after 30 s and asked again', async () => {
    const { clock, server, source, interruptions, retry } = await openSource();
    let count = 0;
    server.state.answer = (_, response) => {
      count++;
      if (count === 2) {
        response.writeHead(206, { 'Content-Range': 'bytes 0-9/1000', 'Content-Length': 10, ETag: '"1"' });
        response.write('x');
      }
      return count <= 2;
    };
    const read = source.read(0, 10, never);
    await until(() => server.requests.length === 1);
    clock.advance(30_000);
    await retry(1, 1_000);
    await until(() => server.requests.length === 2);
    // The head of the answer has come, or comes: either silence ends the attempt.
    await until(() => {
      clock.advance(30_000);
      return interruptions.length === 2;
    });
    clock.advance(2_000);
    expect((await read).length).toBe(10);
  });

  it('a server that is away for all attempts, one that sends another range and one that packs it are errors', async () => {
    const { clock, server, source, interruptions } = await openSource();
    server.state.answer = (_, response) => {
      response.writeHead(500).end();
      return true;
    };
    const read = source.read(0, 10, never).catch((error: unknown) => error);
    for (let failures = 1; failures < 4; failures++) {
      await until(() => interruptions.length === failures);
      clock.advance(60_000);
    }
    expect(await read).toMatchObject({ code: 'away' });
    expect(server.requests).toHaveLength(4);
    const answers = [
      [{ 'Content-Range': 'bytes 5-14/1000' }, /sends another range/],
      [{ 'Content-Range': 'bytes 0-9/*' }, /does not state which range/],
      [{ 'Content-Range': 'bytes 0-9/1000', 'Content-Encoding': 'gzip' }, /packs what it sends by gzip/],
      [{ 'Content-Range': 'bytes 0-9/1000' }, /sends more than it says/],
    ] as const;
    for (const [headers, reason] of answers) {
      server.state.answer = (_, response) => {
        response.writeHead(206, headers).end(Buffer.alloc(20));
        return true;
      };
      await expect(source.read(0, 10, never)).rejects.toThrow(reason);
    }
  });

  it('a name is resolved once for each connection, and refused when it stands for a forbidden address', async () => {
    const addresses: [string, string][] = [
      ['169.254.169.254', 'is a link-local address'],
      ['100.100.100.200', 'is a metadata service of a cloud'],
    ];
    for (const [address, reason] of addresses) {
      const resolve = ((_name: string, _options: object, done: (error: null, found: object[]) => void) =>
        done(null, [{ address, family: 4 }])) as unknown as Resolve;
      const { server, source } = await openSource({ name: 'maps.example', resolve });
      await expect(source.read(0, 10, never)).rejects.toThrow(
        `The address of maps.example:${server.port} ${reason}`,
      );
      expect(server.requests).toEqual([]);
    }
  });

  it('a request that is given up ends at once, also in the middle of a pause', async () => {
    const { server, source, interruptions } = await openSource();
    server.state.answer = (_, response) => {
      response.writeHead(500).end();
      return true;
    };
    const stop = new AbortController();
    const read = source.read(0, 10, stop.signal).catch((error: unknown) => error);
    await until(() => interruptions.length === 1);
    const reason = new Error('given up');
    stop.abort(reason);
    expect(await read).toBe(reason);
  });
});
