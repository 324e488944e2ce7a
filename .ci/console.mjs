// Builds the console when what it is built from has changed since the last time; `node .ci/console.mjs` does so alone.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError, attemptLoudly, fromRoot, readState, say, writeState } from './shell.mjs';

const SOURCES = [
  'renderer',
  'server/build/licences.ts',
  'resources',
  'server/contract',
  'electron/bridge',
  'package-lock.json',
  'tsconfig.json',
];
const BUILT = fromRoot('dist', 'console', 'index.html');

export function ensureConsole() {
  const wanted = fingerprint();
  if (readState().console === wanted && existsSync(BUILT)) return;
  // Under a test runner it says "test", by which React would be built as for its developers.
  delete process.env.NODE_ENV;
  attemptLoudly('building the console', 'npm', ['run', '--silent', 'build:console']);
  if (!existsSync(BUILT)) throw new SetupError(`building the console left no ${BUILT}`);
  writeState({ console: wanted });
}

/** Of names, sizes and times: reading every byte would cost more than it saves. */
function fingerprint() {
  const hash = createHash('sha256');
  for (const source of SOURCES.filter((path) => existsSync(fromRoot(path)))) {
    const inside = statSync(fromRoot(source)).isDirectory()
      ? readdirSync(fromRoot(source), { recursive: true })
      : [''];
    for (const path of inside.sort()) {
      const { size, mtimeMs } = statSync(fromRoot(source, path));
      hash.update(`${join(source, path)}\0${size}\0${mtimeMs}\n`);
    }
  }
  return hash.digest('hex');
}

if (process.argv[1] === fromRoot('.ci', 'console.mjs')) {
  try {
    ensureConsole();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(error.message);
    process.exitCode = 1;
  }
}
