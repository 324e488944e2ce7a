import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { causeOf, messageOf } from '../../../server/contract/causeTexts.ts';
import type { Geofence } from '../../../server/contract/geofences.ts';
import { indexLimits, measureShape, type IndexLimits } from '../../../server/geofences/indexLimits.ts';
import {
  createMonitoredGeofences,
  type Claim,
  type StoredGeofence,
} from '../../../server/geofences/monitoredGeofences.ts';
import { coast } from './densePolygons.ts';
import { circle, geofenceOf, offset, square } from './geofences.ts';

const town = { lat: 52.5, lon: 13.4 };

function stored(geofence: Geofence, created_at = geofence.created_at): StoredGeofence {
  return { ...geofence, created_at, known_from: created_at };
}

/** A claim that counts how often its shape is built. */
function claimOf(geofence: Geofence, built: string[] = []): Claim {
  const measured = measureShape(geofence);
  const { plan } = measured;
  return {
    geozone_id: geofence.geozone_id,
    geofence,
    measured: {
      ...measured,
      plan: {
        ...plan,
        build() {
          built.push(geofence.name);
          return plan.build();
        },
      },
    },
  };
}

const border = (name: string, corners: number, seed = 1) =>
  geofenceOf({ shape: 'polygon', geometry: { type: 'Polygon', coordinates: [coast(corners, seed)] }, name });

function monitor(limits: Partial<IndexLimits> = {}) {
  const refused: string[] = [];
  const monitored = createMonitoredGeofences(
    { ...indexLimits, ...limits },
    { now: () => 7_000_000_000_000 },
    ({ name }, { code }) => refused.push(`${name}: ${code}`),
  );
  return { monitored, refused };
}

