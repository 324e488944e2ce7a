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
