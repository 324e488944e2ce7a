import { fork, type ChildProcess } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { wireName } from '../../electron/bridge/channels.ts';
import { anyPort } from '../support/freePorts.ts';
import type { Order, Published } from './fakeElectron.ts';
import { withFakeElectron } from './withFakeElectron.ts';

const ID = '0b0d7d4e-6a3c-4a52-9b0e-5a9a3f1c2d3e';
const MAIN = fileURLToPath(new URL('../../electron/main.ts', import.meta.url));

let folder: string;
let running: Desktop[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetdeck-main-'));
  writeFileSync(join(folder, 'ports.json'), JSON.stringify({ ports: [anyPort()] }));
  running = [];
});
afterEach(async () => {
  for (const { child } of running) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

class Desktop {
  readonly child: ChildProcess;
  private readonly said: Published[] = [];
  private hear: () => void = () => undefined;

  constructor(environment: Record<string, string> = {}) {
    this.child = fork(MAIN, {
      execArgv: [],
      env: {
        ...process.env,
        ...withFakeElectron(folder),
        FLEETDECK_RESTART_PAUSES_S: 'never',
        ...environment,
      },
    });
    this.child.on('message', (message: Published) => {
      this.said.push(message);
      this.hear();
    });
    running.push(this);
  }

  /** The next message of a kind; those before it are let go. */
  async next<T extends Published['published']>(published: T): Promise<Extract<Published, { published: T }>> {
    for (;;) {
      const message = this.said.shift();
      if (message === undefined) await this.somethingSaid();
      else if (isOf(message, published)) return message;
    }
  }

  /** Whether a message of a kind came that nobody has taken. */
  heard(published: Published['published']): boolean {
    return this.said.some((it) => it.published === published);
  }

  order(order: Order): void {
    this.child.send(order);
  }

  async ended(): Promise<number | null> {
    if (this.child.exitCode === null) await once(this.child, 'exit');
    return this.child.exitCode;
  }

  private somethingSaid(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.hear = resolve;
      this.child.once('exit', (code) =>
        reject(new Error(`It ended with ${code ?? 'a signal'}, see ${log()}`)),
      );
    });
  }
}

function isOf<T extends Published['published']>(
  message: Published,
  published: T,
): message is Extract<Published, { published: T }> {
  return message.published === published;
}

function log(): string {
  const file = join(folder, 'logs', 'fleetdeck.log');
  return existsSync(file) ? readFileSync(file, 'utf8') : 'what it wrote on standard error';
}

