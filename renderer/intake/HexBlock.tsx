import { hexText } from './hexLines.ts';

/** Bytes in hex, in columns, to be selected and copied. */
export function HexBlock({ hex, label }: { hex: string; label: string }) {
  return (
    <pre className="hex-block" aria-label={label} role="group">
      {hexText(hex)}
    </pre>
  );
}
