import { afterEach, describe, expect, it, vi } from 'vitest';
import { createBrowserPlatform } from '../../../renderer/platform/browser.ts';

/** A page whose browser grants the full screen when it is asked to, or refuses it. */
function openPage() {
  const page = {
    element: null as object | null,
    answer: null as { grant: () => void; refuse: () => void } | null,
    locked: [] as string[],
    changed() {},
  };
  const enter = (element: object | null) => {
    page.element = element;
    page.changed();
  };
  vi.stubGlobal('window', { isSecureContext: true });
  vi.stubGlobal('navigator', {
    keyboard: { lock: (keys: string[]) => Promise.resolve(void page.locked.push(...keys)) },
  });
  vi.stubGlobal('document', {
    get fullscreenElement() {
      return page.element;
    },
    documentElement: {
      requestFullscreen: () =>
        new Promise<void>((resolve, reject) => {
          page.answer = {
            grant: () => {
              enter({});
              resolve();
            },
            refuse: () => reject(new TypeError('refused')),
          };
        }),
    },
    exitFullscreen() {
      enter(null);
      return Promise.resolve();
    },
    addEventListener: (_: string, run: () => void) => (page.changed = run),
    removeEventListener: () => (page.changed = () => undefined),
  });
  return page;
}

describe('the full screen of a browser', () => {
  afterEach(() => void vi.unstubAllGlobals());

  it('the full screen of a browser takes Escape for the page, and reports its end', async () => {
    const page = openPage();
    const platform = createBrowserPlatform();
    const left = vi.fn();
    const stop = platform.onScreenLeft(left);
    platform.fillScreen(true);
    page.answer?.grant();
    await vi.waitFor(() => expect(page.locked).toEqual(['Escape']));
    expect(left).not.toHaveBeenCalled();
    platform.fillScreen(false);
    expect(page.element).toBeNull();
    expect(left).toHaveBeenCalledOnce();
    stop();
  });

  it('the full screen of a browser that is granted too late is left at once', async () => {
    const page = openPage();
    const platform = createBrowserPlatform();
    platform.fillScreen(true);
    platform.fillScreen(false);
    page.answer?.grant();
    await vi.waitFor(() => expect(page.element).toBeNull());
    expect(page.locked).toEqual([]);
  });

  it('the full screen of a browser that refuses it changes nothing', async () => {
    const page = openPage();
    const platform = createBrowserPlatform();
    platform.fillScreen(true);
    page.answer?.refuse();
    await Promise.resolve();
    expect(page).toMatchObject({ element: null, locked: [] });
  });
});
