import './Kbd.css';

/** A key as it is written on the keyboard. */
export function Kbd({ children }: { children: string }) {
  return <kbd className="keycap">{children}</kbd>;
}
