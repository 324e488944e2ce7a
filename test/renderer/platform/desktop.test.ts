import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { wireName, type MessageOf, type ShellChannelName } from '../../../electron/bridge/channels.ts';
import { createBridge } from '../../../electron/bridge/desktopBridge.ts';
import { createDesktopPlatform, findDesktopBridge } from '../../../renderer/platform/desktop.ts';
import type { AlarmNotice } from '../../../renderer/platform/platform.ts';

const NOTICE: AlarmNotice = {
  tag: 'van',
  title: 'SOS',
  body: 'Ring road',
  urgency: 'critical',
  actions: [],
  onOpen: () => undefined,
};

const PREFERENCES = { startAtLogin: false, keepRunning: true, confirmQuit: true, mutedUntil: null };

/** A platform over the true bridge, with a shell that answers `replies` and notes what it is sent. */
function setUp(canNotify = true) {
  const wire = new EventEmitter();
  const sent: unknown[][] = [];
  const replies: Record<string, unknown> = {
    facts: { version: '1.2.3', canNotify },
    setupCode: 'code',
    saveFile: '/downloads/clip.mp4',
    preferences: PREFERENCES,
    reloadReason: 'crashed',
    changePreferences: { ...PREFERENCES, confirmQuit: false },
  };
  const call = (channel: string, ...args: unknown[]): unknown => {
    const name = channel.replace('desktop:', '');
    if (name !== 'facts' && name !== 'preferences') sent.push([name, ...args]);
    return replies[name];
  };
  const bridge = createBridge({
    sendSync: call,
    async invoke(...args) {
      const reply = await call(...args);
      if (reply instanceof Error) throw reply;
      return reply;
    },
    send: call,
    on: (channel, listener) => wire.on(channel, listener),
    removeListener: (channel, listener) => wire.removeListener(channel, listener),
  });
  if (bridge === null) throw new Error('The page has no bridge.');
  const fromShell = <Name extends ShellChannelName>(name: Name, message: MessageOf<Name>) =>
    void wire.emit(wireName(name), {}, message);
  return { bridge, sent, replies, fromShell, platform: createDesktopPlatform(bridge) };
}

