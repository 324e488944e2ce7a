import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDepotTime } from '../../../renderer/format/depotTime.ts';
import { SPEED_AXIS_PX, speedChartOptions, speedTicks } from '../../../renderer/vehicles/speedChart.ts';

describe('the chart of speeds', () => {
  beforeEach(() => void vi.stubGlobal('getComputedStyle', () => ({ getPropertyValue: () => '' })));
  afterEach(() => void vi.unstubAllGlobals());

  it('has an axis of speeds beside the axis of hours', () => {
    const { axes } = speedChartOptions({
      element: {} as Element,
      width: 300,
      height: 84,
      time: createDepotTime('UTC'),
      limitKmh: null,
    });
    expect(axes?.[1]?.show).not.toBe(false);
    expect(axes?.[1]?.size).toBe(SPEED_AXIS_PX);
  });

  it.each([
    [42, [0, 20, 40]],
    [99, [0, 25, 50, 75]],
    [140, [0, 40, 80, 120]],
    [380, [0, 100, 200, 300]],
    [1_000, [0, 300, 600, 900]],
  ])('names round speeds up to %d km/h', (top, ticks) => {
    expect(speedTicks(top)).toEqual(ticks);
  });
});
