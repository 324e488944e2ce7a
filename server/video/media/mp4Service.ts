import { rm, stat } from 'node:fs/promises';
import { setTimeout as startTimer } from 'node:timers';
import { startWorker } from '../../startWorker.ts';
import { createWorkerChannel } from '../../workerChannel.ts';
import type { FinishedVideo, FinishOrder } from './finishVideo.ts';
import { asMediaError, badMedia } from './mediaError.ts';

/** A hostile index can ask for much; its thread ends with an error before the host runs short. */
const WORKER_HEAP_MB = 512;
/** Frames live for a moment; the smaller their heap, the sooner the memory of finished ones is freed. */
const YOUNG_HEAP_MB = 6;

/**
 * How long a file may take: at some 20 MB/s a tenth of it. A hostile file can make a reader go round in circles; it is
 * given up, and its thread with it.
 */
const patienceFor = (bytes: number) => 120_000 + (bytes / 1e6) * 500;

/** The scheduler, whose downloads take turns, orders no more at once than there may be downloads. */
const host = 'host';

export type Mp4Service = ReturnType<typeof createMp4Service>;

/** One worker for all remuxing: it is bound by the disk, and must not take the map's core. */
export function createMp4Service(retryWindowMs: (bytes: number) => number = patienceFor) {
  const line = createWorkerChannel<FinishOrder, FinishedVideo>({
    start: () =>
      startWorker(import.meta.url, 'mp4.worker', { heap_mb: WORKER_HEAP_MB, young_mb: YOUNG_HEAP_MB }),
  });

  async function finishInTime(
    order: FinishOrder,
    signal: AbortSignal,
    onProgress: (fraction: number) => void,
  ): Promise<FinishedVideo> {
    const limitMs = retryWindowMs((await stat(order.input)).size);
    const late = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    try {
      return await line.run(() => order, {
        user_id: host,
        signal: AbortSignal.any([signal, late.signal]),
        onProgress(fraction) {
          timer ??= startTimer(() => late.abort(badMedia('damaged: reading it comes to no end')), limitMs);
          onProgress(fraction);
        },
      });
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    /**
     * Turns a downloaded file into the final MP4, see `finishVideo`. The output is there, whole and synced, when
     * the promise resolves; it is gone when the promise rejects. The input is left as it is.
     * @throws MediaError `bad_media`, `disk_full`, `failed`, `closed`; the signal's reason when cancelled
     */
    async finish({
      signal,
      onProgress = () => undefined,
      ...order
    }: FinishOrder & {
      signal: AbortSignal;
      onProgress?: (fraction: number) => void;
    }): Promise<FinishedVideo> {
      try {
        return await finishInTime(order, signal, onProgress);
      } catch (error) {
        await rm(order.output, { force: true });
        throw signal.aborted ? error : asMediaError(error);
      }
    },
    close: (): Promise<void> => line.close(),
  };
}
