import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { event } from '../../server/contract/events.ts';
import { geofence, type Geofence } from '../../server/contract/geofences.ts';
import { track } from '../../server/contract/positions.ts';
import { anyFence } from '../server/geofences/geofences.ts';
import { naiveCrossings } from '../server/geofences/naiveGeofences.ts';
import { createFakeClock } from '../support/fakeClock.ts';
import { expectCreated, openDepot, wholeList } from './depot.ts';
import { createTerminal } from './terminal.ts';

const file = fileURLToPath(
  new URL('../../../shared/data/tracks/austin-buses-2017-04-18.csv', import.meta.url),
);
const austin = { lat: 30.2672, lon: -97.7431 };
const geofenceCount = 30;
/** What is sent at once; each bus's own fixes in their order. */
const stepMs = 10_000;
/** Connections at once. */
const senders = 16;

interface Fix {
  vehicle: string;
  time_ms: number;
  lat: number;
  lon: number;
  speed_kmh: number | null;
}

function readFixes(): Fix[] {
  const [, ...rows] = readFileSync(file, 'utf8').trim().split('\n');
  return rows.map((row) => {
    const [vehicle = '', time = '', lat, lon, speed] = row.split(',');
    const speed_kmh = speed === undefined || speed === '' ? null : Number(speed);
    return { vehicle, time_ms: Date.parse(time), lat: Number(lat), lon: Number(lon), speed_kmh };
  });
}

function byVehicle(fixes: readonly Fix[]): Map<string, Fix[]> {
  const tracks = new Map<string, Fix[]>();
  for (const fix of fixes) tracks.set(fix.vehicle, [...(tracks.get(fix.vehicle) ?? []), fix]);
  return tracks;
}

test.skipIf(!existsSync(file))(
  'every row of two hours of 320 city buses is stored, and every border crossing is reported',
  async () => {
    const fixes = readFixes();
    const tracks = byVehicle(fixes);
    const start_ms = Math.min(...fixes.map((it) => it.time_ms));
    const clock = createFakeClock(start_ms - 1_000);
    const depot = await openDepot({ clock });
    const { host } = depot;
    let { dealer } = depot;
    await dealer.call('PATCH', '/api/v1/settings', { osmand_speed_unit: 'kmh' });
    const rows = [...tracks.keys()].map((id) => ({ terminal_id: id, name: `Bus ${id}` }));
    expect((await dealer.post('/api/v1/vehicles/import', rows)).body).toMatchObject({ created: tracks.size });
    const geofences: Geofence[] = [];
    for (const wanted of fc.sample(anyFence(austin, 6_000), { numRuns: geofenceCount, seed: 20170418 })) {
      const { geozone_id: _, version: __, created_at: ___, updated_at: ____, ...fields } = wanted;
      geofences.push(expectCreated(geofence, await dealer.post('/api/v1/geozones', fields)));
    }

    // At their own time, so that nothing is late; those of one step come by several connections at once.
    const intake = createTerminal(host.intakeUrl, senders);
    onTestFinished(() => intake.close());
    const steps = Map.groupBy(fixes, (it) => Math.ceil(it.time_ms / stepMs));
    for (const [step, together] of steps) {
      clock.advance(step * stepMs - clock.now());
      await Promise.all(
        [...byVehicle(together).values()].map(async (mine) => {
          for (const { vehicle: id, time_ms, lat, lon, speed_kmh } of mine) {
            const speed = speed_kmh === null ? {} : { speed: speed_kmh };
            expect(await intake.send({ id, lat, lon, timestamp: time_ms / 1_000, ...speed })).toBe(200);
          }
        }),
      );
    }

    // The first JWT has expired meanwhile.
    dealer = await host.login();
    const counts = (await dealer.get('/api/v1/status')).body;
    expect(counts.intake.osmand).toMatchObject({
      messages: fixes.length,
      stored: fixes.length,
      duplicate: 0,
    });
    expect(counts.store.positions_stored).toBe(fixes.length);

    const published = Map.groupBy(
      await wholeList(dealer, '/api/v1/events?kind=geofence_enter,geofence_exit', event),
      (it) => `${it.vehicle_id} ${it.geozone_id ?? ''}`,
    );
    const period = `from=${new Date(start_ms).toISOString()}&to=${new Date(clock.now()).toISOString()}`;
    let [compared, unsure, entered] = [0, 0, 0];
    for (const [id, expected] of tracks) {
      const { positions } = track.parse((await dealer.get(`/api/v1/vehicles/${id}/track?${period}`)).body);
      expect(
        positions.map(({ terminal_id, time, lat, lon, speed_kmh }) => ({
          vehicle: terminal_id,
          time_ms: Date.parse(time),
          lat,
          lon,
          speed_kmh,
        })),
      ).toEqual(expected);
      for (const fence of geofences) {
        const naive = naiveCrossings(fence, expected);
        if (naive === null) {
          unsure += 1;
          continue;
        }
        compared += 1;
        const mine = (
          published.get(`${positions[0]?.vehicle_id ?? ''} ${fence.geozone_id}`) ?? []
        ).toReversed();
        // The interpolated way in and the way out of a short visit may bear one time.
        const inOrder = mine.toSorted((a, b) => Date.parse(a.time) - Date.parse(b.time));
        expect(inOrder.map((it) => it.kind)).toEqual(naive.map((it) => it.kind));
        for (const [at, { time_ms, isInterpolated }] of naive.entries()) {
          const differenceMs = Math.abs(Date.parse(inOrder[at]?.time ?? '') - time_ms);
          expect(differenceMs).toBeLessThanOrEqual(isInterpolated ? 1_500 : 0);
        }
        entered += naive.filter((it) => it.kind === 'geofence_enter').length;
      }
    }
    expect(unsure / (compared + unsure)).toBeLessThan(0.05);
    expect(entered).toBeGreaterThan(1_000);
  },
  120_000,
);
