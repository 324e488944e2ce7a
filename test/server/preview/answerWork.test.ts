import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { progressBytes, progressLine } from '../../../server/contract/preview.ts';
import { route } from '../../../server/contract/route.ts';
import { invalid } from '../../../server/http/apiError.ts';
import { respondWithProgress } from '../../../server/preview/answerWork.ts';
import { WorkFailed, type WorkAsk } from '../../../server/workerChannel.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { openDepot, viewerOf } from '../notifications/depot.ts';
import { requestId, serveApi } from './apiServer.ts';

const result = z.object({ sum: z.number() });
const sums = route({
  id: 'sum',
  tag: 'Sums',
  method: 'GET',
  path: '/sum',
  summary: 'A sum',
  access: 'user',
  bytes: progressBytes(result),
});
const asLines = { Accept: 'application/x-ndjson' };

type Work = (ask: Required<WorkAsk>) => Promise<z.infer<typeof result> | Uint8Array[]>;

async function serve(work: Work, contentType?: string) {
  const clock = createFakeClock();
  const depot = await openDepot();
  const url = await serveApi(
    (api) => api.handle(sums, (call) => respondWithProgress(call, work, contentType, clock)),
    () => viewerOf(depot.users.dora),
  );
  return { clock, url: `${url}/sum` };
}

function linesOf(text: string) {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => progressLine(result).parse(JSON.parse(line)));
}

describe('an operation of long work', () => {
  it('an operation of long work answers JSON when all is done', async () => {
    const { url } = await serve(({ onProgress }) => {
      onProgress(0.5);
      return Promise.resolve({ sum: 3 });
    });
    const answer = await fetch(url);
    expect(answer.headers.get('content-type')).toMatch('application/json');
    expect(await answer.json()).toEqual({ sum: 3 });
  });

  it('an operation of long work reports its progress in lines to clients that accept them, each once it has grown and at most four a second', async () => {
    const { url, clock } = await serve(({ onProgress }) => {
      for (const share of [0, 0.1, 0.05, 0.2]) {
        onProgress(share);
        clock.advance(125);
      }
      onProgress(0.20001);
      clock.advance(1_000);
      onProgress(0.20002);
      onProgress(1);
      return Promise.resolve({ sum: 3 });
    });
    const answer = await fetch(url, { headers: asLines });
    expect(answer.headers.get('content-type')).toMatch('application/x-ndjson');
    expect(linesOf(await answer.text())).toEqual([
      { progress: 0 },
      { progress: 0.1 },
      { progress: 0.2 },
      { progress: 1 },
      { result: { sum: 3 } },
    ]);
  });

  it('an operation of long work says every ten seconds that it still works', async () => {
    const { url, clock } = await serve(({ onProgress }) => {
      onProgress(0.25);
      clock.advance(25_000);
      return Promise.resolve({ sum: 3 });
    });
    const answer = await fetch(url, { headers: asLines });
    expect(linesOf(await answer.text())).toEqual([
      { progress: 0.25 },
      { progress: 0.25 },
      { progress: 0.25 },
      { result: { sum: 3 } },
    ]);
  });

  it('an operation of long work answers what fails at once as any operation does', async () => {
    const { url } = await serve(() => Promise.reject(invalid('from', 'is too early')));
    for (const headers of [{}, asLines]) {
      const answer = await fetch(url, { headers });
      expect(answer.status).toBe(400);
      expect(answer.headers.get('content-type')).toMatch('application/problem+json');
    }
  });

  it('an operation of long work reports a failure on the way in the last line', async () => {
    const { url } = await serve(({ onProgress }) => {
      onProgress(0.5);
      return Promise.reject(invalid('from', 'is too early'));
    });
    const answer = await fetch(url, { headers: asLines });
    expect(answer.status).toBe(200);
    expect(linesOf(await answer.text()).at(-1)).toEqual({
      problem: {
        type: 'about:blank',
        title: 'A value is missing or not allowed',
        status: 400,
        detail: 'from: is too early',
        code: 'validation_failed',
        errors: [{ path: 'from', message: 'is too early' }],
        request_id: requestId,
      },
    });
  });

  it.each([
    ['store_failed', 503],
    ['closed', 503],
    ['ended', 503],
    ['out_of_memory', 413],
    ['too_long', 413],
    ['failed', 500],
  ])(
    'an operation of long work answers a thread that ended by %s with %d, and nothing of its inside',
    async (code, status) => {
      const { url } = await serve(() => Promise.reject(new WorkFailed(code, 'at secret.ts:1')));
      const answer = await fetch(url);
      expect(answer.status).toBe(status);
      expect(await answer.text()).not.toContain('secret');
    },
  );

  it('an operation of long work is cancelled when its client goes', async () => {
    const cancel = new AbortController();
    const { promise: cancelled, resolve } = Promise.withResolvers<boolean>();
    const { url } = await serve(({ signal, onProgress }) => {
      onProgress(0.5);
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          resolve(true);
          reject(new Error('cancelled'));
        });
      });
    });
    const answer = await fetch(url, { headers: asLines, signal: cancel.signal });
    expect(answer.status).toBe(200);
    cancel.abort();
    expect(await cancelled).toBe(true);
  });

  it('an operation of long work may have its bytes ready: as JSON, as the last line, or of a type of its own', async () => {
    const json = await serve(() => Promise.resolve([Buffer.from('{"su'), Buffer.from('m":3}')]));
    const answer = await fetch(json.url);
    expect(answer.headers.get('content-type')).toMatch('application/json');
    expect(await answer.json()).toEqual({ sum: 3 });
    expect(linesOf(await (await fetch(json.url, { headers: asLines })).text())).toEqual([
      { result: { sum: 3 } },
    ]);
    const csv = await serve(() => Promise.resolve([Buffer.from('sum\r\n3\r\n')]), 'text/csv; charset=utf-8');
    const file = await fetch(csv.url, { headers: asLines });
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(await file.text()).toBe('sum\r\n3\r\n');
  });
});
