import type { StreamTopic } from '../contract/stream.ts';
import type { RightLevel, RightName } from '../contract/rights.ts';
import { holds, isDealer, sharesGroup, type Viewer } from '../http/viewer.ts';
import type { ChangeRow, ChangeTopic } from '../store/telemetry/rows.ts';
import type { StreamItem } from './streamItem.ts';

/** A resource as REST shows it, and who may see it beyond the right to its kind. */
export interface VisibleResource {
  resource: object;
  sees: (viewer: Viewer) => boolean;
  /** Where not all who see it may read all of it; `resource` itself for those who may. */
  asSeenBy?: (viewer: Viewer) => object;
}

/** Looks up resources of one topic; an id that is no longer there is left out. */
export type Lookup = (
  ids: readonly string[],
) => Promise<ReadonlyMap<string, VisibleResource>> | ReadonlyMap<string, VisibleResource>;

const kinds: Record<ChangeTopic, { right: RightName; level: RightLevel; key: string }> = {
  event: { right: 'notifications', level: 'read', key: 'event_id' },
  notification: { right: 'notifications', level: 'read', key: 'notification_id' },
  task: { right: 'video', level: 'read', key: 'task_id' },
  vehicle: { right: 'vehicles', level: 'read', key: 'vehicle_id' },
  geofence: { right: 'geofences', level: 'read', key: 'geozone_id' },
  rule: { right: 'notifications', level: 'read', key: 'rule_id' },
  snooze: { right: 'notifications', level: 'read', key: 'snooze_id' },
  // Only for users who may send commands: they show how a terminal can be controlled.
  command: { right: 'vehicles', level: 'write', key: 'command_id' },
};

/** The stream's message for a change; without `shown` the resource is gone. */
export function changeItem(change: ChangeRow, shown: VisibleResource | undefined): StreamItem {
  const { right, level, key } = kinds[change.topic];
  const topic: StreamTopic = change.topic;
  return {
    topic,
    seq: change.seq,
    ...texts(shown),
    sees: (viewer) => shown !== undefined && holds(viewer, right, level) && shown.sees(viewer),
    gone: {
      json: JSON.stringify({ [key]: change.resource_id, deleted: true }),
      saw: (viewer) => holds(viewer, right, level) && saw(change, viewer),
    },
  };
}

/** How far something is right now; not kept, and so not replayed. */
export function passingItem(topic: ChangeTopic, shown: VisibleResource): StreamItem {
  const { right, level } = kinds[topic];
  return {
    topic,
    seq: null,
    ...texts(shown),
    sees: (viewer) => holds(viewer, right, level) && shown.sees(viewer),
    gone: null,
  };
}

function texts(shown: VisibleResource | undefined): Pick<StreamItem, 'json' | 'jsonFor'> {
  const asSeenBy = shown?.asSeenBy;
  let text: string | null = null;
  const json = () => (text ??= shown === undefined ? '' : JSON.stringify(shown.resource));
  if (asSeenBy === undefined) return { json };
  return {
    json,
    jsonFor: (viewer) => {
      const seen = asSeenBy(viewer);
      return seen === shown?.resource ? json() : JSON.stringify(seen);
    },
  };
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
  const found = new Map<ChangeTopic, ReadonlyMap<string, VisibleResource>>();
  for (const topic of new Set(changes.map((it) => it.topic))) {
    const ids = changes.filter((it) => it.topic === topic).map((it) => it.resource_id);
    found.set(topic, await lookups[topic](ids));
  }
  return changes.map((change) => changeItem(change, found.get(change.topic)?.get(change.resource_id)));
}
