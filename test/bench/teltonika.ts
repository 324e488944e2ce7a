import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { pino } from 'pino';
import { systemClock } from '../../server/clock.ts';
import { openStore } from '../../server/store/openStore.ts';
import type { PositionRow } from '../../server/store/telemetry/rows.ts';
import { createClockWatch } from '../../server/telemetry/clockWatch.ts';
import { createCommandLinks } from '../../server/telemetry/intake/terminalLinks.ts';
import { listenTcpAndUdp } from '../../server/telemetry/intake/listenTcpAndUdp.ts';
import { createTeltonika } from '../../server/telemetry/intake/teltonikaHandler.ts';
import { countIntake } from '../../server/telemetry/intakeCounter.ts';
import { avlReport } from '../../server/telemetry/protocols/teltonika/avlReport.ts';
import { readAvlData } from '../../server/telemetry/protocols/teltonika/avlRecords.ts';
import { readFrame } from '../../server/telemetry/protocols/teltonika/frames.ts';
import { createPipelineFixture, ruleFor, vehicleNamed } from '../journey/pipelineFixture.ts';
import { packetBytes } from '../support/fakeTeltonika.ts';
import { groupOf, timeBareInserts, type Group } from './bareInserts.ts';
import { geofencesOverTown } from './intake.ts';
import type { FleetOrder, FleetWord } from './teltonikaFleet.ts';

const connections = 2_000;
const recordsEach = 5;
const idle = 10_000;
/** How long the fleet sends at a steady rate, unless another time is given. */
export const shortly_min = 1 / 3;

const imeiOf = (at: number) => `35${String(at).padStart(13, '0')}`;

// Teltonika terminals on real sockets, from their bytes to the acknowledgement.

/** A host's pipeline of positions with a Teltonika listener, and what was committed. */
async function openIntake(vehicles: number, onGroup: (rows: PositionRow[], events: number) => void) {
  const folder = await mkdtemp(join(tmpdir(), 'fleetdeck-bench-'));
  const store = await openStore({ folder });
  const geofences = geofencesOverTown();
  const fleet = Array.from({ length: vehicles }, (_, at) =>
    vehicleNamed(imeiOf(at), { speed_limit_kmh: 50 }),
  );
  const known = new Set(fleet.map((it) => it.terminal_id));
  const road = createPipelineFixture({
    store,
    vehicles: fleet,
    geofences,
    rules: [
      ruleFor('sos'),
      ruleFor('overspeed'),
      ruleFor('overspeed', { params: { limit_kmh: 40 } }),
      ruleFor('geofence_enter'),
      ruleFor('geofence_exit', { geozone_ids: geofences.slice(0, 10).map((it) => it.geozone_id) }),
    ],
    clock: systemClock,
    onCommitted: ({ batch }) => onGroup(batch.positions, batch.events.length),
  });
  const log = pino({ level: 'silent' });
  const clocks = createClockWatch({
    offsetOf: (imei) => (known.has(imei) ? 0 : null),
    clock: systemClock,
    log,
  });
  const listener = await listenTcpAndUdp(
    0,
    '127.0.0.1',
    createTeltonika({
      isKnown: (imei) => known.has(imei),
      heard: () => Promise.resolve(),
      commands: createCommandLinks(),
      clock: systemClock,
    }),
    { accept: countIntake(clocks.over(road.accept), systemClock).accept, clock: systemClock, log },
  );
  return {
    folder,
    port: listener.port,
    async close() {
      await listener.close();
      await road.close();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a fleet; `ride` lets it send and resolves once all is acknowledged, in seconds. */
async function startFleet(order: FleetOrder) {
  const child = fork(fileURLToPath(new URL('teltonikaFleet.ts', import.meta.url)));
  const hear = async (word: FleetWord) => {
    const [said] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => ['gone']),
    ])) as [unknown];
    if (said !== word) throw new Error(`the fleet of terminals says ${String(said)}, not ${word}`);
  };
  child.send(order);
  await hear('connected');
  return {
    async ride(): Promise<number> {
      const begun = performance.now();
      child.send('go');
      await hear('done');
      return (performance.now() - begun) / 1_000;
    },
    async leave() {
      const gone = once(child, 'exit');
      child.send('leave');
      await gone;
    },
  };
}

