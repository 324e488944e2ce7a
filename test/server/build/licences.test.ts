import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { licencesOf, packagesOf } from '../../../server/build/licences.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fleetdeck-licences-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(folder: string, about: object, text?: string): void {
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, folder, 'package.json'), JSON.stringify(about));
  if (text !== undefined) writeFileSync(join(root, folder, 'LICENSE.md'), text);
}

describe('the licences of what a bundle holds', () => {
  it('the licences of what a bundle holds stand there once for a package, with its authors’ own words', () => {
    put('node_modules/a', { name: 'a', version: '1.0.0', license: 'MIT' }, 'Copyright A\n');
    const inputs = ['server/main.ts', 'node_modules/a/one.js', 'node_modules/a/lib/two.js'];
    expect(licencesOf(packagesOf(root, inputs))).toBe('a 1.0.0 (MIT)\n\nCopyright A\n');
  });

  it('the licences of what a bundle holds are those of scoped packages and of packages within packages, too', () => {
    put('node_modules/@s/b', { name: '@s/b', version: '2.0.0', license: 'ISC' }, 'Copyright B');
    const inner = 'node_modules/@s/b/node_modules/@t/c';
    put(inner, { name: '@t/c', version: '3.0.0', license: 'BSD-3-Clause' });
    const text = licencesOf(packagesOf(root, ['node_modules/@s/b/x.js', `${inner}/y.js`]));
    expect(text).toContain('@s/b 2.0.0 (ISC)');
    expect(text).toContain('@t/c 3.0.0 (BSD-3-Clause)');
  });

  it('the licence of a package that names none is the one that its text says it is', () => {
    put('node_modules/a', { name: 'a', version: '1.0.0' }, 'MIT License\n\nCopyright A\n');
    expect(packagesOf(root, ['node_modules/a/one.js'])).toMatchObject([{ licence: 'MIT' }]);
    put('node_modules/b', { name: 'b', version: '1.0.0' }, 'Copyright B\n');
    expect(() => packagesOf(root, ['node_modules/b/one.js'])).toThrow('states no licence');
  });

  it('the licences of what a bundle holds are asked for from a package that states none', () => {
    put('node_modules/a', { name: 'a', version: '1.0.0' });
    expect(() => packagesOf(root, ['node_modules/a/one.js'])).toThrow('states no licence');
  });

  it('the licences of what a bundle holds have the standard terms where a package brings no text, or are asked for', () => {
    put('node_modules/a', { name: 'a', version: '1.0.0', license: 'MIT', author: 'Ada' });
    const [only] = packagesOf(root, ['node_modules/a/one.js']);
    expect(only?.text).toMatch(/^Copyright [(]c[)] Ada\n\nPermission is hereby granted/);
    put('node_modules/b', { name: 'b', version: '1.0.0', license: 'Own-1.0' });
    expect(() => packagesOf(root, ['node_modules/b/one.js'])).toThrow(
      'brings no text of its licence, Own-1.0',
    );
  });
});
