import { expect, it } from 'vitest';
import { z } from 'zod';
import { causeOf, messageOf } from '../../../server/contract/causeTexts.ts';
import { geofenceLimits, geometry } from '../../../server/contract/geofenceGeometry.ts';
import { periodError } from '../../../server/contract/preview.ts';
import { kindOfIssue } from '../../../server/contract/fieldFaults.ts';
import { invalid, invalidBy } from '../../../server/http/apiError.ts';

const schema = z.strictObject({
  name: z.string().min(1).max(3),
  code: z.string().min(4).regex(/^a/),
  count: z.int().min(1).max(9),
  share: z.number().gt(0),
  color: z.enum(['red', 'blue']),
  tags: z.array(z.string()).min(1).max(2),
  from: z.string().refine((value) => value !== 'never', 'is not a moment in time'),
});

const right = { name: 'A', code: 'abcd', count: 1, share: 1, color: 'red', tags: ['x'], from: 'now' };

it.each([
  [{ name: undefined }, { kind: 'missing' }],
  [{ name: '' }, { kind: 'missing' }],
  [{ name: 5 }, { kind: 'format' }],
  [{ name: 'long' }, { kind: 'too_long', limit: 3 }],
  [{ code: 'abc' }, { kind: 'too_short', limit: 4 }],
  [{ code: 'bbbb' }, { kind: 'format' }],
  [{ count: 0 }, { kind: 'too_small', limit: 1 }],
  [{ count: 10 }, { kind: 'too_large', limit: 9 }],
  // "Less than 0" would say of 0 that it is right.
  [{ share: 0 }, {}],
  [{ color: 'green' }, { kind: 'choice' }],
  [{ tags: [] }, { kind: 'too_few', limit: 1 }],
  [{ tags: ['x', 'y', 'z'] }, { kind: 'too_many', limit: 2 }],
  [{ from: 'never' }, {}],
  [{ more: 1 }, { kind: 'unknown' }],
])('the error of a field has the kind of what is wrong: %j', (wrong, kind) => {
  const { error } = schema.safeParse({ ...right, ...wrong });
  const [path] = Object.keys(wrong);
  expect(error?.issues).toHaveLength(1);
  expect(error && invalidBy(error, 'body').faults).toEqual([{ path, message: expect.any(String), ...kind }]);
});

it('an error that the server found itself has its kind where one was given', () => {
  expect(invalid('until', 'is past', 'past').faults).toEqual([
    { path: 'until', message: 'is past', kind: 'past' },
  ]);
  expect(invalid('until', 'is odd').faults).toEqual([{ path: 'until', message: 'is odd' }]);
  expect(kindOfIssue({ code: 'custom', path: [], message: 'is odd', input: 1 })).toEqual({});
});

it('a check of the contract gives its fault a kind, or causes for other languages', () => {
  const period = z.object({ from: z.string(), to: z.string() }).check(periodError(31));
  const faultsOf = (from: string, to: string) => {
    const { error } = period.safeParse({ from: `2026-${from}T00:00:00Z`, to: `2026-${to}T00:00:00Z` });
    return error === undefined ? [] : invalidBy(error, 'query').faults;
  };
  expect(faultsOf('02-02', '02-01')).toMatchObject([{ path: 'from', kind: 'order' }]);
  expect(faultsOf('02-02', '04-01')).toMatchObject([
    { path: 'to', ...messageOf(causeOf('period.most_days', { days: 31 })) },
  ]);
  const corners = geofenceLimits.corners + 1;
  const line = { type: 'LineString', coordinates: Array.from({ length: corners }, () => [0, 0]) };
  const { error } = geometry.safeParse(line);
  expect(error && invalidBy(error, 'body').faults).toMatchObject([
    { causes: [causeOf('geofence.too_many_corners', { corners, most: corners - 1 })] },
  ]);
});
