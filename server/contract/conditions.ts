import type { z } from 'zod';

type JsonSchema = Readonly<Record<string, unknown>>;

/** States in the OpenAPI document what holds between fields; what this schema, or its domain, checks by the same table. */
export function stating<T extends z.ZodType>(schema: T, ...conditions: readonly JsonSchema[]): T {
  const { allOf = [] } = (schema.meta() ?? {}) as { allOf?: readonly JsonSchema[] };
  return schema.meta({ allOf: [...allOf, ...conditions] });
}

/** Refuses what gives both or neither of two fields, and states it. @param message what is said of the first */
export function eitherOr<T extends z.ZodObject>(
  schema: T,
  [first, second]: readonly [string & keyof z.output<T>, string & keyof z.output<T>],
  message: string,
): T {
  const checked = schema.refine(
    (it: z.output<T>) => (it[first] === undefined) !== (it[second] === undefined),
    {
      message,
      path: [first],
    },
  );
  return stating(checked, { oneOf: [{ required: [first] }, { required: [second] }] });
}
