import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linksTo } from '../../renderer/points/mapPoint.ts';
import { allowedPermissions, externalLink, isOwn, mayUse } from '../../electron/security.ts';

const ORIGIN = 'http://127.0.0.1:8471';

describe('a page', () => {
  it.each(Object.keys(allowedPermissions))('a page of our own may use %s', (permission) => {
    expect(mayUse(permission, `${ORIGIN}/#/live`, ORIGIN)).toBe(true);
  });

  it.each(Object.keys(allowedPermissions))('a page from elsewhere may not use %s', (permission) => {
    for (const page of [
      'http://127.0.0.1:8472/',
      'http://localhost:8471/',
      'https://127.0.0.1:8471/',
      'x',
      '',
    ]) {
      expect(mayUse(permission, page, ORIGIN)).toBe(false);
    }
  });

  it.each([
    'media',
    'geolocation',
    'openExternal',
    'usb',
    'clipboard-read',
    'toString',
    '__proto__',
    'unknown',
  ])('a page of our own may not use %s, which has no row', (permission) => {
    expect(mayUse(permission, `${ORIGIN}/`, ORIGIN)).toBe(false);
  });

  it('a page gives a reason on each row of what is allowed', () => {
    for (const reason of Object.values(allowedPermissions)) expect(reason).toMatch(/\w+ \w+/);
  });

  it.each([
    'http://127.0.0.1:8471.evil.example/',
    'http://127.0.0.1:8471@evil.example/',
    'http://127.0.0.1/',
    'file:///etc/passwd',
    'about:blank',
    'data:text/html,x',
    'javascript:alert(1)',
  ])('a page does not lead to %s', (url) => {
    expect(isOwn(url, ORIGIN)).toBe(false);
  });

  it('a page stays ours at any path', () => {
    fc.assert(
      fc.property(fc.webPath(), (path) => {
        expect(isOwn(`${ORIGIN}${path}`, ORIGIN)).toBe(true);
      }),
    );
  });
});

describe('a link that opens a window', () => {
  it.each(['https://example.org/manual?page=2#top', 'http://192.0.2.7/'])('%s goes to the browser', (url) => {
    expect(externalLink(url)).toBe(url);
  });

  it('a point goes to the map application, and every link of a point is opened', () => {
    const links = linksTo({ lat: 42.50833, lon: -1.52695 }).map(({ href }) => href);
    expect(links).toContain('geo:42.508330,-1.526950?q=42.508330,-1.526950');
    expect(links.map(externalLink)).toEqual(links);
  });

  it.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'smb://server/share',
    'ms-msdt:/id',
    'data:text/html,x',
    'blob:http://127.0.0.1:8471/1',
    'https://name:word@example.org/',
    'not a link',
    '',
    `https://example.org/${'x'.repeat(3_000)}`,
  ])('%.60s stays shut', (url) => {
    expect(externalLink(url)).toBeNull();
  });
});
