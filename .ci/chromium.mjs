import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, posix, resolve, win32 } from 'node:path';
import { pinnedNode } from './packages.mjs';
import { SetupError, attempt, attemptLoudly, readState, say, writeState } from './shell.mjs';

// First Debian's build without the window that no test looks at, which takes a tenth less work.
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
];
const UNIX_FOLDERS = ['/usr/bin', '/usr/local/bin', '/snap/bin'];
const MAC_APPLICATIONS = ['Chromium', 'Google Chrome', 'Microsoft Edge'];
const WINDOWS_FOLDERS = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'];
const WINDOWS_PROGRAMS = [
  'Chromium\\Application\\chrome.exe',
  'Google\\Chrome\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];
const ANSWER_LIMIT_MS = 30_000;
/** Baseline profile, level 3.0: what vehicle cameras send, and what builds without the codec refuse. */
const QUESTION =
  '<script>document.documentElement.dataset.h264 = ' +
  `document.createElement('video').canPlayType('video/mp4; codecs="avc1.42E01E"')</script>`;

/** Finds the browser of the end-to-end tests and notes it where test/support/chromium.ts reads it. */
export function ensureChromium() {
  const named = process.env.FLEETDECK_CHROMIUM;
  const { chromium: known } = readState();
  if (known !== undefined && (!named || resolve(named) === known.path) && isUnchanged(known)) return;
  const path = named ? requireNamed(resolve(named)) : (findInstalled() ?? installFromDebian());
  writeState({ chromium: { path, ...identity(path) } });
  say(`tests use ${path}`);
}

function requireNamed(path) {
  if (existsSync(path) && playsH264(path)) return path;
  throw new SetupError(`FLEETDECK_CHROMIUM is ${path}, which is no Chromium that plays H.264.`);
}

function findInstalled() {
  return [...systemCandidates(process.platform, process.env, homedir()), ...playwrightsOwn()].find(
    (path) => existsSync(path) && playsH264(path),
  );
}

function installFromDebian() {
  const isDebianRoot = existsSync('/etc/debian_version') && process.getuid?.() === 0;
  if (isDebianRoot) {
    const options = ['-q', '-y', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3'];
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    attemptLoudly('reading the list of Debian packages', 'apt-get', [...options, 'update'], { env });
    // Chromium brings most of ffmpeg's libraries along; tests look into video files where ffprobe is at hand.
    const packages = ['--no-install-recommends', 'chromium-headless-shell', 'ffmpeg'];
    attemptLoudly('installing Chromium', 'apt-get', [...options, 'install', ...packages], { env });
    const installed = findInstalled();
    if (installed !== undefined) return installed;
  }
  throw new SetupError(
    'no browser here plays H.264: install Chromium or Google Chrome (Debian: apt-get install chromium-headless-shell), ' +
      'or name the program in FLEETDECK_CHROMIUM.',
  );
}

/** Asks the browser itself: builds without the codec look just like those with it. */
function playsH264(path) {
  const profile = mkdtempSync(join(tmpdir(), 'fleetdeck-browser-'));
  const args = [
    '--headless',
    '--dump-dom',
    `--user-data-dir=${profile}`,
    '--no-first-run',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--disable-background-networking',
    '--disable-component-update',
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    `data:text/html,${encodeURIComponent(QUESTION)}`,
  ];
  try {
    const { stdout } = attempt(path, args, { timeout: ANSWER_LIMIT_MS, killSignal: 'SIGKILL' });
    return /data-h264="(probably|maybe)"/.test(stdout);
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Where browsers lie that were installed by themselves.
 * @public test/ci reads it
 */
export function systemCandidates(platform, environment, home) {
  if (platform === 'darwin') {
    const folders = ['/Applications', posix.join(home, 'Applications')];
    return folders.flatMap((folder) =>
      MAC_APPLICATIONS.map((name) => posix.join(folder, `${name}.app`, 'Contents', 'MacOS', name)),
    );
  }
  if (platform === 'win32') {
    const folders = WINDOWS_FOLDERS.map((name) => environment[name]).filter(Boolean);
    return folders.flatMap((folder) => WINDOWS_PROGRAMS.map((program) => win32.join(folder, program)));
  }
  const onPath = (environment.PATH ?? '').split(posix.delimiter).filter((folder) => posix.isAbsolute(folder));
  const folders = new Set([...onPath, ...UNIX_FOLDERS]);
  return NAMES.flatMap((name) => [...folders].map((folder) => posix.join(folder, name)));
}

function playwrightsOwn() {
  const question = `process.stdout.write(require('@playwright/test').chromium.executablePath())`;
  const { ok, stdout } = attempt(pinnedNode(), ['-e', question]);
  return ok && stdout !== '' ? [stdout] : [];
}

function isUnchanged(known) {
  if (!existsSync(known.path)) return false;
  const { mtimeMs, size } = identity(known.path);
  return mtimeMs === known.mtimeMs && size === known.size;
}

function identity(path) {
  const { mtimeMs, size } = statSync(path);
  return { mtimeMs, size };
}
