import { Worker } from 'node:worker_threads';
import type { GeofencePreview } from '../contract/geofences.ts';
import type { RulePreview } from '../contract/rules.ts';
import { createWorkerLine } from '../workerLine.ts';
import { workerUrl } from '../workerUrl.ts';
import type { FiringOrder } from './rulePreview.ts';
import type { VisitOrder } from './visitPreview.ts';

/** What a thread is asked, and answers by the same kind. */
export type PastOrder = ({ kind: 'visits' } & VisitOrder) | ({ kind: 'firings' } & FiringOrder);
export type PastResult =
  { kind: 'visits'; preview: GeofencePreview } | { kind: 'firings'; preview: RulePreview };

/**
 * Long work over the stored tracks, in a thread of its own; one after the other, so that it never takes more than one
 * core from the host.
 */
export interface PastWork {
  /** @throws WorkFailed; the signal's reason when cancelled */
  visits: (
    order: VisitOrder,
    signal: AbortSignal,
    onProgress: (share: number) => void,
  ) => Promise<GeofencePreview>;
  /** @throws WorkFailed; the signal's reason when cancelled */
  firings: (
    order: FiringOrder,
    signal: AbortSignal,
    onProgress: (share: number) => void,
  ) => Promise<RulePreview>;
  close: () => Promise<void>;
}

/** @param file `telemetry.db`, which the host has opened */
export function createPastWork(file: string): PastWork {
  const line = createWorkerLine<PastOrder, PastResult>(
    () => new Worker(workerUrl(import.meta.url, 'past.worker'), { workerData: { file } }),
  );
  return {
    async visits(order, signal, onProgress) {
      const result = await line.run({ kind: 'visits', ...order }, signal, onProgress);
      if (result.kind !== 'visits') throw new Error('the thread answered another order');
      return result.preview;
    },
    async firings(order, signal, onProgress) {
      const result = await line.run({ kind: 'firings', ...order }, signal, onProgress);
      if (result.kind !== 'firings') throw new Error('the thread answered another order');
      return result.preview;
    },
    close: () => line.close(),
  };
}
