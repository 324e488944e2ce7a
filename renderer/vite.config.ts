import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
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

/** The console: one build for Electron and for any browser, served by the host from dist/console. */
export default defineConfig({
  root: here,
  base: './',
  plugins: [react(), baseMapPlugin(loadData), listInputs({ write: true })],
  build: {
    outDir: fileURLToPath(new URL('../dist/console', import.meta.url)),
    emptyOutDir: true,
    sourcemap: true,
    target: 'es2023',
    // The content security policy takes nothing from data: addresses but pictures.
    assetsInlineLimit: 0,
    // MapLibre alone is about one megabyte.
    chunkSizeWarningLimit: 1_600,
  },
  worker: { format: 'es', plugins: () => [listInputs({ write: false })] },
  server: { host: '127.0.0.1' },
});
