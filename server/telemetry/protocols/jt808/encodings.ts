/**
 * How far the clocks of terminals are ahead of UTC by the standards, in minutes (GMT+8: JT/T 808-2013, 4.2.2 and table
 * 23, and so in JT/T 1078); exported terminals are set otherwise, some by seconds.
 */
export const standardOffsetMin = 480;

/** A moment (Unix ms) as BCD[6], YYMMDDhhmmss, by a clock that is so far ahead of UTC; of years 2000 to 2099. */
export function bcdTime(time_ms: number, offsetMin: number): Buffer {
  const local = new Date(time_ms + Math.round(offsetMin * 60_000)).toISOString();
  return Buffer.from(local.replaceAll(/\D/g, '').slice(2, 14), 'hex');
}

/** Unix ms. Null where the digits are no moment of the calendar, zeros (none written, "open") among them. */
export function readBcdTime(bytes: Uint8Array, offsetMin: number): number | null {
  const digits = Buffer.from(bytes).toString('hex');
  const parts = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(digits);
  if (parts === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1).map(Number);
  const time_ms = Date.UTC(2000 + year, month - 1, day, hour, minute, second);
  // What the calendar carries over (a 30th of February) comes back as other digits.
  return bcdTime(time_ms, 0).toString('hex') === digits ? time_ms - Math.round(offsetMin * 60_000) : null;
}

// Texts of JT/T 808 are in GBK (2013, table 1). Node reads it and does not write it, so the way back is made by reading
// each pair of bytes once: the first 81 to fe, the second 40 to fe without 7f.

const firstLead = 0x81;
const firstTrail = 0x40;
const last = 0xfe;
const noTrail = 0x7f;
const replacement = '\ufffd';

let pairs: ReadonlyMap<string, number> | null = null;

function readPairs(): ReadonlyMap<string, number> {
  const decoder = new TextDecoder('gbk');
  const found = new Map<string, number>();
  for (let lead = firstLead; lead <= last; lead += 1) {
    for (let trail = firstTrail; trail <= last; trail += 1) {
      const text = trail === noTrail ? replacement : decoder.decode(Uint8Array.of(lead, trail));
      if (!text.includes(replacement) && !found.has(text)) found.set(text, (lead << 8) | trail);
    }
  }
  return found;
}

/** One byte of ASCII, or a pair; undefined: GBK does not have it. */
function codeOf(character: string): number | undefined {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return code;
  pairs ??= readPairs();
  return pairs.get(character);
}

/** The first character of a text that GBK does not have; null: it has them all. */
export function notInGbk(text: string): string | null {
  return Array.from(text).find((one) => codeOf(one) === undefined) ?? null;
}

/** The bytes of a text. Throws `RangeError` for a character that GBK does not have. */
export function gbkOf(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const code = codeOf(character);
    if (code === undefined) throw new RangeError(`GBK does not have the character ${character}`);
    if (code < 0x80) bytes.push(code);
    else bytes.push(code >> 8, code & 0xff);
  }
  return Uint8Array.from(bytes);
}
