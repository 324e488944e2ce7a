import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { constants } from 'node:os';
import { clearInterval, setInterval } from 'node:timers';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** What set-up has found out, so that the next run asks nothing again: {packages, chromium, console}. */
const STATE_FILE = fromRoot('node_modules', '.fleetdeck-setup');
/** npm is a batch file on Windows, which only a shell can start. */
const BATCH_FILES = process.platform === 'win32' ? ['npm'] : [];
/** Of what a failed command said: npm gives its reason first, apt and compilers give theirs last. */
const FIRST_LINES = 8;
const LAST_LINES = 8;
const PARENT_WATCH_MS = 500;

/** Something that the person at the machine can mend; its message says what. */
export class SetupError extends Error {}

export function fromRoot(...parts) {
  return join(ROOT, ...parts);
}

export function say(text) {
  process.stderr.write(`fleetdeck: ${text}\n`);
}

export function readState() {
  try {
    return JSON.parse(readFileSync(STATE_FILE, 'utf8'));
  } catch {
    // Missing, or torn by a machine that went down: set-up finds everything out again.
    return {};
  }
}

/** @param {Record<string, unknown>} changes keys to replace; the others stay */
export function writeState(changes) {
  mkdirSync(dirname(STATE_FILE), { recursive: true });
  const draft = `${STATE_FILE}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify({ ...readState(), ...changes }, null, 2)}\n`);
  renameSync(draft, STATE_FILE);
}

/**
 * Runs a command to its end with no standard input and keeps its output.
 * @returns {{ok: boolean, stdout: string, why: string}} `why`: how it ended and the ends of what it said
 */
export function attempt(command, args, options = {}) {
  const ended = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: BATCH_FILES.includes(command),
    ...options,
    // What is shown of it may end in a file.
    env: { ...(options.env ?? process.env), NO_COLOR: '1' },
  });
  const how = ended.error?.message ?? (ended.signal ? `ended by ${ended.signal}` : `exit ${ended.status}`);
  const said = `${ended.stdout ?? ''}\n${ended.stderr ?? ''}`
    .split('\n')
    .filter((line) => line.trim() !== '');
  return {
    ok: ended.error === undefined && ended.status === 0,
    stdout: ended.stdout ?? '',
    why: [how, ...shorten(said).map((line) => `  ${line}`)].join('\n'),
  };
}

function shorten(lines) {
  if (lines.length <= FIRST_LINES + LAST_LINES) return lines;
  return [...lines.slice(0, FIRST_LINES), '...', ...lines.slice(-LAST_LINES)];
}

/** As `attempt`, with a line before and a line after it; throws when the command fails. */
export function attemptLoudly(intent, command, args, options) {
  say(`${intent} ...`);
  const startedAt = Date.now();
  const ended = attempt(command, args, options);
  if (!ended.ok) throw new SetupError(`${intent} failed (${[command, ...args].join(' ')}): ${ended.why}`);
  say(`${intent}: done in ${Math.round((Date.now() - startedAt) / 1000)} s`);
}

/** Runs a command in place of this process: its input, output, signals, end and exit code are ours. */
export function runInstead(command, args) {
  const child = spawn(command, args, { stdio: 'inherit', shell: BATCH_FILES.includes(command) });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  endWithParent(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

/** Whoever kills the npm that started us without a last word would otherwise leave a server running unseen. */
function endWithParent(child) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, PARENT_WATCH_MS);
  watch.unref();
}
