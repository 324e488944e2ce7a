import { notificationRoutes, type NotificationWhy } from '../contract/notifications.ts';
import type { Api } from '../http/api.ts';
import { notFound } from '../http/apiError.ts';
import { beforeOf, encodeCursor, newestFirst, paginate } from '../http/pagination.ts';
import type { Viewer } from '../http/viewer.ts';
import type { NotificationRow, NotificationQuery, DeliveryRow, EventRow } from '../store/telemetry/rows.ts';
import type { Store } from '../store/operations.ts';
import type { Acknowledge } from './acknowledge.ts';
import { presentNotification, presentEvent } from './presentNotification.ts';
import type { EscalationViews } from './presentEscalation.ts';
import type { SnoozedUntil } from './ruleEngine.ts';
import { type Sight, periodOf, shownVehicles, type SeenVehicles } from './sight.ts';
import { type Snoozes, presentSnooze } from './snoozes.ts';
import { isoTime } from '../telemetry/presentPosition.ts';
import type { Rules } from './rules.ts';
import { ruleAsItWas } from './ruleRecord.ts';
import { eventRoutes } from '../contract/events.ts';

export interface NotificationRouteDeps {
  store: Pick<Store, 'notificationsPage' | 'notificationsById'> & WhyDeps['store'];
  vehicles: SeenVehicles;
  rules: WhyDeps['rules'];
  sight: Sight;
  snoozes: Pick<Snoozes, 'all' | 'snoozedUntil'>;
  acknowledge: Acknowledge;
  escalationViews: EscalationViews;
  clock: { now(): number };
}

/** To be called after the routes of rules, snoozes and channels, whose paths would else be taken for an id. */
export function addNotificationRoutes(api: Api, deps: NotificationRouteDeps): void {
  const { store, vehicles, rules, sight, snoozes, acknowledge, escalationViews, clock } = deps;
  const snoozedUntil: SnoozedUntil = (row) => snoozes.snoozedUntil(row);
  const shownTo = (viewer: Viewer) => (row: NotificationRow) =>
    presentNotification(row, viewer, sight, snoozedUntil(row), escalationViews.of(row, viewer));

  api.handle(notificationRoutes.list, async ({ query, viewer }) => {
    const seen = shownVehicles(vehicles, viewer, query.vehicle);
    if (query.rule !== undefined && !sight.seesRule(viewer, query.rule))
      return { items: [], next_cursor: null };
    if (query.shelved === 'true') narrowToSnoozed(seen);
    const { rows, next } = await readQueue(
      store,
      {
        limit: query.limit,
        ...beforeOf(query.cursor),
        ...seen,
        ...periodOf(query),
        ...(query.state === undefined ? {} : { state: query.state }),
        ...(query.rule === undefined ? {} : { rule_id: query.rule }),
        ...(query.severity === undefined ? {} : { severities: query.severity }),
        ...(query.quiet === undefined ? {} : { quiet: query.quiet === 'true' }),
      },
      (row) => query.shelved === undefined || (snoozedUntil(row) !== null) === (query.shelved === 'true'),
    );
    return {
      items: rows.map(shownTo(viewer)),
      next_cursor: next === null ? null : encodeCursor([next.ms, next.id]),
    };
  });

  /** While vehicles alone are snoozed, nothing of any other is shelved. */
  function narrowToSnoozed(seen: { vehicle_ids?: string[] }): void {
    const snoozed = snoozes.all();
    if (snoozed.some((it) => it.rule_id !== null)) return;
    const ids = new Set(snoozed.flatMap((it) => it.vehicle_id ?? []));
    seen.vehicle_ids = seen.vehicle_ids?.filter((id) => ids.has(id)) ?? [...ids];
  }

  /** One that the viewer does not see is left out, as one that is not there. */
  async function seenRows(ids: readonly string[], viewer: Viewer): Promise<NotificationRow[]> {
    const rows = await store.notificationsById([...new Set(ids)]);
    return rows.filter((row) => vehicles.sees(viewer, row.vehicle_id));
  }

  async function seenRow(id: string, viewer: Viewer): Promise<NotificationRow> {
    const [row] = await seenRows([id], viewer);
    if (row === undefined) throw notFound('notification');
    return row;
  }

  async function acknowledgeSeen(ids: readonly string[], note: string | null, viewer: Viewer) {
    const seen = await seenRows(ids, viewer);
    const at_ms = clock.now();
    return acknowledge(
      seen.map((row) => row.notification_id),
      { user_id: viewer.user.user_id, at_ms, note },
      at_ms,
    );
  }

  api.handle(notificationRoutes.ack, async ({ params: { notification_id }, body, viewer }) => {
    const acknowledged = (await acknowledgeSeen([notification_id], body.note, viewer)).get(notification_id);
    if (acknowledged === undefined) throw notFound('notification');
    return shownTo(viewer)(acknowledged.row);
  });

  api.handle(notificationRoutes.ackMany, async ({ body, viewer }) => {
    const acknowledged = await acknowledgeSeen(body.notification_ids, body.note, viewer);
    const show = shownTo(viewer);
    return {
      results: body.notification_ids.map((notification_id) => {
        const found = acknowledged.get(notification_id);
        if (found === undefined) return { notification_id, result: 'not_found' as const, notification: null };
        const result = found.isNew ? ('acknowledged' as const) : ('already_acknowledged' as const);
        return { notification_id, result, notification: show(found.row) };
      }),
    };
  });

  api.handle(notificationRoutes.get, async ({ params, viewer }) =>
    shownTo(viewer)(await seenRow(params.notification_id, viewer)),
  );

  api.handle(notificationRoutes.why, async ({ params, viewer }) =>
    presentWhy(await seenRow(params.notification_id, viewer), viewer, {
      store,
      rules,
      sight,
      snoozedUntil,
      escalationViews,
    }),
  );
}

