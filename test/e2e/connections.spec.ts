import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import type {
  Connections,
  NewConnection,
  UpdateSettings,
  UpdateState,
} from '../../electron/bridge/channels.ts';
import { probeHost } from '../../server/remote/hostFacts.ts';
import { startRemoteConsole, type RemoteConsole } from '../../server/remote/remoteConsole.ts';
import { startConsoleHost } from './depot.ts';
import { expect, Operator, test } from './operator.ts';
import { choose } from './videoSteps.ts';

/** The shell of the desktop, as far as it connects to hosts: what a page asks of it, answered by this process. */
const shellOf = () => {
  const { answerOfShell } = window as unknown as {
    answerOfShell: (name: string, args: unknown[]) => unknown;
  };
  const now: Record<string, unknown> = {
    facts: { version: '0.1.0', canNotify: false },
    setupCode: null,
    reloadReason: null,
  };
  const bridge = new Proxy(
    {},
    {
      get: (_target, name: string) => (first: unknown, second: unknown) =>
        name.startsWith('on')
          ? () => undefined
          : name in now
            ? now[name]
            : answerOfShell(name, [first, second]),
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
      // The page's own address is one of this computer alone.
      await page.goto(`${url}/#/users?id=new`);
      await page.getByRole('button', { name: 'Wall display' }).click();
      await expect(page.getByText(`${host.url}/?window=wall`)).toBeVisible();
      await host.stop();
      await expect(page.locator('.top-bar')).toContainText('Connection lost');
    } finally {
      await remotes[0]?.close();
      await host.close();
      await own.close();
    }
  },
);

