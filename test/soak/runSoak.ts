import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom, type Random } from './random.ts';
import { createFleet } from './fleet.ts';
import { createLedger } from './ledger.ts';
import { forgetAbandoned, pause } from './connection.ts';
import { createPlan } from './plan.ts';
import { watchHostProbe } from './hostProbe.ts';
import { startSoakHost, type SoakHost } from './soakHost.ts';
import { sendInvalidClients } from './invalidClients.ts';
import { progressLine, summaryOf } from './summary.ts';
import { createCounters, type Counters } from './counters.ts';
import { fetchAlarms, fetchTracks } from './readback.ts';
import { runTerminal } from './virtualTerminal.ts';

export interface SoakOptions {
  seed: number;
  /** When the terminals have said enough: so long after the start, or so many positions. */
  until: { ms: number } | { positions: number };
  /** Of each of the nine ways to speak. */
  terminalsOfEach: number;
  /** How often the host is killed, or asked to end, and started again. */
  restarts: number;
  /** Between two messages of a terminal, about. */
  paceMs: number;
  print: (line: string) => void;
}

/** How much of what is sent comes to grief on its way. */
const roughness = 0.2;
/** The host is left alone in the second half, so that its memory means something. */
const [restartsFrom, restartsUntil] = [0.05, 0.5];
/** Most hosts die without a word. */
const killChance = 0.75;
const strangersPaceMs = 150;
/** So long it may take in the end until all that was said is acknowledged. */
const drainMs = 5 * 60_000;
const minuteMs = 60_000;

/**
 * Lets a fleet of virtual terminals speak to a host under all misfortunes of a network, and compares what they meant to
 * send with what the host returns. Prints what it finds; whether both are the same and nothing went wrong.
 */
export async function runSoak(options: SoakOptions): Promise<boolean> {
  const { seed, until, restarts, print } = options;
  const dice = createRandom(seed);
  const tally = createCounters();
  const ledger = createLedger();
  const fleet = createFleet(options.terminalsOfEach, dice, tally);
  const ids = fleet.map((it) => it.terminalId);
  const data = await mkdtemp(join(tmpdir(), 'fleetdeck-soak-'));
  print(`seed ${seed}, ${fleet.length} terminals, ${restarts} restarts of the host, data in ${data}`);
  const host = await startSoakHost(data, ids, tally);
  const pulse = await watchHostProbe(host);

  const begun_ms = Date.now();
  const progress = () =>
    'ms' in until ? (Date.now() - begun_ms) / until.ms : tally.count('positions meant') / until.positions;
  const goesOn = () => progress() < 1;
  const shared = { tally, goesOn, host: () => host.ready() };
  const rides = Promise.all(
    fleet.map((speaker) =>
      runTerminal({
        ...{ ...shared, speaker, ledger, roughness, paceMs: options.paceMs, dice: dice.fork() },
        plan: createPlan(dice.fork(), speaker.resolution_ms, Date.now),
      }),
    ),
  );
  const troubles = Promise.all([
    sendInvalidClients({
      ...{ ...shared, paceMs: strangersPaceMs, dice: dice.fork() },
      victim: ids.find((it) => it.startsWith('138')) ?? '',
    }),
    restartNowAndThen(host, restartMoments(restarts, dice.fork()), progress, tally, dice.fork()),
    'ms' in until
      ? tellEachMinute(goesOn, (minutes) => print(progressLine(minutes, tally, pulse.beats)))
      : null,
  ]);
  // A fault of the soak itself ends it at once.
  await Promise.race([troubles, rides.then(() => troubles)]);
  const isAcknowledged = await Promise.race([rides.then(() => true), pause(drainMs).then(() => false)]);
  if (!isAcknowledged) tally.fault('in the end not all that was said was acknowledged');
  const seconds = (Date.now() - begun_ms) / 1_000;
  forgetAbandoned();
  await pulse.stop();

  const dealer = host.dealer();
  const vehicles = new Map<string, string>();
  const tracks = await ledger.differences(fetchTracks(host.url(), dealer.jwt, Date.now(), vehicles));
  const alarms = await fetchAlarms(dealer, vehicles);
  const alarmLines = ledger.alarmDifferences(alarms);
  await host.end();

  const found = { seconds, tally, ledger, beats: pulse.beats, host, tracks };
  for (const line of summaryOf({ ...found, alarms: { published: alarms.length, lines: alarmLines } }))
    print(line);
  const isWell = tracks.lines.length === 0 && alarmLines.length === 0 && tally.faults().length === 0;
  if (isWell) await rm(data, { recursive: true, force: true });
  print(
    isWell ? 'all that was meant is there, once, and nothing else' : `NOT WELL; the data are kept in ${data}`,
  );
  return isWell;
}

/** At which parts of the way the host is restarted, in order. */
function restartMoments(count: number, dice: Random): number[] {
  return Array.from(
    { length: count },
    () => restartsFrom + dice.next() * (restartsUntil - restartsFrom),
  ).sort((a, b) => a - b);
}

async function restartNowAndThen(
  host: SoakHost,
  moments: readonly number[],
  progress: () => number,
  tally: Counters,
  dice: Random,
): Promise<void> {
  const left = [...moments];
  while (progress() < 1 || left.length > 0) {
    const isDue = (left[0] ?? Infinity) <= progress();
    // One that ended by itself is a fault already; what it has lost is seen in the end.
    if (isDue || host.ready() === null) {
      const signal = dice.chance(killChance) ? 'SIGKILL' : 'SIGTERM';
      if (isDue) left.shift();
      tally.add(`restarts by ${signal}`);
      await host.restart(signal);
    }
    await pause(50);
  }
}

async function tellEachMinute(goesOn: () => boolean, emit: (minutes: number) => void): Promise<void> {
  const begun_ms = Date.now();
  let minutes = 0;
  emit(minutes);
  while (goesOn()) {
    await pause(250);
    if (Date.now() - begun_ms < (minutes + 1) * minuteMs) continue;
    minutes += 1;
    emit(minutes);
  }
}
