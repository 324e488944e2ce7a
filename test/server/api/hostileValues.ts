import type { z } from 'zod';

/** What numbers, texts and times a contract may let through that a store, an engine or a format chokes on. */
const numbers = [
  ...[0, -0, 1, -1, 2, 0.1, 0.5, 1.5, 600.55555, -600.55555, 5e-324, 1e-7, 1e308, -1e308],
  ...[2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 2 ** 63, 86_399.999, 1e15 + 0.5],
];
const texts = [
  ...['', ' ', 'a', '0', '-1', '1e3', 'null', '__proto__', 'constructor', 'toString', '%00', '../..', '*'],
  ...[
    '\u0000',
    'a\u0000b',
    '\ud800',
    'x\udfff',
    '\u202e',
    '\ufeff',
    'e\u0301',
    '😀',
    'İ',
    '\n\r\t',
    "';--",
    '<b>&',
  ],
  ...[
    'a'.repeat(64),
    'a'.repeat(120),
    '😀'.repeat(60),
    '\u0001'.repeat(100),
    'é'.repeat(200),
    'x'.repeat(2_000),
  ],
  ...['00:00', '23:59', 'UTC', 'Europe/Riga', '+05:30', 'Etc/GMT+12', '#abcdef', 'a@b.co', 'a+b@example.org'],
  ...[
    'http://127.0.0.1:9/',
    'http://127.0.0.1:9/{channel}',
    'sos',
    'ABC-1',
    '0'.repeat(31) + '1',
    'A'.repeat(32),
  ],
];
const times = [
  ...['0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '1969-12-31T23:59:59.999Z', '1970-01-01T00:00:00Z'],
  ...['2016-12-31T23:59:60Z', '2024-02-29T23:59:59.999999999Z', '2026-11-21T04:43:00.1234567+14:00'],
  ...[
    '2038-01-19T03:14:08Z',
    '9999-12-31T23:59:59.999Z',
    '9999-12-31T23:59:59-23:59',
    '0000-01-01T00:00:00+23:59',
  ],
];
const uuids = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

interface Def {
  type: string;
  coerce?: boolean;
  innerType?: z.ZodType;
  in?: z.ZodType;
  element?: z.ZodType;
  options?: readonly z.ZodType[];
  items?: readonly z.ZodType[];
  rest?: z.ZodType | null;
  keyType?: z.ZodType;
  valueType?: z.ZodType;
  shape?: Record<string, z.ZodType>;
  entries?: Record<string, string>;
  values?: readonly unknown[];
}

/**
 * What a schema lets through that is odd in one place, all else as in `good`: every odd number, text and time at every
 * field that takes it. What holds between fields is for the caller to check.
 *
 * @param good a value that the schema takes, where the caller has one
 * @param ids of things that are there
 */
export function hostileValues(schema: z.ZodType, good: unknown, ids: readonly string[]): unknown[] {
  const def = schema.def as unknown as Def;
  const within = (type: z.ZodType | null | undefined, value?: unknown) =>
    type === null || type === undefined ? [] : hostileValues(type, value, ids);
  const taken = (values: readonly unknown[]) => values.filter((value) => schema.safeParse(value).success);
  switch (def.type) {
    case 'optional':
    case 'default':
    case 'prefault':
      return [undefined, ...within(def.innerType, good)];
    case 'nullable':
      return [null, ...within(def.innerType, good)];
    case 'pipe':
      return within(def.in, good);
    case 'number': {
      const { minValue, maxValue } = schema as z.ZodNumber;
      const ends = [minValue, maxValue].flatMap((it) =>
        it === null || !Number.isFinite(it) ? [] : [it, it + 0.1, it - 0.1, it / 3],
      );
      return taken([...numbers, ...ends].map((it) => (def.coerce === true ? String(it) : it)));
    }
    case 'string':
      return taken([...texts, ...times, ...uuids, ...ids]);
    case 'boolean':
      return [true, false];
    case 'enum':
      return Object.values(def.entries ?? {});
    case 'null':
      return [null];
    case 'literal':
      return [...(def.values ?? [])];
    case 'union':
      return (def.options ?? []).flatMap((option) =>
        within(option, option.safeParse(good).success ? good : undefined),
      );
    case 'array': {
      const [first] = Array.isArray(good) ? (good as unknown[]) : [];
      const elements = within(def.element, first);
      return [[], elements.slice(0, 50), ...elements.flatMap((it) => [[it], [it, it]])];
    }
    case 'tuple': {
      const items = (def.items ?? []).map(
        (item, at) => (Array.isArray(good) ? good[at] : oneOf(item, ids)) as unknown,
      );
      return (def.items ?? []).flatMap((item, at) =>
        within(item, items[at]).map((odd) => items.map((value, place) => (place === at ? odd : value))),
      );
    }
    case 'record': {
      const [value] = within(def.valueType);
      return [
        {},
        ...within(def.keyType).map((key) => Object.fromEntries([[String(key), value]])),
        ...within(def.valueType).map((it) => ({ key: it })),
      ];
    }
    case 'object':
      return oddObjects(def.shape ?? {}, good, ids);
    case 'unknown':
    case 'any':
      return [null, 0, -0, '', '\u0000', [], {}, [[[[]]]], Object.fromEntries([['__proto__', { a: 1 }]])];
    default:
      throw new Error(`no hostile values are known for a schema of type ${def.type}`);
  }
}

function oddObjects(shape: Record<string, z.ZodType>, good: unknown, ids: readonly string[]): unknown[] {
  const base = new Map<string, unknown>(
    good === null || typeof good !== 'object'
      ? Object.entries(shape).map(([key, field]) => [key, oneOf(field, ids)])
      : Object.entries(good),
  );
  return Object.entries(shape).flatMap(([key, field]) =>
    hostileValues(field, base.get(key), ids).map((odd) =>
      Object.fromEntries([...new Map(base).set(key, odd)].filter(([, value]) => value !== undefined)),
    ),
  );
}

/** Any value that the schema takes, the shortest first. */
function oneOf(schema: z.ZodType, ids: readonly string[]): unknown {
  return hostileValues(schema, undefined, ids).find((it) => schema.safeParse(it).success);
}
