/**
 * Packs a host for machines that have neither Node nor npm: `node server/build/packHost.ts [PLATFORM …]`, by default for
 * this machine's. Into dist/host come a folder for each platform (the Dockerfile copies that of Linux) and its archive.
 * The console is built before.
 */
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildHost } from '../build.ts';
import { writeArchive, type Entry } from './archive.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SERVICE = join(ROOT, 'resources', 'service');
const OUTPUT = join(ROOT, 'dist', 'host');
const RUNTIMES = join(ROOT, 'node_modules', '.cache', 'fleetdeck-runtimes');
const FETCH_LIMIT_MS = 5 * 60_000;

/**
 * The service wrapper of Windows: Node is no service by itself. The npm registry has WinSW only as 1.17 and 1.18, of 2013
 * and 2016; this is its last stable release, from its own site, known by its sum.
 */
const WRAPPER = {
  version: '2.12.0',
  url: 'https://github.com/winsw/winsw/releases/download/v2.12.0/WinSW-x64.exe',
  sha256: '05b82d46ad331cc16bdc00de5c6332c1ef818df8ceefcd49c726553209b3a0da',
};

/** Something that the person who packs can mend; its message says what. */
export class NotPacked extends Error {
  override name = 'NotPacked';
}

/** As npm's packages of Node name them: `linux-x64`, `win-x64`. */
const ownPlatform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
/** npm has Node for them; one for macOS is packed on macOS. */
const PLATFORMS = [...new Set([ownPlatform, 'linux-x64', 'linux-arm64', 'win-x64'])];

interface Manifest {
  version: string;
  node: string;
}

function manifest(): Manifest {
  const read: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const { version, devDependencies } = read as { version: string; devDependencies: { node: string } };
  return { version, node: devDependencies.node };
}

/**
 * The program of Node for a platform: for this machine the one that runs everything here, else npm's package for that
 * platform, which is fetched once.
 *
 * @throws {NotPacked} when the registry cannot be reached, or has none
 */
export function runtimeFor(platform: string): string {
  const { node } = manifest();
  const file = platform.startsWith('win-') ? 'node.exe' : 'node';
  if (platform === ownPlatform) return join(ROOT, 'node_modules', 'node', 'bin', file);
  const name = `node-${platform}`;
  const folder = join(RUNTIMES, `${name}-${node}`);
  const program = join(folder, 'node_modules', name, 'bin', file);
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  // Without one, npm would look for a project in the folders above.
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  // It is made for another system and processor than this one.
  const options = ['--force', '--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--prefer-offline'];
  const { error, stderr } = spawnSync('npm', ['install', ...options, '--loglevel=error', `${name}@${node}`], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: FETCH_LIMIT_MS,
  });
  if (existsSync(program)) return program;
  rmSync(folder, { recursive: true, force: true });
  const reason = error?.message ?? stderr.trim().split('\n')[0] ?? '';
  throw new NotPacked(`Node ${node} for ${platform} could not be fetched from npm (${reason}).`);
}

/**
 * The service wrapper of Windows as a file, fetched once, or the one that was given.
 *
 * @param given a path; null: fetch it
 * @throws {NotPacked} for another file than this release of WinSW; when it cannot be fetched
 */
export async function serviceWrapper(given: string | null, url = WRAPPER.url): Promise<string> {
  if (given !== null) {
    if (!existsSync(given)) throw new NotPacked(`${given} is not there.`);
    if (sumOf(readFileSync(given)) !== WRAPPER.sha256)
      throw new NotPacked(`${given} is not WinSW-x64.exe ${WRAPPER.version}: its SHA-256 is another.`);
    return given;
  }
  const kept = join(RUNTIMES, `WinSW-x64-${WRAPPER.version}.exe`);
  if (existsSync(kept) && sumOf(readFileSync(kept)) === WRAPPER.sha256) return kept;
  let program: Buffer;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_LIMIT_MS) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    program = Buffer.from(await response.arrayBuffer());
  } catch (error) {
    const { cause, message } = error as Error;
    throw new NotPacked(`${url} could not be fetched (${cause instanceof Error ? cause.message : message})`);
  }
  if (sumOf(program) !== WRAPPER.sha256) throw new NotPacked(`${url} has another SHA-256 than it should.`);
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(kept, program);
  return kept;
}

const sumOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

interface HostParts {
  platform: string;
  /** Of `buildHost`. */
  bundle: string;
  /** A program of Node. */
  runtime: string;
  /** Of Windows; null: the archive is without. */
  wrapper: string | null;
}

/**
 * Packs a host from its parts.
 *
 * @param output gets a folder named after the platform, and the archive of it
 * @returns the archive: in it all lies in the folder `fleetdeck`
 */
export async function packHost(
  { platform, bundle, runtime, wrapper }: HostParts,
  output: string,
): Promise<string> {
  const { version, node } = manifest();
  const isWindows = platform.startsWith('win-');
  const folder = join(output, platform);
  rmSync(folder, { recursive: true, force: true });
  const lay = (source: string, path: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(source, join(folder, path));
  };
  /** As programs of Windows read it. */
  const layText = (source: string, path: string) => {
    lay(source, path);
    writeFileSync(join(folder, path), readFileSync(source, 'utf8').replaceAll(/\r?\n/g, '\r\n'));
  };
  const isMap = (path: string) => path.endsWith('.map');
  cpSync(bundle, join(folder, 'app'), { recursive: true, filter: (path) => !isMap(path) });
  cpSync(join(ROOT, 'dist', 'console'), join(folder, 'console'), {
    recursive: true,
    filter: (path) => !isMap(path),
  });
  lay(runtime, isWindows ? 'runtime/node.exe' : 'runtime/node');
  lay(join(ROOT, 'LICENSE'), 'LICENSE');
  if (isWindows) {
    layText(join(SERVICE, 'fleetdeck.cmd'), 'fleetdeck.cmd');
    layText(join(SERVICE, 'fleetdeck-service.xml'), 'service/fleetdeck-service.xml');
    layText(join(SERVICE, 'install-service.cmd'), 'service/install-service.cmd');
    if (wrapper !== null) lay(wrapper, 'service/fleetdeck-service.exe');
  } else {
    lay(join(SERVICE, 'fleetdeck'), 'fleetdeck');
    if (platform.startsWith('linux-')) lay(join(SERVICE, 'fleetdeck.service'), 'service/fleetdeck.service');
  }
  // What lies in `app` are ES modules.
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ name: 'fleetdeck', version, type: 'module' })}\n`,
  );
  writeFileSync(join(folder, 'README.txt'), readme(platform, version, node));
  writeFileSync(join(folder, 'runtime', 'LICENSE'), nodeLicence(node));
  const entries = entriesOf(folder);
  for (const { source, isProgram } of entries)
    if (source !== null) chmodSync(source, isProgram ? 0o755 : 0o644);
  const archive = join(output, `fleetdeck-host-${version}-${platform}.${isWindows ? 'zip' : 'tar.gz'}`);
  await writeArchive(archive, entries);
  return archive;
}

const PROGRAMS = ['fleetdeck', 'runtime/node'];

/** The folder first, each folder before what is in it. Folders of a packed host are for everybody to read. */
function entriesOf(folder: string): Entry[] {
  const inside = readdirSync(folder, { recursive: true, withFileTypes: true }).map((found) => {
    const source = join(found.parentPath, found.name);
    return { path: relative(folder, source).split(sep).join('/'), source, isFolder: found.isDirectory() };
  });
  for (const { source, isFolder } of [...inside, { source: folder, isFolder: true }])
    if (isFolder) chmodSync(source, 0o755);
  return [
    { path: 'fleetdeck', source: null, isProgram: false },
    ...inside
      .sort((a, b) => (a.path < b.path ? -1 : 1))
      .map(({ path, source, isFolder }) => ({
        path: `fleetdeck/${path}`,
        source: isFolder ? null : source,
        isProgram: PROGRAMS.includes(path),
      })),
  ];
}

function readme(platform: string, version: string, node: string): string {
  const title = `Fleetdeck ${version} for ${platform}, with Node ${node}. It needs no Node or npm of the machine.`;
  const lines = platform.startsWith('win-')
    ? [
        '1. Unpack it where it shall stay: C:\\Program Files\\fleetdeck, for instance.',
        '2. Try it: fleetdeck.cmd serve --data C:\\fleetdeck-data; then http://127.0.0.1:8471 in a browser.',
        '3. As a service: service\\install-service.cmd as an administrator. Its options: service\\fleetdeck-service.xml.',
        '4. The first dealer is made in the browser by the code in %ProgramData%\\Fleetdeck\\logs.',
        `5. Where service\\fleetdeck-service.exe is missing: it is WinSW-x64.exe ${WRAPPER.version} of`,
        `   ${WRAPPER.url}, SHA-256 ${WRAPPER.sha256}.`,
      ]
    : platform.startsWith('linux-')
      ? [
          '1. Unpack it: sudo tar xzf FILE -C /opt. Try it: /opt/fleetdeck/fleetdeck serve --data /tmp/fleetdeck-data',
          '2. As a service: sudo useradd --system --home-dir /var/lib/fleetdeck fleetdeck',
          '3. sudo cp /opt/fleetdeck/service/fleetdeck.service /etc/systemd/system; options go into /etc/fleetdeck.conf',
          '4. sudo systemctl enable --now fleetdeck; the log, with the code for the first dealer: journalctl -u fleetdeck',
          '5. Commands: sudo -u fleetdeck /opt/fleetdeck/fleetdeck health --data /var/lib/fleetdeck',
        ]
      : ['1. Unpack it and run ./fleetdeck serve --data DIR; then http://127.0.0.1:8471 in a browser.'];
  const end = platform.startsWith('win-') ? '\r\n' : '\n';
  return [title, '', ...lines, ''].join(end);
}

/** npm's packages of Node bring no text of it. */
function nodeLicence(node: string): string {
  return `Node.js ${node} is Copyright Node.js contributors, all rights reserved, under the MIT licence: the text of
