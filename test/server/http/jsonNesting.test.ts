import { describe, expect, it } from 'vitest';
import { nestingError } from '../../../server/http/jsonNesting.ts';

const nested = (levels: number) => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;

describe('JSON nested in JSON', () => {
  it('JSON nested in JSON is taken to 64 levels, and refused beyond with the place', () => {
    expect(nestingError(nested(64))).toBeNull();
    expect(nestingError(`[${nested(64)}]`)).toEqual({
      code: 'json.nested',
      values: { most: 64, at: '189' },
    });
    expect(nestingError(Buffer.from(`[${nested(64)}]`))).toEqual(nestingError(`[${nested(64)}]`));
  });

  it('JSON nested in JSON does not count brackets in texts, nor those that are closed again', () => {
    expect(nestingError(JSON.stringify(['['.repeat(100), '\\"'.repeat(9) + '{'.repeat(100)]))).toBeNull();
    expect(nestingError('[]'.repeat(1_000))).toBeNull();
  });

  it('JSON nested in JSON is refused for more fields in one object than are taken, however many objects there are', () => {
    const object = (fields: number) =>
      Object.fromEntries(Array.from({ length: fields }, (_, at) => [`k${at}`, at]));
    const many = JSON.stringify(Array.from({ length: 10 }, () => ({ ...object(99), in: object(100) })));
    expect(nestingError(many, 100)).toBeNull();
    expect(nestingError(JSON.stringify({ in: object(101) }), 100)).toMatchObject({
      code: 'json.many_fields',
      values: { most: 100 },
    });
    expect(nestingError(JSON.stringify(object(5_000)))).toBeNull();
  });
});
