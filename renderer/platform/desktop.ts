import { createStore } from 'zustand/vanilla';
import type { DesktopPreferences } from '../../electron/bridge/channels.ts';
import type { BridgeHolder, DesktopBridge } from '../../electron/bridge/desktopBridge.ts';
import { createBrowserPlatform } from './browser.ts';
import { ShellFault, type AlarmNotice, type Platform, type Program, type RemoteHosts } from './platform.ts';

/** The desktop's bridge; null in a browser. */
export function findDesktopBridge(): DesktopBridge | null {
  const holder: Window & BridgeHolder = window;
  return holder.fleetdeckDesktop ?? null;
}

/** Abilities of the desktop: a browser's, and those for which the shell stands in. */
export function createDesktopPlatform(bridge: DesktopBridge): Platform {
  const browser = createBrowserPlatform();
  const { canNotify } = bridge.facts();
  /** By their tags. */
  const shown = new Map<string, AlarmNotice>();
  const take = (tag: string) => {
    const notice = shown.get(tag);
    shown.delete(tag);
    return notice;
  };
  bridge.onNoticeOpened((tag) => {
    const notice = take(tag);
    bridge.bringToFront();
    notice?.onOpen();
  });
  bridge.onNoticeActed(({ tag, action }) => {
    const notice = take(tag);
    const chosen = notice?.actions[action];
    // Of the page before this one: nothing is done, and the operator sees the alarm that is still open.
    if (notice === undefined || chosen?.raises === true) bridge.bringToFront();
    chosen?.run();
  });
  const permission = () => (canNotify ? 'granted' : 'unavailable');
  return {
    ...browser,
    notify(notice) {
      if (!canNotify) return () => undefined;
      const { tag, title, body, urgency, actions } = notice;
      shown.set(tag, notice);
      bridge.notify({ tag, title, body, urgency, actions: actions.map(({ label }) => label) });
      return () => {
        if (shown.get(tag) !== notice) return;
        shown.delete(tag);
        bridge.withdrawNotice(tag);
      };
    },
    notifyPermission: permission,
    askToNotify: () => Promise.resolve(permission()),
    async saveFile(name, content) {
      return bridge.saveFile(name, await content.arrayBuffer());
    },
    comeForward: () => bridge.bringToFront(),
    setupCode: () => bridge.setupCode(),
    program: createProgram(bridge),
    openings: {
      async take() {
        const opening = await bridge.takeOpening();
        if (opening?.kind !== 'file') return opening;
        return { kind: 'file', file: new File([opening.content], opening.name) };
      },
      onWait: (run) => bridge.onOpeningsWait(run),
    },
    menu: {
      show: (menus) => bridge.setMenu([...menus]),
      onChosen: (run) => bridge.onCommandChosen(run),
    },
    takeReloadReason: () => bridge.reloadReason(),
    onResume(run) {
      const undo = [browser.onResume(run), bridge.onResumed(run)];
      return () => undo.forEach((stop) => stop());
    },
    updates: {
      state: () => inSentence(bridge.updateState()),
      change: (settings) => inSentence(bridge.changeUpdates(settings)),
      check: () => inSentence(bridge.checkForUpdates()),
      install: () => inSentence(bridge.installUpdate()),
    },
    problemFacts: () => bridge.problemFacts(),
    raiseWindow: () => bridge.raiseWindow(),
    remoteHosts: remoteHostsOf(bridge),
    setBadge: (open) => bridge.setBadge(open),
    setLanguage: (language) => bridge.setLanguage(language),
    // The shell lets its pages play without a click (autoplayPolicy).
    onMayPlay(run) {
      run();
      return () => undefined;
    },
  };
}

function createProgram(bridge: DesktopBridge): Program {
  const preferences = createStore<DesktopPreferences | null>(() => null);
  const take = (given: DesktopPreferences) => preferences.setState(given, true);
  bridge.onPreferencesChanged(take);
  // One that does not answer is shown as one that has none.
  bridge.preferences().then(take, () => undefined);
  return { preferences, change: async (change) => take(await bridge.changePreferences(change)) };
}

function remoteHostsOf(bridge: DesktopBridge): RemoteHosts {
  return {
    list: () => inSentence(bridge.connections()),
    probe: (asked) => inSentence(bridge.probeHost(asked)),
    look: () => inSentence(bridge.lookForHosts()),
    add: (connection) => inSentence(bridge.addConnection(connection)),
    rename: (id, name) => inSentence(bridge.renameConnection(id, name)),
    remove: (id) => inSentence(bridge.removeConnection(id)),
    async open(id) {
      await inSentence(bridge.openConnection(id));
    },
    startOwnDepot: (starts) => inSentence(bridge.startOwnDepot(starts)),
  };
}

/** What the shell says by causes comes as JSON: Electron takes nothing of an error to a page but its message. */
function shellFault(words: string, cause: unknown): Error {
  if (!words.startsWith('{')) return new Error(words, { cause });
  const { detail, causes } = JSON.parse(words) as { detail: string; causes: ShellFault['causes'] };
  return new ShellFault(detail, causes);
}

/** Electron puts its own words before those of an error of the shell. */
async function inSentence<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw shellFault(words.replace(/^Error invoking remote method '[^']*': (\w+: )?/, ''), error);
  }
}
