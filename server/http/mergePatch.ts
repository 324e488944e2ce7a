import { z } from 'zod';
import { invalidBy } from './apiError.ts';

type Plain = Record<string, unknown>;

function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keys come from outside: an attribute named `constructor` is not what every object inherits. */
function own(object: Plain, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function merge(target: Plain, patch: Plain, whole: (key: string) => boolean): Plain {
  const retained = Object.entries(target).filter(([key]) => own(patch, key) === undefined);
  const put = Object.entries(patch)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]): [string, unknown] => {
      const old = own(target, key);
      return [key, isPlain(value) && isPlain(old) && !whole(key) ? merge(old, value, () => false) : value];
    });
  return Object.fromEntries([...retained, ...put]);
}

/** Fields that take one of several forms (a rule's scope, a geometry) are put in whole: merged, two forms would mix. */
function isUnion(field: unknown): boolean {
  if (
    field instanceof z.ZodDefault ||
    field instanceof z.ZodOptional ||
    field instanceof z.ZodNullable ||
    field instanceof z.ZodPrefault
  ) {
    return isUnion(field.unwrap());
  }
  return field instanceof z.ZodUnion || field instanceof z.ZodDiscriminatedUnion;
}

/**
 * Applies a JSON merge patch (RFC 7396) and parses the outcome with the schema of a whole resource, so that what was
 * set to `null` gets its default back. `schema` is strict: fields of `resource` that it does not know are left out
 * first. Throws 400 naming the field when the outcome is not allowed.
 */
export function applyMergePatch<S extends z.ZodObject>(
  schema: S,
  resource: object,
  patch: object,
): z.output<S> {
  const shape: Record<string, unknown> = schema.shape;
  const known = Object.fromEntries(Object.entries(resource).filter(([key]) => key in shape));
  const parsed = schema.safeParse(merge(known, patch as Plain, (key) => isUnion(shape[key])));
  if (!parsed.success) throw invalidBy(parsed.error, 'body');
  return parsed.data;
}
