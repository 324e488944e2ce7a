import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { route } from '../../../server/contract/route.ts';
import { createApi } from '../../../server/http/api.ts';
import { setContext } from '../../../server/http/requestContext.ts';
import type { Viewer } from '../../../server/http/viewer.ts';
import { currentCaller } from '../../../server/store/caller.ts';
import { apiClientFor } from '../../support/caller.ts';

const whoCalls = route({
  id: 'whoCalls',
  tag: 'Test',
  method: 'GET',
  path: '/caller',
  summary: 'Who calls',
  access: 'anybody',
  reply: z.looseObject({}),
});

async function callerSeenBy(viewer: Viewer | null) {
  const api = createApi({
    idempotency: { once: () => Promise.reject(new Error('no key is sent')) },
    checkReplies: true,
  });
  api.handleOpen(whoCalls, () => ({ caller: currentCaller() }));
  const app = express();
  app.use((_request, response, next) => {
    const log = pino({ level: 'silent' });
    setContext(response, { request_id: 'r', address: '192.0.2.1', viewer, anonymous: null, log });
    next();
  });
  app.use(api.router);
  const server = createServer(app).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return (await apiClientFor(`http://127.0.0.1:${port}`, '').get('/caller')).body.caller;
}

it('what a call of the API does is done for its user, at its address and by the id of its request', async () => {
  const ann = { user: { user_id: 'ann', login: 'Ann', role: 'dealer' } } as Viewer;
  const caller = { user_id: 'ann', login: 'Ann', address: '192.0.2.1', request_id: 'r' };
  expect(await callerSeenBy(ann)).toEqual(caller);
});

it('what a call of the API without a user does is done by the host itself', async () => {
  expect(await callerSeenBy(null)).toBeNull();
});
