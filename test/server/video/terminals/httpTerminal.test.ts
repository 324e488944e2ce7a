import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createServer as createTcpServer, isIP, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SettingsFields } from '../../../../server/contract/settings.ts';
import { createOwnAddress, type IsOwnAddress } from '../../../../server/video/ownAddress.ts';
import { createHttpTerminal } from '../../../../server/video/terminals/httpTerminal.ts';
import { TerminalError, type FragmentRequest } from '../../../../server/video/terminals/terminal.ts';
import { createFakeClock } from '../../../support/fakeClock.ts';
import { startCamera } from '../videoBench.ts';
import { faultOf } from './faultOf.ts';

const body = Buffer.from('twenty bytes of video');

interface Setting extends Partial<
  Pick<SettingsFields, 'timezone' | 'camera_max_bytes' | 'camera_timeout_s'>
> {
  ownPorts?: number[];
  isOwnAddress?: IsOwnAddress;
  checkRoom?: () => Promise<void>;
}

async function terminalFor(setting: Setting = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'camera-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const clock = createFakeClock();
  const terminal = createHttpTerminal({
    isOwnAddress: setting.isOwnAddress ?? createOwnAddress(() => setting.ownPorts ?? []),
    clock,
    connectMs: 5_000,
    answerMs: 10_000,
    idleMs: 20_000,
    settings: () => ({
      timezone: setting.timezone ?? 'UTC',
      camera_max_bytes: setting.camera_max_bytes ?? 1e6,
      camera_timeout_s: setting.camera_timeout_s ?? 600,
    }),
    checkQuota: setting.checkRoom ?? (() => Promise.resolve()),
  });
  const output = join(folder, 'fragment.part');
  const order = (
    connection: FragmentRequest['connection'],
    more: Partial<FragmentRequest> = {},
  ): FragmentRequest => ({
    vehicle_id: 'vehicle',
    terminal_id: 'terminal',
    channel: { channel: 2, name: 'Cabin' },
    from_ms: Date.UTC(2026, 10, 21, 4, 43, 0, 250),
    to_ms: Date.UTC(2026, 10, 21, 4, 43, 30, 250),
    connection,
    secret: null,
    output,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...more,
  });
  return { terminal, order, output, clock };
}

