import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Logger } from 'pino';
import { decodeOsmandJson, decodeOsmandParameters, Unreadable, type SpeedUnit } from '../protocols/osmand.ts';
import type { Origin, Report } from '../report.ts';
import type { Accept } from './accept.ts';

export interface Listener {
  readonly port: number;
  readonly host: string;
  connections(): number;
  /** Takes no more, lets what is under way be answered, then ends. */
  close(): Promise<void>;
}

export interface OsmandParts {
  accept: Accept;
  speedUnit: () => SpeedUnit;
  log: Logger;
}

/** A long form with every field is below 4 kB; phones that were offline send their points one by one. */
const largestBody = 64 * 1024;
const slowestRequestMs = 30_000;
const mostConnections = 10_000;

/** The intake for OsmAnd-protocol trackers and the Traccar Client app. Rejects when the port cannot be had. */
export async function listenOsmand(port: number, host: string, parts: OsmandParts): Promise<Listener> {
  const server = createServer(
    {
      requestTimeout: slowestRequestMs,
      headersTimeout: slowestRequestMs,
      keepAliveTimeout: 65_000,
      maxHeaderSize: 16_384,
    },
    (request, response) => {
      if (!server.listening) response.shouldKeepAlive = false;
      const accept: Accept = async (reports, origin) => {
        underWay.set(response, request.socket);
        return parts.accept(reports, origin).finally(() => underWay.delete(response));
      };
      answer(request, response, { ...parts, accept }).catch((error: unknown) => {
        if (request.destroyed && !request.complete) {
          parts.log.debug('an osmand terminal hung up half-way');
          return;
        }
        parts.log.error({ err: error }, 'osmand request failed');
        if (response.headersSent) response.destroy();
        else reply(response, 500);
      });
    },
  );
  server.maxConnections = mostConnections;
  const open = new Set<Socket>();
  /** What was handed in and waits for its outcome, and the connection that it came by. */
  const underWay = new Map<ServerResponse, Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  await listen(server, port, host);
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    host: address.address,
    connections: () => open.size,
    close() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      // Node would wait for the next message of a connection that is kept; a message that is half here was never
      // acknowledged and comes again.
      for (const response of underWay.keys()) response.shouldKeepAlive = false;
      const answering = new Set(underWay.values());
      for (const socket of open) if (!answering.has(socket)) socket.destroy();
      return closed;
    },
  };
}

/**
 * Browsers are recognised by any one of these: a page must not move a vehicle by an image or a form. Not by
 * `Sec-Fetch-Mode`, which fetch sends in programs too.
 */
function isWebPage(request: IncomingMessage): boolean {
  const { headers } = request;
  return (
    headers.origin !== undefined ||
    headers.referer !== undefined ||
    headers['sec-fetch-site'] !== undefined ||
    headers['sec-fetch-dest'] !== undefined ||
    /^\s*mozilla\//i.test(headers['user-agent'] ?? '')
  );
}

async function answer(request: IncomingMessage, response: ServerResponse, parts: OsmandParts): Promise<void> {
  if (isWebPage(request)) {
    request.resume();
    reply(response, 403, 'Web pages may not speak for terminals.');
    return;
  }
  const body = await readBody(request);
  if (body === null) {
    response.shouldKeepAlive = false;
    reply(response, 413);
    return;
  }
  const origin: Origin = { protocol: 'osmand', address: request.socket.remoteAddress ?? null };
  let report: Report;
  try {
    report = decode(request, body, parts.speedUnit());
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    reply(response, 400, error.message);
    return;
  }
  const [outcome] = await parts.accept([report], origin);
  switch (outcome?.status) {
    case 'unknown':
      reply(response, 404, 'No vehicle has this terminal.');
      return;
    case 'failed':
    case undefined:
      reply(response, 503, 'Could not be stored.');
      return;
    default:
      reply(response, 200);
  }
}

function decode(request: IncomingMessage, body: string, speedUnit: SpeedUnit): Report {
  const query = (request.url ?? '').split('?').slice(1).join('?');
  const type = request.headers['content-type'] ?? '';
  if (query === '' && (/\bjson\b/i.test(type) || body.trimStart().startsWith('{')))
    return decodeOsmandJson(body);
  return decodeOsmandParameters(new URLSearchParams(query === '' ? body.trim() : query), speedUnit);
}

/** Null when the body is too large; rejects when the terminal hangs up half-way. */
function readBody(request: IncomingMessage): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > largestBody) {
        request.pause();
        resolve(null);
        return;
      }
      chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('error', reject);
  });
}

function reply(response: ServerResponse, status: number, text = ''): void {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
