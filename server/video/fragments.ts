import { createHash } from 'node:crypto';
import { ApiError } from '../http/apiError.ts';
import type { FieldError } from '../contract/problem.ts';
import type { TaskRow } from '../store/telemetry/rows.ts';
import type { ProfileRecord } from './profileRecord.ts';

/** What a task asks for. */
export type FragmentSpec = Pick<TaskRow, 'channel' | 'from_ms' | 'to_ms'>;

/** The end of a fragment may lie this far ahead; the task then waits for it. */
const maxAheadMs = 120_000;

interface SpanRules {
  video_max_s: number;
  now_ms: number;
}

/** Throws 400, naming each field that is wrong. */
export function checkAsked(
  { channel, ...span }: FragmentSpec,
  { profile, ...rules }: SpanRules & { profile: ProfileRecord },
): void {
  const faults = spanFaults(span, rules);
  if (profile.channels.every((it) => it.channel !== channel)) {
    faults.unshift({ path: 'channel', message: 'is not a channel of this video profile' });
  }
  refuse(faults);
}

/** Throws 400 for a span that nobody may ask for. */
export function checkSpan(span: Pick<FragmentSpec, 'from_ms' | 'to_ms'>, rules: SpanRules): void {
  refuse(spanFaults(span, rules));
}

function spanFaults(
  { from_ms, to_ms }: Pick<FragmentSpec, 'from_ms' | 'to_ms'>,
  { video_max_s, now_ms }: SpanRules,
): FieldError[] {
  const faults: FieldError[] = [];
  if (from_ms > now_ms) faults.push({ path: 'from', message: 'lies in the future' });
  if (to_ms <= from_ms) {
    faults.push({ path: 'to', message: 'is not after from' });
  } else if (to_ms > now_ms + maxAheadMs) {
    faults.push({ path: 'to', message: `lies more than ${maxAheadMs / 1000} s in the future` });
  } else if (to_ms - from_ms > video_max_s * 1000) {
    faults.push({ path: 'to', message: `is more than ${video_max_s} s after from` });
  }
  return faults;
}

function refuse(faults: FieldError[]): void {
  const [first] = faults;
  if (first !== undefined) {
    throw new ApiError('validation_failed', `body ${first.path}: ${first.message}`, { faults });
  }
}

/** Tasks with the same key want the same pictures: one download serves them all. */
export function fragmentKey(row: FragmentSpec & Pick<TaskRow, 'profile_id' | 'stream'>): string {
  return row.stream === null ? spanKey(row) : `${spanKey(row)} ${row.stream}`;
}

function spanKey(row: FragmentSpec & Pick<TaskRow, 'profile_id'>): string {
  return `${row.profile_id} ${row.channel} ${row.from_ms} ${row.to_ms}`;
}

/**
 * The same for the same fragment of the same camera: a profile that is put right does not bring back what was wrong.
 */
export function fileNameOf(
  row: Parameters<typeof fragmentKey>[0],
  { kind, connection }: ProfileRecord,
): string {
  const { url = '', utc_offset_min } = connection;
  const others = [row.stream ?? connection.stream, utc_offset_min]
    .map((it) => (it === undefined ? '' : ` ${it}`))
    .join('');
  const source = `${spanKey(row)} ${kind} ${url}${others}`;
  return `${createHash('sha256').update(source).digest('hex').slice(0, 32)}.mp4`;
}

/** The part of a period around a moment that may be requested: all of it, or shortened equally on both sides. */
export function around(
  at_ms: number,
  { before_s, after_s }: { before_s: number; after_s: number },
  video_max_s: number,
): { from_ms: number; to_ms: number } | null {
  const fraction = Math.min(1, video_max_s / (before_s + after_s || 1));
  const from_ms = Math.round(at_ms - before_s * fraction * 1000);
  const to_ms = Math.round(at_ms + after_s * fraction * 1000);
  return to_ms > from_ms ? { from_ms, to_ms } : null;
}
