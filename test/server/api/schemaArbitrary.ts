import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';

type Json = Record<string, unknown>;

export interface Sources {
  /** The OpenAPI document, in which references lead. */
  document: object;
  /** Values of a format, for those that more than their form counts of. */
  formats: Readonly<Record<string, fc.Arbitrary<string>>>;
}

/** @param ids of what is there */
export function sourcesOf(document: object, ids: readonly string[]): Sources {
  const uuids = ids.filter((it) => it.length === 36);
  return {
    document,
    formats: {
      uuid: fc.constantFrom(...uuids, '5e0c1d5f-0f0b-4b5c-8f3b-6a1f0f3f2a11'),
      'date-time': fc
        .integer({ min: -7_200, max: 90 })
        .map((after_s) => new Date(Date.now() + after_s * 1_000).toISOString()),
      uri: fc.constantFrom('https://hooks.example/fleet', 'http://hooks.example:8080/a?b=c'),
      'uri-template': fc.constantFrom(
        'http://camera.example/clip?from={from}',
        'https://camera.example:8443',
      ),
    },
  };
}

/** What no JSON schema states: order and length of times, a number within several places. */
export const beyondSchemas: readonly (string | RegExp)[] = [
  'is not before to',
  /^is more than \d+ days after from$/,
  'names a channel twice',
  'is not later than the step before',
  'has two checklists of one kind',
  'has a reason twice',
];

export function isAmong(known: readonly (string | RegExp)[], text: string): boolean {
  return known.some((it) => (typeof it === 'string' ? it === text : it.test(text)));
}

const validators = new WeakMap<object, Ajv2020>();

function validatorOf(document: object): Ajv2020 {
  const known = validators.get(document);
  if (known !== undefined) return known;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'openapi');
  validators.set(document, ajv);
  return ajv;
}

/** Values that a JSON schema of the document allows. */
export function arbitraryOf(schema: Json, { document, formats }: Sources): fc.Arbitrary<unknown> {
  const isValid = validatorOf(document).compile(absolute(schema) as Json);
  return valueOf(schema).filter((value) => isValid(value));

  function resolved(of: Json): Json {
    const { $ref, ...rest } = of;
    if (typeof $ref !== 'string') return of;
    const target = $ref
      .split('/')
      .slice(1)
      .reduce<unknown>((at, key) => (at as Json)[key], document);
    return merged(resolved(target as Json), rest);
  }

  /** Each way to choose among what it leaves open, as one schema without a choice. */
  function choicesOf(given: Json): Json[] {
    const { allOf = [], anyOf, oneOf, ...plain } = resolved(given);
    const parts = [
      ...(allOf as Json[]).map((it) => [it]),
      ...[anyOf, oneOf].flatMap((it) => (it === undefined ? [] : [it as Json[]])),
    ];
    return parts.reduce<Json[]>(
      (all, part) => all.flatMap((it) => part.flatMap(choicesOf).map((other) => merged(it, other))),
      [plain],
    );
  }

  function valueOf(given: unknown): fc.Arbitrary<unknown> {
    return fc.oneof(
      ...choicesOf((given ?? {}) as Json)
        .filter(isPossible)
        .map(ofChoice),
    );
  }

  function ofChoice(plain: Json): fc.Arbitrary<unknown> {
    if ('const' in plain) return fc.constant(plain['const']);
    if (Array.isArray(plain['enum'])) return fc.constantFrom(...(plain['enum'] as unknown[]));
    const types = [plain['type'] ?? (plain['properties'] === undefined ? [] : 'object')].flat();
    return types.length === 0
      ? fc.jsonValue({ maxDepth: 1 }).map((it) => JSON.parse(JSON.stringify(it)) as unknown)
      : fc.oneof(...types.map((type) => ofType(type, plain)));
  }

  function ofType(type: unknown, of: Json): fc.Arbitrary<unknown> {
    const number = (key: string, otherwise: number) => (typeof of[key] === 'number' ? of[key] : otherwise);
    switch (type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
        return fc.integer({
          min: Math.max(number('minimum', -1_000), -(2 ** 31)),
          max: Math.min(number('maximum', 1_000), 2 ** 31 - 1),
        });
      case 'number':
        return fc.double({
          min: number('minimum', number('exclusiveMinimum', -1_000)),
          max: number('maximum', 1_000),
          minExcluded: 'exclusiveMinimum' in of,
          noNaN: true,
        });
      case 'array': {
        const least = number('minItems', 0);
        const fixed = (of['prefixItems'] ?? []) as Json[];
        return fixed.length > 0
          ? fc.tuple(...fixed.map(valueOf))
          : fc.array(valueOf(of['items']), {
              minLength: least,
              maxLength: Math.min(number('maxItems', least + 2), least + 2),
            });
      }
      case 'object':
        return objectOf(of);
      default:
        return textOf(of, number('minLength', 0), Math.min(number('maxLength', 40), 200));
    }
  }

  function textOf(of: Json, minLength: number, maxLength: number): fc.Arbitrary<string> {
    const plain = fc.string({ minLength, maxLength });
    const known = formats[String(of['format'])];
    if (known !== undefined) return known;
    const examples = of['examples'] as string[] | undefined;
    if (examples !== undefined) return fc.constantFrom(...examples);
    const { pattern } = of;
    // Of others the text is made at random, until it is of the form.
    return typeof pattern === 'string' && pattern.startsWith('^') && !pattern.includes('\\P')
      ? fc.stringMatching(new RegExp(pattern)).filter((text) => text.length <= maxLength)
      : plain;
  }

  function objectOf(of: Json): fc.Arbitrary<unknown> {
    const { properties = {}, required = [], propertyNames, maxProperties, additionalProperties } = of;
    const names = (propertyNames as { enum?: string[] } | undefined)?.enum;
    const fields = Object.entries(properties as Json).filter(
      ([name]) => maxProperties !== 0 && (names === undefined || names.includes(name)),
    );
    const model = Object.fromEntries(fields.map(([name, field]) => [name, valueOf(field)]));
    const requiredKeys = (required as string[]).filter((name) => name in model);
    const named = fc
      .subarray(
        Object.keys(model).filter((name) => !requiredKeys.includes(name)),
        {
          maxLength: Math.min(5, Object.keys(model).length - requiredKeys.length),
        },
      )
      .chain((chosen) =>
        fc.record(
          Object.fromEntries(
            [...requiredKeys, ...chosen].map((name) => [name, model[name] ?? fc.anything()]),
          ),
          { noNullPrototype: true },
        ),
      );
    if (typeof additionalProperties !== 'object' || maxProperties === 0) return named;
    const key = fc.stringMatching(/^[a-z]{1,8}$/);
    const more = fc.dictionary(key, valueOf(additionalProperties), { maxKeys: 2, noNullPrototype: true });
    return fc.tuple(more, named).map(([others, own]) => ({ ...others, ...(own as object) }));
  }
}

