import fc from 'fast-check';
import { zxyToTileId } from 'pmtiles';
import { expect, it } from 'vitest';
import { chunksOf } from '../../../../server/maps/regions/chunks.ts';
import { countTiles, tileBoxOf, tileRangesOf } from '../../../../server/maps/regions/tileRanges.ts';

const areas = fc
  .record({
    west: fc.double({ min: -180, max: 179, noNaN: true }),
    south: fc.double({ min: -90, max: 89, noNaN: true }),
    width: fc.double({ min: 0.001, max: 40, noNaN: true }),
    height: fc.double({ min: 0.001, max: 30, noNaN: true }),
  })
  .map(({ west, south, width, height }) => ({
    ...{ west, south, east: Math.min(180, west + width), north: Math.min(90, south + height) },
  }));

it('the ranges of an area hold the ids of its tiles, each once and in order', () => {
  fc.assert(
    fc.property(areas, fc.integer({ min: 0, max: 7 }), (area, max_zoom) => {
      const ids: number[] = [];
      for (let z = 0; z <= max_zoom; z++) {
        const { west, north, east, south } = tileBoxOf(area, z);
        for (let x = west; x <= east; x++)
          for (let y = north; y <= south; y++) ids.push(zxyToTileId(z, x, y));
      }
      const ranges = tileRangesOf(area, 0, max_zoom);
      const inRanges: number[] = [];
      for (let at = 0; at < ranges.length; at += 2) {
        expect(ranges[at]).toBeGreaterThan(ranges[at - 1] ?? -1);
        for (let id = ranges[at] ?? 0; id < (ranges[at + 1] ?? 0); id++) inRanges.push(id);
      }
      expect(inRanges).toEqual(ids.sort((a, b) => a - b));
      expect(countTiles(area, 0, max_zoom)).toBe(ids.length);
    }),
    { numRuns: 60 },
  );
});

it('an area that ends where a tile begins does not have that tile', () => {
  expect(tileBoxOf({ west: -180, south: 0, east: 0, north: 85.06 }, 1)).toEqual({
    ...{ west: 0, north: 0, east: 0, south: 0 },
  });
});

it('chunks bring all bytes of the segments in their order, from wherever a copy goes on, a mebibyte each at most', () => {
  const segment = fc.record({
    gap: fc.integer({ min: 0, max: 60_000 }),
    bytes: fc.integer({ min: 1, max: 2_500_000 }),
  });
  fc.assert(
    fc.property(
      fc.array(segment, { maxLength: 12 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (list, share) => {
        let [source, target] = [0, 0];
        const rows = list.flatMap(({ gap, bytes }) => {
          const row = [source + gap, target, bytes];
          [source, target] = [source + gap + bytes, target + bytes];
          return row;
        });
        const from = Math.floor(share * target);
        const brought: number[] = [];
        let sum = 0;
        for (const { offset, length, parts, bytes } of chunksOf(Float64Array.from(rows), from)) {
          expect(length).toBeLessThanOrEqual(1024 * 1024);
          expect(parts.at(-1)).toMatchObject({ at: length - (parts.at(-1)?.length ?? 0) });
          for (const part of parts) brought.push(offset + part.at, part.length);
          sum += bytes;
        }
        expect(sum).toBe(target - from);
        // Where they lie at the source, without the seams between requests.
        const joined = (pairs: number[]) =>
          pairs.reduce<number[]>((all, value, i) => {
            if (i % 2 === 1) return all;
            const length = pairs[i + 1] ?? 0;
            if ((all.at(-2) ?? -1) + (all.at(-1) ?? 0) === value)
              all[all.length - 1] = (all.at(-1) ?? 0) + length;
            else all.push(value, length);
            return all;
          }, []);
        const wanted: number[] = [];
        for (let i = 0; i < rows.length; i += 3) {
          const [at = 0, to = 0, bytes = 0] = rows.slice(i, i + 3);
          const skipped = Math.max(0, Math.min(bytes, from - to));
          if (bytes > skipped) wanted.push(at + skipped, bytes - skipped);
        }
        expect(joined(brought)).toEqual(joined(wanted));
      },
    ),
    { numRuns: 60 },
  );
});
