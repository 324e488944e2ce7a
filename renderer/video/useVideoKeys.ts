import { useLayoutEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { isSingleKey, shortcutOf } from '../keyboard/shortcut.ts';

/** What keys do while the video screen is shown; as `shortcutOf` names them. */
export type VideoKeys = Readonly<Record<string, (() => void) | undefined>>;

/** Listens to keys as long as the screen is there, from when it is first seen; those of the console go first. */
export function useVideoKeys(keys: VideoKeys): void {
  const { preferences } = useAppContext();
  const singleKeys = useStore(preferences, (state) => state.singleKeys);
  const current = useRef<VideoKeys>(keys);
  useLayoutEffect(() => {
    current.current = keys;
  });
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || belongsElsewhere(event)) return;
      const shortcut = shortcutOf(event);
      const run = current.current[shortcut];
      if (run === undefined || (isSingleKey(shortcut) && !singleKeys)) return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [singleKeys]);
}

/** Text fields, dialogs and menus have keys of their own, and Space presses the button that has the focus. */
function belongsElsewhere({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const selector =
    '[role=dialog], [role=menu], .popover, input:not([type=checkbox]), textarea, select, [contenteditable]';
  return target.closest(key === ' ' ? `${selector}, input, button, a` : selector) !== null;
}
