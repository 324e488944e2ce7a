import type { StreamTopic, StreamMessage } from '../contract/stream.ts';
import { holds, isDealer, sharesGroup, type Viewer } from '../http/viewer.ts';
import { everybody } from '../store/telemetry/changesTable.ts';
import type { ChangeRow, ChangeTopic, NewChange } from '../store/telemetry/rows.ts';

/** One message of the stream, and who may see it. */
export interface StreamItem {
  topic: StreamMessage['topic'];
  /** Its number in the log of changes; null for what is not replayed. */
  seq: number | null;
  /** The text of its `data:` line: written when it is first asked for, then kept. */
  json: () => string;
  /** In the place of `json`, where not all read the same. */
  jsonFor?: (viewer: Viewer) => string;
  sees: (viewer: Viewer) => boolean;
  /** Of a notification: whether it belongs to the quiet list. */
  isQuiet?: boolean | undefined;
  /** Those who see it are sent nothing. */
  isSilent?: boolean | undefined;
  /** For those who could see the resource before and cannot now: that it is gone. */
  gone: { json: string; saw: (viewer: Viewer) => boolean } | null;
}

/** What `item` is to this viewer; null when nothing. */
export function textFor(item: StreamItem, viewer: Viewer): string | null {
  if (item.sees(viewer)) return item.isSilent === true ? null : (item.jsonFor?.(viewer) ?? item.json());
  return item.gone?.saw(viewer) === true ? item.gone.json : null;
}

/** One server-sent event; `data` is JSON and so holds no line break. */
export function frame(topic: string, json: string, id: string | null): string {
  return `${id === null ? '' : `id: ${id}\n`}event: ${topic}\ndata: ${json}\n\n`;
}

/** A resource as REST shows it, and who may see it beyond the right to its kind. */
export interface VisibleResource {
  resource: object;
  sees: (viewer: Viewer) => boolean;
  /** Of a notification: whether it belongs to the quiet list. */
  isQuiet?: boolean;
  /** Nothing has changed for those who still see it. */
  isSilent?: boolean;
  /** Where not all who see it may read all of it; `resource` itself for those who may. */
  asSeenBy?: (viewer: Viewer) => object;
}

/** Looks up resources of one topic; an id that is no longer there is left out. */
export type Lookup = (
  ids: readonly string[],
) => Promise<ReadonlyMap<string, VisibleResource>> | ReadonlyMap<string, VisibleResource>;

/** Who may see resources of a kind at all. */
type Access = (viewer: Viewer) => boolean;

const everyUser: Access = () => true;
const readsNotifications: Access = (viewer) => holds(viewer, 'notifications', 'read');
const readsVideo: Access = (viewer) => holds(viewer, 'video', 'read');

const kinds: Record<ChangeTopic, { may: Access; key: string }> = {
  event: { may: readsNotifications, key: 'event_id' },
  notification: { may: readsNotifications, key: 'notification_id' },
  incident: { may: readsNotifications, key: 'incident_id' },
  task: { may: readsVideo, key: 'task_id' },
  vehicle: { may: (viewer) => holds(viewer, 'vehicles', 'read'), key: 'vehicle_id' },
  driver: { may: (viewer) => holds(viewer, 'vehicles', 'read'), key: 'driver_id' },
  assignment: { may: (viewer) => holds(viewer, 'vehicles', 'read'), key: 'assignment_id' },
  geofence: { may: (viewer) => holds(viewer, 'geofences', 'read'), key: 'geozone_id' },
  rule: { may: readsNotifications, key: 'rule_id' },
  snooze: { may: readsNotifications, key: 'snooze_id' },
  shift: { may: readsNotifications, key: 'shift_id' },
  // Only for users who may send commands: they show how a terminal can be controlled.
  command: { may: (viewer) => holds(viewer, 'vehicles', 'write'), key: 'command_id' },
  group: { may: everyUser, key: 'group_id' },
  user: { may: everyUser, key: 'user_id' },
  profile: { may: readsVideo, key: 'profile_id' },
  settings: { may: everyUser, key: 'settings' },
};

/** The stream's message for a change; without `shown` the resource is gone. */
export function changeItem(change: ChangeRow, shown: VisibleResource | undefined): StreamItem {
  const { may, key } = kinds[change.topic];
  const topic: StreamTopic = change.topic;
  return {
    topic,
    seq: change.seq,
    ...texts(shown),
    isQuiet: shown?.isQuiet,
    isSilent: shown?.isSilent,
    sees: (viewer) => shown !== undefined && may(viewer) && shown.sees(viewer),
    gone: {
      json: JSON.stringify({ [key]: change.resource_id, deleted: true }),
      saw: (viewer) => may(viewer) && saw(change, viewer),
    },
  };
}

/** How far something is right now; not kept, and so not replayed. */
export function passingItem(topic: ChangeTopic, shown: VisibleResource): StreamItem {
  const { may } = kinds[topic];
  return {
    topic,
    seq: null,
    ...texts(shown),
    sees: (viewer) => may(viewer) && shown.sees(viewer),
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
  if (change.visible_to === null) return false;
  return (
    isDealer(viewer) ||
    change.visible_to.includes(everybody) ||
    change.visible_to.includes(userAlone(viewer.user.user_id)) ||
    sharesGroup(viewer, change.visible_to)
  );
}

/** Stands in `visible_to` for one user, where else the ids of groups stand. */
export function userAlone(userId: string): string {
  return `user:${userId}`;
}

/** Whether the stream has its topic: the log also has others. */
export function isStreamed({ topic }: { topic: string }): boolean {
  return topic in kinds;
}

/** The messages for changes in their order, with the resources as they are now; those of other topics are left out. */
export async function changeItems(
  changes: readonly ChangeRow[],
  lookups: Record<ChangeTopic, Lookup>,
): Promise<StreamItem[]> {
  const published = changes.filter(isStreamed);
  const shown = await lookUp(published, lookups);
  return published.map((change) => changeItem(change, shown(change)));
}

/** The resources of changes as they are now; those of one topic at once, if its lookup answers at once. */
async function lookUp(
  changes: readonly NewChange[],
  lookups: Record<ChangeTopic, Lookup>,
): Promise<(change: NewChange) => VisibleResource | undefined> {
  const found = new Map<ChangeTopic, ReadonlyMap<string, VisibleResource>>();
  for (const topic of new Set(changes.map((it) => it.topic))) {
    const ids = changes.filter((it) => it.topic === topic).map((it) => it.resource_id);
    found.set(topic, await lookups[topic](ids));
  }
  return (change) => found.get(change.topic)?.get(change.resource_id);
}
