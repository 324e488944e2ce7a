import { rm } from 'node:fs/promises';
import { startWorker } from '../../startWorker.ts';
import { createWorkerChannel } from '../../workerChannel.ts';
import { asMediaError } from '../media/mediaError.ts';
import type { RenderJob } from './journey.ts';

/** The encoder's pictures are typed arrays outside the heap; in it are the scene and one clip's index. */
const heap_mb = 256;

/** The scheduler, whose downloads take turns, orders no more at once than there may be downloads. */
const host = 'host';

/**
 * Clips for simulated terminals, one after the other in a thread of its own: thirty cameras asked at once take
 * one core for half a minute and leave the map alone.
 */
export function createRenderService() {
  const line = createWorkerChannel<RenderJob, undefined>({
    start: () => startWorker(import.meta.url, 'render.worker', { heap_mb }),
  });
  return {
    /**
     * The clip is complete and synced when the promise resolves, and gone when it rejects.
     * @param onProgress called with the share done, 0 to 1
     * @throws MediaError `disk_full`, `failed`, `closed`; the signal's reason when cancelled
     */
    async clip(job: RenderJob, signal: AbortSignal, onProgress?: (fraction: number) => void): Promise<void> {
      if (!(job.toMs > job.fromMs)) throw new RangeError('a clip must end after it starts');
      try {
        await line.run(() => job, { user_id: host, signal, ...(onProgress && { onProgress }) });
      } catch (error) {
        await rm(job.output, { force: true });
        throw signal.aborted ? error : asMediaError(error);
      }
    },
    close: (): Promise<void> => line.close(),
  };
}

export type RenderService = ReturnType<typeof createRenderService>;
