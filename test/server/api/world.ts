import { randomUUID } from 'node:crypto';
import { apiTokenRoutes } from '../../../server/contract/apiTokens.ts';
import { assignmentRoutes, driverRoutes } from '../../../server/contract/drivers.ts';
import { geofenceRoutes } from '../../../server/contract/geofences.ts';
import { incidentRoutes } from '../../../server/contract/incidents.ts';
import { notificationRoutes } from '../../../server/contract/notifications.ts';
import { positionRoutes } from '../../../server/contract/positions.ts';
import { recipientRoutes } from '../../../server/contract/recipients.ts';
import { ruleRoutes } from '../../../server/contract/rules.ts';
import { shiftRoutes } from '../../../server/contract/shifts.ts';
import { terminalCommandRoutes } from '../../../server/contract/terminalCommands.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { videoRoutes } from '../../../server/contract/video.ts';
import type { Caller } from '../../support/testHost.ts';

/** Of each kind of resource one, all of one vehicle and its group; named as the parameters of paths are. */
export interface World {
  user_id: string;
  group_id: string;
  vehicle: string;
  vehicle_id: string;
  driver_id: string;
  assignment_id: string;
  geozone_id: string;
  /** Of the depot, for this vehicle. */
  rule_id: string;
  /** Of the group's user. */
  own_rule_id: string;
  recipient_id: string;
  event_id: string;
  notification_id: string;
  snooze_id: string;
  /** Of the group's user, who is on duty. */
  shift_id: string;
  profile_id: string;
  /** Waits for a moment that lies ahead. */
  task_id: string;
  /** Waits for the terminal. */
  command_id: string;
  /** That the SOS opened. */
  incident_id: string;
  /** Of the dealer. */
  token_id: string;
}

export interface WorldDeps {
  dealer: Caller;
  /** Holds all rights, in one group of its own. */
  owner: Caller;
  /** Stands in every name and note. */
  mark: string;
  now: () => number;
}

/** An hour around now, as `from` and `to` of a query. */
export function hourAround(now_ms: number): { from: string; to: string } {
  return { from: iso(now_ms - 1_800_000), to: iso(now_ms + 1_800_000) };
}

const iso = (ms: number) => new Date(ms).toISOString();
const yard = { lat: 56.9, lon: 24.1 };

/** A vehicle drives into a yard and sends an SOS; a rule notifies, video is requested, the vehicle is snoozed. */
export async function seedWorld({ dealer, owner, mark, now }: WorldDeps): Promise<World> {
  const { user_id, group_ids } = await owner.ask(userRoutes.me);
  const [group_id = ''] = group_ids;
  const { vehicle_id } = await dealer.ask(vehicleRoutes.create, {
    body: {
      terminal_id: mark,
      name: `${mark} van`,
      plate: mark,
      driver: `${mark} driver`,
      group_ids,
      attributes: { note: `${mark} note` },
    },
  });
  const { driver_id } = await dealer.ask(driverRoutes.create, {
    body: { name: `${mark} driver`, phone: mark, cards: [{ number: mark }], group_ids },
  });
  const { assignment_id } = await dealer.ask(assignmentRoutes.create, {
    body: { driver_id, vehicle_id, from: new Date(now() - 3_600_000).toISOString(), note: `${mark} note` },
  });
  const { geozone_id } = await dealer.ask(geofenceRoutes.create, {
    body: {
      name: `${mark} yard`,
      shape: 'circle',
      geometry: { type: 'Point', coordinates: [yard.lon, yard.lat] },
      radius_m: 100,
      group_ids,
    },
  });
  const rule = (caller: Caller, name: string) =>
    caller.ask(ruleRoutes.create, {
      body: { name, event_kind: 'sos', scope: { vehicle_ids: [vehicle_id] } },
    });
  const { rule_id } = await rule(dealer, `${mark} rule`);
  const { rule_id: own_rule_id } = await rule(owner, `${mark} own rule`);
  // What a dealer adds is for all who write rules, so it bears no mark.
  const address = `${randomUUID()}@port.example`;
  const { recipient_id } = await dealer.ask(recipientRoutes.add, { body: { kind: 'email', address } });
  const at = (ms: number, lat: number, more: object = {}) => ({
    vehicle_id,
    time: iso(now() - ms),
    ...{ lat, lon: yard.lon, speed_kmh: 30, ignition: true },
    ...more,
  });
  for (const position of [
    at(60_000, yard.lat + 0.01),
    at(40_000, yard.lat, { attributes: { said: `${mark} said` } }),
    at(20_000, yard.lat, { alarms: ['sos'] }),
  ]) {
    await dealer.ask(positionRoutes.post, { body: { positions: [position] } });
  }
  const { items } = await dealer.ask(notificationRoutes.list, { query: { vehicle: vehicle_id } });
  const published = items.find((it) => it.rule_id === rule_id);
  const { items: incidents } = await dealer.ask(incidentRoutes.list, { query: { vehicle: vehicle_id } });
  const { snooze_id } = await owner.ask(notificationRoutes.snooze, {
    body: { vehicle_id, duration_s: 3_600, note: `${mark} snooze` },
  });
  const { shift_id } = await owner.ask(shiftRoutes.start);
  await owner.ask(shiftRoutes.addNote, { params: { shift_id }, body: { text: `${mark} shift` } });
  const { profile_id } = await dealer.ask(videoRoutes.createProfile, {
    body: {
      vehicle_id,
      kind: 'simulated',
      name: `${mark} cameras`,
      channels: [{ channel: 1, name: `${mark} front` }],
    },
  });
  const { task_id } = await dealer.ask(videoRoutes.createTask, {
    body: { profile_id, channel: 1, from: iso(now() - 10_000), to: iso(now() + 100_000) },
  });
  const { command_id } = await owner.ask(terminalCommandRoutes.send, {
    params: { vehicle: vehicle_id },
    body: { kind: 'text', text: `${mark} command` },
  });
  const { token } = await dealer.ask(apiTokenRoutes.create, {
    body: { name: `${mark} program`, expires_at: iso(now() + 86_400_000) },
  });
  return {
    ...{ user_id, group_id, vehicle: mark, vehicle_id, driver_id, assignment_id },
    ...{ geozone_id, rule_id, own_rule_id, recipient_id },
    ...{ event_id: published?.event_ids[0] ?? '', notification_id: published?.notification_id ?? '' },
    ...{ snooze_id, shift_id, profile_id, task_id, command_id, token_id: token.token_id },
    incident_id: incidents[0]?.incident_id ?? '',
  };
}
