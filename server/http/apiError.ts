import type { z } from 'zod';
import type { FieldFault, ProblemCode } from '../contract/problem.ts';

/** An answer other than success; what the error handler turns into `application/problem+json`. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ProblemCode;
  readonly faults: FieldFault[] | undefined;
  readonly headers: Record<string, string>;

  constructor(
    code: ProblemCode,
    detail: string,
    more: { faults?: FieldFault[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(detail, { cause: more.cause });
    this.code = code;
    this.faults = more.faults;
    this.headers = more.headers ?? {};
  }
}

/** 400 for one field; `path` is written as in `errors[].path`, for example `channels.0.name`. */
export function invalid(path: string, message: string): ApiError {
  return new ApiError('validation_failed', `${path}: ${message}`, { faults: [{ path, message }] });
}

/** 400 for whatever zod found. */
export function invalidBy(error: z.ZodError, where: 'body' | 'query' | 'path'): ApiError {
  const faults = error.issues.flatMap((issue): FieldFault[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        path: [...issue.path, key].join('.'),
        message: 'is not known here',
      }));
    }
    return [{ path: issue.path.join('.'), message: issue.message }];
  });
  const first = faults[0];
  const detail =
    first === undefined ? `The ${where} is not allowed.` : `${where} ${first.path}: ${first.message}`;
  return new ApiError('validation_failed', detail, { faults });
}

/** The same answer for "not there" and "outside your rights": its existence is not given away. */
export function notFound(what: string): ApiError {
  return new ApiError('not_found', `There is no such ${what}.`);
}

export function forbidden(detail: string): ApiError {
  return new ApiError('forbidden', detail);
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