/** A page of the queue; `next` is the place after which the following one begins, null at the end. */
interface QueuePage {
  rows: NotificationRow[];
  next: { ms: number; id: string } | null;
}

/** Read at a time once the first look was not enough. */
const readMore = 1_000;
/** For one page: a queue may hold years of what is not wanted. */
const maxRead = 20_000;

/**
 * Reads the queue from new to old and keeps what is wanted, until the page is full. A page that would take too long to
 * fill is handed on as it is, with the place where to go on.
 */
async function readQueue(
  store: Pick<Store, 'notificationsPage'>,
  query: NotificationQuery,
  isWanted: (row: NotificationRow) => boolean,
): Promise<QueuePage> {
  const retained: NotificationRow[] = [];
  let before = query.before;
  let limit = query.limit + 1;
  for (let read = 0; read < maxRead;) {
    const { rows, next } = await store.notificationsPage({ ...query, limit, ...(before && { before }) });
    retained.push(...rows.filter(isWanted));
    if (retained.length > query.limit)
      return { rows: retained.slice(0, query.limit), next: placeOf(retained[query.limit - 1]) };
    if (rows.length < limit) return { rows: retained, next };
    before = placeOf(rows.at(-1)) ?? before;
    read += rows.length;
    limit = readMore;
  }
  return { rows: retained, next: before ?? null };
}

function placeOf(row: NotificationRow | undefined): { ms: number; id: string } | null {
  return row === undefined ? null : { ms: row.last_ms, id: row.notification_id };
}

interface WhyDeps {
  store: Pick<Store, 'events' | 'ruleVersion' | 'deliveriesOf'>;
  rules: Pick<Rules, 'get' | 'isOwn' | 'shownTo'>;
  sight: Sight;
  snoozedUntil: SnoozedUntil;
  escalationViews: EscalationViews;
}

/**
 * Why a notification that the viewer sees has fired. A rule of another user is not shown; where things were sent to is
 * for the rule's owner and dealers.
 */
