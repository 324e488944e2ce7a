import { describe, expect, it } from 'vitest';
import { createPlaceNameFinder } from '../../../renderer/telemetry/landNames.ts';

describe('the names of the land', () => {
  const cell = { land: [], borders: [], places: [['Town', 13.4, 52.5, 3, 100_000]] };

  it('the names of the land are the nearest town with distance and direction, once its part of the map is read', async () => {
    const asked: string[] = [];
    const names = createPlaceNameFinder({ overview: '', cells: { '19-14': 'cell.json' } }, (url) => {
      asked.push(url);
      return Promise.resolve(cell);
    });
    const come = new Promise<void>((resolve) => names.onChange(resolve));
    expect(names.nameOf(52.6, 13.4)).toBeNull();
    names.nameOf(52.6, 13.4);
    await come;
    expect(asked).toEqual(['cell.json']);
    expect(names.nameOf(52.6, 13.4)).toBe('11.1 km N of Town');
    expect(names.nameOf(52.505, 13.4)).toBe('Town');
  });

  it('the names of the land are none where the map could not be read', async () => {
    const names = createPlaceNameFinder({ overview: '', cells: { '19-14': 'cell.json' } }, () =>
      Promise.reject(new Error('gone')),
    );
    const come = new Promise<void>((resolve) => names.onChange(resolve));
    names.nameOf(52.5, 13.4);
    await come;
    expect(names.nameOf(52.5, 13.4)).toBeNull();
  });
});
