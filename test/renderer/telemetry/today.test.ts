import { describe, expect, it } from 'vitest';
import { dayDriven, speedSeries } from '../../../renderer/telemetry/today.ts';
import { samplePosition } from '../samples.ts';

const at = (s: number) => new Date(Date.UTC(2026, 10, 21, 12) + s * 1_000).toISOString();

describe('a day of driving', () => {
  it('a day of driving counts the driven distance, without jitter and gaps', () => {
    const track = [
      samplePosition({ time: at(0), lat: 52.5, speed_kmh: 40 }),
      samplePosition({ time: at(60), lat: 52.51, speed_kmh: 40 }),
      samplePosition({ time: at(120), lat: 52.5101, speed_kmh: 0 }),
      samplePosition({ time: at(180), lat: 52.51, speed_kmh: 0 }),
      samplePosition({ time: at(1_000), lat: 52.6, speed_kmh: 40 }),
    ];
    const { distanceM, drivingMs } = dayDriven(track);
    expect(drivingMs).toBe(120_000);
    expect(distanceM).toBeGreaterThan(1_100);
    expect(distanceM).toBeLessThan(1_140);
  });

  it('a day of driving is cut in the chart where nothing is known', () => {
    const series = speedSeries([
      samplePosition({ time: at(0), speed_kmh: 10 }),
      samplePosition({ time: at(900), speed_kmh: 20 }),
    ]);
    expect(series.speeds).toEqual([10, null, 20]);
    expect(series.times).toHaveLength(3);
  });
});
