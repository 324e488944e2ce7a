import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RangeRequest {
  from: number;
  to: number;
  headers: IncomingMessage['headers'];
  path: string;
}

/** Answers in place of the server; true: it has. */
type Answer = (request: RangeRequest, response: ServerResponse) => boolean;

/** A server of HTTP on this machine that hands out a file in ranges, as object stores do, or otherwise. */
export async function startRangeServer(file: Uint8Array, { etag = '"1"' }: { etag?: string | null } = {}) {
  const requests: RangeRequest[] = [];
  const state = { file, etag, answer: null as Answer | null };
  const server = createServer((request, response) => {
    const [, from = '0', to = ''] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const asked = { from: Number(from), to: Number(to), headers: request.headers, path: request.url ?? '' };
    requests.push(asked);
    if (state.answer?.(asked, response) === true) return;
    const { file: bytes, etag: tag } = state;
    if (tag !== null) response.setHeader('ETag', tag);
    const wanted = request.headers['if-match'];
    if (wanted !== undefined && wanted !== tag) {
      response.writeHead(412).end();
      return;
    }
    if (asked.from >= bytes.length) {
      response.writeHead(416).end();
      return;
    }
    const part = bytes.subarray(asked.from, asked.to + 1);
    const range = `bytes ${asked.from}-${asked.from + part.length - 1}/${bytes.length}`;
    response.writeHead(206, { 'Content-Range': range, 'Content-Length': part.length }).end(part);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/map.pmtiles`,
    port,
    requests,
    /** What it hands out, and how; may be changed. */
    state,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
