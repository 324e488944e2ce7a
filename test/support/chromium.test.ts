import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { OFF_FOR_PLAYWRIGHT } from './chromium.ts';

it('the test browser turns off in Chromium whatever this Playwright turns off', () => {
  const package_ = createRequire(import.meta.url).resolve('playwright-core/package.json');
  // Playwright does not export its list.
  const source = readFileSync(join(dirname(package_), 'lib/coreBundle.js'), 'utf8');
  const list = /disabledFeatures = \[(.*?)\]\.filter/s.exec(source)?.[1] ?? '';
  const features = [...list.matchAll(/^\s*"(\w+)"/gm)].map(([, name]) => name);
  expect(OFF_FOR_PLAYWRIGHT).toEqual(features);
});
