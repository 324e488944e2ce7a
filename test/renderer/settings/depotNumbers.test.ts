import { expect, it } from 'vitest';
import { settingsFields } from '../../../server/contract/settings.ts';
import { numberGroups, readNumbers } from '../../../renderer/settings/depotNumbers.ts';

const settings = settingsFields.parse({});

it('only what differs is saved, and a decimal comma is a decimal point', () => {
  expect(readNumbers({ offline_s: '600', harsh_braking_ms2: ' 4,5 ' }, settings)).toEqual({
    patch: { harsh_braking_ms2: 4.5 },
    wrong: [],
  });
});

it('a field that holds no number is named', () => {
  expect(readNumbers({ offline_s: 'soon', idle_s: '' }, settings).wrong).toEqual(['offline_s', 'idle_s']);
});

it('each number of the contract stands in the form, but for those that are no operator’s matter', () => {
  const shown = new Set<string>(Object.values(numberGroups).flat());
  const others = Object.entries(settings)
    .filter(([name, value]) => typeof value === 'number' && !shown.has(name))
    .map(([name]) => name);
  expect(others).toEqual(['video_reserve_bytes', 'jwt_ttl_s']);
});
