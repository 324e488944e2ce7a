import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { systemClock } from '../../server/clock.ts';
import { openStore } from '../../server/store/openStore.ts';
import type { PositionRow } from '../../server/store/telemetry/rows.ts';
import { emptyReport } from '../../server/telemetry/terminalReport.ts';
import { createPipelineFixture, ruleFor, vehicleNamed } from '../journey/pipelineFixture.ts';
import type { Geofence } from '../../server/contract/geofences.ts';
import type { LatLon } from '../../server/geofences/geodesy.ts';
import { anyFence, offset } from '../server/geofences/geofences.ts';
import { groupOf, timeBareInserts, type Group } from './bareInserts.ts';

const town = { lat: 52.5, lon: 13.4 };
const vehicles = 500;
const fixesEach = 100;
const geofences = 1_000;

/** The road of a position, engines and rules and all, beside bare inserts of the same rows in the same groups. */
export async function benchIntake(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fleetdeck-bench-'));
  try {
    const groups: Group[] = [];
    let events = 0;
    const ours_s = await timeOurs(folder, (rows, eventCount) => {
      groups.push(groupOf(rows));
      events += eventCount;
    });
    const bare_s = timeBareInserts(folder, groups);
    const rows = vehicles * fixesEach;
    const rate = (seconds: number) => Math.round(rows / seconds).toLocaleString('en');
    console.log(
      `intake: ${rows.toLocaleString('en')} positions of ${vehicles} vehicles, ${geofences} geofences, 5 rules, ` +
        `${events} events, ${groups.length} commits`,
    );
    console.log(`  pipeline.accept        ${rate(ours_s)} positions/s`);
    console.log(`  bare node:sqlite       ${rate(bare_s)} positions/s (best of 3)`);
    console.log(`  ratio                  ${(bare_s / ours_s).toFixed(2)}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function timeOurs(
  folder: string,
  onGroup: (rows: PositionRow[], events: number) => void,
): Promise<number> {
  const store = await openStore({ folder });
  const fleet = Array.from({ length: vehicles }, (_, at) =>
    vehicleNamed(`bench-${at}`, { speed_limit_kmh: 50 }),
  );
  const yards = geofencesOverTown();
  const road = createPipelineFixture({
    store,
    vehicles: fleet,
    geofences: yards,
    rules: [
      ruleFor('sos'),
      ruleFor('overspeed'),
      ruleFor('overspeed', { params: { limit_kmh: 40 } }),
      ruleFor('geofence_enter'),
      ruleFor('geofence_exit', { geozone_ids: yards.slice(0, 10).map((it) => it.geozone_id) }),
    ],
    clock: systemClock,
    onCommitted: ({ batch }) => onGroup(batch.positions, batch.events.length),
  });
  const start_ms = Date.now() - fixesEach * 1_000;
  const drive = async (terminal_id: string, vehicle: number) => {
    for (let at = 0; at < fixesEach; at++) {
      // Straight on from somewhere in the town, 15 m a second.
      const [east, north] = [at * 15 * Math.cos(vehicle), at * 15 * Math.sin(vehicle)];
      const place = offset(somewhere(vehicle + geofences), east, north);
      const speed_kmh = 45 + 20 * Math.sin(at / 9 + vehicle);
      const report = { ...emptyReport, terminal_id, time_ms: start_ms + at * 1_000, place, speed_kmh };
      await road.accept([report], { protocol: 'bench', address: null });
    }
  };
  const begun = performance.now();
  await Promise.all(fleet.map((it, at) => drive(it.terminal_id, at)));
  const seconds = (performance.now() - begun) / 1_000;
  await store.close();
  return seconds;
}

/** A place in a town of 20 by 20 km; the same one for the same number. */
function somewhere(at: number): LatLon {
  const part = (factor: number) => ((at * factor) % 1) * 20_000 - 10_000;
  return offset(town, part(Math.SQRT2), part(Math.E));
}

export function geofencesOverTown(): Geofence[] {
  return Array.from({ length: geofences }, (_, at) =>
    fc.sample(anyFence(somewhere(at), 300), { numRuns: 1, seed: at }),
  ).flat();
}
