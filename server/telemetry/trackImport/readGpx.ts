import { causeOf } from '../../contract/causeTexts.ts';
import { FileError } from '../../geofences/files/feature.ts';
import { parseXml, type XmlElement } from '../../geofences/files/xml.ts';
import { createImportedTrack, RejectedFix, type ImportedFix, type ReadTrack } from './importedTrack.ts';

/** A position has ten and some, and a file of the largest size holds no more that are not empty. */
const maxElements = 2_000_000;
const kmhOfMs = 3.6;

/**
 * The positions of GPX 1.0 and 1.1: `trkpt` with time. Speeds, in m/s, and courses stand in the point itself (1.0), or
 * in its extensions as Garmin's and OsmAnd's devices write them.
 *
 * @throws FileError, FileTooLarge for the file as a whole
 */
export function readGpx(text: string, now_ms: number): ReadTrack {
  const track = createImportedTrack(now_ms);
  let rows = 0;
  const root = parseXml(text, {
    maxElements,
    take(element) {
      if (element.name !== 'trkpt') return false;
      rows += 1;
      track.add(rows, () => fixOf(element));
      return true;
    },
  });
  if (root.name !== 'gpx')
    throw new FileError(causeOf('file.wrong_root', { root: `<${root.name}>`, wanted: '<gpx>' }));
  if (rows === 0) throw new FileError(causeOf('file.no_track_points'));
  return track.read();
}

function fixOf(point: XmlElement): ImportedFix {
  const number = (name: string, text: string | null): number | null => {
    if (text === null || text.trim() === '') return null;
    const value = Number(text);
    if (Number.isNaN(value))
      throw new RejectedFix(causeOf('position.no_number', { field: name, text: text.trim().slice(0, 40) }));
    return value;
  };
  const below = (name: string) => number(name, textBelow(point, name));
  const time = textBelow(point, 'time')?.trim() ?? '';
  if (time === '') throw new RejectedFix(causeOf('position.no_time'));
  // `Date.parse` guesses at others: it takes 12 for December 2001, and 30 February for 2 March.
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)[t ]\d\d:\d\d/i.exec(time) ?? [];
  const isStamp =
    new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  const time_ms = isStamp ? Date.parse(/(z|[+-]\d\d:?\d\d)$/i.test(time) ? time : `${time}Z`) : NaN;
  if (Number.isNaN(time_ms))
    throw new RejectedFix(causeOf('position.time_unreadable', { text: time.slice(0, 40) }));
  const speed_ms = below('speed');
  return {
    time_ms,
    lat: number('lat', point.attributes.get('lat') ?? null) ?? NaN,
    lon: number('lon', point.attributes.get('lon') ?? null) ?? NaN,
    altitude_m: below('ele'),
    // As finely as it is written, so that what was exported comes back as it was.
    speed_kmh: speed_ms === null ? null : Number((speed_ms * kmhOfMs).toFixed(4)),
    course_deg: below('course'),
    satellites: below('sat'),
    hdop: below('hdop'),
  };
}

/** Of the first element of a name, in the point itself or in its extensions. */
function textBelow({ children }: XmlElement, name: string): string | null {
  for (const child of children) {
    if (child.name === name) return child.text;
    const found = child.children.length === 0 ? null : textBelow(child, name);
    if (found !== null) return found;
  }
  return null;
}
