import { serveOrders } from '../workerChannel.ts';
import { geofenceErrors } from './indexLimits.ts';
import { faultOfFile } from './files/feature.ts';
import { NotJson, readGeofences } from './files/readGeofences.ts';
import type { GeofenceOrder, GeofenceResult } from './geofenceWork.ts';

serveOrders<GeofenceOrder, GeofenceResult>(
  (order) =>
    order.kind === 'check'
      ? { kind: 'checked', faults: geofenceErrors(order.form) }
      : { kind: 'read', shapes: JSON.stringify(readGeofences(order.file)) },
  (error) => ({ ...faultOfFile(error), ...(error instanceof NotJson ? { code: 'not_json' } : {}) }),
);
