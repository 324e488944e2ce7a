import { redactedByte } from '../redact.ts';

const loginStart = /#L#/gi;

/**
 * Overwrites the passwords of all logins that stand in these bytes, cut off ones too: `#L#imei;password` and
 * `#L#2.0;imei;password;CRC`, whose CRC would help to guess it.
 */
export function redactPassword(bytes: Uint8Array): boolean {
  // One letter a byte.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  let isRedacted = false;
  for (const { index } of text.matchAll(loginStart)) {
    const [line = ''] = /^[^\r\n]*/.exec(text.slice(index)) ?? [];
    const open = /^#L#(?:\d+\.\d+;|(?!\d+\.\d+;))[^;]*;/i.exec(line)?.[0].length ?? line.length;
    if (open >= line.length) continue;
    bytes.fill(redactedByte, index + open, index + line.length);
    isRedacted = true;
  }
  return isRedacted;
}
