import { expect, test } from 'vitest';
import type { UnknownTerminal } from '../../../../server/contract/positions.ts';
import { byLastSeen } from '../../../../renderer/vehicles/manage/unknownTerminals.tsx';

const unknownTerminal = (terminal_id: string, second: number, messages = 1): UnknownTerminal => ({
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

test('unknown terminals are listed in the order in which they appeared, those of one second by their IDs', () => {
  const some = [
    unknownTerminal('t10', 3),
    unknownTerminal('t9', 3),
    unknownTerminal('late', 5),
    unknownTerminal('first', 1),
  ];
  expect(ids(byLastSeen(some))).toEqual(['first', 't9', 't10', 'late']);
});

test('an unknown terminal that reports again keeps its place', () => {
  const again = unknownTerminal('t9', 3, 2);
  expect(ids(byLastSeen([unknownTerminal('t10', 3), unknownTerminal('t11', 3), again]))).toEqual([
    't9',
    't10',
    't11',
  ]);
  expect(ids(byLastSeen([again, unknownTerminal('t11', 3), unknownTerminal('t10', 3)]))).toEqual([
    't9',
    't10',
    't11',
  ]);
});
