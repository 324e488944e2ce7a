import { serveOrders } from '../workerChannel.ts';
import { geofenceErrors } from './indexLimits.ts';
import { FileError, FileTooLarge } from './files/feature.ts';
import { NotJson, readGeofences } from './files/readGeofences.ts';
import type { GeofenceOrder, GeofenceResult } from './geofenceWork.ts';

serveOrders<GeofenceOrder, GeofenceResult>(
  (order) =>
    order.kind === 'check'
      ? { kind: 'checked', faults: geofenceErrors(order.form) }
      : { kind: 'read', shapes: JSON.stringify(readGeofences(order.file)) },
  (error) => ({
    code: codeOf(error),
    detail: error instanceof Error ? error.message : String(error),
  }),
);

/** `fault`: an error of this program, not of the file. */
function codeOf(error: unknown): string {
  if (error instanceof FileTooLarge) return 'too_large';
  if (error instanceof NotJson) return 'not_json';
  return error instanceof FileError ? 'bad_file' : 'fault';
}
