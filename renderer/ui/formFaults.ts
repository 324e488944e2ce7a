import type { ProblemCode } from '../../server/contract/problem.ts';
import { isProblem, Unreachable } from '../api/errors.ts';
import { formatAge } from '../format/age.ts';
import type { Translate } from '../i18n/text.ts';

/** What is wrong, by the name of the field. */
export type FieldErrors = Readonly<Record<string, string>>;

/** Sentences in place of the server's own, or round them. */
export type ProblemTexts = Partial<Record<ProblemCode, string | ((detail: string) => string)>>;

export interface FailureTexts {
  texts?: ProblemTexts;
  /** Where the server cannot be reached; "Nothing was saved" when it is left out. */
  unreachable?: string;
  /** Fields that show what is wrong with them: `name`, `params.limit_kmh`. */
  fields?: readonly string[];
}

/** What went wrong, at the fields that show it and, for the rest, in one sentence. */
export function failureOf(
  error: unknown,
  t: Translate,
  { texts = {}, fields = [], unreachable }: FailureTexts = {},
): { faults: FieldErrors; sentence: string | null } {
  if (!isProblem(error, 'validation_failed') || error.faults.length === 0)
    return {
      faults: {},
      sentence:
        error instanceof Unreachable && unreachable !== undefined ? unreachable : sentenceOf(error, t, texts),
    };
  return placeFaults(error.faults, fields);
}

/** Each fault at the field that shows it: `group_ids.0` at `group_ids`; what no field shows in a sentence. */
export function placeFaults(
  faults: readonly { path: string; message: string }[],
  fields: readonly string[],
): { faults: FieldErrors; sentence: string | null } {
  const placed: Record<string, string> = {};
  const others: string[] = [];
  for (const { path, message } of faults) {
    const plain = path.replace(/^\/|^body[./]/, '').replaceAll('/', '.');
    const [field] = fields
      .filter((it) => plain === it || plain.startsWith(`${it}.`))
      .sort((a, b) => b.length - a.length);
    if (field === undefined) others.push(`${path}: ${message}`);
    else placed[field] ??= message;
  }
  return { faults: placed, sentence: others.length === 0 ? null : others.join('; ') };
}

/** What went wrong, in one sentence. */
export function sentenceOf(error: unknown, t: Translate, own: ProblemTexts = {}): string | null {
  if (isProblem(error)) {
    if (error.code === 'validation_failed' && error.faults.length > 0) {
      return error.faults.map(({ path, message }) => `${path}: ${message}`).join('; ');
    }
    const given = own[error.code];
    if (given !== undefined) return typeof given === 'string' ? given : given(error.problem.detail);
    if (error.code === 'rate_limited')
      return t('failure.rate_limited', { age: formatAge((error.retryAfterS ?? 1) * 1_000) });
    return error.problem.detail === '' ? error.problem.title : error.problem.detail;
  }
  return error instanceof Unreachable ? t('failure.not_saved') : t('failure.unexpected');
}