beforeEach(() => {
  vi.stubGlobal(
    'window',
    Object.assign(new EventTarget(), { isSecureContext: true, location: { hash: '#setup=other' } }),
  );
  vi.stubGlobal('navigator', { cookieEnabled: true });
  vi.stubGlobal('document', { title: '' });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the desktop', () => {
  it('the desktop is known by its bridge', () => {
    expect(findDesktopBridge()).toBeNull();
    const { bridge } = setUp();
    Object.assign(window, { fleetdeckDesktop: bridge });
    expect(findDesktopBridge()).toBe(bridge);
  });

  it('the desktop hands over what its shell refuses with the causes, for the page to say in its language', async () => {
    const { replies, platform } = setUp();
    const causes = [{ code: 'shell.no_own_depot', values: {} }];
    const json = JSON.stringify({ detail: 'The depot of this computer is not running.', causes });
    const before = "Error invoking remote method 'desktop:openConnection': Error: ";
    for (const [words, expected] of [
      [json, { message: 'The depot of this computer is not running.', causes }],
      ['the disk is full', { message: 'the disk is full' }],
    ] as const) {
      replies['openConnection'] = new Error(`${before}${words}`);
      await expect(platform.remoteHosts?.open(null)).rejects.toMatchObject(expected);
    }
  });

  it('the desktop hands over the code of the first run itself', () => {
    expect(setUp().platform.setupCode()).toBe('code');
  });

  it('the desktop shows notices through the system and comes to the front when one is opened', () => {
    const { sent, fromShell, platform } = setUp();
    const onOpen = vi.fn();
    platform.notify({ ...NOTICE, onOpen });
    const { tag, title, body, urgency } = NOTICE;
    expect(sent).toEqual([['notify', { tag, title, body, urgency, actions: [] }]]);
    fromShell('noticeOpened', 'truck');
    expect(onOpen).not.toHaveBeenCalled();
    fromShell('noticeOpened', 'van');
    expect(onOpen).toHaveBeenCalledOnce();
    expect(sent.at(-1)).toEqual(['bringToFront']);
  });

  it('the desktop opens what the newest notice of a tag is about', () => {
    const { fromShell, platform } = setUp();
    const [first, second] = [vi.fn(), vi.fn()];
    platform.notify({ ...NOTICE, onOpen: first });
    platform.notify({ ...NOTICE, onOpen: second });
    fromShell('noticeOpened', 'van');
    expect(first).not.toHaveBeenCalled();
    expect(second).toHaveBeenCalledOnce();
  });

  it('the desktop runs the button of a notice, and comes to the front for those that show something', () => {
    const { sent, fromShell, platform } = setUp();
    const [acknowledge, locate] = [vi.fn(), vi.fn()];
    const actions = [
      { label: 'Acknowledge', raises: false, run: acknowledge },
      { label: 'Locate', raises: true, run: locate },
    ];
    platform.notify({ ...NOTICE, actions });
    fromShell('noticeActed', { tag: 'van', action: 0 });
    expect(acknowledge).toHaveBeenCalledOnce();
    expect(sent).toMatchObject([['notify', { actions: ['Acknowledge', 'Locate'] }]]);
    platform.notify({ ...NOTICE, actions });
    fromShell('noticeActed', { tag: 'van', action: 2 });
    fromShell('noticeActed', { tag: 'van', action: 1 });
    expect(locate).not.toHaveBeenCalled();
    platform.notify({ ...NOTICE, actions });
    fromShell('noticeActed', { tag: 'van', action: 1 });
    expect(locate).toHaveBeenCalledOnce();
    expect(sent.at(-1)).toEqual(['bringToFront']);
  });

  it('the desktop comes to the front for a button of a notice that an earlier page showed', () => {
    const { sent, fromShell } = setUp();
    fromShell('noticeActed', { tag: 'van', action: 0 });
    expect(sent).toEqual([['bringToFront']]);
  });

  it('the desktop takes a notice away again, but not the later one of its tag', () => {
    const { sent, platform } = setUp();
    const undoFirst = platform.notify(NOTICE);
    const undoSecond = platform.notify({ ...NOTICE });
    undoFirst();
    expect(sent.map(([name]) => name)).toEqual(['notify', 'notify']);
    undoSecond();
    expect(sent.at(-1)).toEqual(['withdrawNotice', 'van']);
  });

  it('the desktop says that it cannot notify where the system shows no notices', async () => {
    const { sent, platform } = setUp(false);
    platform.notify(NOTICE);
    expect(sent).toEqual([]);
    expect(platform.notifyPermission()).toBe('unavailable');
    expect(await platform.askToNotify()).toBe('unavailable');
  });

  it('the desktop saves files through the system’s dialog', async () => {
    const { sent, platform } = setUp();
    expect(await platform.saveFile('clip.mp4', new Blob(['clip']))).toBe('/downloads/clip.mp4');
    const [[name, file, content] = []] = sent;
    expect([name, file]).toEqual(['saveFile', 'clip.mp4']);
    expect(new TextDecoder().decode(content as ArrayBuffer)).toBe('clip');
  });

  it('the desktop shows the number of open alarms in the title and on the badge', () => {
    const { sent, platform } = setUp();
    platform.setTitle(3, 'Depot');
    platform.setBadge({ count: 3, worst: 'alarm' });
    expect(document.title).toBe('(3) Depot');
    expect(sent).toEqual([['setBadge', { count: 3, worst: 'alarm' }]]);
  });

  it('the desktop has its shell speak the language of the page', () => {
    const { sent, platform } = setUp();
    platform.setLanguage('de');
    expect(sent).toEqual([['setLanguage', 'de']]);
  });

  it('the desktop shows what is set for its program, as the shell says it, whoever changes it', async () => {
    const { sent, fromShell, platform } = setUp();
    const { program } = platform;
    await vi.waitFor(() => expect(program?.preferences.getState()).toEqual(PREFERENCES));
    await program?.change({ confirmQuit: false });
    expect(sent).toEqual([['changePreferences', { confirmQuit: false }]]);
    expect(program?.preferences.getState()?.confirmQuit).toBe(false);
    fromShell('preferencesChanged', { ...PREFERENCES, mutedUntil: 1_800_000 });
    expect(program?.preferences.getState()?.mutedUntil).toBe(1_800_000);
  });

  it('the desktop says why its page was loaded again, and when the computer has slept', () => {
    const { sent, fromShell, platform } = setUp();
    expect(platform.takeReloadReason()).toBe('crashed');
    expect(sent).toEqual([['reloadReason']]);
    const resumed = vi.fn();
    const stop = platform.onResume(resumed);
    fromShell('resumed', true);
    stop();
    fromShell('resumed', true);
    expect(resumed).toHaveBeenCalledOnce();
  });
});
