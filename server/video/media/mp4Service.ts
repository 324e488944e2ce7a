import { rm } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { createWorkerLine } from '../../workerLine.ts';
import { workerUrl } from '../../workerUrl.ts';
import type { FinishedVideo, FinishOrder } from './finishVideo.ts';
import { asMediaError } from './mediaError.ts';

export interface Mp4Service {
  /**
   * Turns a downloaded file into the final MP4, see `finishVideo`. The output is there, whole and synced, when
   * the promise resolves; it is gone when the promise rejects. The input is left as it is.
   * @throws MediaError `bad_media`, `disk_full`, `failed`, `closed`; the signal's reason when cancelled
   */
  finish: (
    job: FinishOrder & { signal: AbortSignal; onProgress?: (share: number) => void },
  ) => Promise<FinishedVideo>;
  close: () => Promise<void>;
}

/** A hostile index can ask for much; its thread ends with an error before the host runs short. */
const WORKER_HEAP_MB = 512;

/** One worker for all remuxing: it is bound by the disk, and must not take the map's core. */
export function createMp4Service(): Mp4Service {
  const line = createWorkerLine<FinishOrder, FinishedVideo>(
    () =>
      new Worker(workerUrl(import.meta.url, 'mp4.worker'), {
        resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MB },
      }),
  );
  return {
    async finish({ input, output, signal, onProgress }) {
      try {
        return await line.run({ input, output }, signal, onProgress);
      } catch (error) {
        await rm(output, { force: true });
        throw signal.aborted ? error : asMediaError(error);
      }
    },
    close: () => line.close(),
  };
}
