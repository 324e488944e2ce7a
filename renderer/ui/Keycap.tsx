import './Keycap.css';

/** A key as it is written on the keyboard. */
export function Keycap({ children }: { children: string }) {
  return <kbd className="keycap">{children}</kbd>;
}