const orderFor = (port: number, more: Partial<FleetOrder>): FleetOrder => ({
  port,
  imeis: Array.from({ length: connections }, (_, at) => imeiOf(at)),
  packets: 20,
  recordsEach,
  recordsPerSecond: null,
  stepMs: 1_000,
  ...more,
});

interface Ride {
  stored: number;
  ours_s: number;
  bare_s: number;
  events: number;
  commits: number;
  /** Processor time of this process, and of its main thread alone; µs. */
  all_us: number;
  main_us: number;
}

/**
 * Rides at full speed, each beside bare inserts of its rows: what this machine does else meanwhile slows down both.
 *
 * @returns positions a second
 */
export async function benchFull(turns = 5): Promise<number> {
  const rides: Ride[] = [];
  for (let turn = 0; turn < turns; turn++) rides.push(await rideAtFullSpeed());
  const median = (of: (ride: Ride) => number) =>
    rides.map(of).sort((a, b) => a - b)[Math.floor(turns / 2)] ?? NaN;
  const perSecond = (seconds: (ride: Ride) => number) =>
    Math.round(median((ride) => ride.stored / seconds(ride))).toLocaleString('en');
  const [{ stored, events, commits } = { stored: 0, events: 0, commits: 0 }] = rides;
  console.log(
    `Teltonika over TCP: ${connections} connections, ${recordsEach} records a packet, 1,000 geofences, 5 rules; ` +
      `${stored.toLocaleString('en')} positions, ${events} events, ${commits} commits; the median of ${turns} rides`,
  );
  console.log(`  bytes to acknowledgement  ${perSecond((it) => it.ours_s)} positions/s`);
  console.log(
    `  processor time            ${median((it) => it.main_us / it.stored).toFixed(1)} µs a position on the main ` +
      `thread, ${median((it) => it.all_us / it.stored).toFixed(1)} µs in all threads`,
  );
  console.log(`  bare node:sqlite          ${perSecond((it) => it.bare_s)} positions/s`);
  const ratios = rides.map((it) => (it.bare_s / it.ours_s).toFixed(2)).join(', ');
  console.log(
    `  ratio                     ${median((it) => it.bare_s / it.ours_s).toFixed(2)} (of ${ratios})`,
  );
  return median((it) => it.stored / it.ours_s);
}

async function rideAtFullSpeed(): Promise<Ride> {
  const groups: Group[] = [];
  let events = 0;
  const intake = await openIntake(connections, (rows, some) => {
    groups.push(groupOf(rows));
    events += some;
  });
  try {
    const fleet = await startFleet(orderFor(intake.port, {}));
    const [all, main] = [process.cpuUsage(), process.threadCpuUsage()];
    const ours_s = await fleet.ride();
    const took_us = ({ user, system }: NodeJS.CpuUsage) => user + system;
    const all_us = took_us(process.cpuUsage(all));
    const main_us = took_us(process.threadCpuUsage(main));
    await fleet.leave();
    const stored = groups.reduce((sum, { times_ms }) => sum + times_ms.length, 0);
    const bare_s = timeBareInserts(intake.folder, groups);
    return { stored, ours_s, bare_s, events, commits: groups.length, all_us, main_us };
  } finally {
    await intake.close();
  }
}

/**
 * At a rate that it can bear for long: how it holds up the event loop, and whether memory stays flat.
 *
 * @param recordsPerSecond of the whole fleet
 * @param minutes that are reported. Half as long again comes before them: until V8's heap has found its size, resident
 *   memory rises whatever is in use.
 */
