/** Times of terminals are in GMT+8 (JT/T 808-2013, 4.2.2 and table 23); one that deviates has its own clock offset. */
const aheadOfUtc_ms = 8 * 3_600_000;

/** A moment as BCD[6], YYMMDDhhmmss in GMT+8; Unix ms. Null where the terminal writes none, or one that cannot be. */
export function readBcdTime(bytes: Uint8Array, at: number): number | null {
  const digits = Buffer.from(bytes.subarray(at, at + 6)).toString('hex');
  const [year, month, day, hour, minute, second] = (digits.match(/\d\d/g) ?? []).map(Number);
  if (!/^\d{12}$/.test(digits)) return null;
  if (year === undefined || month === undefined || day === undefined) return null;
  if (hour === undefined || minute === undefined || second === undefined) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
  const local = Date.UTC(2_000 + year, month - 1, day, hour, minute, second);
  const date = new Date(local);
  // The 31st of a shorter month would become a day of the next.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return local - aheadOfUtc_ms;
}

/** A moment (Unix ms) as BCD[6], YYMMDDhhmmss in UTC. */
export function bcdOfUtc(time_ms: number): Uint8Array {
  const digits = new Date(time_ms).toISOString().replaceAll(/\D/g, '');
  return Buffer.from(digits.slice(2, 14), 'hex');
}
