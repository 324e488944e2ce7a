import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createServerWords } from '../../../../server/contract/texts/serverWords.ts';
import { trackPicture, type PicturePoint } from '../../../../server/video/evidence/trackPicture.ts';

const second = 1_000;

/** Two positions 1 km apart, west to east on the equator, and one on the way. */
const road: PicturePoint[] = [0, 0.5, 1].map((share, i) => ({
  time_ms: i * 10 * second,
  lat: 0,
  lon: 20 + (share * 1_000) / 111_195,
}));
const picture = (points: readonly PicturePoint[], shown: { from_ms: number; to_ms: number }[] = []) =>
  trackPicture({ points, shown, unseen_ms: 300 * second, words: createServerWords({}) });

describe('the drawing of a track', () => {
  it('the drawing of a track has the route, its ends and a scale that is true to length', () => {
    const svg = picture(road);
    expect(svg).toContain('<polyline class="way" points="40,120 360,120 680,120"/>');
    expect(svg).toContain('<circle class="start" cx="40" cy="120"');
    expect(svg).toContain('<rect class="end" x="675" y="115"');
    // 640 px are 1 km: 200 m are 128.
    expect(svg).toContain('H144V');
    expect(svg).toContain('>200 m<');
  });

  it('the drawing of a track is bold where a clip runs, and dashed where the route is unknown', () => {
    expect(picture(road, [{ from_ms: 0, to_ms: 10 * second }])).toContain(
      '<polyline class="shown" points="40,120 360,120"/>',
    );
    const gap = road.map((it, i) => (i === 2 ? { ...it, time_ms: 1_000 * second } : it));
    const svg = picture(gap, [{ from_ms: 0, to_ms: 2_000 * second }]);
    expect(svg).toContain('<polyline class="way" points="40,120 360,120"/>');
    expect(svg).toContain('<polyline class="unseen" points="360,120 680,120"/>');
    expect(svg.match(/class="shown"/g)).toHaveLength(1);
  });

  it('the drawing of a track keeps a track over the antimeridian in one piece', () => {
    const over = road.map((it) => ({ ...it, lon: ((it.lon - 20 + 179.996 + 180) % 360) - 180 }));
    expect(picture(over)).toBe(picture(road));
  });

  it('the drawing of a track is empty without a position, and shows a place with its scale for a parked vehicle', () => {
    expect(picture([])).toBe('');
    const svg = picture(road.map((it) => ({ ...it, lon: 20 })));
    expect(svg).toContain('cx="360"');
    expect(svg).toContain('>20 m<');
  });

  it('the drawing of a track has every point within its frame, wherever on earth', () => {
    const point = fc.record({
      time_ms: fc.nat(),
      lat: fc.double({ min: -90, max: 90, noNaN: true }),
      lon: fc.double({ min: -180, max: 180, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 20 }), (points) => {
        const svg = picture(points);
        expect(svg).not.toMatch(/NaN|Infinity/);
        const [, height = '0'] = / height="(\d+)" role/.exec(svg) ?? [];
        for (const [, list = ''] of svg.matchAll(/points="([^"]*)"/g)) {
          for (const pair of list.split(' ')) {
            const [x = NaN, y = NaN] = pair.split(',').map(Number);
            expect(x >= 0 && x <= 720 && y >= 0 && y <= Number(height)).toBe(true);
          }
        }
      }),
    );
  });
});
