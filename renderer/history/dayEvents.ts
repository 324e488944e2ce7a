import { eventRoutes, type Event } from '../../server/contract/events.ts';
import { notificationRoutes, type Notification } from '../../server/contract/notifications.ts';
import { videoRoutes, type Task } from '../../server/contract/video.ts';
import { PAGE_LIMIT, type Api } from '../api/client.ts';
import type { TrackPeriod } from './trackCache.ts';

/** What happened on the day that is shown: ticks and marks of the time bar. */
export interface DayEvents {
  events: readonly Event[];
  notifications: readonly Notification[];
  /** The oldest ones are missing. */
  isCut: boolean;
}

/** A lane cannot show more marks than these pages hold. */
const DAY_PAGES = 3;
const TASK_LIMIT = 500;

export const NO_EVENTS: DayEvents = { events: [], notifications: [], isCut: false };

/** A period as the API takes it. */
export const periodOf = ({ from, to }: TrackPeriod) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
});

/** Reads the newest of a day, as many as the time bar can show. */
export async function readDayEvents(api: Api, day: TrackPeriod, signal: AbortSignal): Promise<DayEvents> {
  const query = { ...periodOf(day), limit: PAGE_LIMIT };
  const [events, notifications] = await Promise.all([
    somePages((cursor) => api.request(eventRoutes.list, { query: { ...query, cursor }, signal })),
    somePages((cursor) => api.request(notificationRoutes.list, { query: { ...query, cursor }, signal })),
  ]);
  return { events: events.items, notifications: notifications.items, isCut: events.isCut };
}

/** Reads the newest video tasks of a day, as many as the time bar can show. */
export async function readDayTasks(api: Api, day: TrackPeriod, signal: AbortSignal): Promise<Task[]> {
  const query = { ...periodOf(day), limit: TASK_LIMIT };
  const { items } = await somePages((cursor) =>
    api.request(videoRoutes.tasks, { query: { ...query, cursor }, signal }),
  );
  return items;
}

async function somePages<T>(
  read: (cursor: string | undefined) => Promise<{ items: T[]; next_cursor: string | null }>,
): Promise<{ items: T[]; isCut: boolean }> {
  const items: T[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < DAY_PAGES; page++) {
    const answer = await read(cursor);
    items.push(...answer.items);
    if (answer.next_cursor === null) return { items, isCut: false };
    cursor = answer.next_cursor;
  }
  return { items, isCut: true };
}
