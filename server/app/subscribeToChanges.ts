import type { Sessions } from '../auth/sessions.ts';
import type { Geofences } from '../geofences/geofences.ts';
import type { Rules } from '../notifications/rules.ts';
import type { Snoozes } from '../notifications/snoozes.ts';
import { everybody, userAlone } from '../stream/streamItems.ts';
import type { StreamHub } from '../stream/streamHub.ts';
import type { UnknownTerminals } from '../telemetry/unknownTerminals.ts';
import type { UserRecord } from '../users/userRecord.ts';
import type { Users } from '../users/users.ts';
import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';
import type { ChangeFeed } from './changeFeed.ts';
import type { VisibleResources } from './visibleResources.ts';

/**
 * What follows in one domain from a change in another, and what is published to the stream. Returns the unsubscribes.
 */
export function subscribeToChanges(deps: {
  users: Users;
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
  const { vehicles, geofences, rules, snoozes, feed, hub, shown, inBackground } = deps;
  return [
    feed.follow(vehicles, {
      topic: 'vehicle',
      id: (it) => it.vehicle_id,
      shown: (it) => shown.vehicle(it),
      seenBy: (it) => it.group_ids,
    }),
    feed.follow(geofences, {
      topic: 'geofence',
      id: (it) => it.geozone_id,
      shown: (it) => shown.geofence(it),
      seenBy: (it) => (it.group_ids.length === 0 ? [everybody] : it.group_ids),
    }),
    feed.follow(rules, {
      topic: 'rule',
      id: (it) => it.rule_id,
      shown: (it) => shown.rule(it),
      // A rule of the depot holds no secret; a user's own is for the user and dealers.
      seenBy: (it) => [it.owner_id === null ? everybody : userAlone(it.owner_id)],
    }),
    ...[rules, geofences, vehicles].map((it) => it.onChange(() => deps.rescheduleTimers())),
    snoozes.onChange((changes, written) => {
      feed.publish(written, shown.among({ snoozes: changes.flatMap(({ after }) => after ?? []) }));
    }),
    rules.onChange((changes) => {
      for (const { before, after } of changes) {
        if (before === null || after !== null) continue;
        const seenBy = [before.owner_id === null ? everybody : userAlone(before.owner_id)];
        inBackground(
          snoozes.gone({ vehicle_id: null, rule_id: before.rule_id }, seenBy),
          'a snooze still names a rule that is gone',
        );
      }
    }),
    deps.sessions.onEnd((ended) => {
      for (const { session_id } of ended) hub.endSession(session_id);
    }),
    deps.users.onChange((changes) => {
      for (const { before, after } of changes) {
        if (before === null || !changesSight(before, after)) continue;
        hub.endUser(before.user_id);
        if (after !== null) continue;
        inBackground(
          rules.ownerGone(before.user_id, before.login),
          'rules of a user that is gone are still on',
        );
      }
    }),
    vehicles.onChange((changes) => {
      const terminals = changes.flatMap(({ after }) => (after === null ? [] : [after.terminal_id]));
      inBackground(
        deps.unknown.forget(terminals),
        'terminals that have a vehicle now stay among the unknown ones',
      );
      for (const { before, after } of changes) {
        if (before !== null && hasLeft(before, after)) {
          inBackground(rules.vehicleGone(before.vehicle_id), 'rules still name a vehicle that is gone');
          inBackground(
            snoozes.gone({ vehicle_id: before.vehicle_id, rule_id: null }, before.group_ids),
            'a snooze still names a vehicle that is gone',
          );
        }
      }
    }),
  ];
}

function hasLeft(before: VehicleRecord, after: VehicleRecord | null): boolean {
  return after === null || (before.archived_at === null && after.archived_at !== null);
}

/** Whether a change of a user changes what it may see or do; its streams then restart. */
function changesSight(before: UserRecord, after: UserRecord | null): boolean {
  return after === null || sightOf(before) !== sightOf(after);
}

function sightOf({ role, rights, group_ids, blocked }: UserRecord): string {
  return JSON.stringify([role, rights, [...group_ids].sort(), blocked]);
}
