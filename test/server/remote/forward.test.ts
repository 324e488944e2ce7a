import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { replyCookies } from '../../../server/remote/cookies.ts';
import type { RemoteHost } from '../../../server/remote/remoteHost.ts';
import { startRemoteConsole } from '../../../server/remote/remoteConsole.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { openRaw, sendRaw } from '../../support/rawConnection.ts';
import { CERT, KEY } from '../http/frontServerCertificate.ts';

async function listen(server: Server | ReturnType<typeof createTlsServer>, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A host of the test's making, and the local end of a connection to it. */
async function connected(
  answer: RequestListener,
  options: { tls?: boolean; fingerprint?: string | null } = {},
) {
  const server =
    options.tls === true ? createTlsServer({ cert: CERT, key: KEY }, answer) : createServer(answer);
  const port = await listen(server);
  const clock = createFakeClock();
  const url = new URL(`${options.tls === true ? 'https' : 'http'}://127.0.0.1:${port}`);
  const console = await start({ url, fingerprint: options.fingerprint ?? null, insecure: false }, clock);
  return { server, port, clock, url: console.url };
}

async function start(host: RemoteHost, clock = createFakeClock()) {
  const console = await startRemoteConsole({
    connection: { id: 'a1', name: 'Depot', ...host },
    port: 0,
    consoleFolder: join(import.meta.dirname, 'none'),
    appVersion: '0.1.0',
    log: pino({ level: 'silent' }),
    clock,
  });
  onTestFinished(() => console.close());
  return console;
}

const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;

describe('a call of a remote host', () => {
  it('a call of a remote host bears its name and origin, and nothing that is for another', async () => {
    let heard: IncomingMessage['headers'] = {};
    const { url, port } = await connected((request, response) => {
      heard = request.headers;
      response.end('{}');
    });
    await sendRaw(url, [
      'GET /api/v1/me?a=%20b HTTP/1.1',
      `Host: ${new URL(url).host}`,
      `Origin: ${url}`,
      'Cookie: fleetdeck_local=secret; ata1_fleetdeck_x=mine; atb2_fleetdeck_y=other',
      'Authorization: JWT a.b.c',
      'Connection: close, X-Hop',
      'X-Hop: 1',
      'Referer: http://127.0.0.1/secret',
      'Sec-Fetch-Site: same-origin',
      'If-Match: "3"',
    ]);
    expect(heard).toEqual({
      host: `127.0.0.1:${port}`,
      via: '1.1 fleetdeck',
      origin: `http://127.0.0.1:${port}`,
      cookie: 'fleetdeck_x=mine',
      authorization: 'JWT a.b.c',
      'if-match': '"3"',
      connection: 'keep-alive',
    });
  });

  it('an answer of a remote host sets no policy, page or foreign cookie of this machine', async () => {
    const { url } = await connected((_request, response) => {
      response.writeHead(200, {
        'Content-Type': 'text/html',
        'Content-Security-Policy': "script-src 'unsafe-inline'",
        'Access-Control-Allow-Origin': '*',
        'Service-Worker-Allowed': '/',
        'Clear-Site-Data': '"*"',
        Refresh: '0; url=http://evil.example',
        'WWW-Authenticate': 'Basic realm="x"',
        ETag: '"7"',
        'X-Request-Id': 'of-the-host',
        'Set-Cookie': [
          'fleetdeck_x=1; Path=/auth; Secure; SameSite=None; Domain=evil.example; Max-Age=9',
          'other=1',
          'fleetdeck_y=a b',
        ],
      });
      response.end('<script>alert(1)</script>');
    });
    const { headers } = await fetch(`${url}/api/v1/me`);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; frame-ancestors 'none'; sandbox",
    );
    for (const name of [
      'access-control-allow-origin',
      'service-worker-allowed',
      'clear-site-data',
      'refresh',
    ])
      expect(headers.has(name), name).toBe(false);
    expect(headers.has('www-authenticate')).toBe(false);
    expect([headers.get('x-content-type-options'), headers.get('etag')]).toEqual(['nosniff', '"7"']);
    expect(headers.get('x-request-id')).toBe('of-the-host');
    expect(headers.getSetCookie()).toEqual([
      'ata1_fleetdeck_x=1; Path=/auth; Max-Age=9; HttpOnly; SameSite=Strict',
    ]);
  });

  it('a body whose length is called one of the connection is no second request of the remote host', async () => {
    const heard: string[] = [];
    const { url } = await connected((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        heard.push(`${request.url ?? ''} ${body}`);
        response.end('{}');
      });
    });
    const hidden = 'GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n';
    const raw = openRaw(url);
    onTestFinished(() => raw.close());
    const head = [
      'GET /api/v1/me HTTP/1.1',
      `Host: ${new URL(url).host}`,
      `Content-Length: ${hidden.length}`,
    ];
    raw.write(`${[...head, 'Connection: close, Content-Length'].join('\r\n')}\r\n\r\n${hidden}`);
    expect((await raw.answer()).status).toBe(200);
    expect(await (await fetch(`${url}/api/v1/last`)).text()).toBe('{}');
    expect(heard).toEqual([`/api/v1/me ${hidden}`, '/api/v1/last ']);
  });

  it('a remote host has two cookies in the browser, at two paths, whatever it sets', () => {
    const names = new Set<string>();
    const set = (header: string) => replyCookies([header], 'ata1_', names);
    expect(set('fleetdeck_a=1; Path=/auth')).toEqual([
      'ata1_fleetdeck_a=1; Path=/auth; HttpOnly; SameSite=Strict',
    ]);
    expect(set('fleetdeck_b=1; Path=/else/where')).toEqual(['ata1_fleetdeck_b=1; HttpOnly; SameSite=Strict']);
    expect(set('fleetdeck_c=1; Path=/')).toEqual([]);
    expect(set(`fleetdeck_a=${'x'.repeat(2_049)}`)).toEqual([]);
    expect(set('fleetdeck_a=; Max-Age=0; Path=/')).toHaveLength(1);
  });

  it.each([
    ['shown as a page', ['Sec-Fetch-Dest: document', 'Sec-Fetch-Site: none'], 404],
    ['run as a script', ['Sec-Fetch-Dest: script', 'Sec-Fetch-Site: same-origin'], 404],
    ['asked by another site', ['Sec-Fetch-Dest: empty', 'Sec-Fetch-Site: cross-site'], 403],
    ['asked by another port', ['Sec-Fetch-Dest: empty', 'Sec-Fetch-Site: same-site'], 403],
    ['asked by another origin', ['Origin: http://127.0.0.1:1'], 403],
    ['asked in a circle', ['Via: 1.1 fleetdeck'], 502],
  ])('an answer of a remote host cannot be %s: it is not asked', async (_how, fields, status) => {
    let calls = 0;
    const { url } = await connected((_request, response) => {
      calls += 1;
      response.end();
    });
    const lines = ['GET /api/v1/me HTTP/1.1', `Host: ${new URL(url).host}`, ...fields];
    expect((await sendRaw(url, lines)).status).toBe(status);
    const foreign = ['GET /api/v1/me HTTP/1.1', 'Host: evil.example', ...fields];
    expect((await sendRaw(url, foreign)).status).toBe(403);
    expect(calls).toBe(0);
  });

  it('nothing but the API is passed on to a remote host', async () => {
    const asked: string[] = [];
    const { url } = await connected((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    });
    for (const path of ['/docs', '/page.html', '/assets/a.js', '//evil.example/api', '/API/x', '/metrics'])
      await (await fetch(url + path)).text();
    expect(asked).toEqual(['/API/x', '/metrics']);
  });

  it('a remote host that redirects is not followed', async () => {
    const { url } = await connected((_request, response) => {
      response.writeHead(302, { Location: 'http://evil.example/' }).end();
    });
    const answer = await fetch(`${url}/api/v1/me`, { redirect: 'manual' });
    expect([answer.status, await codeOf(answer)]).toEqual([502, 'remote_unreachable']);
  });

  it('a caller who goes ends the call of the remote host, before its answer and within it', async () => {
    const calls: { response: Parameters<RequestListener>[1]; closed: Promise<unknown> }[] = [];
    let arrived = (): void => undefined;
    const { url } = await connected((_request, response) => {
      calls.push({ response, closed: once(response, 'close') });
      arrived();
    });
    for (const begins of [false, true]) {
      const there = new Promise<void>((resolve) => (arrived = resolve));
      const call = get(`${url}/api/v1/stream`);
      call.on('error', () => undefined);
      await there;
      const { response, closed } = calls.at(-1) ?? {};
      if (begins) {
        response?.write('data: 1\n\n');
        const [answer] = (await once(call, 'response')) as [IncomingMessage];
        await once(answer, 'data');
      }
      call.destroy();
      await closed;
      expect(response?.writableFinished).toBe(false);
    }
  });

  it('an answer that the remote host breaks off is no whole answer', async () => {
    const { url } = await connected((_request, response) => {
      response.write('half');
      response.once('drain', () => undefined);
      setImmediate(() => response.destroy());
    });
    const answer = await fetch(`${url}/api/v1/me`);
    await expect(answer.text()).rejects.toThrow();
  });

  it('an answer is read no faster than its caller takes it in', async () => {
    let written = 0;
    let isFull = (): void => undefined;
    const full = new Promise<void>((resolve) => (isFull = resolve));
    const chunk = Buffer.alloc(64 * 1024);
    const most = 256 * 1024 * 1024;
    const { url } = await connected((_request, response) => {
      const write = () => {
        while (written < most) {
          written += chunk.length;
          if (!response.write(chunk)) break;
        }
        if (written >= most) response.end();
      };
      let quiet: ReturnType<typeof setImmediate>;
      // Full when nothing was taken in for some thousand turns of the event loop.
      const watch = (turns: number, before: number) => {
        quiet = setImmediate(() => {
          if (written !== before) watch(0, written);
          else if (turns > 5_000) isFull();
          else watch(turns + 1, before);
        });
      };
      response.on('drain', write);
      response.once('close', () => clearImmediate(quiet));
      write();
      watch(0, written);
    });
    const reader = openRaw(url);
    onTestFinished(() => reader.close());
    reader.pause();
    reader.write(`GET /api/v1/file HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`);
    await full;
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  it('a body that the remote host does not want is answered as it says', async () => {
    const { url } = await connected((_request, response) => {
      response.writeHead(413, { 'Content-Type': 'application/problem+json' }).end('{}');
    });
    const sent = await fetch(`${url}/api/v1/maps/uploads/x`, {
      method: 'PUT',
      body: Buffer.alloc(4_000_000),
    });
    expect(sent.status).toBe(413);
  });

  it('a remote host that is down is named as such, and is called again when it is back', async () => {
    const { url, server, port } = await connected((_request, response) => response.end('"there"'));
    expect(await (await fetch(`${url}/api/v1/me`)).text()).toBe('"there"');
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    const lost = await fetch(`${url}/api/v1/me`);
    expect([lost.status, await codeOf(lost)]).toEqual([502, 'remote_unreachable']);
    await listen(
      createServer((_request, response) => response.end('"back"')),
      port,
    );
    expect(await (await fetch(`${url}/api/v1/me`)).text()).toBe('"back"');
  });

  it('a remote host that takes no connection is given up after 10 seconds, one that answers late is waited for', async () => {
    const silent = createServer();
    const port = await listen(silent);
    const clock = createFakeClock();
    // It takes the connection, and never answers the handshake.
    const reached = once(silent, 'connection') as Promise<[Socket]>;
    const { url } = await start(
      { url: new URL(`https://127.0.0.1:${port}`), fingerprint: null, insecure: false },
      clock,
    );
    const call = fetch(`${url}/api/v1/me`);
    await reached;
    clock.advance(10_000);
    expect(await codeOf(await call)).toBe('remote_unreachable');

    let answer = (): void => undefined;
    const late = await connected((_request, response) => (answer = () => response.end('late')));
    const slow = fetch(`${late.url}/api/v1/me`);
    await once(late.server, 'request');
    late.clock.advance(3_600_000);
    answer();
    expect(await (await slow).text()).toBe('late');
  });

  it('a remote host is asked 64 things at once, and no more', async () => {
    const waiting: (() => void)[] = [];
    let all = (): void => undefined;
    const reached = new Promise<void>((resolve) => (all = resolve));
    const { url } = await connected((_request, response) => {
      waiting.push(() => response.end());
      if (waiting.length === 64) all();
    });
    const calls = Array.from({ length: 64 }, () => fetch(`${url}/api/v1/me`));
    await reached;
    const refused = await fetch(`${url}/api/v1/me`);
    expect([refused.status, await codeOf(refused)]).toEqual([503, 'unavailable']);
    for (const end of waiting) end();
    expect((await Promise.all(calls)).map((it) => it.status)).toEqual(Array.from({ length: 64 }, () => 200));
  });
});

describe('the certificate of a remote host', () => {
  it('a remote host with another certificate than the confirmed one is sent nothing', async () => {
    for (const fingerprint of [null, 'AA:'.repeat(31) + 'AA']) {
      let bytes = 0;
      const { url, server } = await connected((_request, response) => response.end(), {
        tls: true,
        fingerprint,
      });
      server.on('secureConnection', (socket: Socket) =>
        socket.on('data', (chunk) => (bytes += chunk.length)),
      );
      const call = await fetch(`${url}/auth/login`, { method: 'POST', body: '{"password":"secret"}' });
      expect([call.status, await codeOf(call)]).toEqual([502, 'certificate_refused']);
      expect(bytes).toBe(0);
    }
  });

  it('a remote host is called without TLS on this machine, and elsewhere only when that was confirmed', async () => {
    const url = new URL('http://depot.invalid:80');
    const refused = await start({ url, fingerprint: null, insecure: false });
    expect(await codeOf(await fetch(`${refused.url}/api/v1/me`))).toBe('certificate_refused');
    const confirmed = await start({ url, fingerprint: null, insecure: true });
    expect(await codeOf(await fetch(`${confirmed.url}/api/v1/me`))).toBe('remote_unreachable');
  });
});
