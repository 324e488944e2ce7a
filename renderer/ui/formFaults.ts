import type { Cause } from '../../server/contract/causes.ts';
import { namesText } from '../../server/contract/namesText.ts';
import type { FieldError, Problem, ProblemCode } from '../../server/contract/problem.ts';
import { isProblem, Unreachable } from '../api/errors.ts';
import { formatAge } from '../format/age.ts';
import type { DepotTime } from '../format/depotTime.ts';
import { formats } from '../format/formats.ts';
import { formatNumber } from '../format/numbers.ts';
import type { TextKey, Translate } from '../i18n/text.ts';

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
  return placeFaults(error.faults, fields, t);
}

/** Each fault at the field that shows it: `group_ids.0` at `group_ids`; what no field shows in a sentence. */
export function placeFaults(
  faults: readonly FieldError[],
  fields: readonly string[],
  t: Translate,
): { faults: FieldErrors; sentence: string | null } {
  const placed: Record<string, string> = {};
  const others: string[] = [];
  for (const fault of faults) {
    const { path } = fault;
    const message = faultText(fault, t);
    const plain = path.replace(/^\/|^body[./]/, '').replaceAll('/', '.');
    const [field] = fields
      .filter((it) => plain === it || plain.startsWith(`${it}.`))
      .sort((a, b) => b.length - a.length);
    if (field === undefined) others.push(`${path}: ${message}`);
    else placed[field] ??= message;
  }
  return { faults: placed, sentence: others.length === 0 ? null : others.join('; ') };
}

/** The language of what the server says itself. */
export const isEnglish = () => formats.getState().language === 'en';

/** What the server refused; English is its own language, in others its words stand where they name something. */
export function problemText(
  { code, detail, title, causes }: Pick<Problem, 'code' | 'detail' | 'causes'> & { title?: string },
  t: Translate,
): string {
  const own = detail || title || '';
  return isEnglish() ? own : t(`problem.${code}`, { detail: detailText({ detail: own, causes }, t) }).trim();
}

/**
 * A detail of the server by its causes; in its own words in English, and where one of them has no text here. `time`: how
 * moments in it are written; without it as the server has them, in UTC.
 */
export function detailText(
  { detail, causes = [] }: { detail: string; causes?: readonly Cause[] | undefined },
  t: Translate,
  time?: Pick<DepotTime, 'date' | 'minute'>,
): string {
  const said = isEnglish() ? [] : causes.map((it) => causeText(it, t));
  const text = said.length === 0 || said.includes(null) ? detail : said.join(' ');
  if (time === undefined) return text;
  return text.replaceAll(isoMoment, (moment) => {
    const at = Date.parse(moment);
    return `${time.date(at)} ${time.minute(at)}`;
  });
}

const isoMoment = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/g;

function causeText({ code, values }: Cause, t: Translate): string | null {
  const key = (code.startsWith('problem.') ? code : `cause.${code}`) as TextKey;
  const shown = Object.entries(values).map(([name, it]) => [name, valueText(it, t)]);
  const text = t(key, Object.fromEntries(shown) as Record<string, string>);
  return text === key ? null : text.trim();
}

function valueText(value: Cause['values'][string], t: Translate): string {
  if (Array.isArray(value)) return namesText(value, (name) => t('cause.quoted', { name }));
  return typeof value === 'number' ? formatNumber(value) : value;
}

export const faultText = (
  { message, kind = 'other', limit = 0, causes }: Omit<FieldError, 'path'>,
  t: Translate,
): string =>
  isEnglish() ? message : t(`fault.${kind}`, { detail: detailText({ detail: message, causes }, t), limit });

/** What went wrong, in one sentence. */
export function sentenceOf(error: unknown, t: Translate, own: ProblemTexts = {}): string | null {
  if (isProblem(error)) {
    if (error.code === 'validation_failed' && error.faults.length > 0) {
      return error.faults.map((it) => `${it.path}: ${faultText(it, t)}`).join('; ');
    }
    const given = own[error.code];
    if (given !== undefined) return typeof given === 'string' ? given : given(detailText(error.problem, t));
    if (error.code === 'rate_limited')
      return t('failure.rate_limited', { age: formatAge((error.retryAfterS ?? 1) * 1_000) });
    return problemText(error.problem, t);
  }
  return error instanceof Unreachable ? t('failure.not_saved') : t('failure.unexpected');
}
