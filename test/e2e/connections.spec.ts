import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import type { Connections, NewConnection } from '../../electron/bridge/channels.ts';
import { probeHost } from '../../server/remote/hostFacts.ts';
import { startRemoteConsole, type RemoteConsole } from '../../server/remote/remoteConsole.ts';
import { startConsoleHost } from './depot.ts';
import { expect, Operator, test } from './operator.ts';

/** The shell of the desktop, as far as it connects to hosts: what a page asks of it, answered by this process. */
const shellOf = () => {
  const { answerOfShell } = window as unknown as {
    answerOfShell: (name: string, args: unknown[]) => unknown;
  };
  const now: Record<string, unknown> = {
    facts: { version: '0.1.0', canNotify: false },
    setupCode: null,
  };
  const bridge = new Proxy(
    {},
    {
      get: (_target, name: string) => (first: unknown, second: unknown) =>
        name.startsWith('on') ? () => undefined : (now[name] ?? answerOfShell(name, [first, second])),
    },
  );
  Object.assign(window, { fleetdeckDesktop: bridge });
};

test(
  'a host elsewhere is connected to from the login, after its fingerprint was confirmed',
  { tag: '@browser' },
  async ({ page }) => {
    const own = await startConsoleHost();
    const host = await startConsoleHost({ settings: { tlsSelf: true } });
    const remotes: RemoteConsole[] = [];
    const saved: Connections = { items: [], current: null, ownDepot: { runs: true, starts: true } };
    const answers: Record<string, (first: never) => unknown> = {
      connections: () => saved,
      preferences: () => ({ startAtLogin: null, keepRunning: null, confirmQuit: false, mutedUntil: null }),
      probeHost: (asked: Parameters<typeof probeHost>[0]) => probeHost(asked),
      async addConnection(added: NewConnection) {
        saved.items.push({ ...added, id: 'a1' });
        const remote = await startRemoteConsole({
          connection: { ...added, id: 'a1', url: new URL(added.url) },
          port: 0,
          consoleFolder: fileURLToPath(new URL('../../dist/console', import.meta.url)),
          appVersion: '0.1.0',
          log: pino({ level: 'silent' }),
        });
        remotes.push(remote);
        return saved.items[0];
      },
      openConnection: () => void page.goto(remotes[0]?.url ?? '').catch(() => undefined),
    };
    await page.exposeFunction(
      'answerOfShell',
      (name: string, [first]: [never]) => answers[name]?.(first) ?? null,
    );
    await page.addInitScript(shellOf);
    try {
      await page.goto(own.url);
      await page.getByRole('button', { name: 'Connect to another host…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Hosts' });
      await dialog.getByLabel('Address').fill(host.url);
      await dialog.getByRole('button', { name: 'Connect' }).click();
      await expect(dialog.locator('code')).toHaveText(host.certificateSha256 ?? '');
      await dialog.getByRole('button', { name: 'The fingerprints are equal' }).click();
      await dialog.getByLabel('Name').fill('Harbour');
      await dialog.getByRole('button', { name: 'Connect' }).click();

      // This program's console, of that host.
      const { host: name } = new URL(host.url);
      await expect(page.getByText(`Connected to ${name}`)).toBeVisible();
      const url = new URL(page.url()).origin;
      expect(url).not.toBe(own.url);
      await new Operator(page).logIn(`${url}/#/live`);
      await expect(page.locator('.top-bar')).toContainText('Live');
      await expect(page.locator('.top-bar__host')).toHaveText(name);
      await page.reload();
      await expect(page.locator('.top-bar')).toContainText('Live');
      await host.stop();
      await expect(page.locator('.top-bar')).toContainText('Connection lost');
    } finally {
      await remotes[0]?.close();
      await host.close();
      await own.close();
    }
  },
);
