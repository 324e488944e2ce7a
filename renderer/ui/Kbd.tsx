import { hintOf, useKeyMap } from '../commands/keyHints.ts';
import './Kbd.css';

/**
 * A key as it is written on the keyboard. Named by the key that an action has from the start, it shows the one that it
 * has for this user, or nothing where it has none.
 *
 * @param isWritten shows it as it stands there
 */
export function Kbd({ children, isWritten = false }: { children: string; isWritten?: boolean }) {
  const map = useKeyMap();
  const hint = isWritten ? children : hintOf(map, children);
  return hint === null ? null : <kbd className="keycap">{hint}</kbd>;
}