describe('the desktop, on a stand-in for Electron', () => {
  it('the desktop, on a stand-in for Electron starts the host and opens one window on it, in a sandbox', async () => {
    const desktop = new Desktop();
    const { options } = await desktop.next('window');
    expect(options.webPreferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
    });
    const { url } = await desktop.next('url');
    const health = await fetch(new URL('/api/v1/health', url));
    expect(health.status).toBe(200);
    expect(existsSync(join(folder, 'data'))).toBe(true);
  });

  it('the desktop, on a stand-in for Electron begins with the console of a remote host where its own depot is off', async () => {
    const port = anyPort();
    const url = 'http://127.0.0.1:1';
    const north = { id: 'a1', name: 'North', url, fingerprint: null, insecure: false, port };
    const kept = { connections: [north], last: 'a1', startsOwnDepot: false };
    writeFileSync(join(folder, 'connections.json'), JSON.stringify(kept));
    const desktop = new Desktop();
    expect(await desktop.next('url')).toMatchObject({ url: `http://127.0.0.1:${port}` });
    const call = await fetch(`http://127.0.0.1:${port}/api/v1/health`);
    expect(await call.json()).toMatchObject({ code: 'remote_unreachable' });
    expect(existsSync(join(folder, 'data'))).toBe(false);
    // Its page is the console's, and yet not that of the own depot, whose first dealer it must not make.
    for (const [channel, answer] of [['facts', { canNotify: true }] as const, ['setupCode', null] as const]) {
      desktop.order({
        order: 'send',
        channel: wireName(channel),
        origin: `http://127.0.0.1:${port}`,
        args: [],
      });
      const { value } = await desktop.next('answer');
      if (answer === null) expect(value).toBeNull();
      else expect(value).toMatchObject(answer);
    }
    desktop.order({ order: 'block' });
    await vi.waitFor(() => expect(log()).toContain('the event loop'), { timeout: 60_000, interval: 50 });
    desktop.order({
      order: 'send',
      channel: wireName('problemFacts'),
      origin: `http://127.0.0.1:${port}`,
      args: [],
    });
    expect((await desktop.next('answer')).value).toMatchObject({
      lines: expect.arrayContaining([expect.stringContaining('the event loop')]) as string[],
    });
    desktop.order({ order: 'quit' });
    expect(await desktop.ended()).toBe(0);
  });

  it('the desktop, on a stand-in for Electron hands the code of the first run to its own page alone', async () => {
    const desktop = new Desktop();
    const { url } = await desktop.next('url');
    const origin = new URL(url).origin;
    desktop.order({ order: 'send', channel: wireName('setupCode'), origin: 'http://127.0.0.1:1', args: [] });
    expect((await desktop.next('answer')).value).toBeNull();
    desktop.order({ order: 'send', channel: wireName('setupCode'), origin, args: [] });
    const { value: code } = await desktop.next('answer');
    const answer = await fetch(new URL('/setup', url), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: origin },
      body: JSON.stringify({ code, login: 'dealer', password: 'a dealer of the depot' }),
    });
    expect(answer.status).toBe(201);
  });

  it('the desktop, on a stand-in for Electron keeps its host when its window is closed, and closes it and ends when it is quit', async () => {
    const desktop = new Desktop();
    const { url } = await desktop.next('url');
    desktop.order({ order: 'close window' });
    expect((await desktop.next('box')).text).toContain('Fleetdeck keeps running');
    await desktop.next('hidden');
    expect((await fetch(new URL('/api/v1/health', url))).status).toBe(200);
    desktop.order({ order: 'quit' });
    expect((await desktop.next('box')).text).toContain('Positions from terminals are not received.');
    expect(await desktop.ended()).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
    expect(existsSync(join(folder, 'window.json'))).toBe(true);
  });

  it('the desktop, on a stand-in for Electron speaks as the system does, then as the console did last', async () => {
    const first = new Desktop({ FAKE_LANGUAGE: 'de-AT' });
    const { url } = await first.next('url');
    first.order({ order: 'close window' });
    expect((await first.next('box')).text).toContain('Fleetdeck läuft');
    await first.next('hidden');
    const origin = new URL(url).origin;
    first.order({ order: 'send', channel: wireName('setLanguage'), origin, args: ['ru'] });
    await first.next('answer');
    // It finds the data folder held, before there is a page.
    const second = new Desktop({ FAKE_LANGUAGE: 'de-AT' });
    expect((await second.next('box')).text).toMatch(
      /^Fleetdeck не может запуститься: Папку данных использует другой Fleetdeck[^]*in use by another host/,
    );
    expect(await second.ended()).toBe(1);
    first.order({ order: 'quit' });
    expect((await first.next('box')).text).toContain('Выйти из Fleetdeck?');
  });

  it('the desktop, on a stand-in for Electron closes the host and ends when the system asks, however often', async () => {
    const desktop = new Desktop();
    await desktop.next('url');
    desktop.child.kill('SIGTERM');
    desktop.child.kill('SIGTERM');
    expect(await desktop.ended()).toBe(0);
    expect(existsSync(join(folder, 'window.json'))).toBe(true);
  });

  it('the desktop, on a stand-in for Electron is at the same address at the next start', async () => {
    const first = new Desktop();
    const { url } = await first.next('url');
    first.order({ order: 'quit' });
    await first.ended();
    expect((await new Desktop().next('url')).url).toBe(url);
  });

  it('the desktop, on a stand-in for Electron says so when another program holds its port, and goes on at another', async () => {
    const first = new Desktop();
    const { url } = await first.next('url');
    first.order({ order: 'quit' });
    await first.ended();
    const squatter = createServer().listen(Number(new URL(url).port), '127.0.0.1');
    await once(squatter, 'listening');
    try {
      const second = new Desktop();
      expect((await second.next('url')).url).not.toBe(url);
      expect((await second.next('box')).text).toContain(`Port ${new URL(url).port} is in use`);
    } finally {
      squatter.close();
    }
  });

  it.each([
    ['Teltonika', 'FAKE_teltonika-port'],
    ['Wialon IPS', 'FAKE_wialon-port'],
  ])(
    'the desktop, on a stand-in for Electron says so when another program holds the port of %s for datagrams alone',
    async (who, variable) => {
      const squatter = createSocket('udp4');
      squatter.bind(0, '127.0.0.1');
      await once(squatter, 'listening');
      try {
        const { port } = squatter.address();
        const desktop = new Desktop({ [variable]: String(port) });
        await desktop.next('url');
        expect((await desktop.next('box')).text).toContain(
          `${who} terminals that send to ${port} do not reach`,
        );
      } finally {
        squatter.close();
      }
    },
  );

  it('the desktop, on a stand-in for Electron says why it cannot start, and ends', async () => {
    const first = new Desktop();
    await first.next('url');
    // Not kept from starting, as a second one of the same user is, it finds the data folder held.
    const second = new Desktop();
    expect((await second.next('box')).text).toContain('Fleetdeck cannot start');
    expect(await second.ended()).toBe(1);
  });

  /** As a page takes what was opened. */
  async function take(desktop: Desktop, url: string): Promise<unknown> {
    const channel = wireName('takeOpening');
    desktop.order({ order: 'send', channel, origin: new URL(url).origin, args: [] });
    return (await desktop.next('answer')).value;
  }

  it('the desktop, on a stand-in for Electron comes to the front at a second start, and opens what that was given', async () => {
    const desktop = new Desktop();
    const { url } = await desktop.next('url');
    writeFileSync(join(folder, 'list.csv'), 'name');
    const args = ['fleetdeck', '--hidden', `fleetdeck://vehicle/${ID}`, 'list.csv'];
    desktop.order({ order: 'emit', of: 'app', event: 'second-instance', args: [args, folder] });
    await desktop.next('front');
    expect(await take(desktop, url)).toEqual({ kind: 'link', link: { kind: 'vehicle', id: ID, at: null } });
    expect(await take(desktop, url)).toMatchObject({ kind: 'file', name: 'list.csv' });
    expect(await take(desktop, url)).toBeNull();
  });

  it('the desktop, on a stand-in for Electron opens the links and files that macOS reports, and its window at a click in the dock', async () => {
    const desktop = new Desktop();
    const { url } = await desktop.next('url');
    const file = join(folder, 'list.csv');
    writeFileSync(file, 'name');
    desktop.order({ order: 'emit', of: 'app', event: 'open-file', args: [file] });
    desktop.order({ order: 'emit', of: 'app', event: 'open-url', args: [`fleetdeck://task/${ID}`] });
    // Electron would open them itself.
    expect((await desktop.next('prevented')).event).toBe('open-file');
    expect((await desktop.next('prevented')).event).toBe('open-url');
    expect(await take(desktop, url)).toMatchObject({ kind: 'file', name: 'list.csv' });
    expect(await take(desktop, url)).toMatchObject({ link: { kind: 'task', id: ID } });
    desktop.order({ order: 'emit', of: 'app', event: 'activate', args: [] });
    await desktop.next('front');
  });

  it.each([
    ['Windows logs its user off', 'window', 'session-end'],
    ['the computer shuts down', 'powerMonitor', 'shutdown'],
  ] as const)(
    'the desktop, on a stand-in for Electron closes the host and ends without a question when %s',
    async (_when, of, event) => {
      const desktop = new Desktop();
      await desktop.next('url');
      desktop.order({ order: 'emit', of, event, args: [] });
      expect(await desktop.ended()).toBe(0);
      expect(desktop.heard('box')).toBe(false);
      expect(existsSync(join(folder, 'window.json'))).toBe(true);
    },
  );

  it('the desktop, on a stand-in for Electron ends at once when it is the second one, and touches nothing of the first', async () => {
    const second = new Desktop({ FAKE_IS_SECOND: '1' });
    expect(await second.ended()).toBe(0);
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });
});
