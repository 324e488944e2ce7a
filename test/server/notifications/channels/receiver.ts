import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What a receiver does with a call; without an end to the response the caller waits. */
export type Reaction = (response: ServerResponse, call: Received) => void;

export const answer =
  (status: number, headers: Record<string, string> = {}, body = ''): Reaction =>
  (response) =>
    response.writeHead(status, headers).end(body);

/** A server that keeps what it is sent, and does with each call what stands next, or the last thing again. */
export async function openReceiver(...reactions: Reaction[]) {
  const received: Received[] = [];
  const state = { reactions: [...reactions] };
  const waiting: { count: number; go: () => void }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const call = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      received.push(call);
      const reaction = state.reactions.length > 1 ? state.reactions.shift() : state.reactions[0];
      (reaction ?? answer(204))(response, call);
      for (const it of waiting) if (received.length >= it.count) it.go();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  async function close(): Promise<void> {
    if (!server.listening) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  onTestFinished(close);
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    close,
    /** What is done from now on. */
    react: (...next: Reaction[]) => (state.reactions = next),
    /** Resolves once so many calls have come since the beginning. */
    calls: (count: number) =>
      new Promise<void>((go) => {
        if (received.length >= count) go();
        else waiting.push({ count, go });
      }),
  };
}
