import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as httpRequest, type RequestListener, type Server } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { connect as tlsConnect } from 'node:tls';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createFront,
  requestTimes,
  type Front,
  type FrontOptions,
} from '../../../server/http/frontServer.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { CERT, KEY } from './frontServerCertificate.ts';

const HOST = '127.0.0.1';
const MB = 1024 * 1024;
const run = promisify(execFile);

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(undo.splice(0).map((step) => step()));
});

interface Running {
  front: Front;
  httpServer: Server;
  port: number;
}

async function start(listener: RequestListener, options?: FrontOptions, setUp?: (server: Server) => void) {
  const httpServer = createServer({ connectionsCheckingInterval: 20 }, listener);
  setUp?.(httpServer);
  const front = createFront(httpServer, options);
  const { port } = await front.listen(0, HOST);
  undo.push(() => front.close(0));
  return { front, httpServer, port } satisfies Running;
}

/** Answers what it saw of the request, so that a raw client can read it. */
const echo: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const token = request.headers['authorization-refresh'];
    response.end(`<${request.url ?? ''} token=${String(token)} body=${Buffer.concat(chunks).toString()}>`);
  });
};

function refresh(headers = '', body = ''): string {
  return `POST /auth/refresh HTTP/1.1\r\nHost: depot\r\n${headers}Authorization refresh: JWT a.b.c\r\n\r\n${body}`;
}

function open(port: number): Socket {
  const socket = connect(port, HOST);
  // A reset is an outcome that some tests are about; they look at 'close'.
  socket.on('error', () => undefined);
  undo.push(async () => {
    if (!socket.closed) await once(socket.destroy(), 'close');
  });
  return socket;
}

/** Everything the other side sends, until `wanted` occurs `times` times in it, or it ends. */
async function readUntil(socket: Socket, wanted: string | undefined, times = 1): Promise<string> {
  let text = '';
  return new Promise((resolve) => {
    const settle = (): void => {
      socket.off('data', take);
      resolve(text);
    };
    const take = (chunk: Buffer): void => {
      text += chunk.toString('latin1');
      if (wanted !== undefined && text.split(wanted).length > times) settle();
    };
    socket.on('data', take);
    socket.once('close', settle);
    socket.once('end', settle);
  });
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
    socket.resume();
  });
}

describe('the header with a space, over a socket', () => {
  it('the header with a space, over a socket reaches the handler as Authorization-Refresh', async () => {
    const { port } = await start(echo);
    const socket = open(port);
    socket.write(refresh());
    expect(await readUntil(socket, '>')).toContain('</auth/refresh token=JWT a.b.c body=>');
  });

  it('the header with a space, over a socket reaches it when every byte comes in a packet of its own', async () => {
    const { port, httpServer } = await start(echo);
    const socket = open(port);
    socket.setNoDelay(true);
    const [connection] = (await once(httpServer, 'connection')) as [Socket];
    for (const byte of Buffer.from(refresh('Content-Length: 2\r\n', 'hi'))) {
      const before = connection.bytesRead;
      socket.write(Buffer.of(byte));
      while (connection.bytesRead === before) await new Promise(setImmediate);
    }
    expect(await readUntil(socket, '>')).toContain('token=JWT a.b.c body=hi>');
  });

  it('the header with a space, over a socket reaches it as the second request of a kept-alive connection', async () => {
    const { port } = await start(echo);
    const socket = open(port);
    socket.write('GET /first HTTP/1.1\r\nHost: depot\r\n\r\n');
    expect(await readUntil(socket, '>')).toContain('</first token=undefined');
    socket.write(refresh('Transfer-Encoding: chunked\r\n', '2;x=y\r\nhi\r\n0\r\nX-Trailer: 1\r\n\r\n'));
    expect(await readUntil(socket, '>')).toContain('token=JWT a.b.c body=hi>');
    socket.write(refresh());
    expect(await readUntil(socket, '>')).toContain('token=JWT a.b.c body=>');
  });

  it('the header with a space, over a socket reaches it in a pipeline, each request once and in order, with bodies left alone', async () => {
    const { port } = await start(echo);
    const socket = open(port);
    const inner = refresh();
    socket.write(
      `POST /a HTTP/1.1\r\nHost: depot\r\nContent-Length: ${inner.length}\r\n\r\n${inner}` +
        refresh() +
        'GET /c HTTP/1.1\r\nHost: depot\r\n\r\n' +
        refresh(`Content-Length: ${inner.length}\r\n`, inner),
    );
    const answers = (await readUntil(socket, '>', 4)).match(/<[^>]*>/g);
    expect(answers).toEqual([
      `</a token=undefined body=${inner}>`,
      '</auth/refresh token=JWT a.b.c body=>',
      '</c token=undefined body=>',
      `</auth/refresh token=JWT a.b.c body=${inner}>`,
    ]);
  });

  it('the header with a space, over a socket works with Expect: 100-continue', async () => {
    const { port } = await start(echo);
    const socket = open(port);
    socket.write(refresh('Expect: 100-continue\r\nContent-Length: 2\r\n'));
    expect(await readUntil(socket, '\r\n\r\n')).toMatch(/^HTTP\/1\.1 100 /);
    socket.write('hi');
    expect(await readUntil(socket, '>')).toContain('token=JWT a.b.c body=hi>');
  });

  it('the header with a space, over a socket is sent as written by curl, twice on one connection', async (context) => {
    const { port } = await start(echo);
    const url = `http://${HOST}:${port}/auth/refresh?x=1`;
    const header = ['-sS', '-X', 'POST', '-H', 'Authorization refresh: a.b.c'];
    try {
      await run('curl', ['--version']);
    } catch {
      context.skip('no curl in PATH');
    }
    const { stdout } = await run('curl', [...header, url, '--next', ...header, '-d', 'hi', url]);
    expect(stdout).toBe('</auth/refresh?x=1 token=a.b.c body=></auth/refresh?x=1 token=a.b.c body=hi>');
  });
});

