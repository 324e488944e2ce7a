import { z } from 'zod';

/** RFC 3339 has years of four digits (section 1); what an offset moves out of them could not be written again. */
const firstTimeMs = Date.parse('0000-01-01T00:00:00.000Z');
const lastTimeMs = Date.parse('9999-12-31T23:59:59.999Z');

function isTime(text: string): boolean {
  const ms = Date.parse(text);
  return ms >= firstTimeMs && ms <= lastTimeMs;
}

/** RFC 3339 in; with any offset accepted, always handed on as UTC with milliseconds. */
export const time = z.iso
  .datetime({ offset: true })
  .max(64)
  .refine(isTime, 'is not a moment in time')
  .overwrite((text) => (isTime(text) ? new Date(text).toISOString() : text))
  .meta({ id: 'Time', examples: ['2026-11-21T04:43:00.000Z'] });

export const id = z.uuid();
export const lat = z.number().min(-90).max(90);
export const lon = z.number().min(-180).max(180);
export const speedKmh = z.number().min(0).max(1_000);
export const version = z.int().min(1);
export const shortText = z.string().trim().min(1).max(120).meta({ pattern: '\\S' });
export const longText = z.string().trim().max(2_000);
/** What a decoder calls an alarm. */
export const alarmName = z
  .string()
  .max(40)
  .regex(/^[a-z0-9_]{1,40}$/);
export const color = z
  .string()
  .max(7)
  .regex(/^#[0-9a-fA-F]{6}$/, 'is not a colour like #1a2b3c');

export const timeZone = z
  .string()
  .max(64)
  .refine((name) => {
    try {
      new Intl.DateTimeFormat('en', { timeZone: name });
      return true;
    } catch {
      return false;
    }
  }, 'is not a time zone of the IANA list')
  .meta({ id: 'TimeZone', description: 'a name of the IANA list', examples: ['Europe/Riga', 'UTC'] });

/** A flat map of what a terminal or an operator adds beyond the named fields. */
export const attributes = z.record(
  z.string().min(1).max(64),
  z.union([z.string().max(2_000), z.number(), z.boolean(), z.null()]),
);
export type Attributes = z.infer<typeof attributes>;

const maxAttributes = 200;
/** Each change of a vehicle is sent to all who see it, with all of this. */
const maxAttributesChars = 16_384;
/** The same as it is taken from callers. */
export const newAttributes = attributes
  .meta({ maxProperties: maxAttributes })
  .refine((map) => Object.keys(map).length <= maxAttributes, `has more than ${maxAttributes} entries`)
  .refine(
    (map) => JSON.stringify(map).length <= maxAttributesChars,
    `is longer than ${maxAttributesChars} characters as JSON`,
  );

/** What a spreadsheet makes of long numbers: digits are lost. */
const rounded = /^\d[.,]\d+[eE]\+\d+$/;
const isRounded = 'was rounded by a spreadsheet: format the column as text, then enter the number again';

/** A text in which a spreadsheet may have seen a number. */
export function unroundedText(max: number) {
  return z
    .string()
    .trim()
    .max(max)
    .refine((text) => !rounded.test(text), isRounded)
    .meta({ not: { pattern: rounded.source } });
}

/** Terminal IDs stand in paths beside words and UUIDs, so they may look like neither. */
const wordsOfPaths = new Set(['import', 'unknown', 'latest', 'rejected', 'track', 'me']);
export const terminalId = z
  .string()
  .max(64)
  .regex(/^[A-Za-z0-9_-]{1,32}$/, {
    error: ({ input }) =>
      rounded.test(String(input)) ? isRounded : 'takes 1 to 32 letters, digits, - and _',
  })
  .refine((text) => !/^[0-9a-f]{32}$/i.test(text), 'may not look like a UUID')
  .refine((text) => !wordsOfPaths.has(text.toLowerCase()), 'is a word of the API')
  .refine((text) => !/^0+$/.test(text), 'may not be zeros alone')
  .meta({
    id: 'TerminalId',
    not: {
      anyOf: [
        { pattern: '^[0-9A-Fa-f]{32}$' },
        { pattern: `^(${[...wordsOfPaths].map(inAnyCase).join('|')})$` },
        { pattern: '^0+$' },
      ],
    },
  });

function inAnyCase(word: string): string {
  return word.replaceAll(/./g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

/** Shapes with their properties, as RFC 7946 has them. */
export const featureCollection = z
  .object({
    type: z.literal('FeatureCollection'),
    features: z.array(
      z.looseObject({
        type: z.literal('Feature'),
        geometry: z.looseObject({ type: z.string() }).nullable(),
        properties: z.record(z.string(), z.unknown()).nullable(),
      }),
    ),
  })
  .meta({ id: 'FeatureCollection' });

/** What every resource that can change bears. */
export const stamps = { version, created_at: time, updated_at: time };

export const listQuery = {
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
  cursor: z.string().max(2_000).optional(),
};

/** What is wrong with the ends of a list's period, either of which may be left out. */
export const orderError: z.core.CheckFn<{ from?: string | undefined; to?: string | undefined }> = ({
  value: { from, to },
  issues,
}) => {
  if (from === undefined || to === undefined || Date.parse(from) < Date.parse(to)) return;
  issues.push({
    ...{ code: 'custom', input: from, path: ['from'], message: 'is not before to' },
    params: { kind: 'order' },
  });
};

export function page<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), next_cursor: z.string().nullable() });
}

