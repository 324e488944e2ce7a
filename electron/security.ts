import type { App, HandlerDetails, Session, WebContents, WindowOpenHandlerResponse } from 'electron';

/** What the console's pages may use; Electron grants everything to every page unless configured otherwise. */
export const allowedPermissions: Readonly<Record<string, string>> = {
  notifications: 'an alarm reaches a dispatcher who is using another window',
  'persistent-storage': 'fetched videos are not thrown out when the disk fills',
  'clipboard-sanitized-write': 'a link to a vehicle is copied for a colleague',
  fullscreen: 'a video or the map fills the screen',
  keyboardLock: 'Escape closes a dialog over the full-screen map before it leaves the full screen',
};

/** Where a link may lead that opens a window; everything else stays shut. */
const externalProtocols: Readonly<Record<string, string>> = {
  'https:': 'a manual or a map service opens in the operator’s own browser',
  'geo:': 'a point of the map opens in the map application of the computer',
  'http:': 'so does a device on the depot’s network, which seldom has a certificate',
};

/** Longer addresses are made to break what opens them. */
const LONGEST_LINK = 2_048;

/** The console's own pages alone, and of what they may do the table's rows alone. */
export function mayUse(permission: string, pageUrl: string, isOurs: IsOurs): boolean {
  return Object.hasOwn(allowedPermissions, permission) && isOwn(pageUrl, isOurs);
}

/** Whether pages of an origin are the console's: served by this program, on this computer. */
export type IsOurs = (origin: string) => boolean;

export function isOwn(url: string, isOurs: IsOurs): boolean {
  return URL.canParse(url) && isOurs(new URL(url).origin);
}

/** The address to hand to the system, or null for one that is not to be opened. */
export function externalLink(url: string): string | null {
  if (url.length > LONGEST_LINK || !URL.canParse(url)) return null;
  const link = new URL(url);
  const isPlain = link.username === '' && link.password === '';
  return Object.hasOwn(externalProtocols, link.protocol) && isPlain ? link.href : null;
}

/**
 * What a page may load: its own host alone, and what it made itself or has within it. Chromium keeps pages that came by
 * HTTP from `file:`, of which this is not asked.
 */
function mayRequest(url: string, isOurs: IsOurs): boolean {
  // Electron asks of the developer tools' own pages, too.
  return isOwn(url, isOurs) || /^(data|devtools):/.test(url);
}

/** Before Electron is ready. */
export function guardProgram(app: Pick<App, 'enableSandbox' | 'on'>, warn: (words: string) => void): void {
  // Each page, whatever its window was given.
  app.enableSandbox();
  app.on('certificate-error', (event, _contents, url, error, _certificate, answer) => {
    event.preventDefault();
    warn(`the certificate of ${shortened(url)} was not accepted: ${error}`);
    answer(false);
  });
  app.on('select-client-certificate', (event, _contents, _url, _list, answer) => {
    // Electron's own answer is the first one of the system.
    event.preventDefault();
    answer();
  });
}

export function guardSession(session: Session, isOurs: IsOurs, warn: (words: string) => void): void {
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) => {
    answer(mayUse(permission, requestingUrl, isOurs));
  });
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin) =>
    mayUse(permission, requestingOrigin, isOurs),
  );
  // Serial ports, USB and the like: a console has no use for them.
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    const cancel = !mayRequest(url, isOurs);
    if (cancel) warn(`a page tried to load ${shortened(url)}`);
    answer({ cancel });
  });
  session.on('will-download', (event, item) => {
    // Files of the console go through saveFile.ts, which writes them whole or not at all.
    event.preventDefault();
    warn(`a page tried to download ${shortened(item.getURL())}`);
  });
}

interface PageGuard {
  isOurs: IsOurs;
  openExternal: (url: string) => void;
  warn: (words: string) => void;
  /** Answers a page that opens another one of ours; without it none is opened. */
  ownWindow?: (details: HandlerDetails) => WindowOpenHandlerResponse;
}

/** Keeps every page that ever opens on an origin of our own. */
export function guardPages(app: Pick<App, 'on'>, guard: PageGuard): void {
  app.on('web-contents-created', (_event, contents) => guardPage(contents, guard));
}

function guardPage(contents: WebContents, { isOurs, openExternal, warn, ownWindow }: PageGuard): void {
  contents.on('will-frame-navigate', (event) => {
    if (isOwn(event.url, isOurs)) return;
    event.preventDefault();
    warn(`a page tried to go to ${shortened(event.url)}`);
  });
  contents.on('will-redirect', (event) => {
    if (!isOwn(event.url, isOurs)) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  // Datagrams of WebRTC know neither origins nor a Content-Security-Policy; with this they are not sent.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.setWindowOpenHandler((details) => {
    const { url } = details;
    if (isOwn(url, isOurs) && ownWindow !== undefined) return ownWindow(details);
    const link = isOwn(url, isOurs) ? null : externalLink(url);
    if (link === null) warn(`a page tried to open ${shortened(url)}`);
    else openExternal(link);
    return { action: 'deny' };
  });
}

const shortened = (url: string): string => url.slice(0, LONGEST_LINK);
