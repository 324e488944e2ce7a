import {
  rejectReason,
  type DecodedReport,
  type IntakeListener,
  type IntakeMessage,
  type ListenerName,
  type IntakeState,
} from '../../server/contract/intake.ts';
import { formatAge } from '../format/age.ts';
import { formatCourse } from '../format/compass.ts';
import { formatDistance, formatLength, formatNumber, formatSpeed } from '../format/numbers.ts';
import type { Translate } from '../i18n/text.ts';

const outcomeOrder = ['failed', 'unknown', 'rejected', 'stored', 'merged', 'duplicate'] as const;
/** A clock that is off by no more is right, for whoever sets up a terminal. */
const clockIsRightMs = 60_000;

/** What became of a message: "stored", or "3 stored, 1 known already". */
export function formatOutcome(
  {
    outcomes,
    report_count: decoded,
    undecodable,
  }: Pick<IntakeMessage, 'outcomes' | 'report_count' | 'undecodable'>,
  t: Translate,
): string {
  const there = outcomeOrder.filter((name) => outcomes[name] !== undefined);
  if (there.length === 0 && undecodable) return t('intake.outcome.undecodable');
  if (there.length === 0) return decoded === 0 ? t('intake.outcome.none') : t('intake.outcome.pending');
  const [only] = there;
  if (there.length === 1 && only !== undefined && outcomes[only] === 1) return t(`intake.outcome.${only}`);
  return there
    .map((name) => `${formatNumber(outcomes[name] ?? 0)} ${t(`intake.outcome.${name}`)}`)
    .join(', ');
}

/** Why reports were rejected or could not be stored, as programs name it; empty where none was. */
export function formatCodes({ codes }: Pick<IntakeMessage, 'codes'>): string {
  return Object.entries(codes)
    .map(([code, count]) => (count === 1 ? code : `${formatNumber(count)} ${code}`))
    .join(', ');
}

/** What a message said, in a line. */
export function summarize(
  { reports, report_count: decoded, summary: note }: IntakeMessage,
  t: Translate,
): string {
  const [first] = reports;
  if (first === undefined || (first.lat === null && note !== null)) return note ?? t('intake.no_note');
  const place =
    first.lat === null || first.lon === null
      ? t('intake.no_place')
      : `${formatNumber(first.lat, 5)}, ${formatNumber(first.lon, 5)}`;
  const parts = [
    place,
    ...(first.speed_kmh === null ? [] : [formatSpeed(first.speed_kmh)]),
    ...first.alarms,
    ...(decoded > 1 ? [t('intake.more_reports', { number: formatNumber(decoded - 1) })] : []),
  ];
  return parts.join(' · ');
}

/** The transports of a listener: "TCP or UDP". */
export function transportWords({ transports }: Pick<IntakeListener, 'transports'>, t: Translate): string {
  return transports.map((it) => it.toUpperCase()).join(` ${t('intake.or')} `);
}

