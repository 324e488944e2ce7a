import { causeOf, causeOfCsv, listedColumns } from '../../contract/causeTexts.ts';
import { readCsv, UnreadableFile } from '../../contract/csv.ts';
import { momentsIn } from '../../contract/localTime.ts';
import {
  factorOf,
  proposeTrackColumns,
  requiredTrackFields,
  trackFields,
  type TrackColumns,
  type TrackField,
} from '../../contract/trackImport.ts';
import { FileError } from '../../geofences/files/feature.ts';
import { createImportedTrack, RejectedFix, type ImportedFix, type ReadTrack } from './importedTrack.ts';

/** Cells that say nothing. */
const nothing = new Set(['', '-', '--', 'n/a', 'na', 'null', 'none', 'nan', 'unknown']);
const flags = new Map<string, number>([
  ...['1', 'true', 'yes', 'on', 'ja', 'ein', 'valid', 'a'].map((it): [string, number] => [it, 1]),
  ...['0', 'false', 'no', 'off', 'nein', 'aus', 'invalid', 'v'].map((it): [string, number] => [it, 0]),
]);

/**
 * The positions of a table, whatever its columns are called.
 *
 * @param mapping `field:column` for what the names of the columns do not say
 * @param tz of times without an offset
 * @throws FileError, FileTooLarge for the file as a whole
 */
export function readTrackCsv(
  text: string,
  { mapping, tz, now_ms }: { mapping: readonly string[]; tz: string; now_ms: number },
): ReadTrack {
  try {
    const { columns, records } = readCsv(text);
    const found = columnsFor(columns, mapping);
    const timeOf = timeReader(tz);
    const places = trackFields.flatMap((field) => {
      const column = found[field];
      return column === undefined
        ? []
        : [{ field, at: columns.indexOf(column), factor: factorOf(field, column) ?? 1 }];
    });
    const track = createImportedTrack(now_ms);
    for (const { fields, line } of records) {
      if (fields.every((it) => it.trim() === '')) continue;
      track.add(line, () => fixOf(fields, places, timeOf));
    }
    const read = track.read(found);
    if (read.rows === 0) throw new UnreadableFile('empty');
    return read;
  } catch (error) {
    throw error instanceof UnreadableFile ? new FileError(causeOfCsv(error)) : error;
  }
}

function columnsFor(columns: readonly string[], mapping: readonly string[]): TrackColumns {
  const listed = causeOf('csv.head_line', listedColumns(columns));
  const found = mapping.length === 0 ? proposeTrackColumns(columns) : {};
  for (const entry of mapping) {
    const colon = entry.indexOf(':');
    const field = entry.slice(0, colon) as TrackField;
    const column = entry.slice(colon + 1).trim();
    if (found[field] !== undefined) throw new FileError(causeOf('csv.mapped_twice', { field }));
    if (!columns.includes(column)) throw new FileError(causeOf('csv.no_column', { column }), listed);
    found[field] = column;
  }
  const missing = requiredTrackFields.filter((field) => found[field] === undefined);
  if (missing.length > 0)
    throw new FileError(causeOf('csv.no_column_for', { fields: missing.join(', ') }), listed);
  for (const field of trackFields) {
    const column = found[field];
    if (column !== undefined && factorOf(field, column) === null)
      throw new FileError(causeOf('csv.not_in_unit', { column, field }));
  }
  return found;
}

function fixOf(
  fields: readonly string[],
  places: readonly { field: TrackField; at: number; factor: number }[],
  timeOf: (text: string) => number,
): ImportedFix {
  const fix: ImportedFix = { time_ms: NaN, lat: NaN, lon: NaN };
  const texts: { date: string; time: string } = { date: '', time: '' };
  for (const { field, at, factor } of places) {
    const text = (fields[at] ?? '').trim();
    if (field === 'date' || field === 'time') texts[field] = text;
    else if (field === 'ignition' || field === 'valid') fix[field] = flagOf(field, text);
    else {
      const value = numberOf(field, text, factor);
      if (value !== null) fix[field] = value;
    }
  }
  const time = `${texts.date} ${texts.time}`.trim();
  if (time === '') throw new RejectedFix(causeOf('position.no_time'));
  return { ...fix, time_ms: timeOf(time) };
}

function flagOf(field: TrackField, text: string): number | null {
  const folded = text.toLowerCase();
  if (nothing.has(folded)) return null;
  const flag = flags.get(folded);
  if (flag === undefined)
    throw new RejectedFix(causeOf('position.no_flag', { field, text: text.slice(0, 40) }));
  return flag;
}

/** With a decimal point or a decimal comma, in the unit behind it, or else in that of the column. */
function numberOf(field: TrackField, text: string, factorOfColumn: number): number | null {
  if (nothing.has(text.toLowerCase())) return null;
  const [, digits, unit = ''] = /^([-+]?\d+(?:[.,]\d+)?(?:e[-+]?\d{1,3})?)(\D{0,20})$/i.exec(text) ?? [];
  const factor = unit === '' ? factorOfColumn : factorOf(field, unit);
  const named = { field, text: text.slice(0, 40) };
  if (digits === undefined || factor === undefined)
    throw new RejectedFix(causeOf('position.no_number', named));
  if (factor === null) throw new RejectedFix(causeOf('position.not_in_unit', named));
  const value = Number(digits.replace(',', '.'));
  return factor === 1 ? value : Number((value * factor).toFixed(4));
}

const iso =
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/i;
const german = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?()$/;
/** Seconds of Unix time stay below this until the year 5138, milliseconds are beyond it since 1973. */
const millisecondsFrom = 1e11;

/** Reads times as ISO 8601, as `24.11.2026 13:05:00`, or as seconds or milliseconds of Unix time. */
function timeReader(tz: string): (text: string) => number {
  const momentOf = momentsIn(tz);
  return (text) => {
    if (/^\d{9,14}(\.\d+)?$/.test(text)) {
      const number = Number(text);
      return number >= millisecondsFrom ? number : number * 1_000;
    }
    const first = iso.exec(text);
    const parts = first ?? german.exec(text);
    const unreadable = () =>
      new RejectedFix(causeOf('position.time_unreadable_csv', { text: text.slice(0, 40) }));
    if (parts === null) throw unreadable();
    const [year, month, day] = (first === null ? [3, 2, 1] : [1, 2, 3]).map((at) => Number(parts[at]));
    const [hours, minutes, seconds] = [4, 5, 6].map((at) => Number(parts[at] ?? 0));
    if (year === undefined || month === undefined || day === undefined) throw unreadable();
    if (hours === undefined || minutes === undefined || seconds === undefined) throw unreadable();
    const calendar = new Date(Date.UTC(year, month - 1, day));
    const isDate = calendar.getUTCMonth() === month - 1 && calendar.getUTCDate() === day;
    if (!isDate || hours > 23 || minutes > 59 || seconds > 59) throw unreadable();
    const second = hours * 3_600 + minutes * 60 + seconds;
    const fraction_ms = Math.round(Number(`0.${parts[7] ?? 0}`) * 1_000);
    const zone = parts[8] ?? '';
    if (zone === '') return momentOf({ year, month, day }, second) + fraction_ms;
    return calendar.getTime() + second * 1_000 + fraction_ms - offsetMs(zone);
  };
}

function offsetMs(zone: string): number {
  const parts = /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  if (parts === null) return 0;
  const minutes = Number(parts[2]) * 60 + Number(parts[3]);
  return (parts[1] === '-' ? -1 : 1) * minutes * 60_000;
}
