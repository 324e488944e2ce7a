import type { ProblemCode } from '../../server/contract/problem.ts';
import { isProblem, Unreachable } from '../api/errors.ts';
import { formatAge } from '../format/age.ts';
import type { Translate } from '../i18n/text.ts';

/** What is wrong, by the name of the field. */
export type FieldErrors = Record<string, string>;

export function faultsOf(error: unknown): FieldErrors {
  if (!isProblem(error, 'validation_failed')) return {};
  return Object.fromEntries(
    error.faults.map(({ path, message }) => [path.replace(/^\/|^body\./, ''), message]),
  );
}

/** `group_ids.0` and `attributes.color` are shown at their field. */
export function faultsByField(faults: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(faults).map(([path, message]) => [path.split(/[./]/)[0] ?? path, message]),
  );
}

/** What went wrong with a form as a whole, in one sentence; null when its fields say it. */
export function sentenceOf(
  error: unknown,
  t: Translate,
  own: Partial<Record<ProblemCode, string>> = {},
): string | null {
  if (isProblem(error)) {
    if (error.code === 'validation_failed' && error.faults.length > 0) {
      return error.faults.map(({ path, message }) => `${path}: ${message}`).join('; ');
    }
    const given = own[error.code];
    if (given !== undefined) return given;
    if (error.code === 'rate_limited')
      return t('failure.rate_limited', { age: formatAge((error.retryAfterS ?? 1) * 1_000) });
    return error.problem.detail === '' ? error.problem.title : error.problem.detail;
  }
  return error instanceof Unreachable ? t('failure.not_saved') : t('failure.unexpected');
}
