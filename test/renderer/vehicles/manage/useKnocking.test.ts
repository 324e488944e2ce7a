import { expect, test } from 'vitest';
import type { UnknownTerminal } from '../../../../server/contract/positions.ts';
import { inOrderOfKnock } from '../../../../renderer/vehicles/manage/useKnocking.ts';

const knock = (terminal_id: string, second: number, messages = 1): UnknownTerminal => ({
  terminal_id,
  protocol: 'osmand',
  first_seen_at: `2026-03-14T05:30:0${second}Z`,
  last_seen_at: `2026-03-14T05:31:0${9 - second}Z`,
  messages,
  address: '10.0.0.7',
  lat: null,
  lon: null,
});
const ids = (terminals: UnknownTerminal[]) => terminals.map(({ terminal_id }) => terminal_id);

test('terminals that knock stand as they came, those of one second by their IDs', () => {
  const some = [knock('t10', 3), knock('t9', 3), knock('late', 5), knock('first', 1)];
  expect(ids(inOrderOfKnock(some))).toEqual(['first', 't9', 't10', 'late']);
});

test('one that knocks again keeps its place', () => {
  const again = knock('t9', 3, 2);
  expect(ids(inOrderOfKnock([knock('t10', 3), knock('t11', 3), again]))).toEqual(['t9', 't10', 't11']);
  expect(ids(inOrderOfKnock([again, knock('t11', 3), knock('t10', 3)]))).toEqual(['t9', 't10', 't11']);
});
