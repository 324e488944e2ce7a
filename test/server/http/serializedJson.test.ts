import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import fc from 'fast-check';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { route } from '../../../server/contract/route.ts';
import { createApi } from '../../../server/http/api.ts';
import { createErrorHandler } from '../../../server/http/httpApp.ts';
import { jsonText, keptJson, SerializedPage, readyPage } from '../../../server/http/serializedJson.ts';
import { setContext } from '../../../server/http/requestContext.ts';
import { apiClientFor } from '../../support/caller.ts';

const jsonValue = fc.jsonValue({ stringUnit: 'grapheme' });

describe('a reply that is JSON text already', () => {
  it('a reply that is JSON text already has the very bytes of the same reply written at once', () => {
    fc.assert(
      fc.property(fc.array(jsonValue), fc.option(fc.string({ unit: 'grapheme' })), (items, next_cursor) => {
        const ready = readyPage({ items: items.map((it) => jsonText(JSON.stringify(it))), next_cursor });
        const whole = JSON.stringify({ items, next_cursor });
        expect(ready.bytes().toString()).toBe(whole);
        expect(ready.value()).toEqual(JSON.parse(whole));
      }),
    );
  });

  it('a reply that is JSON text already keeps the text of a value for as long as the value is', () => {
    const value = { name: 'Kärcher 🚚' };
    expect(keptJson(value)).toEqual({ text: JSON.stringify(value), size: 24 });
    expect(keptJson(value)).toBe(keptJson(value));
    expect(keptJson({ ...value })).not.toBe(keptJson(value));
  });

  it('a reply that is JSON text already fails rather than sends when a size is not that of its text', () => {
    expect(() => new SerializedPage('[', [{ text: '1', size: 2 }], ']').bytes()).toThrow(
      'a reply of 4 bytes',
    );
  });
});

const numbers = route({
  id: 'numbers',
  tag: 'Test',
  method: 'GET',
  path: '/numbers',
  summary: 'Numbers',
  access: 'anybody',
  reply: z.object({ items: z.array(z.int()) }),
});

describe('an operation that answers it', () => {
  async function answerOf(json: string) {
    const api = createApi({
      idempotency: { once: () => Promise.reject(new Error('no key is sent')) },
      checkReplies: true,
    });
    api.handleOpen(numbers, () => new SerializedPage('{"items":[', [jsonText(json)], ']}'));
    const app = express();
    app.use((_request, response, next) => {
      const log = pino({ level: 'silent' });
      setContext(response, { request_id: '1', address: '', viewer: null, anonymous: null, log });
      next();
    });
    app.use(api.router, createErrorHandler());
    const server = createServer(app).listen(0, '127.0.0.1');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return apiClientFor(`http://127.0.0.1:${port}`, '').get('/numbers');
  }

  it('an operation that answers it sends it as JSON with its length', async () => {
    const answer = await answerOf('7');
    expect(answer).toMatchObject({ status: 200, text: '{"items":[7]}' });
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('content-length')).toBe('13');
  });

  it('an operation that answers it is held to its contract when replies are checked', async () => {
    expect((await answerOf('"seven"')).status).toBe(500);
  });
});
