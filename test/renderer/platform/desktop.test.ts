import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DesktopBridge } from '../../../electron/bridge/desktopBridge.ts';
import { createDesktopPlatform, findDesktopBridge } from '../../../renderer/platform/desktop.ts';

function setUp(canNotify = true) {
  const click: { open: (tag: string) => void } = { open: () => undefined };
  const bridge = {
    facts: () => ({ version: '1.2.3', canNotify }),
    setupCode: vi.fn(() => 'code'),
    notify: vi.fn<DesktopBridge['notify']>(),
    onNoticeOpened: (listen: (tag: string) => void) => {
      click.open = listen;
      return () => undefined;
    },
    setBadge: vi.fn<DesktopBridge['setBadge']>(),
    bringToFront: vi.fn(),
    saveFile: vi.fn<DesktopBridge['saveFile']>(() => Promise.resolve('/downloads/clip.mp4')),
  };
  return { bridge, click, platform: createDesktopPlatform(bridge) };
}

beforeEach(() => {
  vi.stubGlobal('window', { isSecureContext: true, location: { hash: '#setup=other' } });
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

  it('the desktop hands over the code of the first run itself', () => {
    expect(setUp().platform.setupCode()).toBe('code');
  });

  it('the desktop shows notices through the system and comes to the front when one is opened', () => {
    const { bridge, click, platform } = setUp();
    const onOpen = vi.fn();
    platform.notify({ tag: 'van', title: 'SOS', body: 'Ring road', onOpen });
    expect(bridge.notify.mock.calls).toEqual([[{ tag: 'van', title: 'SOS', body: 'Ring road' }]]);
    click.open('truck');
    expect(onOpen).not.toHaveBeenCalled();
    click.open('van');
    expect(onOpen).toHaveBeenCalledOnce();
    expect(bridge.bringToFront).toHaveBeenCalled();
  });

  it('the desktop opens what the newest notice of a tag is about', () => {
    const { click, platform } = setUp();
    const [first, second] = [vi.fn(), vi.fn()];
    platform.notify({ tag: 'van', title: 'SOS', body: '', onOpen: first });
    platform.notify({ tag: 'van', title: 'SOS', body: '', onOpen: second });
    click.open('van');
    expect(first).not.toHaveBeenCalled();
    expect(second).toHaveBeenCalledOnce();
  });

  it('the desktop says that it cannot notify where the system shows no notices', async () => {
    const { bridge, platform } = setUp(false);
    platform.notify({ tag: 'van', title: 'SOS', body: '', onOpen: vi.fn() });
    expect(bridge.notify).not.toHaveBeenCalled();
    expect(platform.notifyPermission()).toBe('unavailable');
    expect(await platform.askToNotify()).toBe('unavailable');
  });

  it('the desktop saves files through the system’s dialog', async () => {
    const { bridge, platform } = setUp();
    expect(await platform.saveFile('clip.mp4', new Blob(['clip']))).toBe('/downloads/clip.mp4');
    const [name, content] = bridge.saveFile.mock.calls[0] ?? [];
    expect(name).toBe('clip.mp4');
    expect(new TextDecoder().decode(content)).toBe('clip');
  });

  it('the desktop shows the number of open alarms in the title and on the badge', () => {
    const { bridge, platform } = setUp();
    platform.setAttention(3, 'Depot');
    expect(document.title).toBe('(3) Depot');
    expect(bridge.setBadge).toHaveBeenCalledWith(3);
  });
});
