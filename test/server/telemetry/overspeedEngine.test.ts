import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  advanceOverspeed,
  type EpisodeUpdate,
  type Episodes,
  type SpeedFix,
  type SpeedLimit,
} from '../../../server/telemetry/overspeedEngine.ts';

const limit: SpeedLimit = {
  key: 'base',
  limit_kmh: 50,
  limit_source: 'vehicle',
  geozone_id: null,
  rule_version: null,
  tolerance_kmh: 3,
  min_duration_s: 10,
};

type Fix = readonly [time_s: number, speed_kmh: number | null];

/** Drives on under limits that hold from fix to fix. */
function driveUnder(limitsAt: (time_s: number) => readonly SpeedLimit[]) {
  let episodes: Episodes = {};
  let previous: SpeedFix | null = null;
  let named = 0;
  return (...fixes: Fix[]): EpisodeUpdate[] =>
    fixes.flatMap(([time_s, speed_kmh]) => {
      const fix = { time_ms: time_s * 1_000, lat: 52.5, lon: 13.4, speed_kmh, received_ms: time_s * 1_000 };
      const step = advanceOverspeed({
        limits: limitsAt(time_s),
        before: episodes,
        previous,
        fix,
        quiet_s: 10,
        gap_s: 300,
        newId: () => `e${++named}`,
      });
      episodes = step.after;
      previous = fix;
      return step.updates;
    });
}

const drive = (...fixes: Fix[]) => driveUnder(() => [limit])(...fixes);

/** `began e1 60` for the episode e1 that began with a peak of 60. */
function shortly(news: readonly EpisodeUpdate[]): string[] {
  return news.map((it) => {
    const end = it.ended_ms === null ? '' : ` at ${it.ended_ms / 1_000}`;
    return `${it.change} ${it.event_id} ${it.episode.peak.speed_kmh}${end}`;
  });
}