/** Node takes no longer head of a request than 16 KiB, so that no query brings more. */
const maxQuery = 16_384;
const maxOfQuery = 1_000;

/** A query parameter that stands once or several times, or once with commas. */
export function oneOrMany<T extends z.ZodType<unknown, string>>(item: T) {
  return z
    .union([z.string().max(maxQuery), z.array(z.string().max(maxQuery)).max(maxOfQuery)])
    .transform((value) => (Array.isArray(value) ? value : value.split(',')).filter((part) => part !== ''))
    .pipe(z.array(item).max(maxOfQuery));
}

/** So many vehicles a list gives together by their indexes, however rare their rows are. */
export const maxListedVehicles = 64;

/** The vehicles whose rows a list is narrowed to. */
export const listedVehicles = oneOrMany(z.string().max(64)).check(z.maxLength(maxListedVehicles)).meta({
  description: 'UUIDs or terminal IDs, repeated or separated by commas; left out: all that the caller sees',
});

/**
 * The body of a JSON merge patch (RFC 7396): every field may be left out, `null` puts one that has a default back to it,
 * and objects with fixed fields are merged field by field.
 */
export function mergePatchOf<S extends z.ZodRawShape>(shape: S): PatchOf<S> {
  const patched = Object.fromEntries(
    Object.entries(shape).map(([key, field]) => {
      const patch = patchedField(field as z.ZodType);
      const isNeeded =
        !(field as z.ZodType).safeParse(undefined).success && !(field as z.ZodType).safeParse(null).success;
      return [key, (isNeeded ? patch : patch.nullable()).optional()];
    }),
  );
  return z.strictObject(patched) as unknown as PatchOf<S>;
}

type PatchOf<S extends z.ZodRawShape> = z.ZodObject<
  { [K in keyof S]: z.ZodOptional<S[K] extends Resettable ? z.ZodNullable<Patched<S[K]>> : Patched<S[K]>> },
  z.core.$strict
>;

/** What has a value when it is left out, or may be null. */
type Resettable = z.ZodDefault | z.ZodPrefault | z.ZodOptional | z.ZodNullable;

type Patched<T> = T extends
  z.ZodDefault<infer I> | z.ZodPrefault<infer I> | z.ZodOptional<infer I> | z.ZodNullable<infer I>
  ? Patched<I>
  : T extends z.ZodObject<infer S extends z.ZodRawShape>
    ? PatchOf<S>
    : T;

function patchedField(field: z.ZodType): z.ZodType {
  if (
    field instanceof z.ZodDefault ||
    field instanceof z.ZodPrefault ||
    field instanceof z.ZodOptional ||
    field instanceof z.ZodNullable
  ) {
    return patchedField(field.unwrap() as z.ZodType);
  }
  return field instanceof z.ZodObject ? mergePatchOf(field.shape) : field;
}
