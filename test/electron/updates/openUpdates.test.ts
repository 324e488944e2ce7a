import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWords } from '../../../electron/language.ts';
import { goBackWhereNeeded, openUpdates } from '../../../electron/updates/openUpdates.ts';
import { createWayBack } from '../../../electron/updates/wayBack.ts';
import type { Updates } from '../../../electron/updates/updates.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { startTestHost } from '../../support/testHost.ts';
import { createElectronParts } from '../electronParts.ts';
import { newKey } from './updateServer.ts';

const log = pino({ level: 'silent' });
const settings = {
  ...{ on: true, url: 'https://updates.example/', publicKey: newKey().publicKey },
  ...{ hour: 3, byItself: false },
};
let folder: string;
let updates: Updates | null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetdeck-open-updates-'));
  vi.stubEnv('APPIMAGE', undefined);
  updates = null;
});
afterEach(() => {
  updates?.stop();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** Updates on stand-ins of Electron, the host and electron-updater; `acts` is what they were asked for, in its order. */
function open({ openAlarms = 0, shownAlarms = 0, closes = () => Promise.resolve() } = {}) {
  const acts: string[] = [];
  const { app, electron } = createElectronParts();
  app.releaseSingleInstanceLock.mockImplementation(() => void acts.push('lock released'));
  app.relaunch.mockImplementation(() => void acts.push('started again'));
  const wayBack = createWayBack({ folder: join(folder, 'updates'), version: '1.2.3', canInstall: false });
  const installer = join(folder, 'Fleetdeck-2.0.0.deb');
  writeFileSync(installer, 'the new version');
  const opened = openUpdates({
    ...{ app: electron.app, folder, wayBack, log },
    host: {
      openAlarms: () => Promise.resolve(openAlarms),
      downloads: () => 0,
      close: async () => {
        acts.push('host closed');
        await closes();
      },
    },
    shownAlarms: () => shownAlarms,
    leave: () => acts.push('goodbye'),
    end: () => acts.push('end'),
    load: () =>
      Promise.resolve({
        check: () => Promise.resolve({ version: '2.0.0' }),
        download: () => Promise.resolve(installer),
        install: () => acts.push('installer started'),
      }),
  });
  updates = opened;
  return { opened, acts, app, wayBack };
}

async function findAndInstall(opened: Updates): Promise<void> {
  opened.change(settings);
  opened.check();
  await vi.waitFor(() => expect(opened.state().phase).toBe('ready'));
  await opened.install();
}

describe('updates of the desktop', () => {
  it('are installed after the goodbye, with the host closed, and leave the lock to the new version', async () => {
    const { opened, acts } = open();
    await findAndInstall(opened);
    expect(acts).toEqual(['goodbye', 'host closed', 'lock released', 'installer started', 'end']);
    expect(JSON.parse(readFileSync(join(folder, 'updates', 'update.json'), 'utf8'))).toMatchObject({
      ...{ from: '1.2.3', to: '2.0.0' },
    });
  });

  it('are not installed while the host or any console shows an open alarm', async () => {
    for (const alarms of [{ openAlarms: 1 }, { shownAlarms: 1 }]) {
      const { opened, acts } = open(alarms);
      await findAndInstall(opened);
      expect(acts).toEqual([]);
      expect(opened.state().reason).toContain('Open alarms: 1.');
      opened.stop();
      rmSync(join(folder, 'updates'), { recursive: true, force: true });
    }
  });

  it('start the program again where nothing could be prepared, since its host is closed', async () => {
    const { opened, acts, app } = open({ closes: () => Promise.reject(new Error('the disk is full')) });
    await findAndInstall(opened);
    expect(acts).toEqual(['goodbye', 'host closed', 'started again', 'end']);
    expect(app.relaunch.mock.lastCall?.[0].execPath).toBe(process.execPath);
  });

  it('keep the AppImage of this version and the new one, and say where to go back to', async () => {
    const program = join(folder, 'Fleetdeck.AppImage');
    writeFileSync(program, 'this version');
    vi.stubEnv('APPIMAGE', program);
    const { opened } = open();
    await findAndInstall(opened);
    const installers = join(folder, 'updates', 'installers');
    const kept = join(installers, '1.2.3-Fleetdeck.AppImage');
    expect(readdirSync(installers)).toEqual(['1.2.3-Fleetdeck.AppImage', '2.0.0-Fleetdeck-2.0.0.deb']);
    expect(readFileSync(kept, 'utf8')).toBe('this version');
    expect(JSON.parse(readFileSync(join(folder, 'updates', 'update.json'), 'utf8'))).toMatchObject({
      installer: kept,
    });
  });

  it('start an AppImage again by its file, since its mount ends with it', async () => {
    vi.stubEnv('APPIMAGE', '/opt/Fleetdeck.AppImage');
    const { opened, app } = open({ closes: () => Promise.reject(new Error('the disk is full')) });
    await findAndInstall(opened);
    expect(app.relaunch.mock.lastCall?.[0].execPath).toBe('/opt/Fleetdeck.AppImage');
  });
});

describe('a start after an update', () => {
  const start = (version = '2.0.0') => {
    const { dialog } = createElectronParts();
    const acts: string[] = [];
    dialog.showErrorBox.mockImplementation((title) => void acts.push(title));
    const wayBack = createWayBack({ folder: join(folder, 'updates'), version, canInstall: false });
    const goesOn = goBackWhereNeeded({
      ...{ dialog, wayBack, folder, log },
      leave: () => acts.push('goodbye'),
      say: createWords(() => 'en').say,
    });
    return { goesOn, acts };
  };

  it('goes on where nothing was updated', async () => {
    const { goesOn, acts } = start();
    expect(await goesOn).toBe(true);
    expect(acts).toEqual([]);
  });

  it('brings back what the version of before had stored, and leaves videos and maps where they are', async () => {
    const data = join(folder, 'data');
    const add = async (name: string, options: Parameters<typeof startTestHost>[0]) => {
      const host = await startTestHost(options);
      const dealer = await host.login();
      await dealer.ask(vehicleRoutes.create, { body: { name, terminal_id: name } });
      await host.stop();
      return host;
    };
    const { data: made } = await add('Van', {});
    renameSync(made, data);
    const { opened } = open();
    await findAndInstall(opened);
    // The new version starts, and does not come up.
    expect(await start().goesOn).toBe(true);
    await add('Bus', { data });
    // Put there now: a host that runs removes files that it does not know.
    const kept = [join(data, 'video', 'clip.mp4'), join(data, 'maps', 'region.pmtiles')];
    for (const file of kept) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, 'bytes');
    }
    expect(await start('1.2.3').goesOn).toBe(true);
    expect(kept.filter((file) => !existsSync(file))).toEqual([]);
    expect(readdirSync(data).filter((it) => it.startsWith('replaced-'))).toHaveLength(1);
    const host = await startTestHost({ data });
    const { items } = await (await host.login()).ask(vehicleRoutes.list);
    expect(items.map(({ name }) => name)).toEqual(['Van']);
    await host.stop();
  });

  it('says goodbye before the box that has the operator install the version of before', async () => {
    const { opened } = open();
    await findAndInstall(opened);
    // Starts that did not come up.
    let last = start();
    for (let tries = 0; tries < 5 && (await last.goesOn); tries++) last = start();
    expect(await last.goesOn).toBe(false);
    expect(last.acts).toEqual(['goodbye', 'Fleetdeck 2.0.0 did not start']);
  });
});
