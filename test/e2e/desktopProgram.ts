import { createReadStream, existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { _electron, expect, type Download, type ElectronApplication, type Page } from '@playwright/test';
import { pino } from 'pino';
import type { DesktopBridge } from '../../electron/bridge/desktopBridge.ts';
import { startRemoteConsole } from '../../server/remote/remoteConsole.ts';
import { electronPath } from '../support/electron.ts';
import { CONSOLE, ROOT } from './depot.ts';

/** Starts the desktop of the build. @param folder of the program's own files @param place of who sits there */
export async function startDesktop(
  folder: string,
  place: { locale?: string; timezoneId?: string } = {},
): Promise<ElectronApplication> {
  const executablePath = electronPath();
  if (executablePath === null) throw new Error('no Electron program');
  return _electron.launch({
    executablePath,
    ...place,
    args: [
      // Chromium refuses its sandbox to root, which is who runs tests in a container.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ROOT,
      `--user-data-dir=${folder}`,
      '--osmand-port=0',
      '--teltonika-port=0',
      '--wialon-port=0',
      '--jt808-port=0',
      '--jt1078-port=0',
      '--restart-pauses-s=never',
    ],
  });
}

/** As when the system shuts down: `close` would wait for somebody who answers whether to quit. */
export async function endDesktop(program: ElectronApplication): Promise<void> {
  const ended = program.waitForEvent('close');
  await program.evaluate(() => void setImmediate(() => process.emit('SIGTERM')));
  await ended;
}

/**
 * Has a page open hosts by their local ends, as the desktop does: a spec goes to the address of its host, and the page is
 * at the same place of the console that leads there.
 *
 * @param localEndOf the origin at which the console of a host is on this machine
 */
export function leadToLocalEnds(page: Page, localEndOf: (origin: string) => Promise<string>): void {
  const ends = new Map<string, Promise<string>>();
  const goto = page.goto.bind(page);
  page.goto = async (url, options) => {
    const { origin, protocol } = new URL(url);
    if (!protocol.startsWith('http')) return goto(url, options);
    const end = ends.get(origin) ?? localEndOf(origin);
    ends.set(origin, end);
    const local = await end;
    // What the page shows is an address, too.
    ends.set(local, end);
    return goto(local + url.slice(origin.length), options);
  };
}

/** The desktop connects to a host and shows it. */
export async function connectDesktop(page: Page, origin: string): Promise<string> {
  const before = new URL(page.url()).origin;
  await page.evaluate(async (url) => {
    const { fleetdeckDesktop } = window as unknown as { fleetdeckDesktop: DesktopBridge };
    const { id } = await fleetdeckDesktop.addConnection({
      name: url,
      url,
      fingerprint: null,
      insecure: true,
    });
    // This page ends by it.
    void fleetdeckDesktop.openConnection(id);
  }, origin);
  await page.waitForURL((url) => url.origin !== before);
  return new URL(page.url()).origin;
}

/**
 * Has a page report what it saves as the downloads that a spec waits for: the desktop asks its operator where to, who
 * takes this folder.
 */
export async function leadSavedFiles(
  page: Page,
  program: ElectronApplication,
  folder: string,
): Promise<void> {
  interface SavedFile {
    name: string;
    path: string;
  }
  interface Operator {
    nextSavedFile: () => Promise<SavedFile>;
  }
  await program.evaluate(({ dialog }, to) => {
    const asked: SavedFile[] = [];
    const waiting: ((file: SavedFile) => void)[] = [];
    const operator: Operator = {
      nextSavedFile: () =>
        new Promise((resolve) => {
          const next = asked.shift();
          if (next === undefined) waiting.push(resolve);
          else resolve(next);
        }),
    };
    let count = 0;
    const showSaveDialog = (_owner: object, { defaultPath }: { defaultPath: string }) => {
      const name = defaultPath.replace(/^.*[\\/]/, '');
      const file = { name, path: `${to}/${++count} ${name}` };
      const next = waiting.shift();
      if (next === undefined) asked.push(file);
      else next(file);
      return Promise.resolve({ canceled: false, filePath: file.path });
    };
    Object.assign(globalThis, operator);
    Object.assign(dialog, { showSaveDialog });
  }, folder);
  const saved = async (): Promise<Download> => {
    const { name, path } = await program.evaluate(() => (globalThis as unknown as Operator).nextSavedFile());
    // It has this name once it is whole.
    await expect.poll(() => existsSync(path)).toBe(true);
    return {
      suggestedFilename: () => name,
      path: () => Promise.resolve(path),
      saveAs: (to: string) => copyFile(path, to),
      createReadStream: () => Promise.resolve(createReadStream(path)),
    } as unknown as Download;
  };
  const waitForEvent = page.waitForEvent.bind(page) as (...given: unknown[]) => Promise<unknown>;
  page.waitForEvent = ((...given: unknown[]) =>
    given[0] === 'download' ? saved() : waitForEvent(...given)) as Page['waitForEvent'];
}

/** The local ends of hosts, without a desktop. */
export function createLocalEnds() {
  const ends: Awaited<ReturnType<typeof startRemoteConsole>>[] = [];
  return {
    of: async (origin: string): Promise<string> => {
      const end = await startRemoteConsole({
        connection: {
          id: `e${ends.length}`,
          name: origin,
          url: new URL(origin),
          fingerprint: null,
          insecure: true,
        },
        ...{ port: 0, consoleFolder: CONSOLE, appVersion: '0.1.0', log: pino({ level: 'silent' }) },
      });
      ends.push(end);
      return new URL(end.url).origin;
    },
    close: async () => void (await Promise.all(ends.map((end) => end.close()))),
  };
}
