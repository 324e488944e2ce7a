import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  /** By lower-case name; of a name that comes twice, the last. */
  headers: Record<string, string>;
  body: string;
}

/** One connection on which a test writes its own bytes. */
export interface RawConnection {
  /** Writes bytes as they are. */
  write(bytes: string): void;
  /** The next answer, whole. Rejects when the connection ends before. */
  answer(): Promise<RawAnswer>;
  /** Takes nothing in until `resume`. */
  pause(): void;
  resume(): void;
  /** Resolves when the connection is over, whichever side ended it. */
  ended: Promise<void>;
  close(): void;
}

/**
 * @param url where the host listens
 * @param localAddress which address of this machine it shall come from; on Linux all of 127.0.0.0/8
 */
export function openRaw(url: string, localAddress?: string): RawConnection {
  const { hostname, port } = new URL(url);
  const from = localAddress === undefined ? {} : { localAddress };
  const socket: Socket = connect({ port: Number(port), host: hostname, ...from });
  socket.setNoDelay(true);
  let received = '';
  let ended = false;
  let wake = (): void => undefined;
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    received += chunk;
    wake();
  });
  // How it ended makes no difference to a test that waits for an answer.
  socket.on('error', () => undefined);
  const over = new Promise<void>((resolve) => {
    socket.on('close', () => {
      ended = true;
      wake();
      resolve();
    });
  });

  async function more(): Promise<void> {
    if (ended) throw new Error(`the connection ended after ${JSON.stringify(received)}`);
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }

  return {
    write: (bytes) => void socket.write(bytes, 'latin1'),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    ended: over,
    close: () => void socket.destroy(),
    async answer() {
      while (!received.includes('\r\n\r\n')) await more();
      const headEnd = received.indexOf('\r\n\r\n');
      const [first = '', ...lines] = received.slice(0, headEnd).split('\r\n');
      const headers = Object.fromEntries(
        lines.map((line) => [
          line.slice(0, line.indexOf(':')).toLowerCase(),
          line.slice(line.indexOf(':') + 1).trim(),
        ]),
      );
      const end = headEnd + 4 + Number(headers['content-length'] ?? 0);
      while (received.length < end) await more();
      const body = received.slice(headEnd + 4, end);
      received = received.slice(end);
      return { status: Number(first.split(' ')[1]), headers, body };
    },
  };
}

/** One request on a connection of its own, its head written as it stands in `lines`. */
export async function sendRaw(url: string, lines: readonly string[], body = ''): Promise<RawAnswer> {
  const connection = openRaw(url);
  try {
    connection.write([...lines, '', body].join('\r\n'));
    return await connection.answer();
  } finally {
    connection.close();
  }
}
