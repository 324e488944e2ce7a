import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { destination, pino } from 'pino';
import { keepRecent, makeDealer, startRefusal, startServer, type RunningHost } from '../app.ts';
import { readConfig } from '../config.ts';
import { consoleFolder } from '../main.ts';
import { createFleet, demoFleet, type DemoFleet, type Fix } from './demo/demoFleet.ts';
import { createOsmandSender } from './osmandSender.ts';
import { CommandError, logIn, type RestClient } from './restClient.ts';
import { assignmentRoutes, driverRoutes } from '../contract/drivers.ts';
import { geofenceRoutes } from '../contract/geofences.ts';
import { groupRoutes } from '../contract/groups.ts';
import { mapRoutes } from '../contract/maps.ts';
import { preferenceRoutes } from '../contract/preferences.ts';
import { maxPositions, positionRoutes } from '../contract/positions.ts';
import { ruleRoutes } from '../contract/rules.ts';
import { serviceRoutes } from '../contract/settings.ts';
import { vehicleRoutes } from '../contract/vehicles.ts';
import { videoRoutes } from '../contract/video.ts';

const usage = `fleetdeck demo [--port 8471] [--osmand-port 5055] [--teltonika-port 5027]
               [--wialon-port 5039] [--jt808-port 5015] [--jt1078-port 5016]
               [--data DIR], and what else fleetdeck serve takes
A depot with a fleet that drives and records video, on a temporary store. Ctrl C ends it and deletes the store.
With --data the store stays, and the demo goes on from it; the password is a new one each time.`;

/** What `node test/demo/makeDemo.ts` made: the town's map, and the fleet with its itineraries. */
const resources = new URL('../../resources/demo/', import.meta.url);
const stepMs = 500;
const historyHours = 2;
const login = 'demo';

/** Starts on the usual ports, or on free ones when another host has them. */
async function startHost(options: Parameters<typeof startServer>[0]): Promise<RunningHost> {
  try {
    return await startServer(options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    const freePorts = {
      port: 0,
      osmandPort: 0,
      teltonikaPort: 0,
      wialonPort: 0,
      jt808Port: 0,
      jt1078Port: 0,
    };
    return startServer({ ...options, config: { ...options.config, ...freePorts } });
  }
}

/** What ends all that was started, from last to first. */
const undo: (() => Promise<void> | void)[] = [];

async function stop(exitCode: number): Promise<never> {
  for (const step of undo.splice(0).reverse()) await step();
  process.exit(exitCode);
}

async function main(args: readonly string[]): Promise<number | null> {
  if (args.includes('--help')) {
    console.log(usage);
    return 0;
  }
  if (!existsSync(resources)) throw new CommandError('This package is without the data of the demo.');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop(0));
  const temporary = await mkdtemp(join(tmpdir(), 'fleetdeck-demo-'));
  undo.push(() => rm(temporary, { recursive: true, force: true }));
  const config = readConfig(['--data', temporary, ...args], {});
  const password = randomBytes(9).toString('base64url');
  const recorded = demoFleet.parse(JSON.parse(await readFile(new URL('fleet.json', resources), 'utf8')));
  await makeDealer(config.data, login, password);
  const written = keepRecent(destination({ fd: 2, sync: true }));
  const host = await startHost({
    config,
    log: pino({ base: null, level: 'warn' }, written),
    recentLog: written.recent,
    consoleFolder,
  });
  undo.push(() => host.close());

  const fleet = createFleet(recorded, new Date(), { historyHours });
  const sender = createOsmandSender(`http://127.0.0.1:${host.intake.osmand ?? 0}/`);
  undo.push(() => sender.close());
  const dealer = await logIn(host.url, { login, password });
  await setUpDepot(dealer, recorded);
  await showHints(dealer);
  await addDrivers(dealer, recorded, Date.now());
  await addTown(dealer, recorded.town);
  await handInHistory(dealer, await newOf(dealer, fleet.history()));
  const timer = setInterval(() => void sender.send(fleet.step(new Date())), stepMs);
  undo.push(() => clearInterval(timer));

  console.log(`
  Fleetdeck shows the fleet of ${recorded.town}:

    ${host.url}/
    login     ${login}
    password  ${password}

  Within a minute a truck enters Quay 4, a van speeds on the ring road, and a bus calls for help.
  Ctrl C ends the demo.
`);
  return null;
}

/** Fences that a vehicle enters seldom enough for every entry to be worth a look; the ring road is not among them. */
const watched = ['Quay 4', 'Depot'];
const channels = ['Front', 'Cabin', 'Left', 'Rear'].map((name, at) => ({ channel: at + 1, name }));

/** As many as a page holds: more than the demo sets up. */
const query = { limit: 1_000 };

/**
 * Sets up the demo's depot as a dealer would, by the API: vehicles in groups, cameras, geofences, rules. What a demo on
 * the same data has set up before stays as it is.
 */
