/**
 * Bundles the host and the desktop shell into dist/app, all in one folder, so that a module still finds the workers
 * beside it (startWorker.ts): `node server/build.ts`.
 */
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions, type BuildResult, type Metafile } from 'esbuild';
import { consoleInputs, licencesOf, packagesOf, writeConsoleLicences } from './build/licences.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUTPUT = join(ROOT, 'dist', 'app');

/** What a start is given: the name of a file in dist/app, and what it is made from. */
const PROGRAMS = {
  electron: 'electron/main.ts',
  watch: 'electron/watchProcess.ts',
  fleetdeck: 'server/commands/fleetdeck.ts',
};
/** Loads fleetdeck.js where the Node that runs it is new enough. */
const STARTER = 'server/commands/fleetdeck.cjs';

/** Some packages are CommonJS and ask for Node's modules by `require`, which ES modules do not have. */
const REQUIRE =
  "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);";

const SHARED = {
  absWorkingDir: ROOT,
  bundle: true,
  target: 'node24',
  external: ['electron'],
  sourcemap: 'linked',
  // They stand, with all others, in licences.txt.
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
} satisfies BuildOptions;

/**
 * The entry points by the name they get. All land in one folder, so a name that two of them bear would lose one.
 *
 * @param workers paths of worker files, from the project's root
 * @throws Error naming the files that share a name
 */
export function entriesOf(
  programs: Readonly<Record<string, string>>,
  workers: readonly string[],
): Record<string, string> {
  const entries: Record<string, string> = { ...programs };
  for (const worker of workers) {
    const name = basename(worker, '.ts');
    if (entries[name] !== undefined) {
      throw new Error(`${entries[name]} and ${worker} would both become ${name}.js: rename one of them.`);
    }
    entries[name] = worker;
  }
  return entries;
}

/**
 * Imports that would fail where only dist/app is: each as `file -> module`. Electron is there for the desktop's
 * entry points alone.
 */
export function strayImports(outputs: Metafile['outputs']): string[] {
  return Object.entries(outputs).flatMap(([path, { imports, inputs }]) =>
    imports
      .filter(({ external }) => external === true)
      .filter(
        ({ path: module }) =>
          !isBuiltin(module) && !(module === 'electron' && (isDesktopEntry(path) || isUpdater(inputs))),
      )
      .map(({ path: module }) => `${basename(path)} -> ${module}`),
  );
}

function isDesktopEntry(path: string): boolean {
  return ['electron.js', 'watch.js', 'preload.cjs'].includes(basename(path));
}

/** Loaded by the desktop alone, when updates are switched on. */
function isUpdater(inputs: object): boolean {
  return Object.keys(inputs).some((path) => path.includes('node_modules/electron-updater/'));
}

/** Paths from the project's root. */
const workers = (): string[] =>
  globSync('server/**/*.worker.ts', { cwd: ROOT })
    .map((path) => path.replaceAll('\\', '/'))
    .sort();

/** The fonts of printed reports, 9 MB: the host's own, since the console's are packed in another way. */
const FONTS = [
  'noto-sans/files/noto-sans-*-{400,600}-normal.woff',
  'noto-sans-{arabic,hebrew}/files/*-{arabic,hebrew}-400-normal.woff',
  'noto-sans-{sc,kr}/files/*-[0-9]*-400-normal.woff',
];

/** Paths of these files. */
export function fontFiles(): string[] {
  const cwd = join(ROOT, 'node_modules', '@fontsource');
  return FONTS.flatMap((pattern) => globSync(pattern, { cwd })).map((path) => join(cwd, path));
}

/** Bundles these programs and all workers into a folder, with what starts `fleetdeck` under any Node. */
export async function bundlePrograms(
  outdir: string,
  programs: Readonly<Record<string, string>>,
): Promise<BuildResult<{ metafile: true }>> {
  const result = await build({
    ...SHARED,
    outdir,
    entryPoints: entriesOf(programs, workers()),
    platform: 'node',
    format: 'esm',
    splitting: true,
    banner: { js: REQUIRE },
  });
  mkdirSync(join(outdir, 'fonts'));
  for (const path of fontFiles()) copyFileSync(path, join(outdir, 'fonts', basename(path)));
  const starter = readFileSync(join(ROOT, STARTER), 'utf8');
  writeFileSync(join(outdir, basename(STARTER)), starter.replace('./fleetdeck.ts', './fleetdeck.js'));
  return result;
}

/** A host's programs into a folder, for a machine that has a Node and nothing else. The console is built before. */
export async function buildHost(outdir: string): Promise<void> {
  const { fleetdeck } = PROGRAMS;
  finish(outdir, { fleetdeck }, [await bundlePrograms(outdir, { fleetdeck })]);
}

/** What Electron starts, beside dist/app: of a packed desktop it lies in the archive, and dist/app does not. */
const ENTRY = 'electron/entry.ts';

async function buildApp(): Promise<void> {
  rmSync(OUTPUT, { recursive: true, force: true });
  const results = await Promise.all([
    bundlePrograms(OUTPUT, PROGRAMS),
    build({
      ...SHARED,
      outdir: OUTPUT,
      entryPoints: { preload: 'electron/preload.ts' },
      platform: 'browser',
      // A sandboxed preload is loaded as CommonJS.
      format: 'cjs',
      outExtension: { '.js': '.cjs' },
    }),
    build({
      ...SHARED,
      outdir: dirname(OUTPUT),
      entryPoints: { entry: ENTRY },
      platform: 'node',
      format: 'esm',
    }),
  ]);
  finish(OUTPUT, PROGRAMS, results, ['node_modules/electron/index.js']);
  // Outside of the archive no other package.json says so.
  writeFileSync(join(OUTPUT, 'package.json'), '{ "type": "module" }\n');
}

/** Electron's package has its own licence alone. */
const CHROMIUM =
  'The licences of Chromium, Node.js and all else that Electron is made from: LICENSES.chromium.html, beside the program.';

/**
 * Adds the licences, also to the console.
 *
 * @param beside paths of files whose packages go along without being bundled
 * @throws Error for a bundle that could not run by itself
 */
function finish(
  outdir: string,
  programs: Readonly<Record<string, string>>,
  results: readonly BuildResult<{ metafile: true }>[],
  beside: readonly string[] = [],
): void {
  const warnings = results.flatMap((result) => result.warnings);
  if (warnings.length > 0) throw new Error(`${warnings.length} warnings of the bundler, see above.`);
  const strays = results.flatMap(({ metafile }) => strayImports(metafile.outputs));
  if (strays.length > 0) throw new Error(`Imports that an installed program lacks: ${strays.join(', ')}`);
  const inputs = results.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const packages = packagesOf(ROOT, [...inputs, ...beside, ...consoleInputs()]).map((it) =>
    it.name === 'electron' ? { ...it, text: `${it.text}\n\n${CHROMIUM}` } : it,
  );
  writeFileSync(join(outdir, 'licences.txt'), licencesOf(packages));
  writeConsoleLicences(packages);
  for (const name of [...Object.keys(programs), ...workers().map((path) => basename(path, '.ts'))]) {
    if (!existsSync(join(outdir, `${name}.js`))) throw new Error(`The bundler left no ${name}.js.`);
  }
}

if (import.meta.main) await buildApp();
