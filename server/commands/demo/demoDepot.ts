import { geofenceRoutes } from '../../contract/geofences.ts';
import { groupRoutes } from '../../contract/groups.ts';
import { maxPositions, positionRoutes } from '../../contract/positions.ts';
import { ruleRoutes } from '../../contract/rules.ts';
import { serviceRoutes } from '../../contract/settings.ts';
import { vehicleRoutes } from '../../contract/vehicles.ts';
import { videoRoutes } from '../../contract/video.ts';
import type { RestClient } from '../restClient.ts';
import type { DemoFleet, Fix } from './demoFleet.ts';

/** Fences that a vehicle enters seldom enough for every entry to be worth a look; the ring road is not among them. */
const watched = ['Quay 4', 'Depot'];
const channels = ['Front', 'Cabin', 'Left', 'Rear'].map((name, at) => ({ channel: at + 1, name }));

/** Sets up the demo's depot as a dealer would, by the API: vehicles in groups, cameras, geofences, rules. */
export async function setUpDepot(
  dealer: RestClient,
  { town, vehicles, geofences }: DemoFleet,
): Promise<void> {
  const settings = await dealer.call(serviceRoutes.settings);
  await dealer.call(serviceRoutes.patchSettings, {
    body: { depot_name: settings.depot_name === 'Depot' ? `${town} depot` : settings.depot_name },
  });
  const groups = new Map<string, string>();
  for (const name of new Set(vehicles.map((it) => it.group)))
    groups.set(name, (await dealer.call(groupRoutes.create, { body: { name } })).group_id);
  await dealer.call(vehicleRoutes.import, {
    body: vehicles.map(({ profile, group }) => ({ ...profile, group_ids: [groups.get(group)] })),
  });
  for (const { profile } of vehicles) {
    // Cars look to the front alone.
    const own = profile.type === 'car' ? channels.slice(0, 1) : channels;
    await dealer.call(videoRoutes.createProfile, {
      body: { terminal_id: profile.terminal_id, kind: 'simulated', channels: own },
    });
  }
  const geozone_ids: string[] = [];
  for (const geofence of geofences) {
    const { geozone_id } = await dealer.call(geofenceRoutes.create, { body: geofence });
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

/** Hands in what the fleet did before the demo began, so that today's charts are not empty. */
export async function handInHistory(dealer: RestClient, history: readonly Fix[]): Promise<void> {
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
