import fc from 'fast-check';
import { expect, it } from 'vitest';
import { metresPerPixel } from '../../../renderer/map/geodesy.ts';
import { scaleBar } from '../../../renderer/map/camera.ts';

it('the scale bar is a 1, 2 or 5 times a power of ten metres long, at most as wide as allowed and at least two fifths of it', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -80, max: 80, noNaN: true }),
      fc.double({ min: 0, max: 20, noNaN: true }),
      (lat, zoom) => {
        const { lengthM, lengthPx } = scaleBar(lat, zoom, 100);
        const lead = lengthM / 10 ** Math.floor(Math.log10(lengthM) + 1e-9);
        expect([1, 2, 5]).toContain(Math.round(lead));
        expect(lengthPx).toBeLessThanOrEqual(100.000_001);
        expect(lengthPx).toBeGreaterThanOrEqual(39.999);
        expect(lengthPx * metresPerPixel(lat, zoom)).toBeCloseTo(lengthM, 3);
      },
    ),
  );
});