describe('another malformed header', () => {
  it.each([
    ['another name with a space', 'POST /auth/refresh HTTP/1.1\r\nHost: depot\r\nMy header: 1\r\n\r\n'],
    ['the name on another path', refresh().replace('/auth/refresh', '/auth/login')],
    ['the name with another method', refresh().replace('POST', 'PUT')],
    ['two lengths', refresh('Content-Length: 1\r\nContent-Length: 1\r\n', 'a')],
  ])('another malformed header still gets 400: %s', async (_, raw) => {
    const { port } = await start(echo);
    const socket = open(port);
    socket.write(raw);
    expect(await readUntil(socket, undefined)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  });

  it('another malformed header still reaches a listener of clientError', async () => {
    const { port } = await start(echo, {}, (server) => {
      server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
        socket.end(`HTTP/1.1 400 ${error.code ?? ''}\r\n\r\n`);
      });
    });
    const socket = open(port);
    socket.write('GET / HTTP/1.1\r\nMy header: 1\r\n\r\n');
    expect(await readUntil(socket, undefined)).toContain('HPE_INVALID_HEADER_TOKEN');
  });
});

describe('the connection', () => {
  it('the connection has the addresses and ports of its socket', async () => {
    const { port } = await start((request, response) => {
      const { remoteAddress, remotePort, remoteFamily, localAddress, localPort } = request.socket;
      response.end(
        JSON.stringify([
          remoteAddress,
          remotePort,
          remoteFamily,
          localAddress,
          localPort,
          'encrypted' in request.socket && request.socket.encrypted,
        ]),
      );
    });
    const socket = open(port);
    socket.write('GET / HTTP/1.0\r\n\r\n');
    const body = (await readUntil(socket, undefined)).split('\r\n\r\n')[1] ?? '';
    expect(JSON.parse(body)).toEqual([HOST, socket.localPort, 'IPv4', HOST, port, false]);
  });

  it('the connection is cut after the keep-alive time', async () => {
    const { port } = await start(echo, {}, (server) => {
      server.keepAliveTimeout = 20;
      server.keepAliveTimeoutBuffer = 0;
    });
    const socket = open(port);
    socket.write('GET / HTTP/1.1\r\nHost: depot\r\n\r\n');
    expect(await readUntil(socket, '>')).toContain('Keep-Alive: timeout=');
    await closed(socket);
  });

  it('the connection reports the response of its time-out', async () => {
    const { port } = await start((_, response) => {
      response.setTimeout(20, () => response.end('<late>'));
    });
    const socket = open(port);
    socket.write('GET / HTTP/1.1\r\nHost: depot\r\n\r\n');
    expect(await readUntil(socket, '>')).toContain('<late>');
  });

  it('the connection gets 408 when its header takes longer than headersTimeout', async () => {
    const { port } = await start(echo, {}, (server) => {
      server.headersTimeout = 50;
      server.requestTimeout = 10_000;
    });
    const socket = open(port);
    socket.write('POST /auth/refresh HTTP/1.1\r\nAuthorization refr');
    expect(await readUntil(socket, undefined)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('the connection that is idle between two requests is kept for 65 s, whatever time a header may take', async () => {
    const { port, httpServer } = await start(echo, {}, (server) => {
      server.keepAliveTimeout = requestTimes.keepAliveTimeout;
    });
    const idle = open(port);
    idle.write('GET /first HTTP/1.1\r\nHost: depot\r\n\r\n');
    expect(await readUntil(idle, '>')).toMatch(/^Keep-Alive: timeout=65\r$/m);
    httpServer.headersTimeout = 50;
    const late = open(port);
    late.write('GET / HTTP/1.1\r\nHos');
    expect(await readUntil(late, undefined)).toMatch(/^HTTP\/1\.1 408 /);
    httpServer.headersTimeout = requestTimes.headersTimeout;
    idle.write('GET /second HTTP/1.1\r\nHost: depot\r\n\r\n');
    expect(await readUntil(idle, '>')).toContain('</second');
  });

  it('the connection gets its answer after it has closed its own side, where the HTTP server allows that', async () => {
    const { port } = await start(
      (request, response) => {
        request.socket.once('end', () => setImmediate(() => response.end('<late>')));
      },
      {},
      (server) => {
        Object.assign(server, { httpAllowHalfOpen: true });
      },
    );
    const socket = open(port);
    socket.end('GET / HTTP/1.1\r\nHost: depot\r\n\r\n');
    expect(await readUntil(socket, undefined)).toContain('<late>');
  });

  it('the connection hands on what was held back when the client ends in the midst of the name', async () => {
    const codes: unknown[] = [];
    const { port } = await start(echo, {}, (server) => {
      server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
        codes.push(error.code);
        socket.destroy();
      });
    });
    const socket = open(port);
    socket.end('POST /auth/refresh HTTP/1.1\r\nHost: depot\r\nAuthorization refr');
    await closed(socket);
    expect(codes).toEqual(['HPE_INVALID_HEADER_TOKEN']);
  });

  it('the connection hears nothing more once a request was refused, not even what the same packet holds', async () => {
    const codes: unknown[] = [];
    const urls: unknown[] = [];
    const { port } = await start(
      (request) => urls.push(request.url),
      {},
      (server) => {
        server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
          codes.push(error.code);
          socket.destroy();
        });
      },
    );
    const socket = open(port);
    socket.write(`GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n${refresh()}${refresh()}`);
    await closed(socket);
    expect({ codes, urls }).toEqual({ codes: ['HPE_HEADER_OVERFLOW'], urls: [] });
  });

  it('the connection reaches a listener of upgrade with its first bytes, and then in both directions', async () => {
    const { port } = await start(echo, {}, (server) => {
      server.on('upgrade', (_, socket, head) => {
        socket.write(`HTTP/1.1 101 Switching Protocols\r\n\r\n<${head.toString()}>`);
        socket.on('data', (chunk: Buffer) => socket.write(`<${chunk.toString()}>`));
      });
    });
    const socket = open(port);
    socket.write('GET / HTTP/1.1\r\nHost: depot\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nhead');
    expect(await readUntil(socket, '>')).toContain('<head>');
    socket.write('more');
    expect(await readUntil(socket, '>')).toBe('<more>');
  });

  it('the connection informs the handler when the client is gone', async () => {
    let socket: Socket | undefined;
    const aborted = new Promise((resolve) => {
      void start((request, response) => {
        request.on('error', () => undefined);
        response.on('close', () => resolve(response.writableFinished));
        socket?.resetAndDestroy();
      }).then(({ port }) => {
        socket = open(port);
        socket.write('POST / HTTP/1.1\r\nHost: depot\r\nContent-Length: 10\r\n\r\nabc');
      });
    });
    expect(await aborted).toBe(false);
  });

  it('the connection is closed for the handler when that resets it', async () => {
    const ended = new Promise((resolve) => {
      void start((request, response) => {
        response.on('close', () => resolve(response.writableFinished));
        request.socket.resetAndDestroy();
      }).then(({ port }) => open(port).write('GET / HTTP/1.1\r\nHost: depot\r\n\r\n'));
    });
    expect(await ended).toBe(false);
  });

  it('the connection is closed towards the client when the handler destroys it', async () => {
    const { port } = await start((request) => request.socket.destroy());
    const socket = open(port);
    socket.write('GET / HTTP/1.1\r\nHost: depot\r\n\r\n');
    expect(await readUntil(socket, undefined)).toBe('');
    await closed(socket);
  });
});