async function setUpDepot(dealer: RestClient, { town, vehicles, geofences }: DemoFleet): Promise<void> {
  const settings = await dealer.call(serviceRoutes.settings);
  await dealer.call(serviceRoutes.patchSettings, {
    body: { depot_name: settings.depot_name === 'Depot' ? `${town} depot` : settings.depot_name },
  });
  const knownGroups = (await dealer.call(groupRoutes.list, { query })).items;
  const groups = new Map(knownGroups.map(({ name, group_id }) => [name, group_id]));
  for (const name of [...new Set(vehicles.map((it) => it.group))].filter((it) => !groups.has(it)))
    groups.set(name, (await dealer.call(groupRoutes.create, { body: { name } })).group_id);
  await dealer.call(vehicleRoutes.import, {
    body: vehicles.map(({ profile, group }) => ({ ...profile, group_ids: [groups.get(group)] })),
  });
  const withCameras = new Set(await terminalsWithCameras(dealer));
  for (const { profile } of vehicles.filter((it) => !withCameras.has(it.profile.terminal_id))) {
    // Cars look to the front alone.
    const own = profile.type === 'car' ? channels.slice(0, 1) : channels;
    await dealer.call(videoRoutes.createProfile, {
      body: { terminal_id: profile.terminal_id, kind: 'simulated', channels: own },
    });
  }
  const geozone_ids: string[] = [];
  const knownFences = (await dealer.call(geofenceRoutes.list, { query })).items;
  for (const geofence of geofences) {
    const known = knownFences.find((it) => it.name === geofence.name);
    const { geozone_id } = known ?? (await dealer.call(geofenceRoutes.create, { body: geofence }));
    if (watched.includes(geofence.name)) geozone_ids.push(geozone_id);
  }
  // An SOS requests its video automatically; entries are monitored where they matter.
  const { items } = await dealer.call(ruleRoutes.list);
  for (const { rule_id, event_kind } of items) {
    const body =
      event_kind === 'geofence_enter'
        ? { geozone_ids }
        : event_kind === 'sos'
          ? { video: { before_s: 15, after_s: 15 } }
          : null;
    if (body !== null) await dealer.call(ruleRoutes.patch, { params: { rule_id }, body });
  }
}

/** Those who drive for the deliveries: of the first two, one drives the other's vehicle for the last half hour. */
async function addDrivers(dealer: RestClient, { vehicles }: DemoFleet, now_ms: number): Promise<void> {
  if ((await dealer.call(driverRoutes.list, { query })).items.length > 0) return;
  const known = (await dealer.call(vehicleRoutes.list, { query })).items;
  const deliveries = vehicles.filter((it) => it.group === 'Deliveries').slice(0, 3);
  const ids: { vehicle_id: string; driver_id: string }[] = [];
  for (const { profile } of deliveries) {
    const vehicle_id = known.find((it) => it.terminal_id === profile.terminal_id)?.vehicle_id;
    if (vehicle_id === undefined || profile.driver == null) continue;
    const body = { name: profile.driver, phone: profile.phone ?? null };
    ids.push({ vehicle_id, driver_id: (await dealer.call(driverRoutes.create, { body })).driver_id });
  }
  const [first, second, third] = ids;
  if (first === undefined || second === undefined || third === undefined) return;
  const [from, change] = [historyHours, 0.5].map((hours) =>
    new Date(now_ms - hours * 3_600_000).toISOString(),
  );
  if (from === undefined || change === undefined) return;
  for (const body of [
    { ...first, from, to: change },
    { ...second, from, to: change },
    { ...second, vehicle_id: first.vehicle_id, from: change },
    { ...third, from },
  ])
    await dealer.call(assignmentRoutes.create, { body });
}

/** The streets of the town, from its map file. */
async function addTown(dealer: RestClient, name: string): Promise<void> {
  const { items } = await dealer.call(mapRoutes.list);
  const path = fileURLToPath(new URL('town.mbtiles', resources));
  if (!items.some((it) => it.path === path)) await dealer.call(mapRoutes.add, { body: { path, name } });
}

async function terminalsWithCameras(dealer: RestClient): Promise<string[]> {
  const answer = await dealer.call(videoRoutes.profiles, { query });
  return 'items' in answer ? answer.items.map((it) => it.terminal_id) : [];
}

/** What came after the newest position that the store has. */
async function newOf(dealer: RestClient, history: readonly Fix[]): Promise<readonly Fix[]> {
  const answer = await dealer.call(positionRoutes.latest);
  const times = 'positions' in answer ? answer.positions.map((it) => Date.parse(it.time)) : [];
  const newest = Math.max(0, ...times);
  return history.filter((fix) => fix.time.getTime() > newest);
}

/** Hands in what the fleet did before the demo began, so that today's charts are not empty. */
async function handInHistory(dealer: RestClient, history: readonly Fix[]): Promise<void> {
  for (let done = 0; done < history.length; done += maxPositions) {
    const positions = history.slice(done, done + maxPositions).map(positionOf);
    await dealer.call(positionRoutes.post, { body: { positions } });
  }
}

/** Without the emergency button: what was an emergency then is none now. */
function positionOf(fix: Fix) {
  const { lat, lon, ignition } = fix;
  return {
    ...{ terminal_id: fix.terminalId, time: fix.time.toISOString(), lat, lon, ignition },
    ...{ altitude_m: fix.altitudeM, speed_kmh: fix.speedKmh, course_deg: fix.courseDeg },
    ...{ accuracy_m: fix.accuracyM, battery_pct: fix.batteryPct, odometer_m: fix.odometerM },
  };
}

/** Starts the demo; resolves when it runs, with the exit code so far. */
export async function run(args: readonly string[]): Promise<number | null> {
  try {
    return await main(args);
  } catch (error) {
    console.error(
      `fleetdeck: ${startRefusal(error) ?? (error instanceof Error ? error.message : String(error))}`,
    );
    return stop(1);
  }
}

/** To whoever opens a demo for the first time. */
async function showHints(dealer: RestClient): Promise<void> {
  const { preferences } = await dealer.call(preferenceRoutes.get);
  if (preferences.hints_seen !== undefined) return;
  await dealer.call(preferenceRoutes.put, { body: { preferences: { ...preferences, hints_seen: [] } } });
}
