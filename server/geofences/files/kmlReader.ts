import { Worker } from 'node:worker_threads';
import { createWorkerLine, WorkFailed } from '../../workerLine.ts';
import { workerUrl } from '../../workerUrl.ts';
import { FileFault, type FileFeature } from './feature.ts';

export interface KmlReader {
  /** As `featuresOfKml`. @throws FileFault; WorkFailed; the signal's reason */
  read: (text: string, signal: AbortSignal) => Promise<FileFeature[]>;
  close: () => Promise<void>;
}

/** A document of many small elements becomes about a hundred times as large in memory (measured). */
const heapMb = 1_024;

/** In a thread of its own: some megabytes of XML take seconds. */
export function createKmlReader(): KmlReader {
  const line = createWorkerLine<string, FileFeature[]>(
    () =>
      new Worker(workerUrl(import.meta.url, 'kml.worker'), {
        resourceLimits: { maxOldGenerationSizeMb: heapMb },
      }),
  );
  return {
    async read(text, signal) {
      try {
        return await line.run(text, signal);
      } catch (error) {
        throw error instanceof WorkFailed && error.code === 'bad_file' ? new FileFault(error.message) : error;
      }
    },
    close: () => line.close(),
  };
}
