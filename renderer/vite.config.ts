import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { baseMapPlugin } from './map/basemap/baseMapPlugin.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('..', import.meta.url));

/** Of the page and of its workers, which are bundled apart: what the licences that go along are read from. */
const inputs = new Set<string>();

const require = createRequire(import.meta.url);

/** The base map is made from packages that no module imports. */
function loadData(specifier: string): unknown {
  inputs.add(relative(root, require.resolve(specifier)).replaceAll('\\', '/'));
  return require(specifier);
}

const hashOf = (texts: readonly string[]): string =>
  createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 8);

function listInputs({ write }: { write: boolean }): Plugin {
  return {
    name: 'list-inputs',
    generateBundle() {
      for (const id of this.getModuleIds()) {
        // A NUL marks what plugins make up.
        const path = id.replace(/[?].*$/, '');
        if (!path.startsWith('\0')) inputs.add(relative(root, path).replaceAll('\\', '/'));
      }
    },
    closeBundle() {
      if (write) writeFileSync(`${root}dist/console-inputs.json`, JSON.stringify([...inputs].sort()));
    },
  };
}

/** Of the languages of the console; react-aria brings 34. */
const LANGUAGES = ['de', 'en', 'es', 'pt', 'ru', 'zh'];

/** Leaves out the words of react-aria in languages that the console does not speak. */
const leaveOutLanguages: Plugin = {
  name: 'leave-out-languages',
  load(id) {
    const language = /[/]react-aria[^/]*[/].*[/]intl[/].*?([a-z]{2})-[A-Z]{2}[.]mjs$/.exec(id)?.[1];
    return language === undefined || LANGUAGES.includes(language) ? null : 'export default {};';
  },
};

/** Leaves the descriptions for OpenAPI out of the contract, which only the server writes out. */
const leaveOutDescriptions: Plugin = {
  name: 'leave-out-descriptions',
  transform(code, id) {
    if (!id.includes('/server/contract/') || !code.includes('.meta(')) return null;
    const blanks: { start: number; end: number }[] = [];
    const look = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      if (isDescription(node)) blanks.push({ start: node.callee.object.end, end: node.end });
      for (const child of Object.values(node)) look(child);
    };
    look(this.parse(code));
    // Blanks in their place leave all else where it was, and so the source map right.
    let blanked = code;
    for (const { start, end } of blanks)
      blanked = blanked.slice(0, start) + code.slice(start, end).replace(/[^\n]/g, ' ') + blanked.slice(end);
    return { code: blanked, map: null };
  },
};

/** Whether it is a call `schema.meta({ … })`; without an argument it reads what was described. */
function isDescription(node: object): node is { end: number; callee: { object: { end: number } } } {
  if (!('type' in node) || node.type !== 'CallExpression' || !('callee' in node)) return false;
  const { callee } = node;
  if (!('arguments' in node) || !Array.isArray(node.arguments) || node.arguments.length === 0) return false;
  if (typeof callee !== 'object' || callee === null || !('property' in callee)) return false;
  const { property } = callee;
  return typeof property === 'object' && property !== null && 'name' in property && property.name === 'meta';
}

/** Compresses what shrinks by it, once and not at each request; `server/http/staticFiles.ts` sends it. */
const compressAssets: Plugin = {
  name: 'compress-assets',
  apply: 'build',
  writeBundle({ dir = '' }, files) {
    for (const name of Object.keys(files).filter((it) => /[.](js|css|json)$/.test(it))) {
      const path = join(dir, name);
      writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
    }
  },
};

/**
 * The console: one build for Electron and for any browser, served by the host from dist/console. In the mode `share` the
 * page of a link to a vehicle, beside it: a bundle of its own, so that whoever was sent a link gets none of the console.
 */
export default defineConfig(({ mode }) => ({
  root: here,
  base: './',
  plugins: [
    react(),
    baseMapPlugin(loadData, hashOf),
    leaveOutLanguages,
    leaveOutDescriptions,
    listInputs({ write: mode !== 'share' }),
    compressAssets,
  ],
  build: {
    outDir: fileURLToPath(new URL('../dist/console', import.meta.url)),
    emptyOutDir: mode !== 'share',
    sourcemap: true,
    target: 'es2023',
    // The content security policy takes nothing from data: addresses but pictures.
    assetsInlineLimit: 0,
    // What the first picture needs comes in two files, the map's library and all else: seventy small ones, cut by who
    // shares what with a later part, compress worse by twenty kilobytes.
    rolldownOptions: {
      input: `${here}${mode === 'share' ? 'share' : 'index'}.html`,
      output: {
        codeSplitting: {
          groups: [
            { name: 'maplibre', test: /[\\/]maplibre-gl[\\/]/, tags: ['$initial'] },
            { name: 'first', tags: ['$initial'] },
          ],
        },
      },
    },
    // MapLibre alone is about one megabyte.
    chunkSizeWarningLimit: 1_600,
  },
  worker: { format: 'es', plugins: () => [leaveOutDescriptions, listInputs({ write: false })] },
  server: { host: '127.0.0.1' },
}));
