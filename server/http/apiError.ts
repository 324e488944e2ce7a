import type { z } from 'zod';
import type { Cause } from '../contract/causes.ts';
import { causeOf, detailOf, messageOf } from '../contract/causeTexts.ts';
import { kindOfIssue } from '../contract/fieldFaults.ts';
import type { FaultKind, FieldError, ProblemCode } from '../contract/problem.ts';
import { ActRefused, DiskFull, StoreFailed } from '../store/storeErrors.ts';
import { WorkFailed } from '../workerChannel.ts';

/** An answer other than success; what the error handler turns into `application/problem+json`. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ProblemCode;
  readonly faults: FieldError[] | undefined;
  /** Of which the message consists; undefined where that has no codes. */
  readonly causes: Cause[] | undefined;
  readonly headers: Record<string, string>;

  constructor(
    code: ProblemCode,
    detail: string | Cause | readonly Cause[],
    more: { faults?: FieldError[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    const causes = typeof detail === 'string' ? undefined : [detail].flat();
    super(typeof detail === 'string' ? detail : detailOf(causes ?? []), { cause: more.cause });
    this.code = code;
    this.causes = causes;
    this.faults = more.faults;
    this.headers = more.headers ?? {};
  }
}

/** What an error says: by its own causes, by the code of its problem, or in its own words. */
export function causesOf(error: unknown): Cause[] {
  if (error instanceof ApiError)
    return error.causes ?? [{ code: `problem.${error.code}`, values: { detail: error.message } }];
  if (error instanceof WorkFailed && error.causes !== undefined) return error.causes;
  return [causeOf('verbatim', { detail: error instanceof Error ? error.message : String(error) })];
}

/** 400 for one field; `path` is written as in `errors[].path`, for example `channels.0.name`. */
export function invalid(path: string, wrong: string | Cause | readonly Cause[], kind?: FaultKind): ApiError {
  const message = typeof wrong === 'string' ? { message: wrong } : messageOf(...[wrong].flat());
  return invalidField({ path, ...message, ...(kind === undefined ? {} : { kind }) });
}

export const invalidField = (fault: FieldError): ApiError =>
  new ApiError('validation_failed', `${fault.path}: ${fault.message}`, { faults: [fault] });

/** A body of a mebibyte can have a hundred thousand faults, or one whose path is as long: the answer says enough. */
const maxFaults = 100;
const maxPath = 200;

/** 400 for what zod found: the first 100 faults. */
export function invalidBy(error: z.ZodError, where: 'body' | 'query' | 'path'): ApiError {
  const pathOf = (path: readonly PropertyKey[]) => path.join('.').slice(0, maxPath);
  const found = error.issues.slice(0, maxFaults).flatMap((issue): FieldError[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.slice(0, maxFaults).map((key) => ({
        path: pathOf([...issue.path, key]),
        message: 'is unknown',
        kind: 'unknown',
      }));
    }
    return [{ path: pathOf(issue.path), message: issue.message, ...kindOfIssue(issue) }];
  });
  const faults = found.slice(0, maxFaults);
  const first = faults[0];
  const detail =
    first === undefined ? `The ${where} is not allowed.` : `${where} ${first.path}: ${first.message}`;
  return new ApiError('validation_failed', detail, { faults });
}

/** The same answer for "not there" and "outside your rights": its existence is not given away. */
export function notFound(what: string): ApiError {
  return new ApiError('not_found', `There is no such ${what}.`);
}

export function forbidden(detail: string | Cause): ApiError {
  return new ApiError('forbidden', detail);
}

/** In so many seconds a place in a queue may be free: most of what waits is short. */
const workRetryS = 5;

/** 429 for what would wait behind too much; may be asked again when less waits, however few calls were made. */
export function queueFull(detail: string, retryS: number): ApiError {
  return new ApiError('queue_full', detail, { headers: { 'Retry-After': String(retryS) } });
}

/** What an order to a worker ended with; null for what is a fault of ours. */
export function ofWork(error: WorkFailed): ApiError | null {
  const cause = error;
  switch (error.code) {
    case 'queue_full':
      return queueFull(error.message, workRetryS);
    case 'out_of_memory':
      return new ApiError('too_large', causeOf('work.out_of_memory'), { cause });
    case 'too_long':
      return new ApiError('too_large', causeOf('work.too_long'), { cause });
    case 'ended':
      return new ApiError('unavailable', causeOf('work.ended'), { cause });
    case 'store_failed':
      return new ApiError('unavailable', causeOf('work.store_failed'), { cause });
    case 'closed':
      return new ApiError('unavailable', causeOf('work.closed'), { cause });
    default:
      return null;
  }
}

/** Two that were asked for at once: each could be, and only one of them was. */
const refusedAs = {
  taken: 'already_exists',
  in_use: 'in_use',
  key_used: 'in_use',
  stale: 'version_conflict',
  conflict: 'version_conflict',
  quota: 'quota_exceeded',
  gone: 'not_found',
} as const;

/** What a write of the store failed by; null for what is no error of the store. */
export function ofStore(error: unknown): ApiError | null {
  if (error instanceof DiskFull) return new ApiError('disk_full', 'The disk is full; nothing was stored.');
  if (error instanceof StoreFailed) return new ApiError('unavailable', causeOf('store.failed'));
  if (error instanceof ActRefused)
    return new ApiError(refusedAs[error.reason], error.causes ?? error.message);
  return null;
}

/** 412 when the caller's `If-Match` names another version than the resource has now. */
export function checkVersion(ifMatch: number | null, current: number): void {
  if (ifMatch !== null && ifMatch !== current) {
    throw new ApiError(
      'version_conflict',
      `The resource is at version ${current}, the request was made for ${ifMatch}.`,
    );
  }
}
