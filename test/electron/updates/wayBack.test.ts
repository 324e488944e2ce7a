import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  asksToInstall,
  canInstallOld,
  hindranceOf,
  installerHere,
  installOld,
  loadUpdater,
  takeStep,
} from '../../../electron/updates/startUpdates.ts';
import { createWords } from '../../../electron/language.ts';
import { createWayBack, type StartStep } from '../../../electron/updates/wayBack.ts';
import { detailOf } from '../../../server/app.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { appImage } from './updateServer.ts';

let folder: string;
let program: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetdeck-way-back-'));
  program = join(folder, 'Fleetdeck.AppImage');
  writeFileSync(program, appImage('1.1.0'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const updates = () => join(folder, 'updates');
const at = (version: string, canInstall = true) => createWayBack({ folder: updates(), version, canInstall });
/** A start of a version, as far as its decision. */
const start = (version: string) => at(version).atStart();

function update(canKeep = true): string {
  const old = at('1.0.0');
  const backup = join(old.backupFolder(), 'backup-1');
  mkdirSync(backup);
  const installer = join(folder, 'fleetdeck.AppImage');
  writeFileSync(installer, appImage('1.0.0'));
  if (canKeep) old.keepInstaller('1.0.0', installer);
  old.keepInstaller('1.1.0', program);
  old.begin('1.1.0', backup);
  return backup;
}

async function take(step: StartStep, version: string) {
  const did: string[] = [];
  const goesOn = await takeStep(step, {
    wayBack: at(version),
    restoreData: (backup) => Promise.resolve(did.push(`restored ${backup}`)),
    installOld: (installer) =>
      installOld(installer, {
        appImage: program,
        start: (path, args) => did.push([path, ...args].join(' ')),
      }),
    say: createWords(() => 'en').say,
    tell: (title, words) => did.push(`${title}: ${words}`),
    log: () => undefined,
  });
  return { goesOn, did };
}

describe('the way back from an update', () => {
  it('without an update each start goes on', () => {
    expect(start('1.0.0')).toEqual({ step: 'start' });
  });

  it('a new version that does not come up in three starts is replaced by the old one, which restores the backup', async () => {
    const backup = update();
    for (let tries = 0; tries < 3; tries++) expect(start('1.1.0')).toEqual({ step: 'start' });
    const step = start('1.1.0');
    expect(step).toMatchObject({ step: 'install old', from: '1.0.0' });
    expect(await take(step, '1.1.0')).toEqual({ goesOn: false, did: [program] });
    expect(
      execFileSync('/bin/sh', ['-c', `"${program}" && cat "${program}.started"`], { encoding: 'utf8' }),
    ).toBe('1.0.0\n');

    const back = start('1.0.0');
    expect(await take(back, '1.0.0')).toEqual({ goesOn: true, did: [`restored ${backup}`] });
    expect(at('1.0.0').failedVersion()).toBe('1.1.0');
    expect(start('1.0.0')).toEqual({ step: 'start' });
  });

  it('a new version that is up for two minutes is the version', () => {
    update();
    const clock = createFakeClock();
    for (let tries = 0; tries < 3; tries++) start('1.1.0');
    at('1.1.0').cameUp((...timer) => clock.after(...timer));
    clock.advance(119_000);
    expect(existsSync(join(updates(), 'update.json'))).toBe(true);
    clock.advance(2_000);
    for (let tries = 0; tries < 9; tries++) expect(start('1.1.0')).toEqual({ step: 'start' });
  });

  it('a start that the operator ended counts as none', () => {
    update();
    for (let tries = 0; tries < 9; tries++) {
      expect(start('1.1.0')).toEqual({ step: 'start' });
      at('1.1.0').quitWell();
    }
  });

  it('an update whose installer was stopped changes nothing of the old version', () => {
    update();
    expect(start('1.0.0')).toEqual({ step: 'start' });
    expect(existsSync(join(updates(), 'update.json'))).toBe(false);
  });

  it('an old version that somebody has put back after failed starts restores the backup too', () => {
    const backup = update();
    start('1.1.0');
    expect(start('1.0.0')).toEqual({ step: 'restore data', backup, failed: '1.1.0' });
  });

  it('a backup that cannot be restored is tried again at the next start', async () => {
    update();
    start('1.1.0');
    const step = start('1.0.0');
    await expect(
      takeStep(step, {
        wayBack: at('1.0.0'),
        restoreData: () => Promise.reject(new Error('the disk is full')),
        installOld: () => undefined,
        say: createWords(() => 'en').say,
        tell: () => undefined,
        log: () => undefined,
      }),
    ).rejects.toThrow('the disk is full');
    expect(start('1.0.0')).toEqual(step);
  });

  it.each([
    ['where the old installer is not on the computer', false, true],
    ['where the system asks for a password before it installs', true, false],
  ])(
    '%s the operator reads what to install, and that the data comes back',
    async (_where, canKeep, canInstall) => {
      const backup = update(canKeep);
      for (let tries = 0; tries < 3; tries++) start('1.1.0');
      const { goesOn, did } = await take(at('1.1.0', canInstall).atStart(), '1.1.0');
      expect(goesOn).toBe(false);
      expect(did).toEqual([expect.stringContaining('Install Fleetdeck 1.0.0 again')]);
      expect(did[0]).toContain(backup);
      expect(start('1.0.0')).toMatchObject({ step: 'restore data' });
    },
  );

  it('an update that another version has overtaken is forgotten', () => {
    update();
    expect(start('1.2.0')).toEqual({ step: 'start' });
    expect(start('1.1.0')).toEqual({ step: 'start' });
    expect(existsSync(join(updates(), 'update.json'))).toBe(false);
  });

  it('the newest two installers and backups are kept', () => {
    const old = at('1.0.0');
    for (const [place, version] of ['0.7.0', '0.8.0', '0.9.0'].entries()) {
      old.keepInstaller(version, program);
      const kept = join(updates(), 'installers', `${version}-Fleetdeck.AppImage`);
      if (existsSync(kept)) utimesSync(kept, place + 1, place + 1);
      mkdirSync(join(old.backupFolder(), version));
      utimesSync(join(old.backupFolder(), version), place + 1, place + 1);
    }
    update();
    expect(readdirSync(join(updates(), 'installers'))).toEqual([
      '1.0.0-fleetdeck.AppImage',
      '1.1.0-Fleetdeck.AppImage',
    ]);
    expect(readdirSync(join(updates(), 'backups'))).toHaveLength(2);
    expect(readFileSync(join(updates(), 'installers', '1.0.0-fleetdeck.AppImage'))).toEqual(
      appImage('1.0.0'),
    );
  });

  it('the old installer of Windows is started as electron-updater starts the new one', () => {
    const started: string[][] = [];
    installOld('C:\\kept\\setup.exe', {
      appImage: undefined,
      start: (path, args) => started.push([path, ...args]),
    });
    expect(started).toEqual([['C:\\kept\\setup.exe', '--updated', '/S', '--force-run']]);
  });

  it.each([
    ['linux', {}, '/opt/Fleetdeck/fleetdeck', true],
    ['linux', { APPIMAGE: '/home/ann/fleetdeck.AppImage' }, '/tmp/.mount/fleetdeck', false],
    ['win32', { ProgramFiles: 'C:\\Program Files' }, 'c:\\Program Files\\Fleetdeck\\Fleetdeck.exe', true],
    ['win32', { ProgramFiles: 'C:\\Program Files' }, 'C:\\Users\\ann\\Fleetdeck\\Fleetdeck.exe', false],
    ['darwin', {}, '/Applications/Fleetdeck.app/Contents/MacOS/Fleetdeck', false],
  ] as const)(
    'whether %s asks before it installs, with %o at %s: %s',
    (platform, environment, program, asks) => {
      expect(asksToInstall(platform, environment, program)).toBe(asks);
    },
  );

  it('the installer of this version is the copy that Windows keeps, or the AppImage, and nowhere else', () => {
    const copy = join(folder, 'fleetdeck-updater', 'installer.exe');
    const onWindows = () => installerHere('win32', { LOCALAPPDATA: folder });
    expect(onWindows()).toBeNull();
    mkdirSync(dirname(copy));
    writeFileSync(copy, 'MZ');
    expect(onWindows()).toBe(copy);
    const systems = [
      ['linux', { APPIMAGE: program }],
      ['linux', {}],
      ['darwin', {}],
    ] as const;
    expect(systems.map(([platform, environment]) => installerHere(platform, environment))).toEqual([
      ...[program, null, null],
    ]);
    expect(canInstallOld('win32', {})).toBe(true);
    expect(systems.map(([platform, environment]) => canInstallOld(platform, environment))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('a program of Windows that another installer has put there is not updated by itself', async () => {
    const deps = {
      folder,
      resources: folder,
      after: () => () => undefined,
      now: () => 0,
      log: () => undefined,
    };
    const asked = { ...deps, platform: 'win32' as const, program: join(folder, 'Fleetdeck.exe') };
    await expect(loadUpdater(asked)).rejects.toThrow(/updated by whoever installed it/);
  });

  it.each([
    [{ alarms: 0, downloads: 0 }, null],
    [{ alarms: 1, downloads: 0 }, 'Installing waits. Open alarms: 1.'],
    [{ alarms: 100, downloads: 2 }, 'Installing waits. Open alarms: ≥ 100. Videos being fetched: 2.'],
  ])('what hinders an installation is said: %o', (open, words) => {
    const hindrance = hindranceOf(open);
    expect(hindrance && detailOf(hindrance)).toBe(words);
  });
});
