import { createServer } from 'node:http';
import express from 'express';
import type { Logger } from 'pino';
import { systemClock, type Clock } from '../clock.ts';
import { apiRoutes } from '../contract/api.ts';
import { createAllowedHosts } from '../http/allowedHosts.ts';
import { ApiError } from '../http/apiError.ts';
import { createFront, requestTimes } from '../http/frontServer.ts';
import { beginRequest, createErrorHandler, isApi, securityHeaders } from '../http/httpApp.ts';
import { createOpenApi } from '../http/openApi.ts';
import { createStaticFiles } from '../http/staticFiles.ts';
import { createForward } from './forward.ts';
import { readHostFacts, type HostFacts } from './hostFacts.ts';
import type { RemoteHost } from './remoteHost.ts';

export interface RemoteConsoleOptions {
  /** `id`: letters and digits, of this connection alone; its cookies are named by it. */
  connection: RemoteHost & { id: string; name: string };
  /** Of 127.0.0.1; 0 takes any free one. What browsers keep belongs to a port: it shall be the same each time. */
  port: number;
  /** Where this program's built console lies. */
  consoleFolder: string;
  appVersion: string;
  log: Logger;
  clock?: Clock;
}

export interface RemoteConsole {
  /** Where the console of that host is, on this machine. */
  url: string;
  /** Takes no more and ends all calls. */
  close(): Promise<void>;
}

/** Requests under way get this long at the end. */
const closingGraceMs = 1_000;

/**
 * Serves this program's console at an origin of its own, and passes what it asks of the API on to a host elsewhere.
 * Nothing else of that host is ever loaded as a page. Rejects with the system's error (`EADDRINUSE`, `EACCES`, …).
 */
export async function startRemoteConsole(options: RemoteConsoleOptions): Promise<RemoteConsole> {
  const { connection, consoleFolder, appVersion, clock = systemClock } = options;
  const log = options.log.child({ remote: connection.url.origin });
  const ownNames = createAllowedHosts({ tls: false, bound: '127.0.0.1', allowHosts: [] });
  const forward = createForward({ host: connection, cookiePrefix: `at${connection.id}_`, clock });

  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.use(beginRequest(log, undefined));
  app.use(securityHeaders(false));
  app.use((request, _response, next) => {
    request.url = ownNames.check(request);
    next();
  });
  app.use((request, response, next) => {
    if (isApi(request.path)) return forward.handler(request, response);
    next();
    return undefined;
  });
  let asking: Promise<HostFacts> | null = null;
  app.get('/remote-host.json', async (_request, response) => {
    asking ??= readHostFacts(connection, clock).finally(() => (asking = null));
    const facts = await asking.catch((error: unknown) => {
      throw new ApiError('remote_unreachable', error instanceof Error ? error.message : String(error));
    });
    response.set('Cache-Control', 'no-store').json(facts);
  });
  app.use(
    createStaticFiles({
      consoleFolder,
      openApi: () => createOpenApi(apiRoutes, appVersion),
      head: connectionTag(connection),
    }),
  );
  app.use(() => {
    throw new ApiError('not_found', 'There is nothing at this address.');
  });
  app.use(createErrorHandler());

  const front = createFront(createServer(requestTimes, app));
  const { port } = await front.listen(options.port, '127.0.0.1');
  ownNames.setPort(port);
  const url = `http://127.0.0.1:${port}`;
  log.info({ url }, 'console of a remote host is served');
  return {
    url,
    async close() {
      const closed = front.close(closingGraceMs);
      forward.close();
      await closed;
    },
  };
}

/** By it the page knows whose console it is (renderer/platform/browser.ts). */
function connectionTag({ name, url }: RemoteConsoleOptions['connection']): string {
  const content = JSON.stringify({ name, url: url.origin });
  return `<meta name="fleetdeck-connection" content="${content.replaceAll(/[&"<>]/g, (it) => `&#${it.charCodeAt(0)};`)}">`;
}
