import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { ReportKind } from '../../server/contract/reportRows.ts';
import { computeReport } from '../../server/reports/computeReport.ts';
import { createReportLine } from '../../server/reports/reportLine.ts';
import type { ReportJob } from '../../server/reports/reportOrder.ts';
import { openStore } from '../../server/store/openStore.ts';
import type { NewDays, StoredDay } from '../../server/store/telemetry/dayRecordsTable.ts';
import { openHistoryReader, type HistoryReader } from '../../server/store/telemetry/historyReader.ts';
import { emptyBatch, type PositionRow } from '../../server/store/telemetry/rows.ts';
import { orderFor, van } from '../server/reports/drives.ts';

const vehicles = 30;
const days = 30;
const hoursADay = 10;
const everyMs = 10_000;
const dayMs = 86_400_000;
const start_ms = Date.UTC(2026, 9, 1);
const month = { from_ms: start_ms, to_ms: start_ms + days * dayMs };
const year = { from_ms: month.to_ms - 366 * dayMs, to_ms: month.to_ms };
const fleet = Array.from({ length: vehicles }, (_, at) => ({ ...van, vehicle_id: `vehicle-${at}` }));

/** Reports over a month of thirty vehicles beside merely reading the rows, and how long the host was held up. */
export async function benchReports(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fleetdeck-bench-'));
  const file = join(folder, 'telemetry.db');
  const store = await openStore({ folder });
  for (const [at, { vehicle_id }] of fleet.entries()) {
    for (let day = 0; day < days; day++)
      await store.commit({ ...emptyBatch(), positions: drive(vehicle_id, at, start_ms + day * dayMs) });
  }
  const keeping: Promise<void>[] = [];
  const line = createReportLine(file, (it) => void keeping.push(store.keepDays(it)));
  const reader = openHistoryReader(file);
  const rows = vehicles * days * ((hoursADay * 3_600_000) / everyMs);
  console.log(`reports: ${vehicles} vehicles, ${days} days of ${hoursADay} h, ${rows} positions`);

  /** In this thread, in seconds of computing: others may be at work on the machine. */
  const readS = (ids: readonly string[]) =>
    computing(() => {
      for (const id of ids) for (const _ of reader.odometerFixes(id, month.from_ms, month.to_ms));
    });
  const wholeS = (ids: readonly string[]) =>
    computing(() => {
      for (const id of ids) for (const _ of reader.track(id, month.from_ms, month.to_ms));
    });
  function compare(
    name: string,
    ids: readonly string[],
    kind: ReportKind,
    more: Partial<ReportJob> = {},
  ): void {
    const [whole, read] = [wholeS(ids), readS(ids)];
    const given = { vehicles: fleet.filter((it) => ids.includes(it.vehicle_id)), ...more };
    const order = orderFor(kind, month, given);
    const s = computing(() => void computeReport(order, unkept(reader), () => undefined));
    console.log(
      `  ${name}: ${s.toFixed(2)} s of computing; reading the rows whole ${whole.toFixed(2)} s (${(s / whole).toFixed(2)} times), the columns that it needs ${read.toFixed(2)} s (${(s / read).toFixed(2)} times)`,
    );
  }
  const ids = fleet.map((it) => it.vehicle_id);
  readS(ids.slice(0, 3));
  compare('summary', ids, 'summary');
  compare('trips of one vehicle', ids.slice(0, 1), 'trips');
  compare('overspeed', ids, 'overspeed', { limit_kmh: 80 });

  async function run(name: string, kind: ReportKind, more: Partial<ReportJob>): Promise<number> {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const begun = performance.now();
    const order = orderFor(kind, more.period ?? month, { vehicles: fleet, ...more });
    const report = await line.run(() => order, { user_id: 'user', signal: new AbortController().signal });
    const s = (performance.now() - begun) / 1_000;
    await Promise.all(keeping.splice(0));
    delay.disable();
    if (report.kind !== 'bytes') throw new Error(report.kind);
    const size = (report.bytes.length / 1_000).toFixed(0);
    console.log(`  ${name}: ${s.toFixed(3)} s, ${size} kB`);
    const [p99, max] = [delay.percentile(99), delay.max].map((ns) => (ns / 1e6).toFixed(1));
    console.log(`    the host's thread held up at most ${max ?? ''} ms, p99 ${p99 ?? ''} ms`);
    return s;
  }

  const first = await run('summary, first run', 'summary', {});
  const second = await run('summary, second run', 'summary', {});
  console.log(`    1/${(first / second).toFixed(0)} of the first`);
  await run('utilisation', 'utilisation', {});
  await run('hours', 'hours', {});

  for (const it of yearsOf(reader)) await store.keepDays(it);
  await run('summary of a year of kept days', 'summary', { period: year });
  await run('daily report of a year of kept days', 'daily', { period: year });
  reader.close();
  await line.close();
  await store.close();
  await rm(folder, { recursive: true, force: true });
}

/** So that nothing is kept yet. */
function unkept(reader: HistoryReader): HistoryReader {
  return { ...reader, keptDays: (...given) => ({ ...reader.keptDays(...given), days: [] }) };
}

/** The month that was worked out, over and over again. */
function yearsOf(reader: HistoryReader): NewDays[] {
  const made: NewDays[] = [];
  const order = orderFor('summary', month, { vehicles: fleet });
  computeReport(
    order,
    unkept(reader),
    () => undefined,
    (it) => void made.push(it),
  );
  return made.map((it) => {
    const worked = JSON.parse(new TextDecoder().decode(it.days)) as StoredDay[];
    const all: StoredDay[] = [];
    for (let back = 1; all.length < 366; back++) {
      for (const day of worked) {
        const shift = back * days * dayMs;
        all.push({ ...day, from_ms: day.from_ms - shift, to_ms: day.to_ms - shift });
      }
    }
    return { ...it, days: new TextEncoder().encode(JSON.stringify(all)) };
  });
}

function computing(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** Ten hours on the road with a stop each half hour. */
function drive(vehicle_id: string, vehicle: number, day_ms: number): PositionRow[] {
  const begins_ms = day_ms + 7 * 3_600_000;
  let [north_m, east_m] = [0, 0];
  return Array.from({ length: (hoursADay * 3_600_000) / everyMs }, (_, at) => {
    const isDriving = at % 180 < 140;
    const speed_kmh = isDriving ? 40 + 30 * Math.sin(at / 37 + vehicle) + 25 * Math.sin(at / 11) : 0;
    const way_m = (Math.max(0, speed_kmh) / 3.6) * (everyMs / 1_000);
    north_m += way_m * Math.sin(at / 90);
    east_m += way_m * Math.cos(at / 90);
    return {
      vehicle_id,
      time_ms: begins_ms + at * everyMs,
      received_ms: begins_ms + at * everyMs + 800,
      lat: 52.5 + north_m / 111_195,
      lon: 13.4 + east_m / 67_700,
      altitude_m: 35,
      speed_kmh: Math.max(0, speed_kmh),
      course_deg: 90,
      accuracy_m: null,
      satellites: 11,
      hdop: 0.8,
      valid: true,
      ignition: isDriving || at % 180 < 160,
      odometer_m: null,
      battery_pct: null,
      alarms: [],
      attributes: { external_voltage_v: 12.6, gsm_signal: 4 },
    };
  });
}
