import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The way to a host, on which answers can be made to stop in the middle. */
export interface StallingLine {
  url: string;
  /** Answers to paths like this one stop after so many bytes and never go on; null for none. */
  stall: { path: RegExp; afterBytes: number } | null;
  close(): Promise<void>;
}

export async function startStallingLine(hostUrl: string): Promise<StallingLine> {
  const line: Pick<StallingLine, 'stall'> = { stall: null };
  const server = createServer((asked, answer) => {
    const { origin, ...headers } = asked.headers;
    const forwarded = request(
      new URL(asked.url ?? '/', hostUrl),
      {
        method: asked.method,
        // A host answers to its own name alone.
        headers: {
          ...headers,
          host: new URL(hostUrl).host,
          ...(origin === undefined ? {} : { origin: hostUrl }),
        },
      },
      (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        const { stall } = line;
        if (stall?.path.test(asked.url ?? '') !== true) response.pipe(answer);
        else void passOn(response, stall.afterBytes, (bytes) => answer.write(bytes));
      },
    );
    forwarded.on('error', () => answer.destroy());
    answer.on('close', () => forwarded.destroy());
    asked.pipe(forwarded);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return Object.assign(line, {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  });
}

async function passOn(from: IncomingMessage, max: number, write: (bytes: Buffer) => void): Promise<void> {
  let left = max;
  for await (const bytes of from as AsyncIterable<Buffer>) {
    if (left > 0) write(bytes.subarray(0, left));
    left -= bytes.length;
  }
}
