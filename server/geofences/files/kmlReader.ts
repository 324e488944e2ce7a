import { startWorker } from '../../startWorker.ts';
import { createWorkerLine, WorkFailed, type WorkAsk } from '../../workerLine.ts';
import { FileFault, type FileFeature } from './feature.ts';

export interface KmlReader {
  /** As `featuresOfKml`. @throws FileFault; WorkFailed; the signal's reason */
  read: (text: string, ask: WorkAsk) => Promise<FileFeature[]>;
  close: () => Promise<void>;
}

/** A document of many small elements becomes about a hundred times as large in memory (measured). */
const heap_mb = 1_024;

/** A file that waits is held, up to 8 MiB. */
const waiting = { per_user: 4, all: 16 };

/** A file of the largest size takes some seconds; one that takes longer than the second of them is hostile. */
const levels_ms = [2_000, 60_000];

/** In a thread of its own: some megabytes of XML take seconds. */
export function createKmlReader(): KmlReader {
  const line = createWorkerLine<string, FileFeature[]>({
    start: () => startWorker(import.meta.url, 'kml.worker', { heap_mb }),
    waiting,
    levels_ms,
  });
  return {
    async read(text, ask) {
      try {
        return await line.run(() => text, ask);
      } catch (error) {
        throw error instanceof WorkFailed && error.code === 'bad_file' ? new FileFault(error.message) : error;
      }
    },
    close: () => line.close(),
  };
}
