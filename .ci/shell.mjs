import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
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
/** In which npm runs a script. */
const SHELLS = ['sh', 'dash', 'bash', 'ash', 'zsh'];
const PARENT_WATCH_MS = 250;

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

/** Runs a program in place of this process: its input, output, signals, end and exit code are ours. */
export function runInstead(program, args) {
  const child = spawn(program, args, { stdio: 'inherit', env: withOwnPrograms(process.env) });
  passSignals(process, child, process.platform);
  endWithParent(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

/**
 * Gives the signals of one process to another. On Windows the console itself gives Ctrl C to all of its programs, and
 * `kill` would end the other in the midst of its closing: there they are only kept from ending the first one.
 * @public test/ci calls it
 */
export function passSignals(from, to, platform) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    from.on(signal, () => {
      if (platform !== 'win32') to.kill(signal);
    });
}

/** The programs of the packages come first, as below npm. Windows writes the variable's name in its own way. */
function withOwnPrograms(environment) {
  const name = Object.keys(environment).find((it) => it.toUpperCase() === 'PATH') ?? 'PATH';
  const folders = [fromRoot('node_modules', '.bin'), environment[name]].filter(Boolean);
  return { ...environment, [name]: folders.join(delimiter) };
}

/**
 * Between npm and us may be a shell. It dies of npm's SIGTERM without passing it on, and stays when npm itself is killed:
 * whichever of them goes, no server may be left running unseen.
 */
function endWithParent(child) {
  const parent = process.ppid;
  const shell = process.env.npm_lifecycle_event === undefined ? null : processNamed(parent);
  const above = [parent, ...(SHELLS.includes(shell?.name) ? [shell.parent] : [])];
  const watch = setInterval(() => {
    // Windows goes on naming a parent that is gone.
    if (process.ppid === parent && above.every(isRunning)) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, PARENT_WATCH_MS);
  watch.unref();
}

/** A process's name and parent; null where that cannot be had, as on Windows. */
function processNamed(pid) {
  const found = /^\d+ \((.+)\) \S (\d+) /s.exec(statusOf(pid));
  return found && { name: basename(found[1]), parent: Number(found[2]) };
}

/** As Linux has it (proc_pid_stat(5)): not every image has `ps`. */
function statusOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    const { stdout } = attempt('ps', ['-o', 'comm=', '-o', 'ppid=', '-p', String(pid)]);
    return stdout.replace(/^(.+?)\s+(\d+)\s*$/s, `${pid} ($1) S $2 `);
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