export async function benchSteady(recordsPerSecond: number, minutes: number): Promise<void> {
  const intake = await openIntake(connections, () => undefined);
  try {
    const warmUp_min = minutes / 2;
    const packets = Math.ceil(((warmUp_min + minutes) * 60 * recordsPerSecond) / (connections * recordsEach));
    // Each record is of the moment that it is sent in: what is late would be stored, and move nothing.
    const stepMs = (connections * 1_000) / recordsPerSecond;
    const fleet = await startFleet(orderFor(intake.port, { packets, recordsPerSecond, stepMs }));
    const delay = monitorEventLoopDelay({ resolution: 1 });
    const looks: NodeJS.MemoryUsage[] = [];
    const look = setInterval(() => looks.push(process.memoryUsage()), 1_000);
    delay.enable();
    const seconds = await fleet.ride();
    delay.disable();
    clearInterval(look);
    await fleet.leave();
    console.log(
      `  at ${Math.round(recordsPerSecond).toLocaleString('en')} a second for ${Math.round(seconds)} s: ` +
        `event loop held up p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms, most ${(delay.max / 1e6).toFixed(0)} ms`,
    );
    const mib = (bytes: number) => Math.round(bytes / 2 ** 20);
    const meanResident = (some: NodeJS.MemoryUsage[]) =>
      mib(some.reduce((sum, it) => sum + it.rss, 0) / some.length);
    // What is left after a collection: all else is garbage that nobody has come to collect yet.
    const leastInUse = (some: NodeJS.MemoryUsage[]) => mib(Math.min(...some.map((it) => it.heapUsed)));
    const inParts = (some: NodeJS.MemoryUsage[], parts: number) =>
      Array.from({ length: parts }, (_, at) =>
        some.slice(Math.floor((some.length * at) / parts), Math.ceil((some.length * (at + 1)) / parts)),
      );
    const warmUp = looks.slice(0, Math.floor(looks.length / 3));
    const published = looks.slice(warmUp.length);
    for (const [name, some, parts] of [
      ['warming up', warmUp, 5],
      ['after it', published, 10],
    ] as const) {
      const spans = inParts(some, parts);
      console.log(
        `  memory, ${name.padEnd(17)} ${spans.map(meanResident).join(', ')} MiB resident, the mean of each ` +
          `${Math.round(some.length / parts)} s; heap in use ${spans.map(leastInUse).join(', ')} MiB, the least`,
      );
    }
  } finally {
    await intake.close();
  }
}

export async function benchIdle(): Promise<void> {
  const intake = await openIntake(idle, () => undefined);
  try {
    const before = await settledMemory();
    const imeis = Array.from({ length: idle }, (_, at) => imeiOf(at));
    const fleet = await startFleet(orderFor(intake.port, { imeis, packets: 0 }));
    const { rss, heapUsed } = await settledMemory();
    const each = (now: number, then: number) => ((now - then) / idle / 1_024).toFixed(1);
    console.log(
      `Teltonika, ${idle.toLocaleString('en')} idle connections: ${each(rss, before.rss)} KiB resident each, ` +
        `${each(heapUsed, before.heapUsed)} KiB of it heap`,
    );
    await fleet.ride();
    await fleet.leave();
  } finally {
    await intake.close();
  }
}

/** Without what is only waiting to be collected. */
async function settledMemory(): Promise<NodeJS.MemoryUsage> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let turn = 0; turn < 3; turn++) {
    collect();
    await nextTurn();
  }
  return process.memoryUsage();
}

export function benchDecoder(): void {
  const record = (at: number) => ({
    time_ms: Date.now() + at,
    lat: 52.5,
    lon: 13.4,
    speed_kmh: 50,
    io: {
      239: Buffer.of(1),
      240: Buffer.of(1),
      21: Buffer.of(4),
      66: Buffer.of(0x36, 0x10),
      16: Buffer.alloc(4),
    },
  });
  const packets = ([0x08, 0x8e, 0x10] as const).map((codec) =>
    packetBytes(
      Array.from({ length: 20 }, (_, at) => record(at)),
      codec,
    ),
  );
  const rounds = 5_000;
  const begun = performance.now();
  let bytes = 0;
  let records = 0;
  for (let round = 0; round < rounds; round++) {
    for (const packet of packets) {
      const frame = readFrame(packet);
      if (frame.kind !== 'packet') throw new Error(`a packet reads as ${frame.kind}`);
      const read = readAvlData(frame.data);
      if (read.kind !== 'records') throw new Error(`its data read as ${read.kind}`);
      bytes += packet.length;
      records += read.records.map((one) => avlReport(one, imeiOf(1))).length;
    }
  }
  const seconds = (performance.now() - begun) / 1_000;
  console.log(
    `Teltonika decoder alone: ${(bytes / 1e6 / seconds).toFixed(0)} MB/s, ` +
      `${Math.round(records / seconds).toLocaleString('en')} records/s`,
  );
}
