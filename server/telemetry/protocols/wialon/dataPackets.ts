import { emptyReport, type Report } from '../../report.ts';
import { readAdc, readParams } from './parameters.ts';
import { Fault, isAbsent, measure, readCount, readDecimal } from './values.ts';

export type DataType = 'SD' | 'D';

// Positions of the fields; from the eleventh on in D alone.
const fieldsOfShort = 10;
/** The last of them, the parameters, may have semicolons in a text. */
const fieldsOfLong = 16;

/** What the contract allows a position. */
const mostSatellites = 255;

/**
 * Reads the body of a packet with data, its CRC taken off. Throws `Fault`, which names the field that cannot be read.
 *
 * SD: date;time;lat1;lat2;lon1;lon2;speed;course;height;sats
 * D: the same, then hdop;inputs;outputs;adc;ibutton;params
 */
export function readData(type: DataType, text: string, terminal_id: string): Report {
  const fields = text.split(';');
  if (type === 'SD' ? fields.length !== fieldsOfShort : fields.length < fieldsOfLong) {
    throw new Fault('structure', `${fields.length} fields`);
  }
  const field = (at: number) => fields[at] ?? '';
  const time_ms = readTime(field(0), field(1));
  const place = readPlace(field(2), field(3), field(4), field(5));
  const speed_kmh = readDecimal('motion', field(6));
  const course = readDecimal('motion', field(7));
  const altitude_m = readDecimal('motion', field(8));
  const sats = readDecimal('satellites', field(9));
  const satellites = measure(sats === null ? null : Math.round(sats), mostSatellites);
  const report: Report = {
    ...emptyReport,
    terminal_id,
    time_ms,
    place,
    altitude_m,
    speed_kmh: measure(speed_kmh),
    course_deg: courseOf(course),
    satellites,
    // A place is sent without a fix too: the last that there was.
    valid: satellites !== 0,
  };
  if (type === 'SD') return report;
  const hdop = measure(readDecimal('satellites', field(10)));
  const inputs = readCount('ports', field(11));
  const outputs = readCount('ports', field(12));
  const adc = readAdc(field(13));
  const params = readParams(fields.slice(fieldsOfLong - 1).join(';'));
  return {
    ...report,
    hdop,
    ignition: params.ignition,
    alarms: params.isSos ? ['sos'] : [],
    attributes: {
      ...(inputs === null ? {} : { inputs }),
      ...(outputs === null ? {} : { outputs }),
      ...adc,
      ...(isAbsent(field(14)) ? {} : { ibutton: field(14).slice(0, longestKey) }),
      ...params.attributes,
    },
  };
}

/** An iButton's number has 16 digits. */
const longestKey = 64;

/** The messages of a black box, each of the one kind or the other. */
export function splitBlackBox(text: string): { type: DataType; text: string }[] {
  return text
    .split('|')
    .filter((one) => one.trim() !== '')
    .map((one) => ({ type: one.split(';').length === fieldsOfShort ? 'SD' : 'D', text: one }));
}

/** DDMMYY and HHMMSS with or without a fraction, UTC; null when either is absent. */
function readTime(date: string, time: string): number | null {
  if (isAbsent(date) || isAbsent(time)) return null;
  const day = /^(\d\d)(\d\d)(\d\d)$/.exec(date.trim());
  const clock = /^(\d\d)(\d\d)(\d\d)(\.\d*)?$/.exec(time.trim());
  if (day === null || clock === null) throw new Fault('time', `${date};${time}`);
  const [, days, months, years] = day.map(Number);
  const [, hours, minutes, seconds] = clock.map(Number);
  if (days === undefined || months === undefined || years === undefined) throw new Fault('time', date);
  if (hours === undefined || minutes === undefined || seconds === undefined) throw new Fault('time', time);
  const midnight = new Date(Date.UTC(2000 + years, months - 1, days));
  const isDay = midnight.getUTCMonth() === months - 1 && midnight.getUTCDate() === days;
  if (!isDay || hours > 23 || minutes > 59 || seconds > 59) throw new Fault('time', `${date};${time}`);
  const fraction_ms = Math.round(Number(`0${clock[4] ?? ''}`) * 1_000);
  return midnight.getTime() + ((hours * 60 + minutes) * 60 + seconds) * 1_000 + fraction_ms;
}

function readPlace(lat: string, latSide: string, lon: string, lonSide: string): Report['place'] {
  if (isAbsent(lat) && isAbsent(lon)) return null;
  return { lat: readDegrees(lat, latSide, 'N', 'S'), lon: readDegrees(lon, lonSide, 'E', 'W') };
}

/**
 * DDMM.mmmm or DDDMM.mmmm: degrees are all digits before the last two before the point, as some terminals leave out
 * the zeros in front. Whether it is a place on earth is asked later, by all protocols alike.
 */
function readDegrees(text: string, side: string, positive: string, negative: string): number {
  const match = /^(\d*?)(\d{1,2}(?:\.\d*)?)$/.exec(text.trim());
  const letter = side.trim().toUpperCase();
  if (match === null || (letter !== positive && letter !== negative)) {
    throw new Fault('place', `${text};${side}`);
  }
  const degrees = Number(match[1] === '' ? '0' : match[1]) + Number(match[2]) / 60;
  // The store knows one zero only.
  return letter === negative && degrees !== 0 ? -degrees : degrees;
}

function courseOf(degrees: number | null): number | null {
  return degrees === null || degrees < 0 || degrees > 360 ? null : degrees % 360;
}
