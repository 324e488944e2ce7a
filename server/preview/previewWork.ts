import type { GeofencePreview } from '../contract/geofences.ts';
import type { RulePreview } from '../contract/rules.ts';
import { startWorker } from '../startWorker.ts';
import { createWorkerChannel, type WorkAsk } from '../workerChannel.ts';
import type { FiringOrder } from './rulePreview.ts';
import type { VisitOrder } from './visitPreview.ts';

/** What a thread is asked, and answers by the same kind. */
export type PreviewJob = ({ kind: 'visits' } & VisitOrder) | ({ kind: 'firings' } & FiringOrder);
export type PreviewResult =
  { kind: 'visits'; preview: GeofencePreview } | { kind: 'firings'; preview: RulePreview };

/**
 * Some 300,000 positions are computed in a second (measured): a vehicle's month at 10 s takes half of one, its year 5, a
 * year of thirty vehicles three minutes, a month of a depot of ten thousand an hour and a half. Each of them waits only
 * for what is at most as long.
 */
export const previewLevelsMs = [2_000, 30_000, 300_000, 7_200_000];

/** The vehicles and geofences of a large depot, the index of them, and 2,000 previewed items take some 150 MB. */
const heap_mb = 512;

/** As those of reports; a preview that waits holds its body, up to 1 MiB. */
const waiting = { per_user: 16, all: 128 };

/** Long work over the stored tracks, in threads of its own; the orders are made when their turn comes. */
export type PreviewWork = ReturnType<typeof createPreviewWork>;

/** @param file `telemetry.db`, which the host has opened */
export function createPreviewWork(file: string) {
  const line = createWorkerChannel<PreviewJob, PreviewResult>({
    start: () => startWorker(import.meta.url, 'preview.worker', { heap_mb, workerData: { file } }),
    waiting,
    levels_ms: previewLevelsMs,
  });
  return {
    /** @throws WorkFailed; the signal's reason when cancelled */
    async visits(makeOrder: () => VisitOrder, ask: WorkAsk): Promise<GeofencePreview> {
      const result = await line.run(() => ({ kind: 'visits', ...makeOrder() }), ask);
      if (result.kind !== 'visits') throw new Error('the thread answered another order');
      return result.preview;
    },
    /** @throws WorkFailed; the signal's reason when cancelled */
    async firings(makeOrder: () => FiringOrder, ask: WorkAsk): Promise<RulePreview> {
      const result = await line.run(() => ({ kind: 'firings', ...makeOrder() }), ask);
      if (result.kind !== 'firings') throw new Error('the thread answered another order');
      return result.preview;
    },
    close: (): Promise<void> => line.close(),
  };
}
