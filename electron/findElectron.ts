import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix, win32 } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

const FETCH_LIMIT_MS = 15 * 60_000;

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
  environment: Environment,
  platform: NodeJS.Platform,
  files: { exists(path: string): boolean; read(path: string): string } = disk,
): string | null {
  const path = platform === 'win32' ? win32 : posix;
  const pathFile = path.join(packageFolder, 'path.txt');
  const program = files.exists(pathFile) ? files.read(pathFile).trim() : (PROGRAM[platform] ?? 'electron');
  const elsewhere = environment['ELECTRON_OVERRIDE_DIST_PATH'] ?? '';
  const dist = elsewhere === '' ? path.join(packageFolder, 'dist') : elsewhere;
  const found = path.join(dist, program);
  return files.exists(found) ? found : null;
}

const disk = { exists: existsSync, read: (path: string) => readFileSync(path, 'utf8') };

/** There is no Electron program; the message says in one line why, and how to get one. */
export class NoElectron extends Error {
  override name = 'NoElectron';
}

/**
 * The Electron program. npm does not bring it along with the package: the first call fetches it.
 *
 * @param say is given a line before the fetching begins
 * @throws {NoElectron}
 */
export function getElectron(
  packageFolder: string,
  environment: Environment,
  { platform, arch }: Pick<NodeJS.Process, 'platform' | 'arch'>,
  say: (line: string) => void,
): string {
  const found = findElectron(packageFolder, environment, platform);
  if (found !== null) return found;
  const elsewhere = environment['ELECTRON_OVERRIDE_DIST_PATH'] ?? '';
  if (elsewhere !== '')
    throw new NoElectron(`ELECTRON_OVERRIDE_DIST_PATH is ${elsewhere}, where no Electron program lies.`);
  const manifest: unknown = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  const { version } = manifest as { version: string };
  say(`fetching Electron ${version} (about 120 MB, once) ...`);
  const fetched = spawnSync(process.execPath, [join(packageFolder, 'install.js')], {
    env: environment,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: FETCH_LIMIT_MS,
  });
  const program = findElectron(packageFolder, environment, platform);
  if (program !== null) return program;
  const reason = fetched.stderr.trim().split('\n')[0] ?? '';
  throw new NoElectron(
    `npm does not bring Electron's program along, and fetching it failed (${reason || 'it took too long'}). ` +
      `Name a mirror in ELECTRON_MIRROR, or unpack electron-v${version}-${platform}-${arch}.zip from ` +
      `github.com/electron/electron/releases into a folder and name that in ELECTRON_OVERRIDE_DIST_PATH. ` +
      'Without it, `npm run demo` shows Fleetdeck in a browser.',
  );
}
