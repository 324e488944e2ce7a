import { rm } from 'node:fs/promises';
import { startWorker } from '../../startWorker.ts';
import { createWorkerChannel } from '../../workerChannel.ts';
import { asMediaError } from '../media/mediaError.ts';
import { POSITION_STEP_MS, type RenderPosition } from './journey.ts';
import type { RenderJob } from './renderClip.ts';

export interface RenderRequest {
  vehicle: { name: string; plate: string };
  channel: { channel: number; name: string };
  from: Date;
  /** After `from`; the clip lasts exactly as long as the fragment. */
  to: Date;
  /** Frames per second, 1 to 25; 8 by default. */
  fps?: number;
  /** Called once for every second of the fragment; null or left out: the clip shows a still picture and says so. */
  position?: (at: Date) => RenderPosition | null;
  /** Where the MP4 goes; an older file there is replaced. */
  output: string;
}

/** Smooth enough to see a lane change, and half of the encoder's work at 16. */
const DEFAULT_FPS = 8;

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
    async clip(
      request: RenderRequest,
      signal: AbortSignal,
      onProgress?: (fraction: number) => void,
    ): Promise<void> {
      try {
        await line.run(() => orderOf(request), { user_id: host, signal, ...(onProgress && { onProgress }) });
      } catch (error) {
        await rm(request.output, { force: true });
        throw signal.aborted ? error : asMediaError(error);
      }
    },
    close: (): Promise<void> => line.close(),
  };
}

export type RenderService = ReturnType<typeof createRenderService>;

function orderOf({ vehicle, channel, from, to, fps, position, output }: RenderRequest): RenderJob {
  const [fromMs, toMs] = [from.getTime(), to.getTime()];
  if (!(toMs > fromMs)) throw new RangeError('a clip must end after it starts');
  const count = Math.ceil((toMs - fromMs) / POSITION_STEP_MS) + 1;
  const positions = Array.from(
    { length: count },
    (_, i) => position?.(new Date(fromMs + i * POSITION_STEP_MS)) ?? null,
  );
  return { vehicle, channel, fromMs, toMs, fps: fps ?? DEFAULT_FPS, positions, output };
}
