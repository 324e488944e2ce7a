import { serveOrders, WorkFailed } from '../../workerChannel.ts';

/**
 * `bad_media`: what came is not a playable video; the detail says what it is.
 * `disk_full`: no free space for the result. `failed`: the worker's thread ended in the middle of the job, or the
 * system refused (the detail says what). `closed`: the host is shutting down.
 */
export type MediaErrorCode = (typeof codes)[number];
const codes = ['bad_media', 'disk_full', 'failed', 'closed'] as const;

export class MediaError extends Error {
  readonly code: MediaErrorCode;

  constructor(code: MediaErrorCode, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = 'MediaError';
    this.code = code;
  }
}

export function badMedia(detail: string, cause?: unknown): MediaError {
  return new MediaError('bad_media', detail, { cause });
}

/** The error as one of the codes; a full disk is distinguished from all other system errors. */
export function asMediaError(error: unknown): MediaError {
  if (error instanceof MediaError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof WorkFailed) {
    return new MediaError(codes.find((it) => it === error.code) ?? 'failed', detail, { cause: error });
  }
  return NO_ROOM.has(systemCode(error) ?? '')
    ? new MediaError('disk_full', 'no free disk space for the video', { cause: error })
    : new MediaError('failed', detail, { cause: error });
}

const NO_ROOM: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

/** The code of an operating system's error (`ENOENT`, …), undefined for any other. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('errno' in error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** As `serveOrders`; failures are reported by the codes of `MediaError`. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as there
export function serveMediaOrders<Order, Result>(
  work: (order: Order, onProgress: (fraction: number) => void) => Promise<Result>,
): void {
  serveOrders(work, (error) => {
    const { code, message } = asMediaError(error);
    return { code, detail: message };
  });
}