describe('the monitored geofences', () => {
  it('index a geofence once: neither the change nor the deletion of another indexes it again', () => {
    const { monitored } = monitor();
    const built: string[] = [];
    const [one, two, three] = ['one', 'two', 'three'].map((name, at) => border(name, 300, at));
    if (one === undefined || two === undefined || three === undefined) throw new Error('there are three');
    const take = (...geofences: Geofence[]) => {
      expect(monitored.claim(geofences.map((it) => claimOf(it, built)))).toEqual(geofences.map(() => null));
    };
    take(one, two, three);
    monitored.index([one, two, three].map((it) => stored(it)));
    monitored.settle([one, two, three].map((it) => it.geozone_id));
    expect(built).toEqual(['one', 'two', 'three']);
    const shapeOfOne = monitored.index([stored(one), stored(two)]).get(one.geozone_id)?.shape;
    expect(built).toHaveLength(3);

    const renamed = { ...structuredClone(one), name: 'one again' };
    const changed = { ...two, geometry: border('Border', 300, 9).geometry };
    take(changed);
    const index = monitored.index([stored(renamed), stored(changed)]);
    monitored.settle([changed.geozone_id]);
    expect(built).toEqual(['one', 'two', 'three', 'two']);
    expect(index.get(one.geozone_id)?.shape).toBe(shapeOfOne);
    expect(index.get(one.geozone_id)?.geofence.name).toBe('one again');
  });

  it('the monitored geofences refuse one whose index would go beyond the bytes that all may take, before it is built', () => {
    const bytes = measureShape(border('Border', 5_000)).plan.bytes;
    const { monitored } = monitor({ bytes: 2.5 * bytes });
    const built: string[] = [];
    const claims = ['a', 'b', 'c'].map((name) => claimOf(border(name, 5_000), built));
    const refusals = monitored.claim(claims);
    expect(refusals.slice(0, 2)).toEqual([null, null]);
    expect(refusals[2]).toEqual({
      code: 'quota_exceeded',
      path: 'geometry.coordinates',
      ...messageOf(causeOf('geofence.indexes_full', { bytes: 3 * bytes, most: 2.5 * bytes })),
    });
    expect(built).toEqual([]);
    // What is claimed and not stored in the end is free again.
    expect(monitored.claim([claimOf(border('d', 5_000))])[0]?.code).toBe('quota_exceeded');
    monitored.settle(claims.map((it) => it.geozone_id));
    expect(monitored.claim([claimOf(border('d', 5_000))])).toEqual([null]);
  });

  it('the monitored geofences count the bytes that the typed arrays of a shape really take', () => {
    let allocated = 0;
    const count = (length: unknown, bytes: number) => {
      if (typeof length === 'number') allocated += length * bytes;
    };
    class CountedUint32 extends Uint32Array {
      constructor(...given: [number]) {
        super(...given);
        count(given[0], 4);
      }
    }
    class CountedFloat64 extends Float64Array {
      constructor(...given: [number]) {
        super(...given);
        count(given[0], 8);
      }
    }
    const corners = 20_000;
    const { plan } = measureShape(border('Border', corners));
    vi.stubGlobal('Uint32Array', CountedUint32);
    vi.stubGlobal('Float64Array', CountedFloat64);
    onTestFinished(() => void vi.unstubAllGlobals());
    plan.build();
    const kept = plan.bytes - plan.edges.byteLength;
    // Beside what is kept: keys to sort by, and where the next entry of each node goes.
    const passing = 2 * corners * 8 + 3 * 8_192 * 4;
    expect(allocated).toBeGreaterThanOrEqual(kept - 8 * corners);
    expect(allocated).toBeLessThanOrEqual(kept + passing);
  });

  it('the monitored geofences take a thousand geofences over one place, and refuse what is beyond, and only there', () => {
    const { monitored } = monitor();
    const claims = Array.from({ length: 1_100 }, (_, at) => claimOf(circle(offset(town, at % 40, 0), 500)));
    const refusals = monitored.claim(claims);
    expect(refusals.findIndex((it) => it !== null)).toBe(1_024);
    expect(refusals.slice(1_024).every((it) => it?.code === 'quota_exceeded')).toBe(true);
    expect(refusals[1_024]?.message).toContain('lies where too many geofences lie over each other');
    expect(monitored.claim([claimOf(square(offset(town, 5_000, 0), 500))])).toEqual([null]);
    expect(monitored.claim([claimOf(square(town, 5))])[0]?.code).toBe('quota_exceeded');
  });

  it('the monitored geofences take five thousand geofences beside each other under one that holds them all', () => {
    const { monitored } = monitor();
    const claims = Array.from({ length: 5_000 }, (_, at) =>
      claimOf(circle(offset(town, (at % 100) * 150, Math.floor(at / 100) * 150), 100)),
    );
    claims.push(claimOf(square(town, 50_000)));
    expect(monitored.claim(claims).filter((it) => it !== null)).toEqual([]);
  });

  it('the monitored geofences of more than may be monitored leave the younger ones out, say so once, and take them once there is space', () => {
    const bytes = measureShape(border('Border', 5_000)).plan.bytes;
    const { monitored, refused } = monitor({ bytes: 1.5 * bytes });
    const young = stored(border('young', 5_000), '2026-02-02T00:00:00.000Z');
    const old = stored(border('old', 5_000), '2026-01-01T00:00:00.000Z');
    const index = monitored.index([young, old]);
    expect(index.get(old.geozone_id)).toBeDefined();
    expect(index.get(young.geozone_id)).toBeUndefined();
    expect(monitored.refusalOf(young.geozone_id)?.code).toBe('quota_exceeded');
    monitored.index([young, old].map((it) => ({ ...it })));
    expect(refused).toEqual(['young: quota_exceeded']);
    monitored.index([young]);
    expect(monitored.refusalOf(young.geozone_id)).toBeNull();
    // A vehicle that is inside by then has not entered just now.
    expect(monitored.index([young]).get(young.geozone_id)?.known_from_ms).toBe(7_000_000_000_000);
  });
});
