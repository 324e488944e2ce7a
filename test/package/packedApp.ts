import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { extractAll } from '@electron/asar';
import { z } from 'zod';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
/** Nobody listens there: whatever would be fetched fails the packing at once. */
const NOWHERE = 'http://127.0.0.1:9/';

const ReadyLine = z.object({
  ready: z.literal(true),
  url: z.string(),
  intake: z.object({ osmand: z.int().positive() }),
});

export interface PackedApp {
  /** The folder that an installer would put somewhere. */
  installed: string;
  /** The application in it as plain files, as Electron sees them: its archive and what lies unpacked beside it. */
  app: string;
}

/** By it tools find the fuses in an Electron program; then come a version, their number and a sign for each. */
const FUSE_SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
/** As Electron 45 comes, in the order of its build/fuses/fuses.json5. */
const FUSES_AS_THEY_COME = '101100011';

/**
 * Builds the console and the bundle and packs both as an installer would, into `folder`, off line and without an
 * Electron program: one stands in for it that has its fuses and starts the application under plain Node.
 */
export async function packApp(folder: string): Promise<PackedApp> {
  const cwd = ROOT;
  await run(process.execPath, [join(ROOT, '.ci', 'console.mjs')], { cwd });
  await run(process.execPath, [join(ROOT, 'server', 'build.ts')], { cwd });
  const electronDist = join(folder, 'electron');
  const app = join(folder, 'app');
  mkdirSync(join(electronDist, 'locales'), { recursive: true });
  for (const file of ['LICENSES.chromium.html', 'locales/en-US.pak', 'locales/zh-CN.pak', 'locales/fr.pak'])
    writeFileSync(join(electronDist, file), '');
  writeFileSync(
    join(electronDist, 'electron'),
    `#!/bin/sh\nexec '${process.execPath}' '${join(app, 'dist', 'entry.js')}' "$@"\n` +
      `${FUSE_SENTINEL}\x01${String.fromCharCode(FUSES_AS_THEY_COME.length)}${FUSES_AS_THEY_COME}\n`,
  );
  chmodSync(join(electronDist, 'electron'), 0o755);
  const output = join(folder, 'out');
  await run(
    process.execPath,
    [
      join(ROOT, 'node_modules', 'electron-builder', 'cli.js'),
      ...['--linux', 'dir', '--publish', 'never'],
      `-c.electronDist=${electronDist}`,
      `-c.directories.output=${output}`,
    ],
    {
      cwd,
      env: {
        ...process.env,
        ELECTRON_MIRROR: NOWHERE,
        ELECTRON_BUILDER_BINARIES_MIRROR: NOWHERE,
        ELECTRON_BUILDER_CACHE: join(folder, 'cache'),
        electron_config_cache: join(folder, 'cache'),
        npm_config_registry: NOWHERE,
        HTTPS_PROXY: NOWHERE,
      },
    },
  );
  const installed = join(output, 'linux-unpacked');
  extractAll(join(installed, 'resources', 'app.asar'), app);
  return { installed, app };
}

/** The fuses of a packed program, by a sign for each: `0` and `1`. */
export function fusesOf({ installed }: PackedApp): string {
  const program = readFileSync(join(installed, 'fleetdeck'), 'latin1');
  const start = program.indexOf(FUSE_SENTINEL) + FUSE_SENTINEL.length;
  return program.slice(start + 2, start + 2 + program.charCodeAt(start + 1));
}

/** A `fleetdeck` as it is installed somewhere. */
export interface PackedProgram {
  /** The program, and what stands before the command. */
  start: readonly [file: string, ...args: string[]];
  environment: NodeJS.ProcessEnv;
  cwd: string;
  /** Another user than the one who tests; only root may ask for that. */
  uid?: number;
}

/** The commands of a packed desktop. */
export function headlessProgram({ installed }: PackedApp): PackedProgram {
  return { start: [join(installed, 'fleetdeck-cli')], environment: bareEnvironment(), cwd: installed };
}

export interface PackedHost {
  url: string;
  osmandPort: number;
  /** Asks it to end; its exit code. */
  end(): Promise<number | null>;
  /** Ends it whatever it does. */
  kill(): void;
}

/** Starts a packed host; throws with its log when it does not come up. */
export async function startPackedHost(
  { start: [file, ...before], environment, cwd, uid }: PackedProgram,
  args: readonly string[],
): Promise<PackedHost> {
  const child = spawn(file, [...before, ...args], {
    cwd,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  const said: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text));
  try {
    const ready = ReadyLine.parse(JSON.parse(await firstLine(child)));
    return {
      url: ready.url,
      osmandPort: ready.intake.osmand,
      async end() {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
        return child.exitCode;
      },
      kill: () => void child.kill('SIGKILL'),
    };
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`The packed host did not come up. It said:\n${said.join('')}`, { cause: error });
  }
}

/** Runs a command of a packed program to its end; rejects when it fails. */
export async function runPacked(
  { start: [file, ...before], environment, cwd, uid }: PackedProgram,
  args: readonly string[],
  more: Record<string, string> = {},
): Promise<{ stdout: string; stderr: string }> {
  return run(file, [...before, ...args], {
    cwd,
    env: { ...environment, ...more },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
}

/** Makes a dealer as on a depot's box: with the packed command. */
export async function makePackedDealer(
  program: PackedProgram,
  data: string,
  { login, password }: { login: string; password: string },
): Promise<void> {
  await runPacked(program, ['dealer', '--data', data, '--login', login], { FLEETDECK_PASSWORD: password });
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('no standard output');
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('it ended without a line');
}

/** Nothing of this machine's own helps it to find packages. */
function bareEnvironment(): NodeJS.ProcessEnv {
  const { NODE_PATH: _path, NODE_OPTIONS: _options, ...rest } = process.env;
  return Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('FLEETDECK_')));
}
