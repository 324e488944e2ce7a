import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AppUpdater } from 'electron-updater';
import { causeOf, type Cause } from '../../server/app.ts';
import type { Say } from '../language.ts';
import { createElectronUpdater } from './electronUpdater.ts';
import { readPublicKey, readSignedManifest, UpdateRefused } from './signedManifest.ts';
import type { Updater } from './updates.ts';
import { replaceAppImage, type StartStep, type WayBack } from './wayBack.ts';

/** As electron-builder names it after the package: there the installer of Windows leaves a copy of itself. */
const CACHE = 'fleetdeck-updater';
/** As electron-builder's installer of Windows names it, beside the program. */
const UNINSTALLER = 'Uninstall Fleetdeck.exe';

type After = (ms: number, run: () => void) => () => void;

/** electron-updater, loaded only where updates are switched on. */
export async function loadUpdater(deps: {
  folder: string;
  platform: NodeJS.Platform;
  /** The path of the running program. */
  program: string;
  resources: string;
  after: After;
  now: () => number;
  log: (words: string) => void;
}): Promise<Updater> {
  // The MSI leaves none, and electron-updater would install a second program beside it.
  if (deps.platform === 'win32' && !existsSync(join(dirname(deps.program), UNINSTALLER)))
    throw new UpdateRefused(causeOf('update.by_installer'));
  const { autoUpdater } = (await import('electron-updater')).default;
  prepareUpdater(autoUpdater, deps);
  return createElectronUpdater({
    updater: autoUpdater,
    readManifest: ({ url, publicKey }, name, signal) =>
      readSignedManifest(url, name, { key: readPublicKey(publicKey), fetch, signal, after: deps.after }),
    after: deps.after,
    now: deps.now,
  });
}

/** What electron-updater reads of its build; one that was not published anywhere has none. */
export function prepareUpdater(
  updater: AppUpdater,
  { folder, resources, log }: { folder: string; resources: string; log: (words: string) => void },
): void {
  if (!existsSync(join(resources, 'app-update.yml'))) {
    const file = join(folder, 'app-update.yml');
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, `updaterCacheDirName: ${CACHE}\n`);
    updater.updateConfigPath = file;
  }
  const write = (words?: unknown) => log(String(words));
  updater.logger = { info: write, warn: write, error: write };
}

/** The installer of the version that runs, where it is on this computer; else null. */
export function installerHere(
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
): string | null {
  const local = environment['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local');
  const path =
    platform === 'win32'
      ? join(local, CACHE, 'installer.exe')
      : platform === 'linux'
        ? environment['APPIMAGE']
        : undefined;
  return path !== undefined && existsSync(path) ? path : null;
}

/** Whether `installOld` can do its work: the others ask for a password, or are no installers. */
export const canInstallOld = (
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
): boolean => platform === 'win32' || (platform === 'linux' && environment['APPIMAGE'] !== undefined);

/** Whether the system asks somebody before it installs: for a package, and for a program that all users of Windows share. */
export function asksToInstall(
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
  program: string,
): boolean {
  if (platform === 'linux') return environment['APPIMAGE'] === undefined;
  if (platform !== 'win32') return false;
  const shared = ['ProgramFiles', 'ProgramFiles(x86)', 'ProgramW6432'].flatMap((it) => environment[it] ?? []);
  return shared.some((it) => program.toLowerCase().startsWith(`${it.toLowerCase()}\\`));
}

/** Puts an installer's version in the place of this one, which is to end then. */
export function installOld(
  installer: string,
  deps: { appImage: string | undefined; start: (program: string, args: readonly string[]) => void },
): void {
  if (deps.appImage === undefined) {
    // As electron-updater starts it: without questions, and with the program started after it.
    deps.start(installer, ['--updated', '/S', '--force-run']);
  } else {
    replaceAppImage(installer, deps.appImage);
    deps.start(deps.appImage, []);
  }
}

/** Does what a start has to do first. Returns whether the start goes on. */
export async function takeStep(
  step: StartStep,
  deps: {
    wayBack: Pick<WayBack, 'restored'>;
    restoreData: (backup: string) => Promise<unknown>;
    installOld: (installer: string) => void;
    say: Say;
    tell: (title: string, words: string) => void;
    log: (words: string, details: object) => void;
  },
): Promise<boolean> {
  switch (step.step) {
    case 'start':
      return true;
    case 'restore data':
      deps.log('an update did not start: the backup of before it is restored', step);
      if (step.backup !== null) await deps.restoreData(step.backup);
      deps.wayBack.restored(step.failed);
      return true;
    case 'install old':
      deps.log('this version did not start: the one before is installed', step);
      deps.installOld(step.installer);
      return false;
    case 'tell operator':
      deps.log('this version did not start, and the one before has to be installed by hand', step);
      deps.tell(
        deps.say('update.not_started', { version: step.to }),
        step.backup === null
          ? deps.say('update.install_old', { version: step.from })
          : deps.say('update.install_old_data', { version: step.from, backup: step.backup }),
      );
      return false;
  }
}

/** Why nothing may be installed now; null: it may. */
export function hindranceOf({ alarms, downloads }: { alarms: number; downloads: number }): Cause[] | null {
  if (alarms === 0 && downloads === 0) return null;
  return [
    causeOf('update.waits'),
    ...(alarms === 0 ? [] : [causeOf('update.open_alarms', { alarms: alarms < 100 ? alarms : '≥ 100' })]),
    ...(downloads === 0 ? [] : [causeOf('update.downloads', { downloads })]),
  ];
}