describe('the overspeed engine', () => {
  it('the overspeed engine lets the tolerance pass, however long', () => {
    expect(drive([0, 53], [5, 53], [60, 53], [290, 53])).toEqual([]);
    expect(drive([0, 53.1], [5, 53.1], [10, 53.1])).toHaveLength(1);
  });

  it('the overspeed engine announces once it has lasted, with all of the time it took', () => {
    const news = drive([0, 40], [5, 60], [9, 60], [14, 60], [15, 60]);
    expect(shortly(news)).toEqual(['began e1 60']);
    expect(news[0]?.episode).toMatchObject({
      since_ms: 5_000,
      announced: { time_ms: 15_000, received_ms: 15_000 },
      limit_kmh: 50,
      limit_source: 'vehicle',
    });
  });

  it('the overspeed engine forgets what did not last', () => {
    expect(drive([0, 40], [5, 60], [9, 60], [14, 50], [15, 60], [24, 60])).toEqual([]);
    expect(drive([0, 40], [5, 60], [9, 52], [14, 60], [23, 60])).toEqual([]);
  });

  it('the overspeed engine takes one fix for enough where fixes are sparser than that', () => {
    expect(shortly(drive([0, 40], [10, 60]))).toEqual(['began e1 60']);
    expect(drive([0, 40], [9, 60])).toEqual([]);
    // A tracker that reports every ten minutes would otherwise never be above any limit.
    expect(shortly(drive([0, 40], [600, 60], [1_200, 40]))).toEqual(['began e1 60', 'ended e1 60 at 600']);
  });

  it('the overspeed engine knows nothing of the way to a vehicle’s first fix', () => {
    expect(drive([0, 90])).toEqual([]);
    expect(shortly(drive([0, 90], [10, 80]))).toEqual(['began e1 90']);
  });

  it('the overspeed engine makes one episode of it, with its peak', () => {
    const news = drive([0, 60], [10, 60], [11, 60.5], [12, 62], [13, 61], [14, 75], [20, 40], [31, 40]);
    expect(shortly(news)).toEqual(['began e1 60', 'grew e1 62', 'grew e1 75', 'ended e1 75 at 20']);
    expect(news.at(-1)?.episode.peak.time_ms).toBe(14_000);
  });

  it('the overspeed engine reports the true peak at the end, though it grew by too little to be published', () => {
    expect(shortly(drive([0, 60], [10, 60], [11, 60.5], [12, 40], [22, 40]))).toEqual([
      'began e1 60',
      'ended e1 60.5 at 12',
    ]);
  });

  it('the overspeed engine ends once it was below the limit for ten seconds', () => {
    expect(shortly(drive([0, 60], [10, 60], [12, 45], [21, 45], [22, 45]))).toEqual([
      'began e1 60',
      'ended e1 60 at 12',
    ]);
    expect(shortly(drive([0, 60], [10, 60], [12, 45], [21, 45], [21.9, 60]))).toEqual(['began e1 60']);
  });

  it('the overspeed engine goes on between the limit and the tolerance', () => {
    const news = drive([0, 60], [10, 60], [20, 52], [40, 51], [60, 54], [80, 52], [100, 49]);
    expect(shortly(news)).toEqual(['began e1 60', 'ended e1 60 at 100']);
    expect(news[1]?.episode.last_over.time_ms).toBe(80_000);
  });

  it('the overspeed engine ends with a gap of more than five minutes, at the last fix above', () => {
    expect(shortly(drive([0, 60], [10, 60], [310, 60]))).toEqual(['began e1 60']);
    expect(shortly(drive([0, 60], [10, 60], [311, 40]))).toEqual(['began e1 60', 'ended e1 60 at 10']);
    expect(shortly(drive([0, 60], [10, 60], [311, 70]))).toEqual([
      'began e1 60',
      'ended e1 60 at 10',
      'began e2 70',
    ]);
  });

  it('the overspeed engine is neither ended nor lengthened by fixes without a speed', () => {
    expect(shortly(drive([0, 60], [10, 60], [20, null], [40, null], [50, 60]))).toEqual(['began e1 60']);
    expect(drive([0, 40], [5, null], [10, null])).toEqual([]);
  });

  it('the overspeed engine ends where there is no limit any more', () => {
    const go = driveUnder((time_s) => [{ ...limit, limit_kmh: time_s < 20 ? 50 : null }]);
    expect(shortly(go([0, 60], [10, 60], [20, 60], [30, 60]))).toEqual(['began e1 60', 'ended e1 60 at 20']);
  });

  it('the overspeed engine keeps the limit that was passed first, and measures by the one that holds now', () => {
    const go = driveUnder((time_s) => [
      time_s < 20 ? { ...limit, limit_kmh: 30, limit_source: 'geofence', geozone_id: 'f1' } : limit,
    ]);
    const news = go([0, 60], [10, 60], [20, 60], [30, 45], [40, 45]);
    expect(shortly(news)).toEqual(['began e1 60', 'ended e1 60 at 30']);
    expect(news[1]?.episode).toMatchObject({ limit_kmh: 30, limit_source: 'geofence', geozone_id: 'f1' });
  });

  it('the overspeed engine measures by each rule’s own numbers, side by side', () => {
    const rule: SpeedLimit = {
      ...limit,
      key: 'r1',
      limit_kmh: 80,
      limit_source: 'rule',
      rule_version: 4,
      tolerance_kmh: 0,
      min_duration_s: 0,
    };
    const news = driveUnder(() => [limit, rule])([0, 60], [10, 60], [12, 81], [14, 60], [30, 60]);
    expect(news.map((it) => `${it.key} ${it.change}`)).toEqual([
      'base began',
      'base grew',
      'r1 began',
      'r1 ended',
    ]);
    expect(news[2]?.episode).toMatchObject({ limit_kmh: 80, limit_source: 'rule', rule_version: 4 });
  });

  it('the overspeed engine ends the episode of a rule that is gone', () => {
    const rule: SpeedLimit = { ...limit, key: 'r1' };
    const go = driveUnder((time_s) => (time_s < 20 ? [limit, rule] : [limit]));
    expect(go([0, 60], [10, 60], [20, 60]).map((it) => `${it.key} ${it.change}`)).toEqual([
      'base began',
      'r1 began',
      'r1 ended',
    ]);
  });

  it('the overspeed engine begins, grows and ends each episode in that order, never two at a time, and never beneath its tolerance', () => {
    const fix = fc.tuple(
      fc.constantFrom(1, 4, 10, 30, 301, 900),
      fc.option(fc.integer({ min: 0, max: 120 })),
    );
    fc.assert(
      fc.property(fc.array(fix, { maxLength: 60, size: 'max' }), (steps) => {
        let time_s = 0;
        const news = drive(...steps.map(([pause_s, speed]): Fix => [(time_s += pause_s), speed]));
        let open: string | null = null;
        let peak = 0;
        for (const { change, event_id, episode, ended_ms } of news) {
          expect(episode.peak.speed_kmh).toBeGreaterThan(53);
          if (change === 'began') {
            expect(open).toBeNull();
            [open, peak] = [event_id, episode.peak.speed_kmh ?? 0];
            continue;
          }
          expect(event_id).toBe(open);
          expect(episode.peak.speed_kmh).toBeGreaterThanOrEqual(peak);
          peak = episode.peak.speed_kmh ?? 0;
          if (change === 'ended') {
            expect(ended_ms).toBeGreaterThanOrEqual(episode.last_over.time_ms);
            open = null;
          }
        }
      }),
    );
  });
});
