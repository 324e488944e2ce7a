import type { FieldError, Problem, ProblemCode } from '../../server/contract/problem.ts';

/** The server said no: its problem+json, and when to try again if it said so. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly problem: Problem;
  readonly retryAfterS: number | null;

  constructor(problem: Problem, retryAfterS: number | null) {
    super(`${problem.status} ${problem.code}: ${problem.detail}`);
    this.problem = problem;
    this.retryAfterS = retryAfterS;
  }

  get code(): ProblemCode {
    return this.problem.code;
  }

  get requestId(): string {
    return this.problem.request_id;
  }

  get faults(): readonly FieldError[] {
    return this.problem.errors ?? [];
  }
}

/** No answer came: no network, no server, or it took too long. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** An answer came that is none of the contract's; the request id finds it in the server's log. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';
  readonly requestId: string | null;

  constructor(message: string, requestId: string | null) {
    super(message);
    this.requestId = requestId;
  }
}

export function requestIdOf(error: unknown): string | null {
  if (error instanceof ApiProblem) return error.requestId;
  if (error instanceof UnexpectedAnswer) return error.requestId;
  return null;
}

export function isProblem(error: unknown, ...codes: ProblemCode[]): error is ApiProblem {
  return error instanceof ApiProblem && (codes.length === 0 || codes.includes(error.code));
}

/** The caller gave up: nothing went wrong. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
