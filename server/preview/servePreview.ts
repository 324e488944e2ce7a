import { workerData } from 'node:worker_threads';
import { z } from 'zod';
import { openHistoryReader, type HistoryReader } from '../store/telemetry/historyReader.ts';
import { serveOrders } from '../workerChannel.ts';

/** What a thread that reads the past is started with. */
const given = z.object({ file: z.string() });

/**
 * The worker's side of long work: each order is worked on with a connection of its own to the telemetry database that
 * `workerData.file` names, so that a file which was set aside meanwhile is not read on.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the one place that names the type of what arrives untyped
export function servePreview<Order, Result>(
  work: (
    order: Order,
    reader: HistoryReader,
    onProgress: (fraction: number) => void,
  ) => Result | Promise<Result>,
  transferOf?: (result: Result) => ArrayBuffer[],
): void {
  const { file } = given.parse(workerData);
  serveOrders<Order, Result>(
    async (order, onProgress) => {
      const reader = openHistoryReader(file);
      try {
        return await work(order, reader, onProgress);
      } finally {
        reader.close();
      }
    },
    (error) => ({
      code: isOfSqlite(error) ? 'store_failed' : 'failed',
      detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }),
    transferOf,
  );
}

function isOfSqlite(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
}