/** What both allow, as far as it can be joined; the rest is left to the check of the whole. */
function merged(base: Json, other: Json): Json {
  const both = (key: string) => base[key] !== undefined && other[key] !== undefined;
  const next: Json = { ...base, ...other };
  if (both('properties')) {
    const [mine, theirs] = [base['properties'] as Json, other['properties'] as Json];
    const joined = Object.entries(theirs).map(([name, field]) => [
      name,
      name in mine ? { allOf: [mine[name], field] } : field,
    ]);
    next['properties'] = { ...mine, ...(Object.fromEntries(joined) as Json) };
  }
  if (both('required')) next['required'] = [...new Set([base['required'], other['required']].flat())];
  if (both('type')) {
    const types = [base['type']].flat();
    next['type'] = [other['type']].flat().filter((it) => types.includes(it));
  }
  return next;
}

/** Of types that exclude one another, none is left. */
function isPossible({ type }: Json): boolean {
  return !Array.isArray(type) || type.length > 0;
}

/** With references that lead into the document. */
function absolute(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(absolute);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string' && inner.startsWith('#')
        ? `openapi${inner}`
        : absolute(inner),
    ]),
  );
}

const oddValues = [null, -1, 1e300, '', 'x', '\u0000', 'x'.repeat(3_000), [], {}, [null], true];

/** The same with one place of it left out, put otherwise, or added to. */
export function mutationOf(value: unknown): fc.Arbitrary<unknown> {
  const places = pathsOf(value);
  return fc
    .tuple(
      fc.constantFrom(...places),
      fc.constantFrom('put', 'drop', 'add'),
      fc.constantFrom<unknown>(...oddValues),
    )
    .map(([path, how, odd]) => changed(value, path, how, odd));
}

function pathsOf(value: unknown): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [[], ...keys.flatMap((key) => pathsOf((value as Json)[key]).map((path) => [key, ...path]))];
}

function changed(value: unknown, [key, ...rest]: (string | number)[], how: string, odd: unknown): unknown {
  if (key === undefined) {
    return how === 'add' && typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ...value, unknown_field: odd }
      : odd;
  }
  if (Array.isArray(value)) {
    const list = value as unknown[];
    return how === 'drop' && rest.length === 0
      ? list.filter((_, at) => at !== key)
      : list.map((it, at) => (at === key ? changed(it, rest, how, odd) : it));
  }
  const { [key]: inner, ...others } = value as Json;
  return how === 'drop' && rest.length === 0 ? others : { ...others, [key]: changed(inner, rest, how, odd) };
}
