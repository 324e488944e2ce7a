import type { StreamTopic } from '../contract/stream.ts';
import type { RightName } from '../contract/rights.ts';
import { holds, isDealer, sharesGroup, type Viewer } from '../http/viewer.ts';
import type { ChangeRow, ChangeTopic } from '../store/telemetry/rows.ts';
import type { StreamItem } from './streamItem.ts';

/** A resource as REST shows it, and who may see it beyond the right to its kind. */
export interface Shown {
  resource: object;
  sees: (viewer: Viewer) => boolean;
  /** Where not all who see it may read all of it. */
  asSeenBy?: (viewer: Viewer) => object;
}

/** Looks up resources of one topic; an id that is no longer there is left out. */
export type Lookup = (
  ids: readonly string[],
) => Promise<ReadonlyMap<string, Shown>> | ReadonlyMap<string, Shown>;

const kinds: Record<ChangeTopic, { right: RightName; key: string }> = {
  event: { right: 'notifications', key: 'event_id' },
  notification: { right: 'notifications', key: 'notification_id' },
  task: { right: 'video', key: 'task_id' },
  vehicle: { right: 'vehicles', key: 'vehicle_id' },
  geofence: { right: 'geofences', key: 'geozone_id' },
  rule: { right: 'notifications', key: 'rule_id' },
  snooze: { right: 'notifications', key: 'snooze_id' },
};

/** The stream's message for a change; without `shown` the resource is gone. */
export function changeItem(change: ChangeRow, shown: Shown | undefined): StreamItem {
  const { right, key } = kinds[change.topic];
  const topic: StreamTopic = change.topic;
  return {
    topic,
    seq: change.seq,
    json: shown === undefined ? '' : JSON.stringify(shown.resource),
    ...jsonFor(shown),
    sees: (viewer) => shown !== undefined && holds(viewer, right, 'read') && shown.sees(viewer),
    gone: {
      json: JSON.stringify({ [key]: change.resource_id, deleted: true }),
      saw: (viewer) => holds(viewer, right, 'read') && saw(change, viewer),
    },
  };
}

/** How far something is right now; not kept, and so not replayed. */
export function passingItem(topic: ChangeTopic, shown: Shown): StreamItem {
  const { right } = kinds[topic];
  return {
    topic,
    seq: null,
    json: JSON.stringify(shown.resource),
    ...jsonFor(shown),
    sees: (viewer) => holds(viewer, right, 'read') && shown.sees(viewer),
    gone: null,
  };
}

function jsonFor(shown: Shown | undefined): Pick<StreamItem, 'jsonFor'> {
  const asSeenBy = shown?.asSeenBy;
  return asSeenBy === undefined ? {} : { jsonFor: (viewer) => JSON.stringify(asSeenBy(viewer)) };
}

/** Whether the viewer could see what it cannot see now. */
function saw(change: ChangeRow, viewer: Viewer): boolean {
  if (change.seen_by === null) return false;
  return (
    isDealer(viewer) ||
    change.seen_by.includes(everybody) ||
    change.seen_by.includes(userAlone(viewer.user.user_id)) ||
    sharesGroup(viewer, change.seen_by)
  );
}

/** Stands in `seen_by` for all who hold the right. */
export const everybody = '*';

/** Stands in `seen_by` for one user, where else the ids of groups stand. */
export function userAlone(userId: string): string {
  return `user:${userId}`;
}

/** The messages for past changes, in their order. */
export async function changeItems(
  changes: readonly ChangeRow[],
  lookups: Record<ChangeTopic, Lookup>,
): Promise<StreamItem[]> {
  const found = new Map<ChangeTopic, ReadonlyMap<string, Shown>>();
  for (const topic of new Set(changes.map((it) => it.topic))) {
    const ids = changes.filter((it) => it.topic === topic).map((it) => it.resource_id);
    found.set(topic, await lookups[topic](ids));
  }
  return changes.map((change) => changeItem(change, found.get(change.topic)?.get(change.resource_id)));
}
