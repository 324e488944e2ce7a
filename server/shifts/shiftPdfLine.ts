import { startWorker } from '../startWorker.ts';
import { createWorkerChannel } from '../workerChannel.ts';
import type { ShiftPdfOrder } from './shiftPdf.ts';

/** Fonts and thirty pages of text. */
const heap_mb = 256;
/** A report is drawn within a second; on a busy machine it takes longer. */
const levels_ms = [60_000];
const waiting = { per_user: 8, all: 64 };

/** The thread that draws reports of shifts; it ends when nobody asks for any. */
export const createShiftPdfLine = () =>
  createWorkerChannel<ShiftPdfOrder, Uint8Array[]>({
    start: () => startWorker(import.meta.url, 'shiftPdf.worker', { heap_mb }),
    ...{ waiting, levels_ms },
  });
