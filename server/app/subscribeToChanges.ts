import type { Sessions } from '../auth/sessions.ts';
import type { Geofences } from '../geofences/geofences.ts';
import type { Rules } from '../notifications/rules.ts';
import type { Snoozes } from '../notifications/snoozes.ts';
import type { Acts } from '../store/acts.ts';
import type { ChangeTopic } from '../store/telemetry/rows.ts';
import type { StreamHub } from '../stream/streamHub.ts';
import type { UnknownTerminals } from '../telemetry/unknownTerminals.ts';
import type { UserRecord } from '../users/userRecord.ts';
import type { Users } from '../users/users.ts';
import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';
import type { Profiles } from '../video/profiles.ts';
import type { ChangeFeed } from './changeFeed.ts';
import type { VisibleResources } from './visibleResources.ts';

/**
 * What follows in one domain from a change in another, and what is published to the stream. Returns the unsubscribes.
 */
export function subscribeToChanges(deps: {
  acts: Pick<Acts, 'follow'>;
  users: Users;
  profiles: Profiles;
  vehicles: Vehicles;
  geofences: Geofences;
  rules: Rules;
  snoozes: Snoozes;
  sessions: Sessions;
  unknown: UnknownTerminals;
  feed: ChangeFeed;
  hub: StreamHub;
  /** What time alone will bring depends on all of these. */
  rescheduleTimers: () => void;
  shown: VisibleResources;
  /** Runs work in the background; an error is logged with this text. */
  inBackground: (work: Promise<unknown>, fault: string) => void;
}): (() => void)[] {
  const { users, profiles, vehicles, geofences, rules, snoozes, feed, hub, shown, inBackground } = deps;
  deps.acts.follow({
    onCommitted(changes) {
      const rows = changes.map(({ topic, resource_id, seq, at_ms, visible_to }) => ({
        // The feed leaves out what no stream shows.
        ...{ topic: topic as ChangeTopic, resource_id, seq, at_ms },
        seen_by: visible_to,
      }));
      feed.publish({ changes: rows }, shown.administered);
    },
    // Clients receive what was stored but not published when they reconnect.
    onReloaded: (seq) => hub.restart(seq),
  });
  return [
    // A profile is seen by those who see its vehicle, and bears its terminal ID.
    vehicles.onChange((changes) => {
      const rows = changes.flatMap(({ before, after }) => {
        const profile = before === null ? undefined : profiles.ofVehicle(before.vehicle_id);
        if (before === null || profile === undefined || profileSight(before) === profileSight(after))
          return [];
        return [{ topic: 'profile' as const, resource_id: profile.profile_id, seen_by: before.group_ids }];
      });
      feed.record(rows);
    }),
    ...[rules, geofences, vehicles].map((it) => it.onChange(() => deps.rescheduleTimers())),
    snoozes.onChange((changes, written) => {
      feed.publish(written, shown.among({ snoozes: changes.flatMap(({ after }) => after ?? []) }));
    }),
    deps.sessions.onEnd((ended) => {
      for (const { session_id } of ended) hub.endSession(session_id);
    }),
    users.onChange((changes) => {
      for (const { before, after } of changes) {
        if (before === null || !changesSight(before, after)) continue;
        hub.endUser(before.user_id);
      }
    }),
    vehicles.onChange((changes) => {
      const terminals = changes.flatMap(({ after }) => (after === null ? [] : [after.terminal_id]));
      inBackground(
        deps.unknown.forget(terminals),
        'terminals that have a vehicle now stay among the unknown ones',
      );
    }),
  ];
}

function profileSight(vehicle: VehicleRecord | null): string {
  return JSON.stringify(vehicle && [vehicle.terminal_id, vehicle.archived_at, [...vehicle.group_ids].sort()]);
}

/** Whether a change of a user changes what it may see or do; its streams then restart. */
function changesSight(before: UserRecord, after: UserRecord | null): boolean {
  return after === null || sightOf(before) !== sightOf(after);
}

function sightOf({ role, rights, group_ids, blocked }: UserRecord): string {
  return JSON.stringify([role, rights, [...group_ids].sort(), blocked]);
}
