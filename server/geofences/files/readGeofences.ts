import { causeOf, messageOf } from '../../contract/causeTexts.ts';
import { newGeofence, type NewGeofence } from '../../contract/geofences.ts';
import type { FieldError } from '../../contract/problem.ts';
import { invalidBy } from '../../http/apiError.ts';
import { geofenceErrors } from '../indexLimits.ts';
import { TooManyCrossings } from './antimeridian.ts';
import { FileError, type FileFeature } from './feature.ts';
import { featuresOfGeoJson } from './geojson.ts';
import { nestingError } from '../../http/jsonNesting.ts';
import { featuresOfKml } from './kml.ts';
import { nameOfFeature, parseGeofence, type ImportDefaults } from './parseGeofence.ts';

export interface GeofenceFile {
  format: 'kml' | 'geojson';
  text: string;
  defaults: ImportDefaults;
}

/** A shape of a file: the geofence that it asks for, ready to be added, or what is wrong with it. */
export interface ReadShape {
  name: string | null;
  wanted: NewGeofence | null;
  faults: FieldError[];
}

/** Text that is not JSON. */
export class NotJson extends FileError {
  override name = 'NotJson';
}

/**
 * The shapes of a file, each checked.
 *
 * @throws FileError for what is no such file as a whole; FileTooLarge for more than is taken; NotJson
 */
export function readGeofences({ format, text, defaults }: GeofenceFile): ReadShape[] {
  const features = format === 'kml' ? featuresOfKml(text) : featuresOfGeoJson(parseJson(text));
  return features.map((feature, at) => readShape(feature, at + 1, defaults));
}

function parseJson(text: string): unknown {
  const nested = nestingError(text);
  if (nested !== null) throw new FileError(nested);
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new NotJson(causeOf('file.not_json', { reason }));
  }
}

function readShape(feature: FileFeature, row: number, defaults: ImportDefaults): ReadShape {
  const name = nameOfFeature(feature)?.trim() ?? null;
  const refused = (faults: FieldError[]): ReadShape => ({ name, wanted: null, faults });
  let input: Record<string, unknown> | null;
  try {
    input = parseGeofence(feature, row, defaults);
  } catch (error) {
    if (!(error instanceof TooManyCrossings)) throw error;
    return refused([{ path: 'geometry.coordinates', ...messageOf(error.reason) }]);
  }
  if (input === null) {
    return refused([{ path: 'geometry', ...messageOf(causeOf('geofence.no_shape')) }]);
  }
  const parsed = newGeofence.safeParse(input);
  if (!parsed.success) return refused(invalidBy(parsed.error, 'body').faults ?? []);
  const faults = geofenceErrors(parsed.data);
  return { name: parsed.data.name, wanted: faults.length === 0 ? parsed.data : null, faults };
}
