import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { produce, settle } from '../../../../server/store/documents/draft.ts';

interface Depot {
  vehicles: Record<string, { name: string; groups: string[]; note?: string | undefined }>;
  order: { id: string; rank: number }[];
}

function depot(): Depot {
  return settle<Depot>({
    vehicles: { v1: { name: 'Van', groups: ['north'] }, v2: { name: 'Truck', groups: [] } },
    order: [
      { id: 'v2', rank: 2 },
      { id: 'v1', rank: 1 },
    ],
  });
}

describe('a draft', () => {
  test('a draft takes lists of numbers as all else: copied when put in, changed alone, without a minus zero', () => {
    const corner = [1, 2];
    const base = settle<{ ring: number[][] }>({
      ring: [corner, [-0, 3], Object.freeze([-0, 4]) as number[]],
    });
    corner[0] = 9;
    expect(base.ring).toEqual([
      [1, 2],
      [0, 3],
      [0, 4],
    ]);
    const { next } = produce(base, (draft) => {
      const [first] = draft.ring;
      first?.push(7);
    });
    expect([base.ring[0], next.ring[0]]).toEqual([
      [1, 2],
      [1, 2, 7],
    ]);
    expect(next.ring[1]).toBe(base.ring[1]);
    expect([next.ring[0], next.ring[1]].every(Object.isFrozen)).toBe(true);
    expect(() => settle([1, Number.NaN])).toThrow(TypeError);
  });

  test('a draft takes later changes of what was put in, as long as its update runs', () => {
    const { next } = produce(depot(), (draft) => {
      const bus = { id: 'v3', rank: 3 };
      draft.order.push(bus);
      draft.order.sort((a, b) => a.rank - b.rank);
      bus.rank = 30;
    });
    expect(next.order.map(({ rank }) => rank)).toEqual([1, 2, 30]);
  });

  test('a draft makes the requested changes, leaves its base alone, and shares the rest', () => {
    const base = depot();
    const { next } = produce(base, (draft) => {
      const van = draft.vehicles['v1'];
      if (van) van.groups.push('south');
    });
    expect(base).toEqual(depot());
    expect(next.vehicles['v1']).toEqual({ name: 'Van', groups: ['north', 'south'] });
    expect(next.vehicles['v2']).toBe(base.vehicles['v2']);
    expect(next.order).toBe(base.order);
  });

  test('a draft that was only read, or changed back, is its base', () => {
    const base = depot();
    const { next, result } = produce(base, (draft) => {
      const van = draft.vehicles['v1'];
      if (van) {
        van.name = 'Bus';
        van.name = 'Van';
      }
      return draft.order.find(({ rank }) => rank === 1);
    });
    expect(next).toBe(base);
    expect(result).toBe(base.order[1]);
  });

  test('a draft sorts, filters, splices and moves as plain lists do', () => {
    const { next } = produce(depot(), (draft) => {
      draft.order.sort((a, b) => a.rank - b.rank);
      const [first] = draft.order;
      if (first) first.rank = 10;
      draft.order = draft.order.filter(({ id }) => id === 'v1');
      draft.order.unshift({ id: 'v3', rank: 0 });
      draft.order.splice(1, 0, { id: 'v4', rank: 5 });
      delete draft.vehicles['v2'];
      Object.assign(draft.vehicles, { v3: { ...draft.vehicles['v1'], name: 'Copy' } });
    });
    expect(next).toEqual({
      vehicles: { v1: { name: 'Van', groups: ['north'] }, v3: { name: 'Copy', groups: ['north'] } },
      order: [
        { id: 'v3', rank: 0 },
        { id: 'v4', rank: 5 },
        { id: 'v1', rank: 10 },
      ],
    });
  });

  test('a draft keeps nothing of what was put in but its value', () => {
    const given = { name: 'Bus', groups: ['north'], note: undefined };
    const { next, result } = produce(depot(), (draft) => {
      draft.vehicles['v3'] = given;
      return draft.vehicles['v3'];
    });
    given.groups.push('south');
    expect(next.vehicles['v3']).toStrictEqual({ name: 'Bus', groups: ['north'] });
    expect(result).toBe(next.vehicles['v3']);
  });

  test('a draft leaves frozen values, so that nothing changes past an update', () => {
    const { next } = produce(depot(), (draft) => {
      draft.vehicles['v3'] = { name: 'Bus', groups: [] };
    });
    expect(() => next.vehicles['v3']?.groups.push('x')).toThrow(TypeError);
    expect(() => next.order.pop()).toThrow(TypeError);
  });

  test('a draft that leaks can be read, and no longer be changed', () => {
    let leaked: Depot | undefined;
    produce(depot(), (draft) => {
      leaked = draft;
    });
    expect(leaked?.order[0]?.id).toBe('v2');
    expect(() => leaked?.order.pop()).toThrow(TypeError);
    expect(() => {
      if (leaked) leaked.order = [];
    }).toThrow('only while its update runs');
  });

  test.each([
    ['NaN', NaN],
    ['infinity', Infinity],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['a promise', Promise.resolve()],
    ['a function', () => 1],
    ['a big integer', 1n],
    ['a hole in a list', [1, undefined]],
  ])('a draft refuses %s, which a restart would not give back', (_, value) => {
    const base = settle<Record<string, unknown>>({ kept: 1 });
    expect(() => produce(base, (draft) => void (draft['x'] = { y: value }))).toThrow(TypeError);
    expect(() => produce(base, () => value)).toThrow(TypeError);
  });

  test('a draft takes a key named __proto__ for a key', () => {
    const base = settle<{ attributes: unknown }>({
      attributes: JSON.parse('{"__proto__":{"admin":true}}') as unknown,
    });
    const { next } = produce(base, (draft) => void (draft.attributes = { copy: draft.attributes }));
    expect(JSON.stringify(next)).toBe('{"attributes":{"copy":{"__proto__":{"admin":true}}}}');
    expect(Reflect.get({}, 'admin')).toBeUndefined();
  });
});

