import type { Worker } from 'node:worker_threads';
import type { Cause } from '../contract/causes.ts';
import { causeOf } from '../contract/causeTexts.ts';
import type { GeofenceGeometry } from '../contract/geofenceGeometry.ts';
import type { FieldError } from '../contract/problem.ts';
import { ApiError, ofWork } from '../http/apiError.ts';
import { startWorker } from '../startWorker.ts';
import { createWorkerChannel, WorkFailed, type WorkAsk } from '../workerChannel.ts';
import { geofenceErrors } from './indexLimits.ts';
import type { GeofenceFile, ReadShape } from './files/readGeofences.ts';
import type { GeofenceForm } from './geometryErrors.ts';

/** What the thread is asked, and answers by the same kind. */
export type GeofenceOrder = { kind: 'check'; form: GeofenceForm } | { kind: 'read'; file: GeofenceFile };
export type GeofenceResult =
  | { kind: 'checked'; faults: FieldError[] }
  /** `ReadShape[]` as JSON, which the main thread reads in a third of the time that a message of arrays takes. */
  | { kind: 'read'; shapes: string };

/** What so few corners take is not felt: about a millisecond. */
const fewCorners = 300;
/** The largest file that is taken fits in by far: 400,000 elements of KML, or 8 MiB of empty lists of JSON. */
const heap_mb = 512;
/** By Node's own choice, 48, what is read of one file after the other keeps 120 MB more. */
const young_mb = 12;
/** What waits is held: a file of up to 8 MiB. */
const waiting = { per_user: 4, all: 16 };
/** A shape or a file of the largest size takes some seconds at the most; one that takes a minute is hostile. */
const levels_ms = [2_000, 60_000];

/** The costly work on geofences, in a thread of its own: reading files, and checking what has many corners. */
export type GeofenceWork = ReturnType<typeof createGeofenceWork>;

/** @param checkHere checks small shapes; passed in so that tests can distinguish it from the thread */
export function createGeofenceWork({
  checkHere = geofenceErrors,
  start = startThread,
}: { checkHere?: typeof geofenceErrors; start?: () => Worker } = {}) {
  const line = createWorkerChannel<GeofenceOrder, GeofenceResult>({ start, waiting, levels_ms });

  /** The one place that hands work to the threads. */
  const run = (order: GeofenceOrder, ask: WorkAsk) =>
    line
      .run(() => order, ask)
      .catch((error: unknown) => {
        throw error instanceof WorkFailed ? (refusalOf(error, order) ?? error) : error;
      });

  return {
    /** As `fenceFaults`. @throws ApiError 503 when the host shuts down; the signal's reason */
    async faultsOf(form: GeofenceForm, caller: WorkAsk): Promise<FieldError[]> {
      if (cornersOf(form.geometry) <= fewCorners) return checkHere(form);
      const result = await run({ kind: 'check', form }, caller);
      if (result.kind !== 'checked') throw new Error('the thread answered another order');
      return result.faults;
    },

    /** As `readGeofences`. @throws ApiError 400 or 413 with what is wrong with the file; as `faultsOf` */
    async read(file: GeofenceFile, caller: WorkAsk): Promise<ReadShape[]> {
      const result = await run({ kind: 'read', file }, caller);
      if (result.kind !== 'read') throw new Error('the thread answered another order');
      return JSON.parse(result.shapes) as ReadShape[];
    },

    close: (): Promise<void> => line.close(),
  };
}

function startThread(): Worker {
  return startWorker(import.meta.url, 'geofence.worker', { heap_mb, young_mb });
}

/** Null for a fault of ours. */
function refusalOf(error: WorkFailed, order: GeofenceOrder): ApiError | null {
  const more = { cause: error };
  const about = (causes: readonly Cause[]) =>
    order.kind === 'check'
      ? [...causes]
      : [
          causeOf('file.not_imported', { format: order.file.format === 'kml' ? 'KML' : 'GeoJSON' }),
          ...causes,
        ];
  switch (error.code) {
    case 'bad_file':
      return new ApiError('validation_failed', about(error.causes ?? []), more);
    case 'too_large':
      return new ApiError('too_large', about(error.causes ?? []), more);
    case 'not_json':
      return new ApiError('malformed_json', error.causes ?? error.message, more);
    case 'out_of_memory':
    case 'ended':
      return new ApiError(
        'too_large',
        about([causeOf(order.kind === 'check' ? 'work.out_of_memory' : 'file.out_of_memory')]),
        more,
      );
    default:
      return ofWork(error);
  }
}

function cornersOf({ type, coordinates }: GeofenceGeometry): number {
  switch (type) {
    case 'Point':
      return 1;
    case 'LineString':
      return coordinates.length;
    case 'Polygon':
      return coordinates.reduce((sum, ring) => sum + ring.length, 0);
    case 'MultiPolygon':
      return coordinates.reduce((sum, rings) => rings.reduce((all, ring) => all + ring.length, sum), 0);
  }
}
