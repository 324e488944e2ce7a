import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { attempt, attemptLoudly, fromRoot, readState, say, SetupError, writeState } from './shell.mjs';

/** Raise it when what this file does to node_modules changes. */
const SETUP_VERSION = 1;
const PINNED_NODE_LINK = fromRoot('node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');

/** Installs the packages of the lock file, unless they are there, and sees to it that the pinned Node runs. */
export function ensurePackages() {
  const wanted = { lock: lockHash(), terms: installTerms() };
  const { packages: installed } = readState();
  const isSameMachine = installed === undefined || installed.terms === wanted.terms;
  if (isSameMachine && installed?.lock === wanted.lock && existsSync(PINNED_NODE_LINK)) return;
  if (!isSameMachine || !treeMatchesLock()) installPackages();
  ensurePinnedNode();
  requireEsbuild();
  writeState({ packages: wanted });
}

/** The pinned Node's own binary, which starts without npm and without a shell. */
export function pinnedNode() {
  const { bin } = readJson('node_modules', 'node', 'package.json');
  return fromRoot('node_modules', 'node', bin.node);
}

function lockHash() {
  return createHash('sha256')
    .update(readFileSync(fromRoot('package-lock.json')))
    .digest('hex');
}

/** What the same lock file may turn into different files by. */
function installTerms() {
  const { allowScripts } = readJson('package.json');
  return JSON.stringify([SETUP_VERSION, process.platform, process.arch, allowScripts]);
}

/** True if somebody has already installed just these packages by hand: npm notes in its own lock what is there. */
function treeMatchesLock() {
  const npmsNote = fromRoot('node_modules', '.package-lock.json');
  if (!existsSync(npmsNote)) return false;
  const { packages: present } = JSON.parse(readFileSync(npmsNote, 'utf8'));
  const wanted = readJson('package-lock.json').packages;
  // The project itself, which npm's note leaves out.
  delete wanted[''];
  const isPresent = ([path, entry]) =>
    present[path] === undefined
      ? entry.optional === true
      : present[path].version === entry.version && present[path].integrity === entry.integrity;
  return Object.keys(present).every((path) => path in wanted) && Object.entries(wanted).every(isPresent);
}

function installPackages() {
  // Everything is a development dependency, and NODE_ENV=production would leave those out.
  const options = ['--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  attemptLoudly('installing packages (750 MB, about a minute)', 'npm', ['ci', ...options]);
}

/** npm may have skipped the install script that fetches the pinned Node: settings and newer versions block them. */
function ensurePinnedNode() {
  const { version } = readJson('node_modules', 'node', 'package.json');
  if (pinnedNodeVersion() !== `v${version}`) {
    const cwd = fromRoot('node_modules', 'node');
    attemptLoudly(`fetching Node ${version}`, 'node', ['installArchSpecificPackage'], { cwd });
  }
  if (!existsSync(PINNED_NODE_LINK)) {
    attemptLoudly('linking the pinned Node', 'npm', [
      'rebuild',
      'node',
      '--ignore-scripts',
      '--loglevel=error',
    ]);
  }
  const found = pinnedNodeVersion();
  if (found !== `v${version}`) {
    throw new SetupError(
      `Node ${version} does not run on this machine: ${found}. Remove node_modules and try again.`,
    );
  }
  say(`Node ${version} in node_modules`);
}

function pinnedNodeVersion() {
  const answer = attempt(pinnedNode(), ['--version']);
  return answer.ok ? answer.stdout.trim() : answer.why;
}

function requireEsbuild() {
  const answer = attempt(pinnedNode(), [
    '-e',
    `require('esbuild').transformSync('1 as number', { loader: 'ts' })`,
  ]);
  if (!answer.ok) {
    throw new SetupError(
      `esbuild does not run on this machine; remove node_modules and try again: ${answer.why}`,
    );
  }
}

function readJson(...parts) {
  return JSON.parse(readFileSync(fromRoot(...parts), 'utf8'));
}
