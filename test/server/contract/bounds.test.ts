import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { apiRoutes } from '../../../server/contract/api.ts';
import { setupRoute } from '../../../server/contract/auth.ts';

interface Def {
  type: string;
  coerce?: boolean;
  format?: string;
  pattern?: RegExp;
  innerType?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
  element?: z.ZodType;
  options?: readonly z.ZodType[];
  items?: readonly z.ZodType[];
  rest?: z.ZodType | null;
  keyType?: z.ZodType;
  valueType?: z.ZodType;
  catchall?: z.ZodType;
  shape?: Record<string, z.ZodType>;
  checks?: readonly { _zod: { def: Record<string, unknown> } }[];
}

/** What is let through unbounded, and why that costs nothing. */
const exceptions: Record<string, string> = {
  'createVehicle body.attributes{}': 'a number of any size takes eight bytes, and is shown as it came',
  'patchVehicle body.attributes{}': 'as above',
  'postPositions body.positions[].attributes{}': 'as above',
  'postPositions body.positions[].lat': 'an invalid one is recorded as rejected, and the call succeeds',
  'postPositions body.positions[].lon': 'as above',
  'createGeofence body.geometry':
    'is checked by hand in one pass, by `fenceLimits`: see fenceGeometry.test.ts',
  'patchGeofence body.geometry': 'as above',
  'previewGeofence body.geofence.geometry': 'as above',
  'importVehicles body[]': 'each row is checked by itself, by the contract of a new vehicle',
  'importGeofences body': 'a file of 8 MiB at most; each shape is checked by the contract of a new geofence',
  'importVehicleTrack body': 'a file of 8 MiB at most; its positions are counted and checked one by one',
  'putPreferences body.preferences':
    'fields of later versions are kept; together they are 32,768 characters at most',
  'createReportJob body.query{}': 'is checked by the contract of the report that it asks for',
  'createReportJob body.query{}[]': 'as above',
  'createReportSchedule body.query{}': 'as above',
  'createReportSchedule body.query{}[]': 'as above',
  'patchReportSchedule body.query{}': 'as above',
  'patchReportSchedule body.query{}[]': 'as above',
};

/** Formats that are short by themselves. */
const shortFormats = new Set(['uuid', 'guid', 'ipv4', 'date']);

const defOf = (schema: z.ZodType) => schema.def as unknown as Def;
const limitOf = (schema: z.ZodType, check: string) =>
  defOf(schema).checks?.some(({ _zod: { def } }) => def['check'] === check) === true;

/** The places below `schema` that take as much as a caller likes to send. */
function unbounded(schema: z.ZodType, path: string): string[] {
  const def = defOf(schema);
  const below = (type: z.ZodType | null | undefined, more = ''): string[] =>
    type === null || type === undefined ? [] : unbounded(type, path + more);
  switch (def.type) {
    case 'string': {
      const isShort =
        limitOf(schema, 'max_length') ||
        limitOf(schema, 'length_equals') ||
        shortFormats.has(def.format ?? '');
      return isShort ? [] : [`${path}: a text of any length`];
    }
    case 'number': {
      const { minValue, maxValue } = schema as z.ZodNumber;
      const isBounded = [minValue, maxValue].every(
        (it) => it !== null && Math.abs(it) < Number.MAX_SAFE_INTEGER,
      );
      return isBounded ? [] : [`${path}: a number of any size`];
    }
    case 'array':
      return [
        ...(limitOf(schema, 'max_length') ? [] : [`${path}: a list of any length`]),
        ...below(def.element, '[]'),
      ];
    case 'record':
      return [
        ...(limitOf(schema, 'max_size') || limitOf(schema, 'custom') ? [] : [`${path}: a map of any size`]),
        ...below(def.keyType, '{key}'),
        ...below(def.valueType, '{}'),
      ];
    case 'tuple':
      return [
        ...(def.items ?? []).flatMap((item, at) => below(item, `[${at}]`)),
        ...(def.rest === null || def.rest === undefined || limitOf(schema, 'custom')
          ? []
          : [`${path}: a tuple of any length`]),
      ];
    case 'object':
      return [
        ...Object.entries(def.shape ?? {}).flatMap(([key, field]) => below(field, `.${key}`)),
        ...(def.catchall === undefined || defOf(def.catchall).type === 'never'
          ? []
          : [`${path}: fields of any kind`]),
      ];
    case 'union':
      return (def.options ?? []).flatMap((option) => below(option));
    case 'pipe':
      return [...below(def.in), ...below(def.out)];
    case 'unknown':
    case 'any':
      return [`${path}: anything`];
    default:
      return below(def.innerType);
  }
}

describe('every text, list, map and number that an operation takes', () => {
  it('every text, list, map and number that an operation takes has a limit in the contract, or a reason why it needs none', () => {
    const found = [...apiRoutes, setupRoute].flatMap(({ id, body, query, params }) =>
      Object.entries({ body, query, params }).flatMap(([part, schema]) =>
        schema === undefined ? [] : unbounded(schema, `${id} ${part}`),
      ),
    );
    const places = found.map((it) => it.split(': ', 1)[0] ?? '');
    expect(found.filter((_, at) => exceptions[places[at] ?? ''] === undefined)).toEqual([]);
    expect(Object.keys(exceptions).filter((it) => !places.includes(it))).toEqual([]);
  });
});