/** `sizeMb` megabytes that are never in memory at once, and the hash of those given out so far. */
function source(sizeMb: number) {
  const hash = createHash('sha256');
  const block = randomBytes(MB);
  let given = 0;
  const stream = new Readable({
    read() {
      if (given === sizeMb) {
        this.push(null);
        return;
      }
      block.writeUInt32LE(given);
      given += 1;
      const piece = Buffer.from(block);
      hash.update(piece);
      this.push(piece);
    },
  });
  return { stream, hash, givenMb: () => given };
}

/** Long enough for a sender that nothing holds up to give out everything. */
async function letTheOtherSideRun(): Promise<void> {
  for (let turn = 0; turn < 500; turn += 1) await new Promise(setImmediate);
}

describe('an answer that is not read', () => {
  it('an answer that is not read ends its connection after a minute without a byte taken, and no sooner', async () => {
    const clock = createFakeClock();
    const closedAnswers: boolean[] = [];
    const { port } = await start(
      (_, response) => {
        response.once('close', () => closedAnswers.push(response.writableFinished));
        response.end(Buffer.alloc(32 * MB));
      },
      { clock },
    );
    const unread = open(port);
    unread.write('GET / HTTP/1.1\r\nHost: depot\r\n\r\n');
    await letTheOtherSideRun();
    const slow = open(port);
    slow.write('GET / HTTP/1.1\r\nHost: depot\r\n\r\n');
    for (let minute = 0; minute < 5; minute += 1) {
      // Some megabytes at a time, which is much for the buffers of the system and little of the answer.
      let taken = 0;
      while (taken < 3 * MB) {
        taken += (slow.read() as Buffer | null)?.length ?? 0;
        await new Promise(setImmediate);
      }
      await letTheOtherSideRun();
      clock.advance(minute === 0 ? 0 : 50_000);
    }
    expect(closedAnswers).toEqual([false]);
    slow.resume();
    await expect.poll(() => closedAnswers).toEqual([false, true]);
  });
});

