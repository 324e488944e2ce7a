import { extname } from 'node:path';

/**
 * The URL of a worker's entry point that lies beside the calling module: `x.worker.ts` when the sources run,
 * `x.worker.js` in the bundle, where all entry points lie in one folder.
 */
export function workerUrl(callerUrl: string, name: `${string}.worker`): URL {
  return new URL(`./${name}${extname(new URL(callerUrl).pathname)}`, callerUrl);
}
