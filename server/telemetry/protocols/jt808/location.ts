import { emptyReport, type TerminalReport } from '../../terminalReport.ts';
import { bitsOf, generalAlarms } from './alarms.ts';
import { readBcdTime, standardOffsetMin } from './bcdTime.ts';
import { readItems } from './locationItems.ts';
import { asBuffer, terminalIdOf, type Header } from './message.ts';

// The body of 0x0200: JT/T 808-2013 tables 23 to 25, 2019 tables 23 to 26.

export const fixedLength = 28;

// Bits of the status DWORD.
const ignition = 0;
const fix = 1;
const south = 2;
const west = 3;
const outOfService = 4;
const encryptedPlace = 5;
/** Reserved before 2019. */
const warnings: readonly [bit: number, name: string][] = [
  [6, 'forward_collision_warning'],
  [7, 'lane_departure_warning'],
];
const load = 8;
/** By the two bits of it. Terminals without a sensor say "empty" all the time, so that is not said; 2 is reserved. */
const loads: readonly (string | null)[] = [null, 'half', null, 'full'];
const fuelCut = 10;
const circuitCut = 11;
const doorsLocked = 12;
const firstListener = 13;
const lastListener = 17;
const satelliteSystems: readonly [bit: number, name: string][] = [
  [18, 'gps'],
  [19, 'beidou'],
  [20, 'glonass'],
  [21, 'galileo'],
];
/** Reserved before 2019. */
const moving = 22;

/** What the contract allows a position. */
const maxAlarms = 32;

/** No road is so high: such an altitude is a negative number that was written as a WORD. */
const firstNegativeM = 0x8000;

/** Null for a body that is too short to be a position. */
export function readLocation(body: Uint8Array, header: Header): TerminalReport | null {
  if (body.length < fixedLength) return null;
  const bytes = asBuffer(body);
  const is2019 = header.version !== null;
  const alarms = generalAlarms(bytes.readUInt32BE(0), is2019);
  const status = bytes.readUInt32BE(4);
  const is = (bit: number) => ((status >>> bit) & 1) === 1;
  const altitude = bytes.readUInt16BE(16);
  const course = bytes.readUInt16BE(20);
  const time_ms = readBcdTime(body.subarray(22, fixedLength), standardOffsetMin);
  const items = readItems(body.subarray(fixedLength));
  const openDoors = bitsOf(status)
    .filter((bit) => bit >= firstListener && bit <= lastListener)
    .map((bit) => bit - firstListener + 1);
  const namesOf = (bits: readonly [bit: number, name: string][]) =>
    bits.flatMap(([bit, name]) => (is(bit) ? [name] : []));
  const loaded = loads[(status >>> load) & 0b11] ?? null;
  const systems = namesOf(satelliteSystems);
  return {
    ...emptyReport,
    terminal_id: terminalIdOf(header),
    time_ms,
    place: {
      lat: degrees(bytes.readUInt32BE(8), is(south)),
      lon: degrees(bytes.readUInt32BE(12), is(west)),
    },
    altitude_m: altitude >= firstNegativeM ? altitude - 0x1_0000 : altitude,
    speed_kmh: bytes.readUInt16BE(18) / 10,
    course_deg: course > 360 ? null : course % 360,
    // Without its moment a place would be drawn as the present one.
    valid: is(fix) && time_ms !== null,
    ignition: is(ignition),
    odometer_m: items.odometer_m,
    satellites: items.satellites,
    // The emergency button is the first of them.
    alarms: [...new Set([...alarms.names, ...(is2019 ? namesOf(warnings) : []), ...items.alarms])].slice(
      0,
      maxAlarms,
    ),
    attributes: {
      ...items.attributes,
      // As it is too: makers give the reserved bits a meaning of their own.
      status,
      ...(alarms.unnamed.length > 0 ? { alarm_bits: alarms.unnamed.join(',') } : {}),
      ...(is(outOfService) ? { out_of_service: true } : {}),
      ...(is(encryptedPlace) ? { place_encrypted: true } : {}),
      ...(is(fuelCut) ? { fuel_cut: true } : {}),
      ...(is(circuitCut) ? { circuit_cut: true } : {}),
      ...(is(doorsLocked) ? { doors_locked: true } : {}),
      ...(openDoors.length > 0 ? { doors_open: openDoors.join(',') } : {}),
      ...(loaded === null ? {} : { load: loaded }),
      ...(systems.length > 0 ? { satellite_systems: systems.join(',') } : {}),
      ...(is2019 ? { movement: is(moving) } : {}),
    },
  };
}

/** 0x0201: the serial of the platform's question, then a position. */
export function readLocationResponse(body: Uint8Array, header: Header): TerminalReport | null {
  return readLocation(body.subarray(2), header);
}

export interface LocationBatch {
  /** Those that can be read for sure. */
  reports: TerminalReport[];
  /** How many there are by its own words. */
  stated: number;
  /**
   * Whether nothing of it is lost: each has the length that it says, as many are there as it says, and no byte is left.
   */
  isWhole: boolean;
}

/** 0x0704: positions that were kept back, in whatever order. */
export function readLocationBatch(body: Uint8Array, header: Header): LocationBatch {
  const bytes = asBuffer(body);
  if (bytes.length < 3) return { reports: [], stated: 0, isWhole: false };
  const stated = bytes.readUInt16BE(0);
  const reports: TerminalReport[] = [];
  let broken = 0;
  let at = 3; // behind the count and the kind
  while (at + 2 <= bytes.length) {
    const start = at + 2;
    const end = start + bytes.readUInt16BE(at);
    const report = end > bytes.length ? null : readLocation(body.subarray(start, end), header);
    // Behind a broken one the lengths may be out of step, and bytes read at a wrong place hardly ever make a moment.
    if (report === null || (broken > 0 && report.time_ms === null)) broken += 1;
    else reports.push(report);
    at = end;
  }
  const isWhole = broken === 0 && at === bytes.length && reports.length >= stated;
  return { reports, stated, isWhole };
}

/** Written in millionths, its side of the equator or of Greenwich in a status bit. The store knows one zero only. */
function degrees(millionths: number, isNegative: boolean): number {
  return (isNegative && millionths !== 0 ? -millionths : millionths) / 1e6;
}
