import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type TileAnswer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server of tiles, on a free port of this machine, that answers as it is set to. */
export async function startTileProvider() {
  const calls: { path: string; headers: IncomingMessage['headers'] }[] = [];
  let answer: TileAnswer = (_, response) => void response.writeHead(404).end();
  const server = createServer((request, response) => {
    calls.push({ path: request.url ?? '', headers: request.headers });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // It keeps no process alive.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** Those that came, in their order. */
    calls,
    paths: () => calls.map(({ path }) => path),
    /** Sets what it answers from now on, and forgets what came. */
    answers(next: TileAnswer): void {
      answer = next;
      calls.length = 0;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const answerWith =
  (body: Uint8Array | string, headers: Record<string, string> = {}, status = 200): TileAnswer =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

/** Begins as a PNG does; nothing more of it is looked at by the host. */
export const pngOf = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47]), Buffer.from(text)]);
