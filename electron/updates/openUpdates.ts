import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type * as Electron from 'electron';
import type { Logger } from 'pino';
import { backUpFolder, restoreBackup, type RunningHost } from '../../server/app.ts';
import { after } from '../lifeCycle.ts';
import type { Say } from '../language.ts';
import { switchesOfNextStart } from '../loginStart.ts';
import {
  asksToInstall,
  hindranceOf,
  installerHere,
  installOld,
  loadUpdater,
  takeStep,
} from './startUpdates.ts';
import { createUpdates, type Updates } from './updates.ts';
import type { WayBack } from './wayBack.ts';

/** Before anything of the user is opened. Returns whether this version goes on. */
export function goBackWhereNeeded(deps: {
  dialog: Pick<typeof Electron.dialog, 'showErrorBox'>;
  wayBack: WayBack;
  folder: string;
  /** From now on the program ends on purpose. */
  leave: () => void;
  say: Say;
  log: Logger;
}): Promise<boolean> {
  const { dialog, wayBack, folder, leave, say, log } = deps;
  return takeStep(wayBack.atStart(), {
    wayBack,
    // Videos and maps are no part of it, and of no version.
    restoreData: (backup) =>
      restoreBackup({ data: join(folder, 'data'), from: backup, replace: true, keepsFolders: true }),
    installOld: (installer) =>
      installOld(installer, {
        appImage: process.env['APPIMAGE'],
        start: (program, args) => spawn(program, args, { detached: true, stdio: 'ignore' }).unref(),
      }),
    say,
    tell(title, words) {
      // The box waits for the operator, and nothing is reported meanwhile.
      leave();
      dialog.showErrorBox(title, words);
    },
    log: (words, details) => log.error(details, words),
  });
}

/** Updates with Electron's parts, and with the way back to the version that runs. */
export function openUpdates(deps: {
  app: Pick<typeof Electron.app, 'getVersion' | 'relaunch' | 'releaseSingleInstanceLock'>;
  folder: string;
  wayBack: WayBack;
  /** Null while the own depot is off. */
  host: Pick<RunningHost, 'openAlarms' | 'downloads' | 'close'> | null;
  /** Open alarms that the console shows, of whatever host. */
  shownAlarms: () => number;
  /** From now on the program ends on purpose. */
  leave: () => void;
  end: () => void;
  log: Logger;
  load?: typeof loadUpdater;
}): Updates {
  const { app, wayBack, host, log, load = loadUpdater } = deps;
  const version = app.getVersion();
  const folder = join(deps.folder, 'updates');
  return createUpdates({
    file: join(folder, 'settings.json'),
    version,
    failedVersion: wayBack.failedVersion(),
    asksToInstall: asksToInstall(process.platform, process.env, process.execPath),
    loadUpdater: () =>
      load({
        folder,
        platform: process.platform,
        program: process.execPath,
        resources: process.resourcesPath,
        after,
        now: Date.now,
        log: (words) => log.info({ of: 'electron-updater' }, words),
      }),
    hindrance: async () =>
      hindranceOf({
        alarms: Math.max(deps.shownAlarms(), (await host?.openAlarms()) ?? 0),
        downloads: host?.downloads() ?? 0,
      }),
    async prepare(to, installer) {
      deps.leave();
      // From here on nothing is acknowledged that the backup would not have.
      await host?.close();
      const old = installerHere(process.platform, process.env);
      if (old !== null) wayBack.keepInstaller(version, old);
      wayBack.keepInstaller(to, installer);
      const data = join(deps.folder, 'data');
      const hasDepot = existsSync(join(data, 'settings.json'));
      const backup = hasDepot ? await backUpFolder(data, { to: wayBack.backupFolder(), clips: false }) : null;
      wayBack.begin(to, backup?.path ?? null);
      // The new version may start before this one has ended.
      app.releaseSingleInstanceLock();
    },
    end: deps.end,
    startAgain() {
      // Of an AppImage the mount ends with this process.
      const execPath = process.env['APPIMAGE'] ?? process.execPath;
      app.relaunch({ execPath, args: switchesOfNextStart(process.argv) });
      deps.end();
    },
    clock: { now: Date.now, after },
    log: (words, error) => log.warn({ err: error }, words),
  });
}
