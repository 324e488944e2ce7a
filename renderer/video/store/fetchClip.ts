import { ApiProblem, isProblem, Unreachable } from '../../api/errors.ts';
import type { Clock } from '../../clock/clock.ts';
import { retryPauseMs } from '../../stream/streamReader.ts';
import type { ClipFiles } from './clipStorage.ts';

/** No bytes for so long, and the connection counts as lost. */
const STALL_MS = 30_000;
/** Tries in a row that bring no byte before it is given up; with the pauses between them about half a minute. */
const TRIES = 5;

/** What came is not the file that the depot has: also the second time. */
export class ChecksumWrong extends Error {
  override readonly name = 'ChecksumWrong';
}

/** The answer broke off; what came of it can be continued under its ETag. */
class BrokenOff extends Error {
  override readonly name = 'BrokenOff';
  readonly etag: string | null;

  constructor(etag: string | null, cause?: unknown) {
    super('the answer broke off', { cause });
    this.etag = etag;
  }
}

export interface ClipFilter {
  /** The name of the file in the store. */
  name: string;
  /** What the task says of the file, as of now. */
  sha256: () => string;
  sizeBytes: number;
}

export interface FetchDeps {
  files: ClipFiles;
  /** Asks for the file; the answer is 200 or 206, its body unread. Throws ApiProblem and Unreachable. */
  ask: (headers: Record<string, string>, signal: AbortSignal) => Promise<Response>;
  clock: Clock;
  /** The ETag that the part in the store was fetched under. */
  etag: string | null;
  /** Called before the first byte of an answer is stored. */
  onEtag: (etag: string | null) => Promise<void>;
  onProgress: (loadedBytes: number, totalBytes: number) => void;
}

/**
 * Fetches the file of a task into the store: on from where a part ends when that part is of the same file, and again
 * and again while each try brings something. Returns when the stored file has the task's SHA-256.
 * Throws ApiProblem, Unreachable, ChecksumWrong, StoreFull, and the signal's reason; a part stays for the next time.
 */
export async function fetchClip(deps: FetchDeps, filter: ClipFilter, signal: AbortSignal): Promise<void> {
  const { files, clock } = deps;
  let etag = deps.etag;
  let fruitless = 0;
  let isSecond = false;
  for (;;) {
    const before = await sizeOf(files, filter.name);
    try {
      etag = await readOn(deps, filter, { have: etag === null ? 0 : before, etag, signal });
      if ((await files.sha256(filter.name)) === filter.sha256()) return;
      await files.remove(filter.name);
      etag = null;
      if (isSecond) throw new ChecksumWrong('the file is not the one that the depot has');
      isSecond = true;
    } catch (error) {
      signal.throwIfAborted();
      if (isProblem(error, 'range_not_satisfiable')) {
        await files.remove(filter.name);
        etag = null;
        fruitless += 1;
        if (fruitless >= TRIES) throw error;
        continue;
      }
      if (!isPassing(error)) throw error;
      if (error instanceof BrokenOff) etag = error.etag;
      fruitless = (await sizeOf(files, filter.name)) > before ? 0 : fruitless + 1;
      if (fruitless >= TRIES)
        throw error instanceof BrokenOff ? new Unreachable(error.message, { cause: error }) : error;
      await pause(clock, pauseAfter(error, fruitless), signal);
    }
  }
}

/** One answer into the store; returns its ETag. */
async function readOn(
  { files, ask, clock, onEtag, onProgress }: FetchDeps,
  filter: ClipFilter,
  { have, etag, signal }: { have: number; etag: string | null; signal: AbortSignal },
): Promise<string | null> {
  if (have > 0 && have === filter.sizeBytes) return etag;
  const isResumed = have > 0 && etag !== null;
  const response = await ask(isResumed ? { Range: `bytes=${have}-`, 'If-Range': etag } : {}, signal);
  const newEtag = response.headers.get('ETag');
  const goesOn = isResumed && response.status === 206 && newEtag === etag && startOf(response) === have;
  if (response.status === 206 && !goesOn) {
    await response.body?.cancel();
    await files.remove(filter.name);
    throw new BrokenOff(null);
  }
  const start = goesOn ? have : 0;
  const total = start + Number(response.headers.get('Content-Length') ?? filter.sizeBytes - start);
  await onEtag(newEtag);
  const writer = await files.append(filter.name, start);
  let loaded = start;
  try {
    onProgress(loaded, total);
    for await (const bytes of bodyOf(response, clock)) {
      signal.throwIfAborted();
      const { length } = bytes;
      await writer.write(bytes);
      loaded += length;
      onProgress(loaded, total);
    }
  } catch (error) {
    signal.throwIfAborted();
    // What fetch throws when the connection is lost in the middle is a TypeError.
    if (error instanceof TypeError) throw new BrokenOff(newEtag, error);
    throw error;
  } finally {
    await writer.close();
  }
  if (loaded < total) throw new BrokenOff(newEtag);
  return newEtag;
}

async function* bodyOf(response: Response, clock: Clock): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await within(clock, reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Rejects as fetch does for a lost connection when nothing comes for too long. */
function within<T>(clock: Clock, reading: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = clock.after(STALL_MS, () => reject(new TypeError('no bytes for too long')));
    reading.then(resolve, reject).finally(stop);
  });
}

function startOf(response: Response): number | null {
  const start = /^bytes (\d+)-/.exec(response.headers.get('Content-Range') ?? '')?.[1];
  return start === undefined ? null : Number(start);
}

async function sizeOf(files: ClipFiles, name: string): Promise<number> {
  return (await files.blob(name))?.size ?? 0;
}

/** What another try may get over. */
function isPassing(error: unknown): boolean {
  return (
    error instanceof Unreachable ||
    error instanceof BrokenOff ||
    isProblem(error, 'rate_limited', 'unavailable')
  );
}

function pauseAfter(error: unknown, fruitless: number): number {
  const requested = error instanceof ApiProblem ? error.retryAfterS : null;
  return requested === null ? retryPauseMs(Math.max(0, fruitless - 1)) : Math.max(1, requested) * 1_000;
}

function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      stop();
      reject(signal.reason as Error);
    };
    const stop = clock.after(ms, () => {
      signal.removeEventListener('abort', giveUp);
      resolve();
    });
    signal.addEventListener('abort', giveUp, { once: true });
  });
}
