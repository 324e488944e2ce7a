import { describe, expect, it } from 'vitest';
import { createOfflineTerminals } from '../../../server/video/failurePolicy.ts';

describe('a terminal that is off line', () => {
  it('a terminal that is off line is asked after growing delays, until they are ten minutes', () => {
    const away = createOfflineTerminals();
    const pauses: number[] = [];
    let now = 1_000_000;
    for (let miss = 0; miss < 8; miss++) {
      away.missed('a', now);
      const next = away.nextAt() ?? 0;
      expect(away.due(next - 1)).toEqual([]);
      expect(away.due(next)).toEqual(['a']);
      pauses.push((next - now) / 1000);
      now = next;
    }
    expect(pauses).toEqual([5, 15, 45, 120, 300, 600, 600, 600]);
  });

  it('a terminal that is off line that answers but gives nothing is not asked more often for it', () => {
    const away = createOfflineTerminals();
    away.missed('a', 0);
    away.missed('a', 0);
    away.returned('a');
    expect([...away.ids()]).toEqual([]);
    expect(away.nextAt()).toBeNull();
    away.missed('a', 0);
    expect(away.nextAt()).toBe(45_000);
  });

  it('a terminal that is off line starts again with short delays once it has delivered a request', () => {
    const away = createOfflineTerminals();
    away.missed('a', 0);
    away.missed('a', 0);
    away.forget('a');
    away.missed('a', 0);
    expect(away.nextAt()).toBe(5_000);
  });

  it('a terminal that is off line is asked at once after a start, each terminal for itself', () => {
    const away = createOfflineTerminals();
    away.remember('a');
    away.missed('b', 0);
    expect(away.due(0)).toEqual(['a']);
    expect([...away.ids()]).toEqual(['a', 'b']);
  });
});