describe('as many connections as there may be', () => {
  it('the oldest unfinished connections of the fullest address give way at the maximum', async () => {
    const { port } = await start(echo, { limits: { connections: 10 } });
    const others = [open(port), open(port)];
    others[0]?.write('POST / HTTP/1.1\r\nHost: depot\r\nContent-Length: 10\r\n\r\nhalf');
    const flood: Socket[] = [];
    for (let at = 0; at < 20; at += 1) {
      const socket = connect({ port, host: HOST, localAddress: '127.0.0.2' });
      undo.push(async () => {
        if (!socket.closed) await once(socket.destroy(), 'close');
      });
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      flood.push(socket);
    }
    await Promise.all(flood.slice(0, 12).map(closed));
    others[0]?.write('+whole');
    others[1]?.write('GET /second HTTP/1.1\r\nHost: depot\r\n\r\n');
    const [first, second] = others;
    if (first === undefined || second === undefined) throw new Error('nobody is there');
    expect(await readUntil(first, '>')).toContain('body=half+whole>');
    expect(await readUntil(second, '>')).toContain('</second');
  });

  it('connections that are all being answered stay when their maximum is reached, and the newcomer is rejected', async () => {
    const answers: (() => void)[] = [];
    const { port } = await start((_, response) => answers.push(() => void response.end('<done>')), {
      limits: { connections: 3 },
    });
    const busy = [open(port), open(port), open(port)];
    for (const socket of busy) socket.write('GET / HTTP/1.1\r\nHost: depot\r\n\r\n');
    await expect.poll(() => answers.length).toBe(3);
    await closed(open(port));
    for (const answer of answers) answer();
    for (const socket of busy) expect(await readUntil(socket, '>')).toContain('<done>');
    // Answered, they give way again.
    const late = open(port);
    late.write('GET / HTTP/1.1\r\nHost: depot\r\n\r\n');
    await expect.poll(() => answers.length).toBe(4);
  });

  it('connections with an unfinished handshake give way at the maximum too', async () => {
    const { port } = await start(echo, { tls: { cert: CERT, key: KEY }, limits: { connections: 4 } });
    const silent = Array.from({ length: 4 }, () => open(port));
    await Promise.all(silent.map((socket) => once(socket, 'connect')));
    const client = tlsConnect({ port, host: HOST, rejectUnauthorized: false });
    undo.push(async () => {
      if (!client.closed) await once(client.destroy(), 'close');
    });
    client.write('GET /over-tls HTTP/1.1\r\nHost: depot\r\n\r\n');
    expect(await readUntil(client, '>')).toContain('</over-tls');
    await Promise.race(silent.map(closed));
  });
});

