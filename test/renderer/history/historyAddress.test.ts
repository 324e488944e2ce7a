import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  MOST_CHOSEN,
  readHistoryAddress,
  writeHistoryAddress,
} from '../../../renderer/history/historyAddress.ts';

const instant = fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) });

/** As the address bar has it: null takes a word out. */
const asQuery = (query: Record<string, string | null>) =>
  Object.fromEntries(Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== null));

it('the address of the past names its vehicles, its instant and its span, and is read as it was written', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: MOST_CHOSEN }),
      instant,
      fc.option(fc.uniqueArray(instant, { minLength: 2, maxLength: 2 })),
      (vehicleIds, at, ends) => {
        const [from = 0, to = 0] = (ends ?? []).sort((a, b) => a - b);
        const address = { vehicleIds, at, span: ends === null ? null : { from, to } };
        const found = readHistoryAddress(asQuery(writeHistoryAddress(address)));
        expect({ span: null, ...found }).toEqual(address);
      },
    ),
  );
});

it('an address that says nothing, or says it wrongly, changes nothing', () => {
  expect(readHistoryAddress({})).toEqual({});
  expect(readHistoryAddress({ at: 'yesterday', from: '2026-11-17T10:00:00Z', to: 'noon' })).toEqual({});
  const backwards = { from: '2026-11-17T10:00:00Z', to: '2026-11-17T09:00:00Z' };
  expect(readHistoryAddress(backwards)).toEqual({});
});

it('an address with a span alone goes to its beginning, and one of too many vehicles names the first ones', () => {
  const [from, to] = [Date.UTC(2026, 10, 17, 9), Date.UTC(2026, 10, 17, 10)];
  const found = readHistoryAddress({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });
  expect(found).toEqual({ at: from, span: { from, to } });
  const many = Array.from({ length: 50 }, (_, index) => `v${index}`);
  const { vehicleIds } = readHistoryAddress({ vehicle: 'first', with: many.join(',') });
  expect(vehicleIds).toEqual(['first', ...many.slice(0, MOST_CHOSEN - 1)]);
});
