import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './sources.ts';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** The files of the list that follows this line. */
function filesAfter(line: string): string[] {
  const [, list = ''] = readme.split(line);
  const lines = list.trim().split('\n');
  const end = lines.findIndex((it) => it === '');
  return lines.slice(0, end).map((it, at) => {
    const [, number, path] = /^(\d+)\. `([^`]+)`: \S/.exec(it) ?? [];
    expect(number).toBe(String(at + 1));
    return path ?? '';
  });
}

it.each([
  ['What a position goes through, from the socket to the map:', 35],
  ['What a clip goes through, from the key to the picture:', 50],
])('README, "%s": at most %d files, each of which is there, and once', (line, max) => {
  const files = filesAfter(line);
  expect(files.length).toBeGreaterThan(20);
  expect(files.length).toBeLessThanOrEqual(max);
  expect(files.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  expect(new Set(files).size).toBe(files.length);
});