/** Connections ended and messages left alone, by reason; those that never happened are left out. */
export function rejectionLabels(
  listener: Pick<IntakeListener, 'rejections'>,
  t: Translate,
): { total: number; words: string[] } {
  const counts = rejectReason.options.map((reason) => ({
    reason,
    count: listener.rejections?.[reason] ?? 0,
  }));
  return {
    total: counts.reduce((sum, { count }) => sum + count, 0),
    words: counts
      .filter(({ count }) => count > 0)
      .map(({ reason, count }) => t(`intake.rejections.${reason}`, { number: formatNumber(count) })),
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
  t: Translate,
  moment: (ms: number) => string,
): [label: string, value: string][] {
  const facts: [string, string | null][] = [
    [t('intake.fact.time'), formatTime(report.time, receivedAt, t, moment)],
    [
      t('intake.fact.place'),
      report.lat === null || report.lon === null
        ? t('intake.no_place')
        : `${formatNumber(report.lat, 6)}, ${formatNumber(report.lon, 6)}`,
    ],
    [t('fact.fix'), report.valid ? null : t('intake.fact.no_fix')],
    [t('list.column.speed'), report.speed_kmh === null ? null : formatSpeed(report.speed_kmh)],
    [t('intake.fact.course'), report.course_deg === null ? null : formatCourse(report.course_deg)],
    [t('fact.altitude'), mapped(report.altitude_m, (m) => formatLength(m))],
    [
      t('intake.fact.accuracy'),
      mapped(report.accuracy_m, (m) => formatLength(m, Number.isInteger(m) ? 0 : 1)),
    ],
    [t('intake.fact.satellites'), report.satellites?.toString() ?? null],
    [t('intake.fact.hdop'), report.hdop?.toString() ?? null],
    [t('fact.ignition'), report.ignition === null ? null : t(report.ignition ? 'fact.on' : 'fact.off')],
    [t('fact.odometer'), mapped(report.odometer_m, formatDistance)],
    [t('fact.battery'), formatValue(report.battery_pct, '%')],
    [t('intake.fact.alarms'), report.alarms.length === 0 ? null : report.alarms.join(', ')],
    ...Object.entries(report.attributes).map(([name, value]): [string, string] => [name, String(value)]),
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}

const mapped = (value: number | null, format: (value: number) => string): string | null =>
  value === null ? null : format(value);

function formatValue(value: number | null, unit: string): string | null {
  return value === null ? null : `${formatNumber(value, Number.isInteger(value) ? 0 : 1)} ${unit}`;
}

/** A moment by the terminal's clock, with how far that is from the moment of receipt. */
function formatTime(
  time: string | null,
  receivedAt: number,
  t: Translate,
  moment: (ms: number) => string,
): string {
  if (time === null) return t('intake.fact.no_time');
  const at = Date.parse(time);
  const aheadMs = at - receivedAt;
  if (Math.abs(aheadMs) <= clockIsRightMs) return moment(at);
  const far = aheadMs > 0 ? 'intake.fact.ahead' : 'intake.fact.before';
  return `${moment(at)}, ${t(far, { age: formatMinutes(Math.abs(aheadMs)) })}`;
}

/** An age of minutes and more, to the nearest minute: a clock that is 8 h ahead is not 7 h 59 min ahead. */
function formatMinutes(ms: number): string {
  return formatAge(Math.round(ms / 60_000) * 60_000);
}

/**
 * Why a message was rejected.
 *
 * @param max_future_s how far ahead a position may be
 * @param offset_s how far the terminal's clock is ahead by its vehicle's setting
 */
export function refusalWords(
  { reports, at, codes }: Pick<IntakeMessage, 'reports' | 'at' | 'codes'>,
  { max_future_s, offset_s }: { max_future_s: number; offset_s: number },
  t: Translate,
): string {
  if (codes.invalid_coordinates !== undefined) return t('intake.why.nowhere');
  if (codes.time_in_future === undefined) return t('intake.why.rejected');
  const allowed = formatAge(max_future_s * 1_000);
  const aheadMs = Math.max(
    ...reports.map(({ time }) => (time === null ? 0 : Date.parse(time) - offset_s * 1_000 - Date.parse(at))),
  );
  // Only the first reports are here, and the vehicle may have been set to another offset since.
  if (aheadMs <= max_future_s * 1_000) return t('intake.why.future_somehow', { allowed });
  return t('intake.why.future', { age: formatMinutes(aheadMs), allowed });
}

/** What is entered in a terminal to reach a listener. */
export type ListenerAddress =
  | { kind: 'host_and_port'; host: string; port: number }
  /** Apps take one address with all in it. */
  | { kind: 'url'; url: string }
  /** Nothing: terminals get the address for their video with each request. */
  | { kind: 'published'; host: string; port: number };

/** @param host the address of this machine that terminals are pointed at */
export function listenerAddress(
  listener: Pick<IntakeListener, 'name' | 'port' | 'transports'>,
  host: string,
  media: IntakeState['media_address'],
): ListenerAddress {
  if (listener.name === 'jt1078')
    return { kind: 'published', host: media?.host ?? host, port: media?.port ?? listener.port };
  if (listener.transports.includes('http'))
    return { kind: 'url', url: `http://${host.includes(':') ? `[${host}]` : host}:${listener.port}` };
  return { kind: 'host_and_port', host, port: listener.port };
}

const listenerOrder: readonly ListenerName[] = ['teltonika', 'wialon', 'jt808', 'osmand', 'jt1078'];

/** Those that most terminals come by first, the one that nothing is entered for last. */
export function inOrder<T extends Pick<IntakeListener, 'name'>>(listeners: readonly T[]): T[] {
  return [...listeners].sort((a, b) => listenerOrder.indexOf(a.name) - listenerOrder.indexOf(b.name));
}
