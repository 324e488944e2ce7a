import { expect, it, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { DesktopPreferences } from '../../../electron/bridge/channels.ts';
import { startProgramToasts } from '../../../renderer/settings/programToasts.ts';
import { createSettingsStore } from '../../../renderer/settings/settingsStore.ts';
import { createToastStore } from '../../../renderer/ui/toastStore.ts';

const PREFERENCES = { startAtLogin: null, keepRunning: true, confirmQuit: true, mutedUntil: null };

function setUp(reason: 'crashed' | null) {
  const preferences = createStore<DesktopPreferences | null>(() => null);
  const change = vi.fn(() => Promise.reject(new Error('disk full')));
  const toasts = createToastStore();
  const stop = startProgramToasts({
    platform: { takeReloadReason: () => reason, program: { preferences, change } } as never,
    toasts,
    settings: createSettingsStore(),
    t: (key: string, values?: object) => [key, ...Object.values(values ?? {})].join(' '),
  });
  return { preferences, change, stop, toast: () => toasts.getState().toast };
}

it('a page that was loaded again says why', () => {
  expect(setUp('crashed').toast()).toMatchObject({ text: 'program.reloaded.crashed', isTrouble: true });
  expect(setUp(null).toast()).toBeNull();
});

it('a mute by the tray is said once in the console, which takes it back', () => {
  const { preferences, change, stop, toast } = setUp(null);
  const muted = { ...PREFERENCES, mutedUntil: Date.UTC(2026, 10, 21, 12, 30) };
  preferences.setState(muted, true);
  const said = toast();
  expect(said?.text).toMatch(/^program\.muted \d\d:30$/);
  preferences.setState({ ...muted, confirmQuit: false }, true);
  expect(toast()).toBe(said);
  said?.action?.run();
  expect(change).toHaveBeenCalledWith({ mutedUntil: null });
  stop();
  preferences.setState({ ...muted, mutedUntil: muted.mutedUntil + 60_000 }, true);
  expect(toast()).toBe(said);
});
