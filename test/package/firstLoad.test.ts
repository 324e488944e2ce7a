import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MAX_BYTES = 700_000;

it('the scripts that the page names, which draw the Live screen, have at most 700 kB gzipped', () => {
  execFileSync(process.execPath, [join(ROOT, '.ci', 'console.mjs')]);
  const page = readFileSync(join(ROOT, 'dist/console/index.html'), 'utf8');
  const scripts = [...page.matchAll(/(?:src|href)="[.]\/(assets\/[^"]+[.]js)"/g)].map(([, path = '']) => ({
    path,
    code: readFileSync(join(ROOT, 'dist/console', path)),
  }));
  // A map that is loaded after them would be as much to wait for.
  expect(scripts.some(({ code }) => code.includes('maplibregl-canvas'))).toBe(true);
  const sizes = scripts.map(({ path, code }) => ({ path, bytes: gzipSync(code).length }));
  const bytes = sizes.reduce((sum, it) => sum + it.bytes, 0);
  const largest = sizes.sort((a, b) => b.bytes - a.bytes).slice(0, 5);
  expect(bytes, `the largest: ${JSON.stringify(largest)}`).toBeLessThanOrEqual(MAX_BYTES);
});
