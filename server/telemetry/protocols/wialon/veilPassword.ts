import { veiledByte } from '../veil.ts';

const loginStart = /#L#/gi;

/**
 * Overwrites the passwords of all logins that stand in these bytes, cut off ones too: `#L#imei;password` and
 * `#L#2.0;imei;password;CRC`, whose CRC would help to guess it.
 */
export function veilPassword(bytes: Uint8Array): boolean {
  // One letter a byte.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  let isVeiled = false;
  for (const { index } of text.matchAll(loginStart)) {
    const [line = ''] = /^[^\r\n]*/.exec(text.slice(index)) ?? [];
    const open = /^#L#(?:\d+\.\d+;|(?!\d+\.\d+;))[^;]*;/i.exec(line)?.[0].length ?? line.length;
    if (open >= line.length) continue;
    bytes.fill(veiledByte, index + open, index + line.length);
    isVeiled = true;
  }
  return isVeiled;
}
