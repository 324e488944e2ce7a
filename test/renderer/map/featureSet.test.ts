import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFeatureSet, featureChange } from '../../../renderer/map/featureSet.ts';

function dot(id: string, lon: number, properties: Record<string, unknown> = {}): GeoJSON.Feature {
  return { type: 'Feature', id, properties, geometry: { type: 'Point', coordinates: [lon, 0] } };
}

describe('the update of a map source', () => {
  it('the update of a map source is an addition first, then only what changed, then nothing', () => {
    const set = createFeatureSet();
    set.put(dot('a', 1, { tone: 'moving', course: 10 }));
    expect(set.takeDiff()?.add).toHaveLength(1);
    set.put(dot('a', 1, { tone: 'moving', course: 20 }));
    expect(set.takeDiff()).toEqual({
      add: [],
      remove: [],
      update: [{ id: 'a', addOrUpdateProperties: [{ key: 'course', value: 20 }] }],
    });
    set.put(dot('a', 1, { tone: 'moving', course: 20 }));
    expect(set.takeDiff()).toBeNull();
  });

  it('the update of a map source takes away a property that is gone, so that brackets end with their alarm', () => {
    const change = featureChange(
      dot('a', 1, { tone: 'alarm', brackets: 'open' }),
      dot('a', 1, { tone: 'idle' }),
    );
    expect(change).toEqual({
      id: 'a',
      removeProperties: ['brackets'],
      addOrUpdateProperties: [{ key: 'tone', value: 'idle' }],
    });
  });

  it('the update of a map source never changes what it was given or has handed over', () => {
    const line = (...lons: number[]): GeoJSON.Feature => ({
      ...dot('l', 0),
      geometry: { type: 'LineString', coordinates: lons.map((lon) => [lon, 0]) },
    });
    const states = [
      [dot('a', 1), line(1, 2)],
      [dot('a', 2), line(2, 3)],
      [dot('a', 3), line(3)],
      [line(4, 5)],
    ];
    const set = createFeatureSet();
    const diffs = states.map((features) => {
      for (const feature of features) set.put(feature);
      const diff = set.takeDiff();
      return { diff, then: structuredClone(diff), features, given: structuredClone(features) };
    });
    for (const { diff, then, features, given } of diffs) {
      expect(diff).toEqual(then);
      expect(features).toEqual(given);
    }
    const moved = diffs.map(({ diff }) => diff?.update.map(({ newGeometry }) => newGeometry));
    expect(moved).toEqual([[], ...states.slice(1).map((it) => it.map(({ geometry }) => geometry))]);
  });

  it('the update of a map source says nothing of a feature that came and went between two frames', () => {
    const set = createFeatureSet();
    set.put(dot('a', 1));
    set.remove('a');
    expect(set.takeDiff()).toBeNull();
  });

  it('the update of a map source leads a source to the last state wanted, whatever was put and removed in between', () => {
    const step = fc.record({
      id: fc.constantFrom('a', 'b', 'c'),
      lon: fc.option(fc.integer({ min: 0, max: 3 })),
    });
    fc.assert(
      fc.property(fc.array(fc.array(step)), (frames) => {
        const set = createFeatureSet();
        const wanted = new Map<string, number>();
        const source = new Map<string, number>();
        const lonOf = (geometry: GeoJSON.Geometry | undefined): number =>
          geometry?.type === 'Point' ? (geometry.coordinates[0] ?? NaN) : NaN;
        for (const frame of frames) {
          for (const { id, lon } of frame) {
            if (lon === null) {
              wanted.delete(id);
              set.remove(id);
            } else {
              wanted.set(id, lon);
              set.put(dot(id, lon));
            }
          }
          const diff = set.takeDiff();
          for (const id of diff?.remove ?? []) expect(source.delete(id)).toBe(true);
          for (const feature of diff?.add ?? []) {
            expect(source.has(String(feature.id))).toBe(false);
            source.set(String(feature.id), lonOf(feature.geometry));
          }
          for (const change of diff?.update ?? []) {
            expect(source.has(String(change.id))).toBe(true);
            source.set(String(change.id), lonOf(change.newGeometry));
          }
          expect(source).toEqual(wanted);
        }
      }),
    );
  });
});
