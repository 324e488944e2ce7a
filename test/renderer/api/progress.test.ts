import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { problems } from '../../../server/contract/problem.ts';
import { route } from '../../../server/contract/route.ts';
import { createApi } from '../../../renderer/api/client.ts';
import { ApiProblem, isAbort, UnexpectedAnswer, Unreachable } from '../../../renderer/api/errors.ts';
import { askProgress } from '../../../renderer/api/progress.ts';
import { createTransport } from '../../../renderer/api/transport.ts';
import { createTokens } from '../../../renderer/auth/tokens.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

const found = z.object({ visits: z.int() });
const longWork = route({
  id: 'longWork',
  tag: 'Tests',
  method: 'POST',
  path: '/api/v1/long',
  summary: 'Long work',
  access: 'anybody',
  body: z.object({ days: z.int() }),
  bytes: { contentTypes: ['application/json', 'application/x-ndjson'], json: found },
});

type Answer = (response: ServerResponse, accept: string | undefined) => void;

let answer: Answer;
let ask: (signal?: AbortSignal) => Promise<{ visits: number }>;
let heard: number[];
/** Called when a share of progress has arrived. */
let onShare: (share: number) => void;
let close: () => Promise<void>;

beforeEach(async () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(response, request.headers.accept));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const clock = createFakeClock();
  const transport = createTransport({ fetch, clock, baseUrl: `http://127.0.0.1:${port}` });
  const tokens = createTokens({ transport, clock, onEnd: () => undefined });
  const api = createApi({ transport, tokens });
  heard = [];
  onShare = () => undefined;
  ask = (signal) =>
    askProgress(api, longWork, found, { body: { days: 7 }, signal }, (share) => {
      heard.push(share);
      onShare(share);
    });
  close = () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
});
afterEach(() => close());

function begin(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/x-ndjson; charset=utf-8', 'X-Request-Id': 'req-7' });
}

const problemOf = (code: keyof typeof problems) => ({
  type: 'about:blank',
  ...problems[code],
  detail: 'the data base is away',
  code,
  request_id: 'req-7',
});

describe('a call of a long operation', () => {
  it('a call of a long operation accepts lines, reports each step and returns the result', async () => {
    let accepted: string | undefined;
    answer = (response, accept) => {
      accepted = accept;
      begin(response);
      response.end('{"progress":0.25}\n{"progress":0.75}\n{"result":{"visits":41}}\n');
    };
    expect(await ask()).toEqual({ visits: 41 });
    expect(accepted).toBe('application/x-ndjson');
    expect(heard).toEqual([0.25, 0.75]);
  });

  it('a call of a long operation reads lines that are cut anywhere, and a last one without its end', async () => {
    answer = (response) => {
      begin(response);
      response.write('{"prog');
      onShare = () => response.end('{"result":{"vis');
      setImmediate(() => response.write('ress":0.5}\n\n'));
    };
    await expect(ask()).rejects.toBeInstanceOf(UnexpectedAnswer);
    expect(heard).toEqual([0.5]);

    answer = (response) => {
      begin(response);
      response.end('{"result":{"visits":2}}');
    };
    expect(await ask()).toEqual({ visits: 2 });
  });

  it('a call of a long operation takes a result that comes at once as JSON', async () => {
    answer = (response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"visits":3}');
    };
    expect(await ask()).toEqual({ visits: 3 });
    expect(heard).toEqual([]);
  });

  it('a call of a long operation throws the problem that ends the work, as if it had been refused at once', async () => {
    answer = (response) => {
      begin(response);
      response.end(`{"progress":0.5}\n${JSON.stringify({ problem: problemOf('unavailable') })}\n`);
    };
    const error = await ask().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiProblem);
    expect(error).toMatchObject({ code: 'unavailable', requestId: 'req-7' });
  });

  it('a call of a long operation throws the refusal of the call itself', async () => {
    answer = (response) => {
      response
        .writeHead(403, { 'Content-Type': 'application/problem+json' })
        .end(JSON.stringify(problemOf('forbidden')));
    };
    await expect(ask()).rejects.toMatchObject({ code: 'forbidden' });
  });

  it.each([
    ['ends without a result', '{"progress":0.5}\n'],
    ['holds a line that is no JSON', '{"progress":0.5}\nnonsense\n'],
    ['holds a result of another shape', '{"result":{"visits":"many"}}\n'],
    ['ends in a problem that is none of the contract', '{"problem":{"code":"strange","detail":""}}\n'],
  ])(
    'a call of a long operation says that the answer is not what it should be when it %s',
    async (_, text) => {
      answer = (response) => {
        begin(response);
        response.end(text);
      };
      await expect(ask()).rejects.toMatchObject({ name: 'UnexpectedAnswer', requestId: 'req-7' });
    },
  );

  it('a call of a long operation says that the server is out of reach when the connection breaks on the way', async () => {
    answer = (response) => {
      begin(response);
      response.write('{"progress":0.5}\n');
      onShare = () => response.destroy();
    };
    await expect(ask()).rejects.toBeInstanceOf(Unreachable);
  });

  it('a call of a long operation closes the connection when it is cancelled, so that the server can stop', async () => {
    const closed = new Promise<void>((resolve) => {
      answer = (response) => {
        response.once('close', resolve);
        begin(response);
        response.write('{"progress":0.1}\n');
      };
    });
    const abort = new AbortController();
    onShare = () => abort.abort();
    const error = await ask(abort.signal).catch((thrown: unknown) => thrown);
    expect(isAbort(error)).toBe(true);
    await closed;
  });
});