test(
  'a dealer sets what holds for this computer: application, window, hosts and updates, and reads the licences',
  { tag: '@browser' },
  async ({ host, operator, page }) => {
    const [before, now] = ['AA:'.repeat(31) + 'AA', 'BB:'.repeat(31) + 'BB'];
    const harbour = {
      name: 'Harbour',
      url: 'https://harbour.example:8471',
      fingerprint: before,
      insecure: false,
    };
    const saved: Connections = {
      items: [{ ...harbour, id: 'a1' }],
      ...{ current: null, ownDepot: { runs: true, starts: true } },
    };
    let preferences = { startAtLogin: false, keepRunning: true, confirmQuit: true, mutedUntil: null };
    const updates: UpdateState = {
      ...{ phase: 'idle', version: '0.1.0', found: null, fraction: null, checked_ms: null },
      ...{ reason: null, causes: [] },
      settings: { on: false, url: '', publicKey: '', hour: 3, byItself: false },
    };
    const heard: unknown[] = [];
    const spoken: unknown[] = [];
    const answers: Record<string, (first: never) => unknown> = {
      setLanguage: (language) => void spoken.push(language),
      preferences: () => preferences,
      changePreferences: (change: Partial<typeof preferences>) =>
        (preferences = { ...preferences, ...change }),
      connections: () => saved,
      startOwnDepot: (starts: boolean) => ({ ...saved, ownDepot: { runs: true, starts } }),
      lookForHosts: () => [{ name: 'Depot North', url: 'https://north.example:8471' }],
      probeHost: ({ url, fingerprint }: Omit<NewConnection, 'name'>) => {
        if (url !== harbour.url) return { state: 'untrusted', url, fingerprint: now };
        if (fingerprint === before) return { state: 'changed', url, expected: before, found: now };
        return {
          state: 'found',
          url,
          fingerprint,
          depotName: 'Harbour depot',
          version: '0.1.0',
          api: 'same',
        };
      },
      addConnection: (added: NewConnection) => ({ ...added, id: 'a1' }),
      openConnection: () => null,
      updateState: () => updates,
      changeUpdates: (settings: UpdateSettings) => Object.assign(updates, { settings }),
      checkForUpdates: () => Object.assign(updates, { phase: 'ready', found: '0.2.0' }),
      installUpdate: () => Object.assign(updates, { phase: 'installing' }),
    };
    const asked = ['changePreferences', 'startOwnDepot', 'addConnection', 'changeUpdates', 'installUpdate'];
    await page.exposeFunction('answerOfShell', (name: string, [first]: [never]) => {
      if (asked.includes(name)) heard.push([name, first]);
      return answers[name]?.(first) ?? null;
    });
    await page.addInitScript(shellOf);
    await operator.logIn(`${host.url}/#/settings`);
    const group = (name: string) => page.getByRole('group', { name, exact: true });

    await group('Application').getByText('Start at login').click();
    await expect(group('Application').getByRole('switch', { name: /^Start at login/ })).toBeChecked();
    await choose(group('Notifications'), 'Bring the window to the front', 'Never');
    await expect(group('Notifications').getByRole('button')).toContainText('Never');
    await group('Hosts').getByText('Run a depot on this computer').click();
    await expect(group('Hosts').getByRole('switch')).not.toBeChecked();
    expect(heard.splice(0)).toEqual([
      ['changePreferences', { startAtLogin: true }],
      ['startOwnDepot', false],
    ]);

    await group('Hosts').getByRole('button', { name: 'Connect to another host…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Hosts' });
    await dialog.getByRole('button', { name: 'Look for hosts' }).click();
    await dialog.getByRole('button', { name: 'Connect to Depot North' }).click();
    await expect(dialog.locator('code')).toHaveText(now);
    await dialog.getByRole('button', { name: 'Back' }).click();
    await dialog.getByRole('button', { name: 'Connect to Harbour' }).click();
    await expect(dialog.getByRole('alert')).toContainText('shows another certificate');
    await expect(dialog.locator('code')).toHaveText([before, now]);
    await dialog.getByRole('button', { name: 'Confirm the new certificate' }).click();
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await expect.poll(() => heard).toMatchObject([['addConnection', { ...harbour, fingerprint: now }]]);
    heard.length = 0;
    await page.keyboard.press('Escape');

    const feed = {
      on: true,
      url: 'https://updates.example/',
      publicKey: 'A'.repeat(44),
      hour: 3,
      byItself: false,
    };
    await group('Updates')
      .getByText(/^Check for updates/)
      .click();
    await group('Updates').getByLabel('Address').fill(feed.url);
    await group('Updates').getByLabel('Public key').fill(feed.publicKey);
    await group('Updates').getByRole('button', { name: 'Save' }).click();
    await group('Updates').getByRole('button', { name: 'Check now' }).click();
    await expect(group('Updates')).toContainText('Version 0.2.0 is downloaded and verified.');
    await group('Updates').getByRole('button', { name: 'Install and restart' }).click();
    await group('Updates').getByRole('button', { name: 'Restart now?' }).click();
    await expect(group('Updates')).toContainText('Installing version 0.2.0.');
    expect(heard.map((it) => (it as unknown[])[0])).toEqual(['changeUpdates', 'installUpdate']);
    expect(updates.settings).toEqual(feed);

    await page.getByRole('tab', { name: 'About' }).click();
    const packages = page.getByRole('list', { name: 'Packages' });
    const map = packages.getByRole('listitem').filter({ hasText: /^maplibre-gl / });
    await map.getByText(/^maplibre-gl /).click();
    await expect(map.getByText(/Redistribution and use/)).toBeVisible();

    await page.getByRole('tab', { name: 'Language' }).click();
    expect(spoken.at(-1)).toBe('en');
    await page.getByRole('button', { name: /^Language|Language$/ }).click();
    await page.getByRole('option', { name: /Deutsch/ }).click();
    await expect.poll(() => spoken.at(-1)).toBe('de');
    // The page begins in the language of the browser, to which menus do not switch and back.
    spoken.length = 0;
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Sprache und Einheiten' })).toBeVisible();
    await expect.poll(() => [...new Set(spoken)]).toEqual(['de']);
  },
);
