/**
 * Tracks on their way to a screen: columns of small numbers instead of objects. A vehicle-day of JSON takes 2 MB, packed
 * some 30 kB.
 *
 * Bytes: "FDT1", the number of tracks; then of each track its vehicle (16 bytes of the UUID), the number of fixes, the
 * unit of its times in ms, the columns time, lat, lon, speed, course and flags, the number of further columns and of each
 * its name and its values. All numbers are varints, seven bits a byte, the lowest first; what may be negative is folded
 * to be positive (0, −1, 1, −2 …). Columns hold the differences of each value to the one before.
 */

/** What was known of a vehicle at each of its fixes, in order of time. */
export interface TrackColumns {
  vehicle_id: string;
  time_ms: Float64Array;
  lat: Float64Array;
  lon: Float64Array;
  /** NaN where it is not known, as in all that follow. */
  speed_kmh: Float64Array;
  course_deg: Float64Array;
  /** See `trackFlags`. */
  flags: Uint8Array;
  /** Further values by their names. */
  values: Readonly<Record<string, Float64Array>>;
}

export const trackFlags = {
  ignition_known: 1,
  ignition_on: 2,
  /** Between the fix before and this one nothing came for longer than a trip may be silent, or until it was offline. */
  gap_before: 4,
} as const;

const magic = [0x46, 0x44, 0x54, 0x31];
/** 0.1 m. */
const perDegree = 1_000_000;
const perKmh = 10;
const perValue = 1_000;
/** Beyond, neighbouring whole numbers are no longer different. */
const maxNumber = 2 ** 51;
/** The vehicle, the number of fixes, the unit of their times, and the number of further columns. */
const bytesOfEmptyTrack = 16 + 1 + 2 + 1;

export function packTracks(tracks: readonly TrackColumns[]): Uint8Array<ArrayBuffer> {
  const out = createWriter();
  for (const byte of magic) out.byte(byte);
  out.number(tracks.length);
  for (const track of tracks) writeTrack(out, track);
  return out.bytes();
}

/** @throws RangeError for bytes that are no tracks, or end too early */
export function unpackTracks(bytes: Uint8Array): TrackColumns[] {
  const from = createReader(bytes);
  for (const byte of magic) if (from.byte() !== byte) throw new RangeError('these bytes are no tracks');
  return Array.from({ length: from.count(bytesOfEmptyTrack) }, () => readTrack(from));
}

type Writer = ReturnType<typeof createWriter>;
type Reader = ReturnType<typeof createReader>;

function writeTrack(out: Writer, track: TrackColumns): void {
  const { vehicle_id, time_ms, flags } = track;
  const hex = vehicle_id.replaceAll('-', '');
  for (let at = 0; at < 32; at += 2) out.byte(Number.parseInt(hex.slice(at, at + 2), 16));
  out.number(time_ms.length);
  const unit = time_ms.every((it) => it % 1_000 === 0) ? 1_000 : 1;
  out.number(unit);
  writeDifferences(out, time_ms, 1 / unit);
  writeDifferences(out, track.lat, perDegree);
  writeDifferences(out, track.lon, perDegree);
  writeKnown(out, track.speed_kmh, perKmh);
  writeKnown(out, track.course_deg, 1);
  for (const flag of flags) out.byte(flag);
  const values = Object.entries(track.values);
  out.number(values.length);
  for (const [name, column] of values) {
    out.number(name.length);
    for (let at = 0; at < name.length; at++) out.number(name.charCodeAt(at));
    writeKnown(out, column, perValue);
  }
}

function readTrack(from: Reader): TrackColumns {
  let vehicle_id = '';
  for (let at = 0; at < 16; at++) {
    vehicle_id += from.byte().toString(16).padStart(2, '0');
    if (at === 3 || at === 5 || at === 7 || at === 9) vehicle_id += '-';
  }
  const count = from.count(6);
  const unit = from.number();
  const time_ms = readDifferences(from, count, 1 / unit);
  const lat = readDifferences(from, count, perDegree);
  const lon = readDifferences(from, count, perDegree);
  const speed_kmh = readKnown(from, count, perKmh);
  const course_deg = readKnown(from, count, 1);
  const flags = new Uint8Array(count);
  for (let at = 0; at < count; at++) flags[at] = from.byte();
  const values: Record<string, Float64Array> = {};
  for (let left = from.count(2); left > 0; left--) {
    const codes = Array.from({ length: from.count(1) }, () => from.number());
    values[String.fromCharCode(...codes)] = readKnown(from, count, perValue);
  }
  return { vehicle_id, time_ms, lat, lon, speed_kmh, course_deg, flags, values };
}

function writeDifferences(out: Writer, column: Float64Array, scale: number): void {
  let before = 0;
  for (const value of column) {
    const whole = Math.round(value * scale);
    out.number(folded(whole - before));
    before = whole;
  }
}

function readDifferences(from: Reader, count: number, scale: number): Float64Array {
  const column = new Float64Array(count);
  let whole = 0;
  for (let at = 0; at < count; at++) {
    whole += unfolded(from.number());
    column[at] = whole / scale;
  }
  return column;
}

/** 0 stands for what is not known; the difference is to the last one that was. */
function writeKnown(out: Writer, column: Float64Array, scale: number): void {
  let before = 0;
  for (const value of column) {
    const whole = Math.round(value * scale);
    if (!(Math.abs(whole) < maxNumber)) {
      out.number(0);
      continue;
    }
    out.number(folded(whole - before) + 1);
    before = whole;
  }
}

function readKnown(from: Reader, count: number, scale: number): Float64Array {
  const column = new Float64Array(count);
  let whole = 0;
  for (let at = 0; at < count; at++) {
    const number = from.number();
    if (number > 0) whole += unfolded(number - 1);
    column[at] = number === 0 ? Number.NaN : whole / scale;
  }
  return column;
}

const folded = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
const unfolded = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);

function createWriter() {
  let buffer = new Uint8Array(65_536);
  let length = 0;
  function byte(value: number): void {
    if (length === buffer.length) {
      const larger = new Uint8Array(buffer.length * 2);
      larger.set(buffer);
      buffer = larger;
    }
    buffer[length++] = value;
  }
  return {
    byte,
    number(value: number): void {
      let left = value;
      while (left >= 128) {
        byte((left % 128) + 128);
        left = Math.floor(left / 128);
      }
      byte(left);
    },
    bytes: () => buffer.slice(0, length),
  };
}

function createReader(bytes: Uint8Array) {
  let at = 0;
  function byte(): number {
    const value = bytes[at++];
    if (value === undefined) throw new RangeError('the tracks end too early');
    return value;
  }
  function number(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const next = byte();
      value += (next % 128) * factor;
      if (next < 128) return value;
      if (factor > maxNumber) throw new RangeError('the tracks hold a number that is too large');
    }
  }
  return {
    byte,
    number,
    /** How many follow, of which each takes so many bytes at least: no more memory is taken than bytes have come. */
    count(bytesOfEach: number): number {
      const value = number();
      if (value * bytesOfEach > bytes.length - at) throw new RangeError('the tracks end too early');
      return value;
    },
  };
}
