import { terminalKey } from '../../contract/sameKeys.ts';
import { open } from 'node:fs/promises';
import { terminalId } from '../../contract/fields.ts';
import { CommandError } from '../restClient.ts';

/** One line of a recorded track file; what the recording did not know is absent. */
export interface TrackRow {
  vehicle: string;
  time: Date;
  lat: number;
  lon: number;
  speedKmh?: number;
  courseDeg?: number;
}

const COLUMNS = 'vehicle,time_utc_iso,lat,lon,speed_kmh,course_deg';

/**
 * The rows of a track file, one at a time.
 * @throws CommandError for a file that cannot be read, and for a line that is no fix, with its number.
 */
export async function* readTrackFile(file: string): AsyncGenerator<TrackRow, void, void> {
  let number = 0;
  try {
    await using handle = await open(file);
    for await (const line of handle.readLines({ encoding: 'utf8' })) {
      number += 1;
      if (number === 1) {
        if (line.replace(/^\uFEFF/, '').trim() !== COLUMNS) {
          throw new CommandError(`${file} is no track file: its first line must be ${COLUMNS}`);
        }
      } else if (line.trim() !== '') {
        yield rowOf(line, `${file}, line ${number}`);
      }
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (number === 0) throw new CommandError(`${file} is empty`);
}

function rowOf(line: string, where: string): TrackRow {
  const [vehicle = '', time = '', lat = '', lon = '', speed = '', course = ''] = line
    .split(',')
    .map((text) => text.trim());
  if (vehicle === '') throw new CommandError(`${where}: no vehicle`);
  const recordedAt = new Date(time);
  if (Number.isNaN(recordedAt.getTime())) throw new CommandError(`${where}: "${time}" is no time`);
  const row: TrackRow = {
    vehicle,
    time: recordedAt,
    lat: numberOf(lat, 'latitude', where),
    lon: numberOf(lon, 'longitude', where),
  };
  if (speed !== '') row.speedKmh = numberOf(speed, 'speed', where);
  if (course !== '') row.courseDeg = numberOf(course, 'course', where);
  return row;
}

function numberOf(text: string, what: string, where: string): number {
  const number = Number(text);
  if (text === '' || !Number.isFinite(number)) throw new CommandError(`${where}: "${text}" is no ${what}`);
  return number;
}

const LONGEST_ID = 32;

/**
 * Gives each vehicle of a file a terminal ID: its name with every other character as `-`, cut to 32; where two would
 * be one terminal, the later gets a number. The same names in the same order get the same IDs.
 */
export function terminalIds(): (vehicle: string) => string {
  const given = new Map<string, string>();
  const taken = new Set<string>();
  return (vehicle) => {
    const known = given.get(vehicle);
    if (known !== undefined) return known;
    const plain = vehicle.replace(/[^A-Za-z0-9_-]/g, '-').slice(0, LONGEST_ID);
    // Some IDs look like something else in the API's paths.
    const base = terminalId.safeParse(plain).success ? plain : `v-${plain}`.slice(0, LONGEST_ID);
    let id = base;
    for (let number = 2; taken.has(terminalKey(id)); number += 1) {
      id = `${base.slice(0, LONGEST_ID - String(number).length - 1)}-${number}`;
    }
    given.set(vehicle, id);
    taken.add(terminalKey(id));
    return id;
  };
}
