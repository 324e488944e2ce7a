/**
 * Puts into dist/service what the installer of Windows offers as a service: the host of the installed desktop, under the
 * same wrapper as a packed host. Without the wrapper the folder stays empty, and the installer offers nothing.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NotPacked, serviceWrapper } from './packHost.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SERVICE = join(ROOT, 'resources', 'service');

/**
 * What the wrapper runs, from what it runs of a packed host: the desktop's program in the place of Node. Options are
 * variables of the system, because an update replaces this file.
 *
 * @param hosts resources/service/fleetdeck-service.xml
 */
export function desktopServiceXml(hosts: string): string {
  return hosts
    .replace('..\\runtime\\node.exe', '..\\Fleetdeck.exe')
    .replace('"%BASE%\\..\\app\\fleetdeck.cjs" serve', '--cli -- serve')
    .replace(
      /<!--.*?-->/s,
      '<!-- The host as a service of Windows, read by fleetdeck-service.exe (WinSW 2). Its options are variables of the\n' +
        '     system (setx /M FLEETDECK_HOST 0.0.0.0): updates replace this file. -->',
    )
    .replace(/ *<env .*\n/, '');
}

/** @param wrapper a program of WinSW */
export function putDesktopService(folder: string, wrapper: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const lay = (name: string, text: string) =>
    writeFileSync(join(folder, name), text.replaceAll(/\r?\n/g, '\r\n'));
  lay(
    'fleetdeck-service.xml',
    desktopServiceXml(readFileSync(join(SERVICE, 'fleetdeck-service.xml'), 'utf8')),
  );
  lay('install-service.cmd', readFileSync(join(SERVICE, 'install-service.cmd'), 'utf8'));
  copyFileSync(wrapper, join(folder, 'fleetdeck-service.exe'));
}

if (import.meta.main) {
  const folder = join(ROOT, 'dist', 'service');
  try {
    putDesktopService(folder, await serviceWrapper(null));
  } catch (error) {
    if (!(error instanceof NotPacked)) throw error;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    process.stderr.write(`fleetdeck: ${error.message}: the installer for Windows offers no service.\n`);
  }
}
