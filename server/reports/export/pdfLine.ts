import { startWorker } from '../../startWorker.ts';
import { createWorkerChannel } from '../../workerChannel.ts';

/** Fonts and thirty pages of text. */
const heap_mb = 256;
/** A document is drawn within a second; on a busy machine it takes longer. */
const levels_ms = [60_000];
const waiting = { per_user: 8, all: 64 };

/** The thread that draws documents of one kind, by the worker beside the caller; it ends when nobody asks for any. */
export const createPdfLine = <Order>(callerUrl: string, name: `${string}.worker`) =>
  createWorkerChannel<Order, Uint8Array[]>({
    start: () => startWorker(callerUrl, name, { heap_mb }),
    ...{ waiting, levels_ms },
  });
