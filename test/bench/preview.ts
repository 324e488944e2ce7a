import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { newGeofence, type Geofence } from '../../server/contract/geofences.ts';
import { newRule, type NewRule } from '../../server/contract/rules.ts';
import { settingsFields } from '../../server/contract/settings.ts';
import { newVehicle } from '../../server/contract/vehicles.ts';
import { createPreviewWork } from '../../server/preview/previewWork.ts';
import { emptyBatch, type PositionRow } from '../../server/store/telemetry/rows.ts';
import { openStore } from '../../server/store/openStore.ts';
import type { VehicleRecord } from '../../server/vehicles/vehicleRecord.ts';

const vehicles = 100;
const days = 7;
const everyMs = 30_000;
const dayMs = 86_400_000;
const start_ms = Date.UTC(2026, 10, 2);
const perVehicle = (days * dayMs) / everyMs;
const stamps = { version: 1, created_at: new Date(0).toISOString(), updated_at: new Date(0).toISOString() };

const geofence: Geofence = {
  ...newGeofence.parse({
    name: 'Yard',
    shape: 'circle',
    geometry: { type: 'Point', coordinates: [13.44, 52.52] },
    radius_m: 800,
  }),
  ...stamps,
  geozone_id: randomUUID(),
};

/** Previews over a week of a hundred vehicles, and how long the host's own thread was held up meanwhile. */
export async function benchPreview(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fleetdeck-bench-'));
  const store = await openStore({ folder });
  const fleet = Array.from({ length: vehicles }, (_, at) => vehicleOf(at));
  for (const [at, { vehicle_id }] of fleet.entries()) {
    await store.commit({ ...emptyBatch(), positions: track(vehicle_id, at) });
  }
  const work = createPreviewWork(join(folder, 'telemetry.db'));
  const period = { from_ms: start_ms, to_ms: start_ms + days * dayMs };
  const settings = settingsFields.parse({});
  const ask = { user_id: 'user', signal: new AbortController().signal };
  console.log(`previews: ${vehicles} vehicles, ${days} days, a position every ${everyMs / 1_000} s`);

  const { crossing_max_gap_s } = settings;
  const vehicle_ids = fleet.map((it) => it.vehicle_id);
  await measured('nothing, for two seconds', async () => {
    await pause(2_000);
    return { positions: 0 };
  });
  await measured('a geofence', () =>
    work.visits(() => ({ geofence, vehicle_ids, period, crossing_max_gap_s }), ask),
  );
  for (const wanted of rules) {
    const rule = {
      ...newRule.parse(wanted),
      video: null,
      ...stamps,
      rule_id: randomUUID(),
      disabled_reason: null,
      owner_id: null,
    };
    const order = {
      ...{ rule, settings, period, vehicles: fleet },
      ...{ geofences: [geofence], seen_fence_ids: [geofence.geozone_id], now_ms: period.to_ms },
    };
    await measured(`a rule, ${wanted.name}`, () => work.firings(() => order, ask));
  }
  await work.close();
  await store.close();
  await rm(folder, { recursive: true, force: true });
}

const everywhere: NewRule['scope'] = { all: true };
const rules: Pick<NewRule, 'name' | 'event_kind' | 'scope' | 'params'>[] = [
  { name: 'geofence_enter', event_kind: 'geofence_enter', scope: everywhere, params: {} },
  { name: 'overspeed over 55', event_kind: 'overspeed', scope: everywhere, params: { limit_kmh: 55 } },
  { name: 'offline', event_kind: 'offline', scope: everywhere, params: {} },
];

async function measured(name: string, run: () => Promise<{ positions: number }>): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const { positions } = await run();
  const seconds = (performance.now() - begun) / 1_000;
  delay.disable();
  const cpuSeconds = process.cpuUsage(cpu).user / 1e6;
  console.log(`  ${name}`);
  console.log(
    `    ${positions} positions in   ${seconds.toFixed(1)} s (${cpuSeconds.toFixed(1)} s of computing), ${Math.round(positions / seconds)}/s`,
  );
  console.log(
    `    the host's thread held up at most ${(delay.max / 1e6).toFixed(1)} ms, p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms`,
  );
}

function vehicleOf(at: number): VehicleRecord {
  return {
    ...newVehicle.parse({ name: `Van ${at}`, terminal_id: `bench-${at}`, speed_limit_kmh: 80 }),
    ...stamps,
    vehicle_id: randomUUID(),
    archived_at: null,
    groups_changed_at: stamps.created_at,
  };
}

function track(vehicle_id: string, vehicle: number): PositionRow[] {
  return Array.from({ length: perVehicle }, (_, at) => ({
    vehicle_id,
    time_ms: start_ms + at * everyMs,
    received_ms: start_ms + at * everyMs + 800,
    lat: 52.5 + 0.05 * Math.sin(at / 300 + vehicle),
    lon: 13.4 + 0.05 * Math.cos(at / 270 + vehicle),
    altitude_m: 35,
    speed_kmh: 30 + 30 * Math.sin(at / 20),
    course_deg: at % 360,
    accuracy_m: 5,
    satellites: 9,
    hdop: 0.9,
    valid: true,
    ignition: true,
    odometer_m: at * 100,
    battery_pct: 90,
    alarms: [],
    attributes: { io: 3 },
  }));
}
