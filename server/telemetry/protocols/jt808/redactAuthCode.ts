import { redactedByte } from '../redact.ts';
import { fromTerminal } from './messageIds.ts';

const delimiter = 0x7e;
const escape = 0x7d;
const versionFlag = 1 << 14;

/**
 * Overwrites what follows the header in all authentications (0102) that stand in these bytes, cut off ones too: the
 * code, and the check byte, which would help to guess it.
 */
export function redactAuthCode(bytes: Uint8Array): boolean {
  let isRedacted = false;
  for (let from = 0; from < bytes.length;) {
    const at = bytes.indexOf(delimiter, from);
    const end = at < 0 ? bytes.length : at;
    const start = bodyStart(bytes, from, end);
    if (start < end) {
      bytes.fill(redactedByte, start, end);
      isRedacted = true;
    }
    from = end + 1;
  }
  return isRedacted;
}

/** Where the body begins of an authentication that stands, escaped, in these bytes; `end` of anything else. */
function bodyStart(bytes: Uint8Array, from: number, end: number): number {
  let attributes = 0;
  let count = 0;
  let at = from;
  // Tables 2 and 3 of 4.4.3: id, attributes, since 2019 a version, the number of the terminal, the serial.
  const headerLength = () => (count < 4 || (attributes & versionFlag) === 0 ? 12 : 17);
  while (at < end && count < headerLength()) {
    const isEscape = bytes[at] === escape && at + 1 < end;
    const byte = isEscape ? (bytes[at + 1] === 1 ? escape : delimiter) : (bytes[at] ?? 0);
    if (count === 0 && byte !== fromTerminal.authenticate >> 8) return end;
    if (count === 1 && byte !== (fromTerminal.authenticate & 0xff)) return end;
    if (count === 2 || count === 3) attributes = (attributes << 8) | byte;
    at += isEscape ? 2 : 1;
    count += 1;
  }
  return at;
}
