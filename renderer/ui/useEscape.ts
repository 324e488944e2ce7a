import { useEffect } from 'react';
import { isOverlayOpen } from '../commands/shortcuts.ts';

/** Escape closes what is open beside a table, unless a list, a dialog or a search with words in it takes the key. */
export function useEscape(isOn: boolean, close: () => void): void {
  useEffect(() => {
    if (!isOn) return;
    let isMine = false;
    const before = (event: KeyboardEvent) => {
      isMine =
        event.key === 'Escape' &&
        !isOverlayOpen() &&
        !(
          event.target instanceof HTMLInputElement &&
          event.target.type === 'search' &&
          event.target.value !== ''
        );
    };
    const after = (event: KeyboardEvent) => {
      if (isMine && !event.defaultPrevented) close();
      isMine = false;
    };
    window.addEventListener('keydown', before, { capture: true });
    window.addEventListener('keydown', after);
    return () => {
      window.removeEventListener('keydown', before, { capture: true });
      window.removeEventListener('keydown', after);
    };
  });
}
