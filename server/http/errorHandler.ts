import type { ErrorRequestHandler } from 'express';
import { problems, type Problem } from '../contract/problem.ts';
import { DiskFull, StoreFailed } from '../store/storeErrors.ts';
import { WorkFailed } from '../workerChannel.ts';
import { ApiError, ofWork } from './apiError.ts';
import { contextOf } from './requestContext.ts';

/** The one place where errors become answers; registered last. */
export function createErrorHandler(): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    const context = contextOf(response);
    // Work was given up because the client has gone: nobody is there to be answered, and nothing has failed.
    if (response.closed && error instanceof Error && error.name === 'AbortError') return;
    const known = toApiError(error);
    const { status, title } = problems[known.code];
    if (known.headers['Retry-After'] !== undefined) context.log.debug({ code: known.code }, known.message);
    else if (status >= 500) context.log.error({ err: error, code: known.code }, 'request failed');
    if (response.headersSent) {
      // Too late for an answer: the connection is cut, so that nobody takes half a body for a whole one.
      response.destroy();
      next(error);
      return;
    }
    const body: Problem = {
      type: 'about:blank',
      title,
      status,
      detail: known.message,
      code: known.code,
      ...(known.faults === undefined ? {} : { errors: known.faults }),
      request_id: context.request_id,
    };
    response.set(known.headers);
    if (status === 401) response.set('WWW-Authenticate', 'JWT');
    response
      .status(status)
      .set('Content-Type', 'application/problem+json; charset=utf-8')
      .send(JSON.stringify(body));
  };
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DiskFull) return new ApiError('disk_full', 'The disk is full; nothing was stored.');
  if (error instanceof StoreFailed)
    return new ApiError('unavailable', 'The store could not do it; nothing was stored.');
  return (
    (error instanceof WorkFailed ? ofWork(error) : null) ??
    fromBodyParser(error) ??
    new ApiError('internal', 'Internal error; see the server log for the request ID.')
  );
}

/** body-parser and Express mark their errors by `type` and `status`. */
function fromBodyParser(error: unknown): ApiError | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof URIError) return new ApiError('not_found', 'There is nothing of that name.');
  const { type, status } = error as { type?: unknown; status?: unknown };
  switch (type) {
    case 'entity.parse.failed':
      return new ApiError('malformed_json', `The body is not JSON: ${error.message}`);
    case 'entity.too.large':
      return new ApiError('too_large', 'The body is larger than this operation takes.');
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new ApiError('unsupported_media_type', error.message);
    case 'request.aborted':
    case 'request.size.invalid':
      return new ApiError('malformed_json', 'The body ended before its stated length.');
    default:
      return typeof status === 'number' && status >= 400 && status < 500
        ? new ApiError('malformed_json', error.message)
        : null;
  }
}
