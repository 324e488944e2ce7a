import { describe, expect, it } from 'vitest';
import { createTrails, trailOf } from '../../../renderer/telemetry/trails.ts';
import { samplePosition } from '../samples.ts';

const at = (s: number) => new Date(Date.UTC(2026, 10, 21, 12) + s * 1_000).toISOString();

describe('the trail behind a vehicle', () => {
  it('the trail behind a vehicle has a dot for every 15 s, at most 20', () => {
    const track = Array.from({ length: 500 }, (_, s) => samplePosition({ time: at(s) }));
    const dots = trailOf(track);
    expect(dots).toHaveLength(20);
    expect((dots[1]?.time ?? 0) - (dots[0]?.time ?? 0)).toBe(15_000);
  });

  it('the trail behind a vehicle joins what was read with what came since', () => {
    const trails = createTrails();
    for (let s = 300; s < 360; s++) trails.add(samplePosition({ time: at(s) }));
    trails.seed(
      'v1',
      Array.from({ length: 310 }, (_, s) => samplePosition({ time: at(s) })),
    );
    const times = trails.get('v1').map((it) => it.time);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(new Set(times).size).toBe(times.length);
    expect(times.at(-1)).toBe(Date.parse(at(345)));
  });
});
