import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import pino from 'pino';
import { onTestFinished } from 'vitest';
import { createApi, type Api } from '../../../server/http/api.ts';
import { createErrorHandler } from '../../../server/http/httpApp.ts';
import { setContext } from '../../../server/http/requestContext.ts';
import { createUnreadAnswers } from '../../../server/http/unreadAnswers.ts';
import type { Viewer } from '../../../server/http/viewer.ts';

export const requestId = 'request-1';

/** Routes behind a real socket, for the user that `viewer` returns; closed with the running test. Returns its base URL. */
export async function serveApi(
  add: (api: Api) => void,
  viewer: () => Viewer,
  unread = createUnreadAnswers(),
): Promise<string> {
  const api = createApi({
    idempotency: { once: () => Promise.reject(new Error('no key is sent')) },
    checkReplies: true,
    unread,
  });
  add(api);
  const app = express();
  app.use((_request, response, next) => {
    setContext(response, {
      request_id: requestId,
      address: '127.0.0.1',
      viewer: viewer(),
      anonymous: null,
      log: pino({ level: 'silent' }),
    });
    next();
  });
  app.use(api.router, createErrorHandler());
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
