import {
  turnedAwayReason,
  type DecodedReport,
  type IntakeDoor,
  type IntakeMessage,
} from '../../server/contract/intake.ts';
import { ageText } from '../format/age.ts';
import { courseText } from '../format/compass.ts';
import { numberText, speedText } from '../format/numbers.ts';
import type { Say } from '../i18n/text.ts';

const outcomeOrder = ['failed', 'unknown', 'refused', 'stored', 'merged', 'duplicate'] as const;
/** A clock that is off by no more is right, for whoever sets up a terminal. */
const clockIsRightMs = 60_000;

/** What became of a message: "stored", or "3 stored, 1 known already". */
export function outcomeText(
  { outcomes, decoded, unreadable }: Pick<IntakeMessage, 'outcomes' | 'decoded' | 'unreadable'>,
  say: Say,
): string {
  const there = outcomeOrder.filter((name) => outcomes[name] !== undefined);
  if (there.length === 0 && unreadable) return say('intake.outcome.unreadable');
  if (there.length === 0) return decoded === 0 ? say('intake.outcome.none') : say('intake.outcome.pending');
  const [only] = there;
  if (there.length === 1 && only !== undefined && outcomes[only] === 1) return say(`intake.outcome.${only}`);
  return there
    .map((name) => `${numberText(outcomes[name] ?? 0)} ${say(`intake.outcome.${name}`)}`)
    .join(', ');
}

/** Why reports were refused or could not be stored, as programs name it; empty where none was. */
export function codeText({ codes }: Pick<IntakeMessage, 'codes'>): string {
  return Object.entries(codes)
    .map(([code, count]) => (count === 1 ? code : `${numberText(count)} ${code}`))
    .join(', ');
}

/** What a message said, in a line. */
export function gistOf({ reports, decoded, note }: IntakeMessage, say: Say): string {
  const [first] = reports;
  if (first === undefined || (first.lat === null && note !== null)) return note ?? say('intake.no_note');
  const place =
    first.lat === null || first.lon === null
      ? say('intake.no_place')
      : `${numberText(first.lat, 5)}, ${numberText(first.lon, 5)}`;
  const parts = [
    place,
    ...(first.speed_kmh === null ? [] : [speedText(first.speed_kmh)]),
    ...first.alarms,
    ...(decoded > 1 ? [say('intake.more_reports', { number: numberText(decoded - 1) })] : []),
  ];
  return parts.join(' · ');
}

/** The ways by which terminals come in by a door: "TCP or UDP". */
export function transportWords({ transports }: Pick<IntakeDoor, 'transports'>, say: Say): string {
  return transports.map((it) => it.toUpperCase()).join(` ${say('intake.or')} `);
}

/** Connections ended and messages left alone, by reason; those that never happened are left out. */
export function turnedAwayWords(
  door: Pick<IntakeDoor, 'turned_away'>,
  say: Say,
): { total: number; words: string[] } {
  const counts = turnedAwayReason.options.map((reason) => ({
    reason,
    count: door.turned_away?.[reason] ?? 0,
  }));
  return {
    total: counts.reduce((sum, { count }) => sum + count, 0),
    words: counts
      .filter(({ count }) => count > 0)
      .map(({ reason, count }) => say(`intake.turned_away.${reason}`, { number: numberText(count) })),
  };
}

/** Whether a report says more than whose it is, which is all that a login is understood as. */
export function saysMore(report: DecodedReport): boolean {
  const { terminal_id: _, valid, alarms, attributes, ...measured } = report;
  const isMeasured = Object.values(measured).some((value) => value !== null);
  return isMeasured || !valid || alarms.length > 0 || Object.keys(attributes).length > 0;
}

/**
 * All that a report says, as labels and values; what the terminal left out is left out.
 *
 * @param receivedAt when its message came, Unix ms
 * @param moment writes a moment
 */
export function reportFacts(
  report: DecodedReport,
  receivedAt: number,
  say: Say,
  moment: (ms: number) => string,
): [label: string, value: string][] {
  const facts: [string, string | null][] = [
    [say('intake.fact.time'), timeText(report.time, receivedAt, say, moment)],
    [
      say('intake.fact.place'),
      report.lat === null || report.lon === null
        ? say('intake.no_place')
        : `${numberText(report.lat, 6)}, ${numberText(report.lon, 6)}`,
    ],
    [say('fact.fix'), report.valid ? null : say('intake.fact.no_fix')],
    [say('list.column.speed'), report.speed_kmh === null ? null : speedText(report.speed_kmh)],
    [say('intake.fact.course'), report.course_deg === null ? null : courseText(report.course_deg)],
    [say('fact.altitude'), valueText(report.altitude_m, 'm')],
    [say('intake.fact.accuracy'), valueText(report.accuracy_m, 'm')],
    [say('intake.fact.satellites'), report.satellites?.toString() ?? null],
    [say('intake.fact.hdop'), report.hdop?.toString() ?? null],
    [say('fact.ignition'), report.ignition === null ? null : say(report.ignition ? 'fact.on' : 'fact.off')],
    [say('fact.odometer'), valueText(report.odometer_m, 'm')],
    [say('fact.battery'), valueText(report.battery_pct, '%')],
    [say('intake.fact.alarms'), report.alarms.length === 0 ? null : report.alarms.join(', ')],
    ...Object.entries(report.attributes).map(([name, value]): [string, string] => [name, String(value)]),
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}

function valueText(value: number | null, unit: string): string | null {
  return value === null ? null : `${numberText(value, Number.isInteger(value) ? 0 : 1)} ${unit}`;
}

/** A moment by the terminal's clock, with how far that is from the moment of receipt. */
function timeText(time: string | null, receivedAt: number, say: Say, moment: (ms: number) => string): string {
  if (time === null) return say('intake.fact.no_time');
  const at = Date.parse(time);
  const aheadMs = at - receivedAt;
  if (Math.abs(aheadMs) <= clockIsRightMs) return moment(at);
  const far = aheadMs > 0 ? 'intake.fact.ahead' : 'intake.fact.before';
  return `${moment(at)}, ${say(far, { age: minutesText(Math.abs(aheadMs)) })}`;
}

/** An age of minutes and more, to the nearest minute: a clock that is 8 h ahead is not 7 h 59 min ahead. */
function minutesText(ms: number): string {
  return ageText(Math.round(ms / 60_000) * 60_000);
}

/**
 * Why a message was refused.
 *
 * @param future_s how far ahead a position may be
 * @param offset_s how far the terminal's clock is ahead by its vehicle's setting
 */
export function refusalWords(
  { reports, at, codes }: Pick<IntakeMessage, 'reports' | 'at' | 'codes'>,
  { future_s, offset_s }: { future_s: number; offset_s: number },
  say: Say,
): string {
  if (codes.impossible_coordinate !== undefined) return say('intake.why.nowhere');
  if (codes.in_the_future === undefined) return say('intake.why.refused');
  const allowed = ageText(future_s * 1_000);
  const aheadMs = Math.max(
    ...reports.map(({ time }) => (time === null ? 0 : Date.parse(time) - offset_s * 1_000 - Date.parse(at))),
  );
  // Only the first reports are here, and the vehicle may have been set to another offset since.
  if (aheadMs <= future_s * 1_000) return say('intake.why.future_somehow', { allowed });
  return say('intake.why.future', { age: minutesText(aheadMs), allowed });
}
