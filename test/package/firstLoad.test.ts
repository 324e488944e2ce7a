import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { laterTexts } from '../../renderer/i18n/enLater.ts';
import { textsUsedIn } from '../support/usedTexts.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CONSOLE = join(ROOT, 'dist', 'console');
const MAX_BYTES = 700_000;

/** The scripts that the page names, by their paths below the console's folder. */
function firstScripts() {
  execFileSync(process.execPath, [join(ROOT, '.ci', 'console.mjs')]);
  const page = readFileSync(join(CONSOLE, 'index.html'), 'utf8');
  return [...page.matchAll(/(?:src|href)="[.]\/(assets\/[^"]+[.]js)"/g)].map(([, path = '']) => ({
    path,
    code: readFileSync(join(CONSOLE, path)),
    sent: readFileSync(join(CONSOLE, `${path}.gz`)),
  }));
}

it('the scripts that the page names, which draw the Live screen, have at most 700 kB gzipped', () => {
  const scripts = firstScripts();
  // A map that is loaded after them would be as much to wait for.
  expect(scripts.some(({ code }) => code.includes('maplibregl-canvas'))).toBe(true);
  const sizes = scripts.map(({ path, sent }) => ({ path, bytes: sent.length }));
  for (const { code, sent } of scripts) expect(gunzipSync(sent).equals(code)).toBe(true);
  const bytes = sizes.reduce((sum, it) => sum + it.bytes, 0);
  const largest = sizes.sort((a, b) => b.bytes - a.bytes).slice(0, 5);
  expect(bytes, `the largest: ${JSON.stringify(largest)}`).toBeLessThanOrEqual(MAX_BYTES);
});

it('the scripts that the page names say nothing whose text comes later', () => {
  const sources = new Set(
    firstScripts().flatMap(({ path }) => {
      const map = join(CONSOLE, `${path}.map`);
      if (!existsSync(map)) return [];
      const { sources: paths } = JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] };
      return paths.map((it) => resolve(dirname(map), it));
    }),
  );
  const own = [...sources].filter((it) => it.startsWith(join(ROOT, 'renderer')) && !it.includes('/i18n/'));
  expect(own.length).toBeGreaterThan(100);
  const isUsed = textsUsedIn(own.map((it) => readFileSync(it, 'utf8')).join('\n'));
  expect(Object.keys(laterTexts).filter(isUsed)).toEqual([]);
});
