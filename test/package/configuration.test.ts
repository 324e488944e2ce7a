import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { desktopServiceXml } from '../../server/build/desktopService.ts';
import { languages } from '../../server/contract/languages.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (...path: string[]) => readFileSync(join(ROOT, ...path), 'utf8');

const target = z.union([z.string(), z.object({ target: z.string(), arch: z.string() })]);
const configuration = z
  .looseObject({
    asarUnpack: z.string(),
    electronLanguages: z.array(z.string()),
    electronFuses: z.record(z.string(), z.boolean()),
    linux: z.looseObject({ target: z.array(target) }),
    win: z.looseObject({ target: z.array(target) }),
    nsis: z.looseObject({ oneClick: z.boolean(), perMachine: z.boolean() }),
    mac: z.looseObject({ target: z.array(target), hardenedRuntime: z.literal(true) }),
  })
  .parse(parse(read('electron-builder.yml')));

/** All that stands in a document under this name, at any depth. */
function everyValue(document: unknown, name: string): string[] {
  if (typeof document !== 'object' || document === null) return [];
  return Object.entries(document).flatMap(([key, value]) =>
    key === name && typeof value === 'string' ? [value] : everyValue(value, name),
  );
}

// That it is valid by electron-builder's own schema shows where it packs: package.test.ts.
describe('electron-builder.yml', () => {
  it('electron-builder.yml names files that are there, but for what is built or fetched before', () => {
    const named = ['icon', 'entitlements', 'entitlementsInherit', 'include', 'from'].flatMap((name) =>
      everyValue(configuration, name),
    );
    expect(named).toContain('resources/mac/entitlements.plist');
    const fetched = /^(dist|node_modules)[/]/;
    expect(named.filter((path) => !fetched.test(path) && !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('electron-builder.yml makes each kind of installer, that of Windows for one user or for all', () => {
    const kinds = (targets: readonly z.infer<typeof target>[]) =>
      targets.map((it) => (typeof it === 'string' ? it : `${it.target} ${it.arch}`));
    expect(kinds(configuration.linux.target)).toEqual(['AppImage', 'deb', 'rpm']);
    expect(kinds(configuration.win.target)).toEqual(['nsis', 'msi']);
    expect(kinds(configuration.mac.target)).toEqual(['dmg universal', 'zip universal']);
    expect(configuration.nsis).toMatchObject({ oneClick: false, perMachine: false });
    // Packages of Debian and Fedora are refused without these.
    const about = z.object({ homepage: z.url(), author: z.object({ email: z.email() }) });
    about.parse(JSON.parse(read('package.json')));
  });

  it('electron-builder.yml packs the languages of Chromium that the console has', () => {
    expect(configuration.electronLanguages).toEqual([...languages]);
  });

  it('electron-builder.yml grants the hardened runtime of macOS what V8 needs, and nothing else', () => {
    const granted = [...read('resources', 'mac', 'entitlements.plist').matchAll(/<key>(.*)<[/]key>/g)];
    expect(granted.map(([, key]) => key)).toEqual(['com.apple.security.cs.allow-jit']);
  });
});

describe('the service that the installer of Windows offers', () => {
  it('the service runs the installed desktop as a host without a window, on the data of a packed host’s service', () => {
    const xml = desktopServiceXml(read('resources', 'service', 'fleetdeck-service.xml'));
    const value = (name: string) => new RegExp(`<${name}>(.*)</${name}>`).exec(xml)?.[1];
    expect(value('id')).toBe('fleetdeck');
    expect(value('executable')).toBe('%BASE%\\..\\Fleetdeck.exe');
    expect(value('arguments')).toBe('--cli -- serve --data "%ProgramData%\\Fleetdeck\\data"');
    expect(xml).not.toMatch(/node|[.]cjs|<env/);
    for (const [, comment] of xml.matchAll(/<!--(.*?)-->/gs)) expect(comment).not.toContain('--');
  });

  it('the service is offered to installations for all users, left alone by updates and removed with the program', () => {
    const script = read('resources', 'windows', 'service.nsh');
    const macro = (name: string) =>
      new RegExp(`^!macro ${name}$(.*?)^!macroend$`, 'ms').exec(script)?.[1]?.split('\n') ?? [];
    const lineOf = (lines: readonly string[], part: string) => lines.findIndex((it) => it.includes(part));
    const install = macro('customInstall');
    expect(lineOf(install, '$installMode == "all"')).toBeGreaterThan(0);
    expect(lineOf(install, '/SD IDNO')).toBeGreaterThan(lineOf(install, '$installMode == "all"'));
    expect(lineOf(install, 'install-service.cmd')).toBeGreaterThan(lineOf(install, '/SD IDNO'));
    const remove = macro('customUnInstall');
    expect(lineOf(remove, 'stopwait')).toBeGreaterThan(0);
    expect(lineOf(remove, '${ifNot} ${isUpdated}')).toBeGreaterThan(lineOf(remove, 'stopwait'));
    expect(lineOf(remove, '" uninstall')).toBeGreaterThan(lineOf(remove, '${ifNot} ${isUpdated}'));
  });
});