type Edit = (value: Record<string, unknown>) => void;

const json = fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' });

/** Walks down by `path` as far as there are containers, then sets, deletes, pushes or reverses there. */
const edit: fc.Arbitrary<Edit> = fc
  .record({
    path: fc.array(fc.nat(4), { maxLength: 4 }),
    act: fc.constantFrom('set', 'delete', 'push', 'reverse', 'splice'),
    key: fc.constantFrom('a', 'b', 'c'),
    value: json,
  })
  .map(({ path, act, key, value }) => (root) => {
    let at: object = root;
    for (const step of path) {
      const children = Object.values(at).filter((child) => typeof child === 'object' && child !== null);
      const child: unknown = children[step % Math.max(children.length, 1)];
      if (typeof child !== 'object' || child === null) break;
      at = child;
    }
    // The model and the draft each need values of their own.
    const fresh = (): unknown => structuredClone(value);
    if (Array.isArray(at)) {
      if (act === 'reverse') at.reverse();
      else if (act === 'splice') at.splice(0, 1, fresh(), fresh());
      else at.push(fresh());
    } else if (act === 'delete') Reflect.deleteProperty(at, Object.keys(at)[0] ?? key);
    else Reflect.set(at, key, fresh());
  });

test('any edits of a draft give what the same edits of a copy give, and leave the base as it was', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), json),
      fc.array(edit, { maxLength: 8 }),
      (start, edits) => {
        const plain = JSON.parse(JSON.stringify(start)) as Record<string, unknown>;
        const base = settle(plain);
        const model = structuredClone(plain);
        const { next } = produce(base, (draft) => {
          for (const change of edits) change(draft);
        });
        for (const change of edits) change(model);
        expect(next).toEqual(JSON.parse(JSON.stringify(model)));
        expect(base).toEqual(plain);
      },
    ),
    { numRuns: 500 },
  );
});
