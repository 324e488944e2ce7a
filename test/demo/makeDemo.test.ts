import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { demoFiles } from './makeDemo.ts';

const FOLDER = new URL('../../resources/demo/', import.meta.url);

it('the stored files of the demo are what its script makes, and together less than 2 MB', () => {
  const stored = readdirSync(FOLDER).map((name) => [name, readFileSync(new URL(name, FOLDER), 'utf8')]);
  const made = Object.entries(demoFiles(1)).map(([name, text]) => [name, `${text}\n`]);
  // Compared as a truth: a difference of megabytes is nothing to print.
  expect(JSON.stringify(stored) === JSON.stringify(made.sort())).toBe(true);
  expect(stored.reduce((sum, [, text = '']) => sum + text.length, 0)).toBeLessThan(2_000_000);
});