describe('a large body', () => {
  const SIZE_MB = 64;

  it('a large body goes up intact, and the client waits for a handler that does not read', async () => {
    const received = createHash('sha256');
    const { stream, hash, givenMb } = source(SIZE_MB);
    let unreadMb = 0;
    const { port } = await start((request, response) => {
      void (async () => {
        await letTheOtherSideRun();
        unreadMb = givenMb();
        for await (const chunk of request as AsyncIterable<Buffer>) received.update(chunk);
        response.end('<done>');
      })();
    });
    const request = httpRequest({ port, host: HOST, method: 'POST' });
    const answered = once(request, 'response');
    await pipeline(stream, request);
    const [response] = (await answered) as [Readable];
    expect(Buffer.concat(await response.toArray()).toString()).toBe('<done>');
    expect(received.digest('hex')).toBe(hash.digest('hex'));
    // The buffers of both sides and of the system, but never the whole body.
    expect(unreadMb).toBeLessThan(SIZE_MB / 2);
  });

  it.each([
    ['with its length', { 'Content-Length': SIZE_MB * MB }],
    ['in chunks', {}],
  ])(
    'a large body comes down intact %s, and the handler waits for a client that does not read',
    async (_, headers) => {
      const { stream, hash, givenMb } = source(SIZE_MB);
      const { port } = await start((_request, response) => {
        response.writeHead(200, headers);
        void pipeline(stream, response);
      });
      const request = httpRequest({ port, host: HOST }).end();
      const [response] = (await once(request, 'response')) as [Readable];
      await letTheOtherSideRun();
      expect(givenMb()).toBeLessThan(SIZE_MB / 2);
      const received = createHash('sha256');
      for await (const chunk of response as AsyncIterable<Buffer>) received.update(chunk);
      expect(received.digest('hex')).toBe(hash.digest('hex'));
    },
  );

  it('a large body comes down intact when it is written in many pieces at once, text and bytes', async () => {
    const pieces = Array.from({ length: 500 }, (_, index) =>
      index % 2 === 0 ? `${index} – é\n` : randomBytes(index),
    );
    const { port } = await start((_, response) => {
      for (const piece of pieces) response.write(piece);
      response.end();
    });
    const request = httpRequest({ port, host: HOST }).end();
    const [response] = (await once(request, 'response')) as [Readable];
    const expected = Buffer.concat(
      pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
    );
    expect(Buffer.concat(await response.toArray()).equals(expected)).toBe(true);
  });
});