../LICENSE with that line in the place of its own. The licences of what Node.js is made from:
https://github.com/nodejs/node/blob/v${node}/LICENSE
`;
}

async function packAll(platforms: readonly string[], givenWrapper: string | null): Promise<void> {
  const [strange] = platforms.filter((platform) => !PLATFORMS.includes(platform));
  if (strange !== undefined) {
    const why = strange.startsWith('darwin-') ? 'is packed on macOS itself' : 'is none of them';
    const known = new Intl.ListFormat('en-GB').format(PLATFORMS);
    throw new NotPacked(`${known} are packed here; ${strange} ${why}.`);
  }
  const bundle = join(OUTPUT, 'app');
  rmSync(bundle, { recursive: true, force: true });
  await buildHost(bundle);
  for (const platform of platforms) {
    say(`packing a host for ${platform} ...`);
    const wrapper = platform.startsWith('win-') ? await wrapperOrNone(givenWrapper) : null;
    const archive = await packHost({ platform, bundle, runtime: runtimeFor(platform), wrapper }, OUTPUT);
    process.stdout.write(`${relative('', archive)}\n`);
  }
}

/** An archive without the wrapper is of use all the same; one with a wrong file is not. */
async function wrapperOrNone(given: string | null): Promise<string | null> {
  try {
    return await serviceWrapper(given);
  } catch (error) {
    if (!(error instanceof NotPacked) || given !== null) throw error;
    say(
      `${error.message}: the archive is without the service wrapper; --service-wrapper FILE names a copy of it.`,
    );
    return null;
  }
}

function say(line: string): void {
  process.stderr.write(`fleetdeck: ${line}\n`);
}

if (import.meta.main) {
  try {
    const { values, positionals } = parseArgs({
      options: { 'service-wrapper': { type: 'string' } },
      allowPositionals: true,
    });
    await packAll(positionals.length === 0 ? [ownPlatform] : positionals, values['service-wrapper'] ?? null);
  } catch (error) {
    const isWorded = error instanceof NotPacked || (error instanceof TypeError && 'code' in error);
    if (!isWorded) throw error;
    say(error.message);
    process.exitCode = 1;
  }
}
