import type { BridgeHolder, DesktopBridge } from '../../electron/bridge/desktopBridge.ts';
import { createBrowserPlatform } from './browser.ts';
import type { Platform } from './platform.ts';

/** The desktop's bridge; null in a browser. */
export function findDesktopBridge(): DesktopBridge | null {
  const holder: Window & BridgeHolder = window;
  return holder.fleetdeckDesktop ?? null;
}

/** Abilities of the desktop: a browser's, and those for which the shell stands in. */
export function createDesktopPlatform(bridge: DesktopBridge): Platform {
  const browser = createBrowserPlatform();
  const { canNotify } = bridge.facts();
  /** What a click on a notice opens, by the notice's tag. */
  const opens = new Map<string, () => void>();
  bridge.onNoticeOpened((tag) => {
    const open = opens.get(tag);
    opens.delete(tag);
    bridge.bringToFront();
    open?.();
  });
  const permission = () => (canNotify ? 'granted' : 'unavailable');
  return {
    ...browser,
    notify({ tag, title, body, onOpen }) {
      if (!canNotify) return;
      opens.set(tag, onOpen);
      bridge.notify({ tag, title, body });
    },
    notifyPermission: permission,
    askToNotify: () => Promise.resolve(permission()),
    async saveFile(name, content) {
      return bridge.saveFile(name, await content.arrayBuffer());
    },
    setupCode: () => bridge.setupCode(),
    setAttention(count, title) {
      browser.setAttention(count, title);
      bridge.setBadge(count);
    },
  };
}