describe('a listener that closes', () => {
  it('a listener that closes cuts idle connections and those without a request, and accepts no more', async () => {
    const { front, port } = await start(echo);
    const silent = open(port);
    const idle = open(port);
    idle.write('GET / HTTP/1.1\r\nHost: depot\r\n\r\n');
    await readUntil(idle, '>');
    await front.close(60_000);
    await Promise.all([closed(silent), closed(idle)]);
    const [error] = (await once(connect(port, HOST), 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNREFUSED');
  });

  it('a listener that closes lets the answers under way end, and says that the connection closes', async () => {
    const answers: (() => void)[] = [];
    let started: () => void = () => undefined;
    const both = new Promise<void>((resolve) => {
      started = resolve;
    });
    const { front, port } = await start((request, response) => {
      if (request.url === '/begun') response.write('<begun');
      answers.push(() => response.end('<answer>'));
      if (answers.length === 2) started();
    });
    const fresh = open(port);
    const begun = open(port);
    fresh.write('GET /fresh HTTP/1.1\r\nHost: depot\r\n\r\n');
    begun.write('GET /begun HTTP/1.1\r\nHost: depot\r\n\r\n');
    await both;
    const done = front.close(60_000);
    answers.forEach((answer) => answer());
    const [first, second] = await Promise.all([readUntil(fresh, undefined), readUntil(begun, undefined)]);
    expect(first).toMatch(/Connection: close[^]*<answer>/);
    expect(second).toContain('<answer>');
    await done;
  });

  it('a listener that closes sends an answer whole that was complete but not yet read', async () => {
    const body = randomBytes(16 * MB);
    const { front, port } = await start((_, response) => response.end(body));
    const request = httpRequest({ port, host: HOST }).end();
    const [response] = (await once(request, 'response')) as [Readable];
    const done = front.close(60_000);
    expect(Buffer.concat(await response.toArray()).equals(body)).toBe(true);
    await done;
  });

  it('a listener that closes cuts what is still under way at its deadline', async () => {
    const { front, httpServer, port } = await start((_, response) => response.write('<stream'));
    const socket = open(port);
    socket.write('GET / HTTP/1.1\r\nHost: depot\r\n\r\n');
    await readUntil(socket, '<stream');
    const ended = once(httpServer, 'close');
    await front.close(20);
    await Promise.all([closed(socket), ended]);
  });

  it('a listener that closes may be closed twice, and before listening', async () => {
    const { front } = await start(echo);
    await Promise.all([front.close(), front.close()]);
    await createFront(createServer(echo)).close();
  });
});

describe('listening', () => {
  it('listening fails with the error of the system on a port that is taken', async () => {
    const { port } = await start(echo);
    await expect(createFront(createServer(echo)).listen(port, HOST)).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });
});

describe('with TLS', () => {
  const tls = { cert: CERT, key: KEY };

  it('a listener with TLS renames the header, and the connection says that it is encrypted', async () => {
    const { port } = await start(
      (request, response) => {
        response.end(
          `<${String(request.headers['authorization-refresh'])} ${String('encrypted' in request.socket && request.socket.encrypted)} ${request.socket.remoteAddress ?? ''}>`,
        );
      },
      { tls },
    );
    const socket = tlsConnect({ port, host: HOST, rejectUnauthorized: false });
    undo.push(() => Promise.resolve(socket.destroy()));
    socket.write(refresh());
    expect(await readUntil(socket, '>')).toContain(`<JWT a.b.c true ${HOST}>`);
  });

  it('a listener with TLS lets an answer under way end before it closes', async () => {
    let answer = (): unknown => undefined;
    const { front, httpServer, port } = await start(
      (_, response) => {
        answer = () => response.end('<answer>');
      },
      { tls },
    );
    const socket = tlsConnect({ port, host: HOST, rejectUnauthorized: false });
    undo.push(() => Promise.resolve(socket.destroy()));
    socket.write('GET / HTTP/1.1\r\nHost: depot\r\n\r\n');
    await once(httpServer, 'request');
    const done = front.close(60_000);
    answer();
    expect(await readUntil(socket, undefined)).toContain('<answer>');
    await done;
  });

  it('a listener with TLS carries a large answer intact', async () => {
    const { stream, hash } = source(16);
    const { port } = await start((_, response) => void pipeline(stream, response), { tls });
    const request = httpsRequest({ port, host: HOST, rejectUnauthorized: false, agent: false }).end();
    const [response] = (await once(request, 'response')) as [Readable];
    const received = createHash('sha256');
    for await (const chunk of response as AsyncIterable<Buffer>) received.update(chunk);
    expect(received.digest('hex')).toBe(hash.digest('hex'));
  });

  it('a listener with TLS closes a connection that does not speak it, and continues', async () => {
    const { port } = await start(echo, { tls });
    const socket = open(port);
    socket.write('GET / HTTP/1.1\r\nHost: depot\r\n\r\n');
    await closed(socket);
    const request = httpsRequest({ port, host: HOST, rejectUnauthorized: false, agent: false }).end();
    await once(request, 'response');
  });

  it('a listener with TLS closes with a handshake that never ends, and with idle connections', async () => {
    const { front, httpServer, port } = await start(echo, { tls });
    const silent = open(port);
    await once(silent, 'connect');
    const idle = tlsConnect({ port, host: HOST, rejectUnauthorized: false });
    idle.on('error', () => undefined);
    await once(httpServer, 'connection');
    await front.close(60_000);
    await Promise.all([closed(silent), closed(idle)]);
  });
});
