import type { ApiTokens } from '../auth/apiTokens.ts';
import type { Sessions } from '../auth/sessions.ts';
import type { CurrentDrivers } from '../drivers/currentDrivers.ts';
import type { Geofences } from '../geofences/geofences.ts';
import type { Rules } from '../notifications/rules.ts';
import type { Snoozes } from '../notifications/snoozes.ts';
import type { Logger } from 'pino';
import type { Acts } from '../store/acts.ts';
import type { Store } from '../store/operations.ts';
import type { ChangeTopic } from '../store/telemetry/rows.ts';
import type { StreamHub } from '../stream/streamHub.ts';
import type { UserRecord } from '../users/userRecord.ts';
import type { Users } from '../users/users.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';
import type { ChangeFeed } from './changeFeed.ts';
import type { VisibleResources } from './visibleResources.ts';

/**
 * What follows in one domain from a change in another, and what is published to the stream. Returns the unsubscribes.
 */
export function subscribeToChanges(deps: {
  acts: Pick<Acts, 'follow'>;
  users: Users;
  vehicles: Vehicles;
  geofences: Geofences;
  rules: Rules;
  snoozes: Snoozes;
  sessions: Sessions;
  apiTokens: Pick<ApiTokens, 'onChange'>;
  feed: ChangeFeed;
  hub: StreamHub;
  /** What time alone will bring to these vehicles, or to all, may have changed. */
  rescheduleTimers: (vehicleIds?: readonly string[]) => void;
  shown: VisibleResources;
  /** What a user may see has changed, or the user is gone: nothing of before is shown any more. */
  sightChanged: (userId: string, isGone: boolean) => Promise<void>;
  log: Pick<Logger, 'error'>;
}): (() => void)[] {
  const { users, vehicles, geofences, rules, snoozes, feed, hub, shown } = deps;
  deps.acts.follow({
    onCommitted(changes) {
      const rows = changes.map(({ topic, resource_id, seq, at_ms, visible_to }) => ({
        // The feed leaves out what no stream shows.
        ...{ topic: topic as ChangeTopic, resource_id, seq, at_ms },
        visible_to: visible_to,
      }));
      feed.publish({ changes: rows }, shown.administered);
    },
    // Clients receive what was stored but not published when they reconnect.
    onReloaded: (seq) => hub.restart(seq),
  });
  return [
    ...[rules, geofences].map((it) => it.onChange(() => deps.rescheduleTimers())),
    vehicles.onChange((changes) =>
      deps.rescheduleTimers(changes.map(({ before, after }) => (after ?? before).vehicle_id)),
    ),
    snoozes.onChange((begun, { notifications, ...written }) => {
      feed.publish(written, shown.among({ snoozes: begun, notifications }));
    }),
    deps.sessions.onEnd((ended) => {
      for (const { session_id } of ended) hub.endSession(session_id);
    }),
    // What a token may do is looked up when its stream begins.
    deps.apiTokens.onChange((changes) => {
      for (const { before } of changes) if (before !== null) hub.endSession(before.token_id);
    }),
    users.onChange((changes) => {
      for (const { before, after } of changes) {
        if (before === null || !changesSight(before, after)) continue;
        hub.endUser(before.user_id);
        deps.sightChanged(before.user_id, after === null).catch((error: unknown) => {
          deps.log.error(
            { err: error, user_id: before.user_id },
            'report results of a user were not deleted',
          );
        });
      }
    }),
  ];
}

/** Whether a change of a user changes what it may see or do; its streams then restart. */
function changesSight(before: UserRecord, after: UserRecord | null): boolean {
  return after === null || sightOf(before) !== sightOf(after);
}

function sightOf({ role, rights, group_ids, blocked, api_access }: UserRecord): string {
  return JSON.stringify([role, rights, [...group_ids].sort(), blocked, api_access]);
}

/** Shows a vehicle again when another one drives it. Returns the unsubscribe. */
export function publishCurrentDrivers(deps: {
  currentDrivers: Pick<CurrentDrivers, 'onChange'>;
  store: Pick<Store, 'recordChanges'>;
  feed: ChangeFeed;
  shown: VisibleResources;
  log: Pick<Logger, 'error'>;
}): () => void {
  const { currentDrivers, store, feed, shown, log } = deps;
  return currentDrivers.onChange((vehicleIds) => {
    const changes = vehicleIds.map((resource_id) => ({
      ...{ topic: 'vehicle' as const, resource_id, visible_to: null },
    }));
    store.recordChanges(changes).then(
      (written) => feed.publish(written, shown.administered),
      (error: unknown) => log.error({ err: error }, 'a change of drivers was not published'),
    );
  });
}
