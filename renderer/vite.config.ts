import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { baseMapPlugin } from './map/basemap/baseMapPlugin.ts';

const here = fileURLToPath(new URL('.', import.meta.url));

/** The console: one build for Electron and for any browser, served by the host from dist/console. */
export default defineConfig({
  root: here,
  base: './',
  plugins: [react(), baseMapPlugin(createRequire(import.meta.url))],
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
  worker: { format: 'es' },
  server: { host: '127.0.0.1' },
});
