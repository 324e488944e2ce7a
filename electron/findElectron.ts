import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Within Electron's folder. */
const PROGRAM: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
};

/**
 * The Electron program of the package, or null where it has none. The package itself must not be asked: without a
 * program it starts a download.
 *
 * @param packageFolder node_modules/electron
 * @param environment its `ELECTRON_OVERRIDE_DIST_PATH` names another folder for the program
 */
export function findElectron(
  packageFolder: string,
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string | null {
  const pathFile = join(packageFolder, 'path.txt');
  const program = existsSync(pathFile)
    ? readFileSync(pathFile, 'utf8').trim()
    : (PROGRAM[platform] ?? 'electron');
  const elsewhere = environment['ELECTRON_OVERRIDE_DIST_PATH'] ?? '';
  const path = join(elsewhere === '' ? join(packageFolder, 'dist') : elsewhere, program);
  return existsSync(path) ? path : null;
}
