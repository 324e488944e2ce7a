import type { App, Session, WebContents } from 'electron';

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
export function mayUse(permission: string, pageUrl: string, origin: string): boolean {
  return Object.hasOwn(allowedPermissions, permission) && isOwn(pageUrl, origin);
}

export function isOwn(url: string, origin: string): boolean {
  return URL.canParse(url) && new URL(url).origin === origin;
}

/** The address to hand to the system, or null for one that is not to be opened. */
export function externalLink(url: string): string | null {
  if (url.length > LONGEST_LINK || !URL.canParse(url)) return null;
  const link = new URL(url);
  const isPlain = link.username === '' && link.password === '';
  return Object.hasOwn(externalProtocols, link.protocol) && isPlain ? link.href : null;
}

export function guardSession(session: Session, origin: string): void {
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) => {
    answer(mayUse(permission, requestingUrl, origin));
  });
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin) =>
    mayUse(permission, requestingOrigin, origin),
  );
  // Serial ports, USB and the like: a console has no use for them.
  session.setDevicePermissionHandler(() => false);
}

/** Keeps every page that ever opens on our own origin. */
export function guardPages(
  app: Pick<App, 'on'>,
  deps: { origin: string; openExternal: (url: string) => void; warn: (words: string) => void },
): void {
  app.on('web-contents-created', (_event, contents) => {
    guardPage(contents, deps);
  });
}

function guardPage(
  contents: WebContents,
  {
    origin,
    openExternal,
    warn,
  }: { origin: string; openExternal: (url: string) => void; warn: (words: string) => void },
): void {
  contents.on('will-frame-navigate', (event) => {
    if (isOwn(event.url, origin)) return;
    event.preventDefault();
    warn(`a page tried to go to ${event.url.slice(0, LONGEST_LINK)}`);
  });
  contents.on('will-redirect', (event) => {
    if (!isOwn(event.url, origin)) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    const link = externalLink(url);
    if (link === null) warn(`a page tried to open ${url.slice(0, LONGEST_LINK)}`);
    else openExternal(link);
    return { action: 'deny' };
  });
}
