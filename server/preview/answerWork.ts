import { systemClock, type Clock } from '../clock.ts';
import { problems, type Problem } from '../contract/problem.ts';
import type { Call } from '../http/api.ts';
import { ApiError, ofWork } from '../http/apiError.ts';
import { contextOf } from '../http/requestContext.ts';
import type { Route } from '../contract/route.ts';
import { StoreFailed } from '../store/storeErrors.ts';
import { WorkFailed, type WorkAsk } from '../workerChannel.ts';

export type WorkCall = Pick<Call<Route>, 'request' | 'response' | 'log' | 'viewer' | 'holds'>;

const lines = 'application/x-ndjson';
/** Shortest and longest time between progress lines: some proxies close a connection that is silent for long. */
const minPauseMs = 250;
const maxPauseMs = 10_000;

/**
 * Answers a call with the result of long work: as JSON or by `write` when it is done or, to a client that accepts
 * `application/x-ndjson`, as lines that report the progress first. When the client goes, the work's signal aborts.
 * A result that is pieces of bytes is JSON already, or of `contentType`.
 *
 * @param work done for the caller; reports its progress as a fraction, 0 to 1
 * @throws ApiError while nothing was sent yet; afterwards a problem goes into the last line
 */
export async function respondWithProgress<T>(
  call: WorkCall,
  work: (ask: Required<WorkAsk>) => Promise<T | readonly Uint8Array[]>,
  contentType?: string,
  clock: Clock = systemClock,
): Promise<void> {
  const { request, response } = call;
  const gone = new AbortController();
  const onClose = () => gone.abort(new Error('the client has closed the connection'));
  response.once('close', onClose);
  if (response.closed) onClose();
  const wantsLines = contentType === undefined && request.accepts(['application/json', lines]) === lines;
  const progress = wantsLines ? createProgress(call, clock) : null;
  try {
    const result = await work({
      user_id: call.viewer.user.user_id,
      signal: gone.signal,
      onProgress: (fraction) => progress?.outcome(fraction),
    });
    if (gone.signal.aborted) return;
    progress?.stop();
    const pieces = isBytes(result) ? result : [Buffer.from(JSON.stringify(result))];
    call.holds(pieces.reduce((sum, it) => sum + it.length, 0));
    if (!response.headersSent) response.type(contentType ?? (progress === null ? 'application/json' : lines));
    if (progress !== null) response.write('{"result":');
    for (const piece of pieces) response.write(piece);
    response.end(progress === null ? undefined : '}\n');
  } catch (error) {
    progress?.stop();
    // Nobody is there to be answered.
    if (gone.signal.aborted) return;
    const fault = asApiError(error);
    if (!response.headersSent) throw fault;
    call.log.warn({ err: error, code: fault.code }, 'long-running operation failed');
    response.end(`${JSON.stringify({ problem: problemOf(fault, contextOf(response).request_id) })}\n`);
  } finally {
    response.off('close', onClose);
  }
}

function isBytes(result: unknown): result is readonly Uint8Array[] {
  return Array.isArray(result) && result.every((it) => it instanceof Uint8Array);
}

/** Writes the lines of progress; the first one sends the head. */
function createProgress({ response }: WorkCall, clock: Clock) {
  let fraction = 0;
  let written: number | null = null;
  let writtenAt = Number.NEGATIVE_INFINITY;
  let stopTimer = clock.after(maxPauseMs, write);

  function write(): void {
    stopTimer();
    if (!response.headersSent) response.type(lines);
    response.write(`${JSON.stringify({ progress: fraction })}\n`);
    written = fraction;
    writtenAt = clock.monotonic();
    stopTimer = clock.after(maxPauseMs, write);
  }

  return {
    outcome(next: number): void {
      // Of a thousandth at the least, and never back.
      fraction = Math.max(fraction, Math.min(1, Math.floor(next * 1_000) / 1_000));
      if (fraction !== written && clock.monotonic() - writtenAt >= minPauseMs) write();
    },
    stop: () => stopTimer(),
  };
}

/** What went wrong in a thread: nothing that the caller could have done otherwise. */
function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StoreFailed) {
    return new ApiError('unavailable', 'The store could not be read.', { cause: error });
  }
  const known = error instanceof WorkFailed ? ofWork(error) : null;
  if (known !== null) return known;
  return new ApiError('internal', 'Internal error; see the server log for the request ID.', {
    cause: error,
  });
}

function problemOf({ code, message, faults }: ApiError, request_id: string): Problem {
  const { status, title } = problems[code];
  return {
    type: 'about:blank',
    title,
    status,
    detail: message,
    code,
    ...(faults === undefined ? {} : { errors: faults }),
    request_id,
  };
}
