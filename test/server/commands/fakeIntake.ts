import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface FakeIntake {
  url: string;
  /** Every request, in order of arrival. */
  forms: URLSearchParams[];
  headers: IncomingMessage['headers'][];
  connections(): number;
  maxConcurrent(): number;
  close(): Promise<void>;
}

/** A real server that notes what trackers post, and answers with the code that `answer` gives. */
export async function fakeIntake(
  answer: (form: URLSearchParams, tries: number) => number | 'hang up' | Promise<number> = () => 200,
): Promise<FakeIntake> {
  const forms: URLSearchParams[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const tries = new Map<string, number>();
  let connections = 0;
  let open = 0;
  let max = 0;
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    open += 1;
    max = Math.max(max, open);
    const body = await text(request);
    const form = new URLSearchParams(body);
    forms.push(form);
    headers.push(request.headers);
    tries.set(body, (tries.get(body) ?? 0) + 1);
    const code = await answer(form, tries.get(body) ?? 1);
    open -= 1;
    if (code === 'hang up') request.socket.destroy();
    else response.writeHead(code).end();
  };
  const server = createServer((request, response) => void handle(request, response));
  server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    forms,
    headers,
    connections: () => connections,
    maxConcurrent: () => max,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