async function presentWhy(
  row: NotificationRow,
  viewer: Viewer,
  { store, rules, sight, snoozedUntil, escalationViews }: WhyDeps,
): Promise<NotificationWhy> {
  const [rule, events, deliveries, escalation] = await Promise.all([
    ruleAsItWas(store, row),
    store.events({ limit: row.event_ids.length, event_ids: row.event_ids }),
    store.deliveriesOf(row.notification_id),
    escalationViews.historyOf(row.notification_id, viewer),
  ]);
  const now = rules.get(row.rule_id);
  const owned = rule ?? now;
  const isOwn = owned !== undefined && rules.isOwn(viewer, owned);
  return {
    notification: presentNotification(row, viewer, sight, snoozedUntil(row), escalationViews.of(row, viewer)),
    rule: rule === null || (rule.owner_id !== null && !isOwn) ? null : rules.shownTo(viewer, rule),
    rule_now: now === undefined ? 'deleted' : now.version === row.rule_version ? 'same' : 'changed',
    events: events.sort((a, b) => a.time_ms - b.time_ms).map((it) => presentEvent(it, viewer, sight)),
    deliveries: deliveries.map((it) => presentDelivery(it, isOwn)),
    escalation,
  };
}

/** 0.1.0 kept the beginning of what a webhook's receiver answered. */
const olderAnswer = /^(It answered \d{3}): .*$/s;

/** An error's words may name the target, too. */
function presentDelivery(
  { channel, target, step, status, attempts, last_error, next_attempt_ms, sent_ms }: DeliveryRow,
  isOwn: boolean,
): NotificationWhy['deliveries'][number] {
  return {
    channel,
    target: isOwn ? target : '',
    step: step === null ? null : step + 1,
    status,
    attempts,
    last_error: isOwn ? (last_error?.replace(olderAnswer, '$1.') ?? null) : null,
    next_attempt_at: next_attempt_ms === null ? null : isoTime(next_attempt_ms),
    sent_at: sent_ms === null ? null : isoTime(sent_ms),
  };
}

interface EventRouteDeps {
  store: Pick<Store, 'events' | 'eventsPage'>;
  vehicles: SeenVehicles;
  sight: Sight;
}

export function addEventRoutes(api: Api, { store, vehicles, sight }: EventRouteDeps): void {
  api.handle(eventRoutes.list, async ({ query, viewer }) => {
    const seen = shownVehicles(vehicles, viewer, query.vehicle);
    if (query.geofence !== undefined && !sight.seesGeofence(viewer, query.geofence))
      return { items: [], next_cursor: null };
    const { rows, next } = await store.eventsPage({
      limit: query.limit + 1,
      ...beforeOf(query.cursor),
      ...seen,
      ...periodOf(query),
      ...(query.geofence === undefined ? {} : { geozone_id: query.geofence }),
      ...(query.kind === undefined ? {} : { kinds: query.kind }),
      ...(query.ids === undefined ? {} : { event_ids: query.ids }),
    });
    const key = (row: EventRow) => ({ ms: row.time_ms, id: row.event_id });
    return newestFirst(rows, query.limit, key, (row) => presentEvent(row, viewer, sight), next);
  });

  api.handle(eventRoutes.get, async ({ params, viewer }) => {
    const [row] = await store.events({ limit: 1, event_ids: [params.event_id] });
    if (row === undefined || !vehicles.sees(viewer, row.vehicle_id)) throw notFound('event');
    return presentEvent(row, viewer, sight);
  });
}

export function addSnoozeRoutes(api: Api, snoozes: Snoozes): void {
  api.handle(notificationRoutes.snoozes, ({ query, viewer }) => {
    const seen = snoozes.all().filter((it) => snoozes.sees(viewer, it));
    // The next to end stands first.
    const { items, next_cursor } = paginate(seen.map(presentSnooze), (it) => [it.until, it.snooze_id], query);
    return { items, next_cursor };
  });

  api.handle(notificationRoutes.snooze, async ({ body, viewer }) =>
    presentSnooze(await snoozes.add(body, viewer)),
  );

  api.handle(notificationRoutes.snoozeVehicles, ({ body, viewer }) => snoozes.addToVehicles(body, viewer));

  api.handle(notificationRoutes.unsnooze, ({ params, viewer }) => snoozes.remove(params.snooze_id, viewer));
}
