import type { ServerWords } from '../../contract/texts/serverWords.ts';
import { wallClock } from '../localDays.ts';

/**
 * How the values of a column are read: `time` in milliseconds since 1970, `date` as `2026-11-01`, `duration` and `minutes` in seconds, the latter without
 * the seconds and without zeros,
 * `distance` in thousandths of the unit in the head of the column (metres, or of a mile), `speed` in that unit, `share` from 0 to 1, `degrees` of latitude or longitude, `bytes`. `flag` is true
 * or false.
 */
export type CellKind =
  | 'text'
  | 'time'
  | 'date'
  | 'duration'
  | 'minutes'
  | 'distance'
  | 'speed'
  | 'count'
  | 'number'
  | 'share'
  | 'degrees'
  | 'bytes'
  | 'flag';

export type Cell = string | number | boolean | null;

/** Numbers in the units of the heads of columns. */
export const unitOf: Readonly<Partial<Record<CellKind, (value: number) => number>>> = {
  distance: (m) => m / 1_000,
  bytes: (bytes) => bytes / 1e6,
};

const decimals: Readonly<Partial<Record<CellKind, number>>> = {
  distance: 2,
  bytes: 2,
  speed: 1,
  degrees: 5,
};

/** Values as they are printed: the clock of a time zone, and as many decimals as spreadsheets show. */
export function createCellText(
  timeZone: string,
  words: Pick<ServerWords, 'say' | 'decimalSign' | 'clock'>,
): (kind: CellKind, cell: Cell) => string {
  const clockAt = wallClock(timeZone);
  return (kind, cell) => {
    if (cell === null) return '';
    if (typeof cell === 'string') return cell;
    if (typeof cell === 'boolean') return cell ? words.say('file.yes') : '';
    if (kind === 'time') return words.clock(clockAt(cell));
    if (kind === 'duration') return durationText(cell);
    if (kind === 'minutes') return cell === 0 ? '' : durationText(Math.round(cell / 60) * 60).slice(0, -3);
    if (kind === 'share') return `${Math.round(cell * 100)} %`;
    const value = unitOf[kind]?.(cell) ?? cell;
    const places = decimals[kind];
    const text = places === undefined ? String(value) : value.toFixed(places);
    return text.replace('.', words.decimalSign);
  };
}

/** As `26:05:09`. */
export function durationText(seconds: number): string {
  const s = Math.round(seconds);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${Math.floor(s / 3_600)}:${two(Math.floor((s % 3_600) / 60))}:${two(s % 60)}`;
}
