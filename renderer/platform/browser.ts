import { z } from 'zod';
import type { NotifyPermission, Platform, TextStorage } from './platform.ts';

/** Abilities of a browser. */
export function createBrowserPlatform(): Platform {
  return {
    notify({ tag, title, body, urgency, onOpen }) {
      if (permission() !== 'granted') return () => undefined;
      // Browsers have buttons for notices of service workers alone. The console sounds its alarms itself.
      const notice = new Notification(title, {
        body,
        tag,
        silent: true,
        requireInteraction: urgency === 'critical',
      });
      notice.onclick = () => {
        window.focus();
        notice.close();
        onOpen();
      };
      return () => notice.close();
    },
    notifyPermission: permission,
    async askToNotify() {
      if (!('Notification' in window) || !window.isSecureContext) return 'unavailable';
      await Notification.requestPermission();
      return permission();
    },
    saveFile(name, content) {
      const url = URL.createObjectURL(content);
      const link = document.createElement('a');
      link.href = url;
      link.download = name;
      link.click();
      // The browser reads the address after this task; it keeps what it has begun to save.
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
      return Promise.resolve(true);
    },
    async copyText(text) {
      try {
        await navigator.clipboard.writeText(text);
        return true;
      } catch {
        // The clipboard is denied to insecure pages and unfocused windows.
        return false;
      }
    },
    storage: localTexts(),
    secureContext: window.isSecureContext,
    cookies: navigator.cookieEnabled,
    setupCode: () => new URLSearchParams(window.location.hash.slice(1)).get('setup'),
    setTitle(count, title) {
      document.title = count === 0 ? title : `(${count}) ${title}`;
    },
    raiseWindow: null,
    menu: null,
    connection: readConnection,
    remoteHosts: null,
    openings: null,
    setBadge: () => undefined,
    setLanguage: () => undefined,
    ...fullScreen(),
    openWindow({ address, name, width, height }) {
      window.open(address, name, `popup,width=${width},height=${height}`)?.focus();
    },
    comeForward: () => window.focus(),
    onMayPlay,
    keepAwake,
    program: null,
    takeReloadReason: () => null,
    onResume(run) {
      window.addEventListener('online', run);
      return () => window.removeEventListener('online', run);
    },
    updates: null,
    problemFacts: null,
    prefersLight: () => window.matchMedia('(prefers-color-scheme: light)').matches,
  };
}

/** Chromium can leave Escape to the page, which closes dialogs with it first; held down, it leaves the full screen still. */
type KeyLock = { keyboard?: { lock?: (keys: string[]) => Promise<void> } };

/** The whole page is shown, not the map alone: dialogs, menus and toasts are its children. */
function fullScreen(): Pick<Platform, 'fillScreen' | 'onScreenLeft'> {
  let wanted = false;
  const leave = async () => {
    if (document.fullscreenElement !== null) await document.exitFullscreen();
  };
  const enter = async () => {
    await document.documentElement.requestFullscreen();
    // It may have been given up before the browser granted it.
    if (wanted) await (navigator as KeyLock).keyboard?.lock?.(['Escape']);
    else await leave();
  };
  return {
    fillScreen(on) {
      wanted = on;
      // A browser that refuses leaves the page as it is, in the layout that it has.
      (on ? enter() : leave()).catch(() => undefined);
    },
    onScreenLeft(run) {
      const onChange = () => {
        if (document.fullscreenElement === null) run();
      };
      document.addEventListener('fullscreenchange', onChange);
      return () => document.removeEventListener('fullscreenchange', onChange);
    },
  };
}

function permission(): NotifyPermission {
  if (!('Notification' in window) || !window.isSecureContext) return 'unavailable';
  return Notification.permission === 'default' ? 'not_asked' : Notification.permission;
}

/** A browser takes the lock away when the page is hidden. The desktop keeps its displays on by itself. */
function keepAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let isOver = false;
  const ask = async () => {
    // Pages that are not secure have none, whatever the types say.
    if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
    lock = await navigator.wakeLock.request('screen');
    if (isOver) await lock.release();
  };
  // Denied to save power: the display then follows the system's settings.
  const askQuietly = () => void ask().catch(() => undefined);
  document.addEventListener('visibilitychange', askQuietly);
  askQuietly();
  return () => {
    isOver = true;
    document.removeEventListener('visibilitychange', askQuietly);
    void lock?.release();
  };
}

/** Browsers let a page play sound once it was clicked or typed into. */
function onMayPlay(run: () => void): () => void {
  if (navigator.userActivation.hasBeenActive) {
    run();
    return () => undefined;
  }
  const kinds = ['pointerdown', 'keydown'] as const;
  const onTouch = () => {
    stop();
    run();
  };
  const stop = () => kinds.forEach((kind) => window.removeEventListener(kind, onTouch, { capture: true }));
  for (const kind of kinds) window.addEventListener(kind, onTouch, { capture: true });
  return stop;
}

/** localStorage throws where the user or a policy denies it, and when it is full. */
function localTexts(): TextStorage {
  return {
    read(key) {
      try {
        return window.localStorage.getItem(`fleetdeck.${key}`);
      } catch {
        return null;
      }
    },
    write(key, value) {
      try {
        if (value === null) window.localStorage.removeItem(`fleetdeck.${key}`);
        else window.localStorage.setItem(`fleetdeck.${key}`, value);
      } catch {
        // What is kept here are habits of this computer; the console works without them.
      }
    },
    onWritten(key, run) {
      const onStorage = (event: StorageEvent) => {
        if (event.key === `fleetdeck.${key}`) run();
      };
      window.addEventListener('storage', onStorage);
      return () => window.removeEventListener('storage', onStorage);
    },
  };
}

const connection = z.object({ name: z.string(), url: z.string() });

/** From the head of the page, into which the server of a remote console writes it (server/remote/remoteConsole.ts). */
function readConnection(): ReturnType<Platform['connection']> {
  const content = document.querySelector<HTMLMetaElement>('meta[name=fleetdeck-connection]')?.content;
  return content === undefined ? null : connection.parse(JSON.parse(content));
}
