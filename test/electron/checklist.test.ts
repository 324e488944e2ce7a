import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const readme = read('electron/README.md');

/** Of all sources that run in Electron's main process, but for what builds them: path and text. */
const sources = globSync(['electron/**/*.ts', 'server/**/*.ts'], {
  cwd: ROOT,
  exclude: ['server/build/**'],
}).map((path) => ({ path, text: read(path) }));

describe("Electron's security checklist in electron/README.md", () => {
  const rows = readme.split('\n').filter((line) => /^\| \d+ \|/.test(line));

  it("Electron's security checklist is answered row by row", () => {
    expect(rows.map((row) => Number(row.split('|')[1]))).toEqual(
      Array.from({ length: 20 }, (_, at) => at + 1),
    );
  });

  it("Electron's security checklist names tests and files that are there", () => {
    const named = [...readme.matchAll(/`([\w./]+[.](?:test|spec)[.]ts)`/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(10);
    const missing = named.filter(
      (name) => globSync(name.includes('/') ? name : `test/**/${name}`, { cwd: ROOT }).length === 0,
    );
    expect(missing).toEqual([]);
    const files = [...readme.matchAll(/`((?:server|electron|test|renderer)[/][\w./]+[.]ts)`/g)];
    expect(files.map(([, path = '']) => path).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it.each([
    'webSecurity',
    'allowRunningInsecureContent',
    'experimentalFeatures',
    'enableBlinkFeatures',
    'nodeIntegrationInWorker',
    'nodeIntegrationInSubFrames',
    'allowpopups',
    'setCertificateVerifyProc',
  ])("Electron's security checklist wants %s left as it is, and no source names it", (option) => {
    expect(sources.filter(({ text }) => text.includes(option)).map(({ path }) => path)).toEqual([]);
  });
});

it('the Electron that is packed is one version, which is the one that the desktop was looked at for', () => {
  const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> };
  const version = devDependencies['electron'] ?? '';
  expect(version).toMatch(/^\d+[.]\d+[.]\d+$/);
  expect(readme).toContain(`Electron ${version.split('.')[0]} embeds Node `);
});

describe('what the host uses of node:crypto', () => {
  /** Electron has BoringSSL in the place of OpenSSL: these are the functions of which its README says that they work. */
  const known = [
    ...['createHash', 'createHmac', 'hkdfSync', 'scryptSync', 'createCipheriv', 'createDecipheriv'],
    ...['generateKeyPairSync', 'createPrivateKey', 'createPublicKey', 'sign', 'verify', 'X509Certificate'],
    'KeyObject',
    ...['randomBytes', 'randomUUID', 'timingSafeEqual'],
  ];
  const algorithms = /^(md5|sha1|sha256|aes-256-gcm|ec)$/;

  it('what the host uses of node:crypto are functions that BoringSSL has', () => {
    const used = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/import (?:type )?\{([^}]*)\} from 'node:crypto'/g)].flatMap(([, names = '']) =>
        names.split(',').map((name) => ({ path, name: name.trim().replace(/^type /, '') })),
      ),
    );
    expect(used.length).toBeGreaterThan(20);
    expect(used.filter(({ name }) => name !== '' && !known.includes(name))).toEqual([]);
  });

  it('what the host uses of node:crypto are algorithms that BoringSSL has', () => {
    const call =
      /\b(?:createHash|createHmac|hkdfSync|createCipheriv|createDecipheriv|generateKeyPairSync|(?<![.])sign)\(\s*'([^']+)'/g;
    const named = sources.flatMap(({ path, text }) =>
      [...text.matchAll(call)].map(([, algorithm = '']) => ({ path, algorithm })),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ algorithm }) => !algorithms.test(algorithm))).toEqual([]);
  });

  it('what the host uses of TLS is the list of ciphers and groups that Node has, whatever library it is built with', () => {
    const chosen = /\b(ciphers|ecdhCurve|dhparam|sigalgs|secureProtocol)\s*:/;
    expect(sources.filter(({ text }) => chosen.test(text)).map(({ path }) => path)).toEqual([]);
  });
});
