import type { Incident } from '../../server/contract/incidents.ts';
import { severity } from '../../server/contract/rules.ts';

type ById = ReadonlyMap<string, Incident>;

/** What stays visible until it is closed: first what nobody owns, then the gravest, then the oldest. */
export function openIncidents(byId: ById): Incident[] {
  return [...byId.values()].filter((it) => it.status !== 'closed').sort(compareIncidents);
}

const rank = (it: Incident): number => severity.options.indexOf(it.severity);

function compareIncidents(a: Incident, b: Incident): number {
  const unowned = Number(a.owner_id !== null) - Number(b.owner_id !== null);
  return unowned || rank(b) - rank(a) || a.number - b.number;
}

/** What somebody looks at who takes a picture. */
export interface PictureSubject {
  /** Clips that are played. */
  taskIds: readonly string[];
  notificationId: string | null;
  vehicleId: string | null;
}

/** The open incidents that a picture may belong to: first of its clip or alarm, then of its vehicle, then this user's. */
export function incidentsAbout(byId: ById, subject: PictureSubject, userId: string): Incident[] {
  const { taskIds, notificationId, vehicleId } = subject;
  const nearness = (it: Incident) =>
    it.task_ids.some((id) => taskIds.includes(id)) || it.notification_ids.includes(notificationId ?? '')
      ? 3
      : it.vehicle_id !== null && it.vehicle_id === vehicleId
        ? 2
        : Number(it.owner_id === userId);
  return openIncidents(byId)
    .filter((it) => nearness(it) > 0)
    .sort((a, b) => nearness(b) - nearness(a));
}

export const countUnowned = (byId: ById): number =>
  [...byId.values()].filter((it) => it.status !== 'closed' && it.owner_id === null).length;

/** By the state of the store, which is another object after each change. */
const byAlarmOf = new WeakMap<ById, ReadonlyMap<string, Incident>>();

/** The incident that an alarm is attached to, as far as the console holds it: every open one, and those looked at. */
export function incidentOf(byId: ById, notificationId: string): Incident | undefined {
  let byAlarm = byAlarmOf.get(byId);
  if (byAlarm === undefined) {
    byAlarm = new Map([...byId.values()].flatMap((it) => it.notification_ids.map((id) => [id, it])));
    byAlarmOf.set(byId, byAlarm);
  }
  return byAlarm.get(notificationId);
}
