import { geofenceRoutes } from '../../contract/geofences.ts';
import { groupRoutes } from '../../contract/groups.ts';
import { maxPositions, positionRoutes, type NewPosition } from '../../contract/positions.ts';
import { ruleRoutes } from '../../contract/rules.ts';
import { serviceRoutes } from '../../contract/settings.ts';
import { vehicleRoutes } from '../../contract/vehicles.ts';
import { videoRoutes } from '../../contract/video.ts';
import type { RestClient } from '../restClient.ts';
import type { DemoFleet, Fix } from './demoFleet.ts';

type DemoVehicle = DemoFleet['vehicles'][number];

/** Fences that a vehicle enters seldom enough for every entry to be worth a look; the ring road is not among them. */
const watched = ['Quay 4', 'Depot'];
const channels = ['Front', 'Cabin', 'Left', 'Rear'].map((name, at) => ({ channel: at + 1, name }));

/** Sets up the demo's depot as a dealer would, by the API: vehicles in groups, cameras, geofences, rules. */
export async function setUpDepot(dealer: RestClient, fleet: DemoFleet): Promise<void> {
  const settings = await dealer.call(serviceRoutes.settings);
  await dealer.call(serviceRoutes.patchSettings, {
    body: { depot_name: settings.depot_name === 'Depot' ? `${fleet.town} depot` : settings.depot_name },
  });
  const groups = await makeGroups(dealer, fleet.vehicles);
  await dealer.call(vehicleRoutes.import, {
    body: fleet.vehicles.map(({ profile, group }) => ({ ...profile, group_ids: [groups.get(group)] })),
  });
  for (const { profile } of fleet.vehicles) {
    await dealer.call(videoRoutes.createProfile, {
      body: { terminal_id: profile.terminal_id, kind: 'simulated', channels: channelsOf(profile.type) },
    });
  }
  const geofences = new Map<string, string>();
  for (const geofence of fleet.geofences) {
    const { geozone_id } = await dealer.call(geofenceRoutes.create, { body: geofence });
    geofences.set(geofence.name, geozone_id);
  }
  await adjustRules(
    dealer,
    watched.flatMap((name) => geofences.get(name) ?? []),
  );
}

/** Cars look to the front alone. */
function channelsOf(type: DemoVehicle['profile']['type']): typeof channels {
  return type === 'car' ? channels.slice(0, 1) : channels;
}

async function makeGroups(
  dealer: RestClient,
  vehicles: readonly DemoVehicle[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const name of new Set(vehicles.map((it) => it.group))) {
    const { group_id } = await dealer.call(groupRoutes.create, { body: { name } });
    ids.set(name, group_id);
  }
  return ids;
}

/** An SOS requests its video automatically; entries are monitored where they matter. */
async function adjustRules(dealer: RestClient, geozone_ids: string[]): Promise<void> {
  const { items } = await dealer.call(ruleRoutes.list);
  for (const rule of items) {
    const params = { rule_id: rule.rule_id };
    if (rule.event_kind === 'geofence_enter')
      await dealer.call(ruleRoutes.patch, { params, body: { geozone_ids } });
    if (rule.event_kind === 'sos') {
      await dealer.call(ruleRoutes.patch, { params, body: { video: { before_s: 15, after_s: 15 } } });
    }
  }
}

/** Hands in what the fleet did before the demo began, so that today's charts are not empty. */
export async function handInHistory(dealer: RestClient, history: Iterable<Fix>): Promise<number> {
  let waiting: NewPosition[] = [];
  let count = 0;
  const send = async () => {
    if (waiting.length > 0) await dealer.call(positionRoutes.post, { body: { positions: waiting } });
    count += waiting.length;
    waiting = [];
  };
  for (const fix of history) {
    waiting.push(positionOf(fix));
    if (waiting.length >= maxPositions) await send();
  }
  await send();
  return count;
}

function positionOf(fix: Fix): NewPosition {
  return {
    terminal_id: fix.terminalId,
    time: fix.time.toISOString(),
    lat: fix.lat,
    lon: fix.lon,
    altitude_m: fix.altitudeM,
    speed_kmh: fix.speedKmh,
    course_deg: fix.courseDeg,
    accuracy_m: fix.accuracyM,
    satellites: null,
    hdop: null,
    valid: true,
    ignition: fix.ignition,
    odometer_m: fix.odometerM,
    battery_pct: fix.batteryPct,
    // What was an emergency then is none now.
    alarms: [],
    attributes: {},
  };
}
