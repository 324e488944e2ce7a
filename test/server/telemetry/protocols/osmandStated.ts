import { expect } from 'vitest';
import type { TerminalReport } from '../../../../server/telemetry/terminalReport.ts';
import type { OsmandVector } from './osmandData.ts';

type Position = OsmandVector['expect']['positions'][number];
type Stated = { [Key in keyof Position]-?: Exclude<Position[Key], undefined> };

/** What of a report is the stated value of each field, as it stands there; of all that is not listed below. */
const literal: { [Key in Exclude<keyof Stated, DeviationKey>]: (report: TerminalReport) => unknown } = {
  lat: ({ place }) => place?.lat ?? null,
  lon: ({ place }) => place?.lon ?? null,
  valid: (it) => it.valid,
  alt_m: (it) => it.altitude_m,
  accuracy_m: (it) => it.accuracy_m,
  hdop: (it) => it.hdop,
  speed_kmh: (it) => it.speed_kmh,
  course_deg: (it) => it.course_deg,
  battery_percent: (it) => it.battery_pct,
  charging: (it) => it.attributes['charge'],
  moving: (it) => it.attributes['is_moving'],
  event: (it) => it.attributes['event'],
  activity: (it) => it.attributes['activity'],
};

type DeviationKey = 'time' | 'time_note' | 'speed_knots' | 'cells' | 'wifi' | 'other';

interface Deviation<Value> {
  reason: string;
  check: (report: TerminalReport, stated: Value) => void;
}

/** Stated values that stand in another form in a report; no value differs. */
export const deviations: { [Key in DeviationKey]: Deviation<Stated[Key]> } = {
  time: {
    reason: 'A report has Unix milliseconds.',
    check: ({ time_ms }, time) => expect(time_ms).toBe(time === null ? null : Date.parse(time)),
  },
  time_note: {
    reason: 'It says that the time of receipt holds: the decoder has no clock, it leaves the time open.',
    check: ({ time_ms }) => expect(time_ms).toBeNull(),
  },
  speed_knots: {
    reason: 'A report has km/h alone.',
    check: ({ speed_kmh }, knots) => expect(speed_kmh).toBe(knots === null ? null : knots * 1.852),
  },
  cells: {
    reason: 'Attributes are flat: what repeats stands behind one another, under the name that it came by.',
    check: ({ attributes }, cells) => expect(attributes['cell']).toBe(cells.join(' ')),
  },
  wifi: {
    reason: 'As the cells.',
    check: ({ attributes }, wifi) => expect(attributes['wifi']).toBe(wifi.join(' ')),
  },
  other: {
    reason: 'Stated as text. A report has a field for the ignition, and numbers are kept as numbers.',
    check({ ignition, attributes }, { ignition: stated, ...others }) {
      expect(ignition).toBe(stated === undefined ? null : stated === 'true');
      for (const [key, text] of Object.entries(others)) expect(attributes[key]).toBe(Number(text));
    },
  },
};

/** The report is the one that the collectors of a vector state, whole: it says nothing that they do not. */
export function expectStated(report: TerminalReport, one: OsmandVector): void {
  const [stated] = one.expect.positions;
  if (stated === undefined) throw new Error('a vector without a position');
  expect(report.terminal_id).toBe(one.expect.device_id);
  for (const key of Object.keys(literal) as (keyof typeof literal)[])
    if (!(key in stated)) expect(literal[key](report) ?? null, key).toBeNull();
  for (const [key, value] of Object.entries(stated)) {
    if (isDeviation(key)) checkDeviation(key, report, stated);
    else expect(literal[key as keyof typeof literal](report), key).toBe(value);
  }
  if (!('other' in stated)) expect(report.ignition).toBeNull();
  expect([report.satellites, report.alarms, report.undecodable]).toEqual([null, [], undefined]);
}

export function isDeviation(key: string): key is DeviationKey {
  return Object.hasOwn(deviations, key);
}

function checkDeviation(key: DeviationKey, report: TerminalReport, stated: Position): void {
  const { check } = deviations[key] as Deviation<unknown>;
  check(report, stated[key]);
}
