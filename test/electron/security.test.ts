import { EventEmitter } from 'node:events';
import type { App, HandlerDetails, Session, WebContents, WindowOpenHandlerResponse } from 'electron';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { linksTo } from '../../renderer/points/mapPoint.ts';
import {
  allowedPermissions,
  externalLink,
  guardPages,
  guardProgram,
  guardSession,
  isOwn,
  mayUse,
} from '../../electron/security.ts';

const ORIGIN = 'http://127.0.0.1:8471';
/** Of a connection to a remote host. */
const REMOTE_CONSOLE = 'http://127.0.0.1:8500';
const isOurs = (origin: string) => [ORIGIN, REMOTE_CONSOLE].includes(origin);

describe('a page', () => {
  it.each(Object.keys(allowedPermissions))('a page of our own may use %s', (permission) => {
    expect(mayUse(permission, `${ORIGIN}/#/live`, isOurs)).toBe(true);
    expect(mayUse(permission, `${REMOTE_CONSOLE}/#/live`, isOurs)).toBe(true);
  });

  it.each(Object.keys(allowedPermissions))('a page from elsewhere may not use %s', (permission) => {
    for (const page of [
      'http://127.0.0.1:8472/',
      'http://localhost:8471/',
      'https://127.0.0.1:8471/',
      'x',
      '',
    ]) {
      expect(mayUse(permission, page, isOurs)).toBe(false);
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
    expect(mayUse(permission, `${ORIGIN}/`, isOurs)).toBe(false);
  });

  it('a page gives a reason on each row of what is allowed', () => {
    for (const reason of Object.values(allowedPermissions)) expect(reason).toMatch(/\w+ \w+/);
  });

  it.each([
    'http://127.0.0.1:8471.evil.example/',
    'http://127.0.0.1:8471@evil.example/',
    'http://127.0.0.1/',
    'https://depot.example:8471/',
    'http://127.0.0.1:8501/',
    'file:///etc/passwd',
    'about:blank',
    'data:text/html,x',
    'javascript:alert(1)',
  ])('a page does not lead to %s', (url) => {
    expect(isOwn(url, isOurs)).toBe(false);
  });

  it('a page stays ours at any path', () => {
    fc.assert(
      fc.property(fc.webPath(), (path) => {
        expect(isOwn(`${ORIGIN}${path}`, isOurs)).toBe(true);
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

/** What a listener of Electron's may prevent. */
function preventable<T extends object>(about: T) {
  return { ...about, preventDefault: vi.fn() };
}

describe('the program', () => {
  function guarded() {
    const app = Object.assign(new EventEmitter(), { enableSandbox: vi.fn() });
    const warn = vi.fn<(words: string) => void>();
    guardProgram(app as unknown as App, warn);
    return { app, warn };
  }

  it('the program puts each page into the sandbox', () => {
    expect(guarded().app.enableSandbox).toHaveBeenCalledOnce();
  });

  it('the program accepts no certificate that Chromium does not, and says which', () => {
    const { app, warn } = guarded();
    const event = preventable({});
    const answer = vi.fn();
    app.emit(
      'certificate-error',
      event,
      {},
      'https://192.0.2.7/',
      'net::ERR_CERT_AUTHORITY_INVALID',
      {},
      answer,
    );
    expect(answer.mock.calls).toEqual([[false]]);
    expect(event.preventDefault).toHaveBeenCalledOnce();
    expect(warn.mock.calls).toEqual([
      ['the certificate of https://192.0.2.7/ was not accepted: net::ERR_CERT_AUTHORITY_INVALID'],
    ]);
  });

  it('the program shows nobody a certificate of the operator', () => {
    const { app } = guarded();
    const event = preventable({});
    const answer = vi.fn();
    app.emit('select-client-certificate', event, {}, 'https://192.0.2.7/', [{}], answer);
    expect(answer.mock.calls).toEqual([[]]);
    expect(event.preventDefault).toHaveBeenCalledOnce();
  });
});

describe('the session of all pages', () => {
  function guarded() {
    const warn = vi.fn<(words: string) => void>();
    const handlers = {
      setPermissionRequestHandler: vi.fn<Session['setPermissionRequestHandler']>(),
      setPermissionCheckHandler: vi.fn<Session['setPermissionCheckHandler']>(),
      setDevicePermissionHandler: vi.fn<Session['setDevicePermissionHandler']>(),
    };
    const onBeforeRequest =
      vi.fn<(listener: (details: { url: string }, answer: (response: object) => void) => void) => void>();
    const session = Object.assign(new EventEmitter(), handlers, { webRequest: { onBeforeRequest } });
    guardSession(session as unknown as Session, isOurs, warn);
    const isLoaded = (url: string) => {
      const answer = vi.fn<(response: object) => void>();
      onBeforeRequest.mock.calls[0]?.[0]({ url }, answer);
      expect(answer).toHaveBeenCalledOnce();
      return (answer.mock.calls[0]?.[0] as { cancel: boolean } | undefined)?.cancel === false;
    };
    return { session, warn, isLoaded, ...handlers };
  }

  it('the session of all pages answers each request for a permission by the table', () => {
    const { setPermissionRequestHandler, setPermissionCheckHandler, setDevicePermissionHandler } = guarded();
    const request = setPermissionRequestHandler.mock.calls[0]?.[0];
    const check = setPermissionCheckHandler.mock.calls[0]?.[0];
    const contents = Object.create(null) as WebContents;
    const asked = (permission: 'notifications' | 'media', requestingUrl: string) => {
      const answer = vi.fn();
      request?.(contents, permission, answer, { requestingUrl, isMainFrame: true });
      return answer.mock.calls.flat()[0] as unknown;
    };
    expect(asked('notifications', `${ORIGIN}/`)).toBe(true);
    expect(asked('media', `${ORIGIN}/`)).toBe(false);
    expect(asked('notifications', 'https://example.org/')).toBe(false);
    const details = { isMainFrame: true };
    expect(check?.(contents, 'notifications', ORIGIN, details)).toBe(true);
    expect(check?.(contents, 'media', ORIGIN, details)).toBe(false);
    const device = setDevicePermissionHandler.mock.calls[0]?.[0];
    expect(device?.({} as Parameters<NonNullable<typeof device>>[0])).toBe(false);
  });

  it.each([
    `${ORIGIN}/assets/main.js`,
    `blob:${ORIGIN}/1b9d`,
    'data:image/png;base64,AA',
    'devtools://devtools/x',
  ])('the session of all pages lets %s be loaded', (url) => {
    const { isLoaded, warn } = guarded();
    expect(isLoaded(url)).toBe(true);
    expect(warn).not.toHaveBeenCalled();
  });

  it.each([
    'https://example.org/tracker.js',
    'http://127.0.0.1:8472/',
    'ws://127.0.0.1:8472/',
    'blob:https://example.org/1b9d',
    'file:///etc/passwd',
    'chrome-extension://abc/x.js',
    'ftp://example.org/',
    'not an address',
  ])('the session of all pages keeps %s from being loaded, and says so', (url) => {
    const { isLoaded, warn } = guarded();
    expect(isLoaded(url)).toBe(false);
    expect(warn.mock.calls).toEqual([[`a page tried to load ${url}`]]);
  });

  it('the session of all pages downloads nothing by itself', () => {
    const { session, warn } = guarded();
    const event = preventable({});
    session.emit('will-download', event, { getURL: () => `${ORIGIN}/x.exe` });
    expect(event.preventDefault).toHaveBeenCalledOnce();
    expect(warn.mock.calls).toEqual([[`a page tried to download ${ORIGIN}/x.exe`]]);
  });
});

describe('each page', () => {
  function guarded(ownWindow?: (details: HandlerDetails) => WindowOpenHandlerResponse) {
    const app = new EventEmitter();
    const warn = vi.fn<(words: string) => void>();
    const openExternal = vi.fn<(url: string) => void>();
    guardPages(app as unknown as App, {
      isOurs,
      warn,
      openExternal,
      ...(ownWindow === undefined ? {} : { ownWindow }),
    });
    const setWindowOpenHandler = vi.fn<WebContents['setWindowOpenHandler']>();
    const setWebRTCIPHandlingPolicy = vi.fn<WebContents['setWebRTCIPHandlingPolicy']>();
    const contents = Object.assign(new EventEmitter(), { setWindowOpenHandler, setWebRTCIPHandlingPolicy });
    app.emit('web-contents-created', {}, contents);
    const opens = (url: string) => setWindowOpenHandler.mock.calls[0]?.[0]({ url } as HandlerDetails);
    return { contents, warn, openExternal, opens, setWebRTCIPHandlingPolicy };
  }

  it.each(['will-frame-navigate', 'will-redirect'])('each page stays on its own host at "%s"', (name) => {
    const { contents } = guarded();
    const isPrevented = (url: string) => {
      const event = preventable({ url });
      contents.emit(name, event);
      return event.preventDefault.mock.calls.length > 0;
    };
    expect(isPrevented(`${ORIGIN}/#/live`)).toBe(false);
    for (const url of ['https://example.org/', 'file:///etc/passwd', 'about:blank', 'data:text/html,x'])
      expect(isPrevented(url), url).toBe(true);
  });

  it('each page is kept from attaching a webview and from sending datagrams', () => {
    const { contents, setWebRTCIPHandlingPolicy } = guarded();
    const event = preventable({});
    contents.emit('will-attach-webview', event);
    expect(event.preventDefault).toHaveBeenCalledOnce();
    expect(setWebRTCIPHandlingPolicy.mock.calls).toEqual([['disable_non_proxied_udp']]);
  });

  it('each page opens links of the table in the browser, and no window', () => {
    const { opens, openExternal, warn } = guarded();
    expect(opens('https://example.org/manual')).toEqual({ action: 'deny' });
    expect(openExternal.mock.calls).toEqual([['https://example.org/manual']]);
    for (const url of ['file:///etc/passwd', 'ms-msdt:/id', `${ORIGIN}/#/live`])
      expect(opens(url)).toEqual({ action: 'deny' });
    expect(openExternal).toHaveBeenCalledOnce();
    expect(warn).toHaveBeenCalledTimes(3);
  });

  it('each page opens another one of ours as the windows of the desktop say, and nothing else', () => {
    const ownWindow = vi.fn((): WindowOpenHandlerResponse => ({ action: 'allow' }));
    const { opens } = guarded(ownWindow);
    expect(opens(`${ORIGIN}/#/live`)).toEqual({ action: 'allow' });
    expect(opens('https://example.org/')).toEqual({ action: 'deny' });
    expect(opens('http://127.0.0.1:8472/#/live')).toEqual({ action: 'deny' });
    expect(ownWindow).toHaveBeenCalledOnce();
  });
});
