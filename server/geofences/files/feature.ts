import type { Cause } from '../../contract/causes.ts';
import { detailOf } from '../../contract/causeTexts.ts';
import type { Geofence } from '../../contract/geofences.ts';
import type { WorkFailure } from '../../workerChannel.ts';

/** A shape of a file, in the words of GeoJSON and as far as it could be read; nothing of it has been checked. */
export interface FileFeature {
  geometry: FileGeometry | null;
  /** Shared by all shapes of one feature. */
  properties: Readonly<Record<string, unknown>>;
  /** Its number, from 1, among several shapes of one feature. */
  part?: number;
}

/** One part of a geometry: such as a geofence can be. */
export interface FileGeometry {
  type: 'Point' | 'LineString' | 'Polygon' | 'MultiPolygon';
  coordinates: unknown;
  /** Whether a side of more than half the globe goes the other way round, as it does in KML. */
  isShorterWay?: true;
}

/** Writes a file of geofences one after another, so that nobody has to hold it whole. */
export interface GeofenceWriter {
  contentType: string;
  head: string;
  /** `isFirst`: none was written yet. */
  geofence: (geofence: Geofence, isFirst: boolean) => string;
  tail: string;
}

/** A file that is not what it should be, as a whole. */
export class FileError extends Error {
  override name = 'FileError';
  readonly causes: Cause[];

  constructor(...causes: Cause[]) {
    super(detailOf(causes));
    this.causes = causes;
  }
}

/** A file that holds more than is taken. */
export class FileTooLarge extends FileError {
  override name = 'FileTooLarge';
}

/** As the thread that reads a file hands it over; of the code `failed` for an error of this program. */
export function faultOfFile(error: unknown): WorkFailure {
  if (error instanceof FileError) {
    const code = error instanceof FileTooLarge ? 'too_large' : 'bad_file';
    return { code, detail: error.message, causes: error.causes };
  }
  return { code: 'failed', detail: error instanceof Error ? error.message : String(error) };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