const give: RequestListener = (_request, response) => void response.end(body);
const status =
  (code: number, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(code, headers).end('<html><title>no</title></html>');

describe('an HTTP camera', () => {
  it('an HTTP camera is asked at its address with channel and times put in, each encoded', async () => {
    const camera = await startCamera(give);
    const { terminal, order, output } = await terminalFor();
    const url = `${camera.url}/rec/{channel}?a={from}&b={to}&c={from_unix}&d={to_unix}`;
    await terminal.fetchFragment(order({ url }));
    expect(camera.requests).toEqual([
      'GET /rec/2?a=2026-11-21T04%3A43%3A00.250Z&b=2026-11-21T04%3A43%3A30.250Z&c=1795236180&d=1795236211',
    ]);
    expect(await readFile(output)).toEqual(body);
    expect(camera.requested[0]?.headers.authorization).toBeUndefined();
  });

  it('an HTTP camera may be asked by the name of a channel, by the clock on the wall and by a length', async () => {
    const camera = await startCamera(give);
    const { terminal, order } = await terminalFor({ timezone: 'Asia/Kathmandu' });
    const url = `${camera.url}/{channel_name}?a={from_local}&b={to_local}&c={duration_s}`;
    await terminal.fetchFragment(order({ url }, { channel: { channel: 1, name: 'Front/left ä?' } }));
    expect(camera.requests).toEqual([
      'GET /Front%2Fleft%20%C3%A4%3F?a=2026-11-21T10%3A28%3A00&b=2026-11-21T10%3A28%3A31&c=31',
    ]);
  });

  it('an HTTP camera gets its user name and password, or its token', async () => {
    const camera = await startCamera(give);
    const { terminal, order } = await terminalFor();
    const { url } = camera;
    await terminal.fetchFragment(order({ url, auth: 'basic', username: 'ä' }, { secret: 'b:c' }));
    await terminal.fetchFragment(order({ url, auth: 'bearer' }, { secret: 'token' }));
    expect(camera.requested.map((it) => it.headers.authorization)).toEqual([
      `Basic ${Buffer.from('ä:b:c').toString('base64')}`,
      'Bearer token',
    ]);
  });

  it.each([
    ['MD5', 'md5'],
    ['SHA-256', 'sha256'],
  ])(
    'an HTTP camera that asks for a %s digest gets one, and a new one when its nonce was stale',
    async (algorithm, name) => {
      const hash = (text: string) => createHash(name).update(text).digest('hex');
      let nonce = 'first';
      const camera = await startCamera((request, response) => {
        const got = request.headers.authorization ?? '';
        const field = (key: string) => new RegExp(`${key}="?([^",]+)`).exec(got)?.[1] ?? '';
        const a1 = hash(`admin:cam:geheim`);
        const a2 = hash(`GET:${request.url ?? ''}`);
        const right = hash(`${a1}:${nonce}:${field('nc')}:${field('cnonce')}:auth:${a2}`);
        if (field('response') === right && nonce === 'second') {
          response.end(body);
          return;
        }
        const stale = got !== '' && nonce === 'first';
        if (stale) nonce = 'second';
        const challenge = `Digest realm="cam", nonce="${nonce}", qop="auth", algorithm=${algorithm}${stale ? ', stale=true' : ''}`;
        response.writeHead(401, { 'WWW-Authenticate': challenge }).end();
      });
      const { terminal, order, output } = await terminalFor();
      const connection = { url: `${camera.url}/a?b={channel}`, auth: 'digest', username: 'admin' } as const;
      await terminal.fetchFragment(order(connection, { secret: 'geheim' }));
      expect(await readFile(output)).toEqual(body);
      expect(camera.requests).toHaveLength(3);
      const refused = await faultOf(terminal.fetchFragment(order(connection, { secret: 'falsch' })));
      expect(refused.fault).toBe('refused');
      expect(camera.requests).toHaveLength(5);
    },
  );

  it.each([
    [404, 'no_recording'],
    [410, 'no_recording'],
    [204, 'no_recording'],
    [401, 'refused'],
    [403, 'refused'],
    [400, 'refused'],
    [429, 'busy'],
    [500, 'busy'],
    [503, 'busy'],
  ])('an HTTP camera that answers %i is reported: %s', async (code, fault) => {
    const camera = await startCamera(status(code, { 'WWW-Authenticate': 'Digest nonce="x"' }));
    const { terminal, order } = await terminalFor();
    const found = await faultOf(terminal.fetchFragment(order({ url: camera.url })));
    expect(found.fault).toBe(fault);
    expect(found.detail).toContain(String(code));
    if (code === 401) expect(found.detail).toContain('digest');
  });

  it('an HTTP camera that answers with nothing has no recording', async () => {
    const camera = await startCamera((_request, response) => void response.end());
    const { terminal, order } = await terminalFor();
    expect(await faultOf(terminal.fetchFragment(order({ url: camera.url })))).toMatchObject({
      fault: 'no_recording',
    });
  });

  it('an HTTP camera may redirect on its own host, five times, with its password', async () => {
    const camera = await startCamera((request, response) => {
      const step = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0);
      if (step === 5) response.end(body);
      else response.writeHead(302, { Location: `/${step + 1}` }).end();
    });
    const { terminal, order, output } = await terminalFor();
    const connection = { url: `${camera.url}/0`, auth: 'basic', username: 'u' } as const;
    await terminal.fetchFragment(order(connection, { secret: 'p' }));
    expect(await readFile(output)).toEqual(body);
    expect(camera.requested.every((it) => it.headers.authorization !== undefined)).toBe(true);
    camera.answer = (_request, response) => void response.writeHead(307, { Location: '/again' }).end();
    expect((await faultOf(terminal.fetchFragment(order(connection)))).detail).toContain('more than 5 times');
  });

  it.each(['http://192.0.2.1/x', 'https://other.example/', 'ftp://127.0.0.1/x', 'http://['])(
    'an HTTP camera may not redirect elsewhere, to %s',
    async (Location) => {
      const camera = await startCamera(status(302, { Location }));
      const { terminal, order } = await terminalFor();
      expect((await faultOf(terminal.fetchFragment(order({ url: camera.url })))).fault).toBe('refused');
      expect(camera.requests).toHaveLength(1);
    },
  );

  it('an HTTP camera may not be at a link-local, unspecified, multicast or disguised address', async () => {
    const camera = await startCamera(give);
    const { terminal, order } = await terminalFor();
    for (const host of ['169.254.169.254', '0.0.0.0', '224.0.0.1', '[fe80::1]', '[::ffff:127.0.0.1]']) {
      const found = await faultOf(terminal.fetchFragment(order({ url: `http://${host}:${camera.port}/` })));
      expect(found).toMatchObject({ fault: 'refused' });
    }
    expect(camera.requests).toEqual([]);
  });

  it('an HTTP camera may not be this host, by address, by name, or by a redirect', async () => {
    const own = await startCamera(give);
    const camera = await startCamera(status(302, { Location: `http://127.0.0.1:${own.port}/` }));
    const { terminal, order } = await terminalFor({ ownPorts: [own.port] });
    for (const url of [own.url, `http://localhost:${own.port}/`, camera.url]) {
      const found = await faultOf(terminal.fetchFragment(order({ url })));
      expect(found).toMatchObject({ fault: 'refused' });
      expect(found.detail).toContain('this host itself');
    }
    expect(own.requests).toEqual([]);
  });

  it('an HTTP camera may not be this host under a name that only turns out to be it when it is looked up', async () => {
    const own = await startCamera(give);
    const asked: string[] = [];
    const { terminal, order } = await terminalFor({
      isOwnAddress(host, port) {
        asked.push(host);
        return isIP(host) !== 0 && port === own.port;
      },
    });
    const found = await faultOf(terminal.fetchFragment(order({ url: `http://localhost:${own.port}/` })));
    expect(found.fault).toBe('refused');
    expect(asked[0]).toBe('localhost');
    expect(own.requests).toEqual([]);
  });

  it('an HTTP camera that is not there is off line, and says in words how', async () => {
    const camera = await startCamera(give);
    await camera.goAway();
    const { terminal, order } = await terminalFor();
    const line = order({ url: `${camera.url}/{from}` });
    expect(await faultOf(terminal.fetchFragment(line))).toMatchObject({
      fault: 'offline',
      detail: `The camera at 127.0.0.1:${camera.port} cannot be reached: it refuses the connection.`,
    });
    expect(await terminal.isOnline(line)).toBe(false);
    await camera.comeBack();
    expect(await terminal.isOnline(line)).toBe(true);
    camera.answer = status(500);
    expect(await terminal.isOnline(line)).toBe(true);
    expect(camera.requests).toEqual(['HEAD /', 'HEAD /']);
  });

  it('an HTTP camera with an unknown host name is off line', async () => {
    const { terminal, order } = await terminalFor();
    const found = await faultOf(terminal.fetchFragment(order({ url: 'http://camera.invalid/' })));
    expect(found.fault).toBe('offline');
  });

  it('an HTTP camera that takes the request and never answers is off line after a while', async () => {
    const camera = await startCamera(() => undefined);
    const { terminal, order, clock } = await terminalFor();
    const fetching = faultOf(terminal.fetchFragment(order({ url: camera.url })));
    await camera.asked(1);
    clock.advance(10_000);
    expect(await fetching).toMatchObject({ fault: 'offline' });
  });

  it('an HTTP camera that hangs up half-way is distinguished from one that is done', async () => {
    const camera = await startCamera((request, response) => {
      response.writeHead(200, { 'Content-Length': 1000 });
      response.write(body, () => request.socket.destroy());
    });
    const { terminal, order } = await terminalFor();
    expect(await faultOf(terminal.fetchFragment(order({ url: camera.url })))).toEqual({
      fault: 'hung_up',
      detail: 'The camera disconnected after 21 of 1000 bytes.',
    });
    camera.answer = (request, response) => void response.write(body, () => request.socket.destroy());
    expect((await faultOf(terminal.fetchFragment(order({ url: camera.url })))).fault).toBe('hung_up');
  });

  it('an HTTP camera that goes silent in the middle is given up after a while', async () => {
    const camera = await startCamera((_request, response) => {
      response.writeHead(200, { 'Content-Length': 1000 });
      response.write(body);
    });
    const { terminal, order, clock } = await terminalFor();
    let heard = (): void => undefined;
    const first = new Promise<void>((resolve) => (heard = resolve));
    const fetching = faultOf(
      terminal.fetchFragment(order({ url: camera.url }, { onProgress: () => setImmediate(heard) })),
    );
    await first;
    clock.advance(19_999);
    clock.advance(1);
    expect(await fetching).toEqual({
      fault: 'hung_up',
      detail: 'The camera sent nothing more for 20 s after 21 of 1000 bytes.',
    });
  });

  it('an HTTP camera that drips for ever is left when its whole time is over', async () => {
    let drip = (): void => undefined;
    const camera = await startCamera((_request, response) => {
      response.writeHead(200, { 'Content-Length': 1e5 });
      drip = () => void response.write('x');
      drip();
    });
    const { terminal, order, clock } = await terminalFor();
    // Never as long as a camera may be silent, but forty times that it drips.
    const onProgress = () =>
      setImmediate(() => {
        clock.advance(15_000);
        drip();
      });
    const found = await faultOf(terminal.fetchFragment(order({ url: camera.url }, { onProgress })));
    expect(found).toEqual({ fault: 'hung_up', detail: 'The camera was not done after 10 minutes.' });
  });

  it('an HTTP camera may not send more than the limit, stated or not', async () => {
    const camera = await startCamera((_request, response) => void response.end(Buffer.alloc(5000)));
    const { terminal, order } = await terminalFor({ camera_max_bytes: 4999 });
    expect((await faultOf(terminal.fetchFragment(order({ url: camera.url })))).fault).toBe('bad_media');
    camera.answer = (_request, response) => {
      response.write(Buffer.alloc(4000));
      response.end(Buffer.alloc(4000));
    };
    expect((await faultOf(terminal.fetchFragment(order({ url: camera.url })))).fault).toBe('bad_media');
  });

  it('an HTTP camera is held to the limits that hold when it is asked', async () => {
    const setting = { camera_max_bytes: 4999, camera_timeout_s: 600 };
    const camera = await startCamera((_request, response) => void response.end(Buffer.alloc(5000)));
    const { terminal, order, clock } = await terminalFor(setting);
    expect((await faultOf(terminal.fetchFragment(order({ url: camera.url })))).fault).toBe('bad_media');
    setting.camera_max_bytes = 5000;
    expect((await faultOf(terminal.fetchFragment(order({ url: camera.url })))).fault).toBe('none');
    setting.camera_timeout_s = 10;
    camera.answer = (_request, response) => void response.writeHead(200, { 'Content-Length': 2 }).write('x');
    const onProgress = () => setImmediate(() => clock.advance(10_000));
    expect(await faultOf(terminal.fetchFragment(order({ url: camera.url }, { onProgress })))).toEqual({
      fault: 'hung_up',
      detail: 'The camera was not done after 10 s.',
    });
  });

  it('an HTTP camera does not give the time of its first frame', async () => {
    const camera = await startCamera(give);
    const { terminal, order } = await terminalFor();
    expect(await terminal.fetchFragment(order({ url: camera.url }))).toBeNull();
  });

  it('an HTTP camera is left when the disk has only its reserve left in the middle', async () => {
    const camera = await startCamera(
      (_request, response) => void response.end(Buffer.alloc(40 * 1024 * 1024)),
    );
    const full = new TerminalError('disk_full', 'no room');
    const { terminal, order } = await terminalFor({
      camera_max_bytes: 1e9,
      checkRoom: () => Promise.reject(full),
    });
    expect((await faultOf(terminal.fetchFragment(order({ url: camera.url })))).fault).toBe('disk_full');
  });

  it('an HTTP camera reports its progress, and stops at once on request', async () => {
    const shares: number[] = [];
    const controller = new AbortController();
    const camera = await startCamera((_request, response) => {
      response.writeHead(200, { 'Content-Length': 42 });
      response.write(body);
    });
    const { terminal, order } = await terminalFor();
    const reason = new Error('stopped');
    const fetching = terminal.fetchFragment(
      order(
        { url: camera.url },
        {
          signal: controller.signal,
          onProgress: (share) => {
            shares.push(share);
            controller.abort(reason);
          },
        },
      ),
    );
    await expect(fetching).rejects.toBe(reason);
    expect(shares).toEqual([0.5]);
  });

  it('an HTTP camera that speaks no HTTP is off line, not a crash', async () => {
    const sockets: Socket[] = [];
    const server = createTcpServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.end('SSH-2.0-camera\r\n');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const { terminal, order } = await terminalFor();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    expect((await faultOf(terminal.fetchFragment(order({ url })))).fault).toBe('offline');
  });
});
