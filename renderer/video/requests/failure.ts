import type { Task } from '../../../server/contract/video.ts';
import type { Translate } from '../../i18n/text.ts';
import { isEnglish } from '../../ui/formFaults.ts';

export type FailureCode = NonNullable<Task['error']>['code'] | 'expired';

/** Why a task has no pictures. */
export interface Failure {
  code: FailureCode;
  /** The terminal's or server's own words; empty where it has none. */
  detail: string;
}

/** The reason that most of these tasks give, in the first one's own words. */
export function mostGiven(tasks: readonly Task[]): Failure {
  const failures = tasks.map((it): Failure => ({ code: codeOf(it), detail: it.error?.detail ?? '' }));
  const counts = new Map<FailureCode, number>();
  for (const { code } of failures) counts.set(code, (counts.get(code) ?? 0) + 1);
  const [max] = failures.toSorted((a, b) => (counts.get(b.code) ?? 0) - (counts.get(a.code) ?? 0));
  return max ?? { code: 'internal', detail: '' };
}

function codeOf(task: Task): FailureCode {
  if (task.error !== null) return task.error.code;
  return task.status === 'expired' ? 'expired' : 'internal';
}

/** A failure in words: what it is, and in English the terminal's or server's own detail, else what to do. */
export function formatReason(failure: Failure, t: Translate): { title: string; how: string } {
  const how = t(`reason.${failure.code}.how`);
  return {
    title: t(`reason.${failure.code}`),
    how: failure.detail === '' || !isEnglish() ? how : sentence(failure.detail),
  };
}

/** Details come as words for a log: "no frame before 10:02". */
function sentence(detail: string): string {
  const text = detail.charAt(0).toUpperCase() + detail.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
