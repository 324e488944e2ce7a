import type { NotificationWhy } from '../contract/notifications.ts';
import type { Viewer } from '../http/viewer.ts';
import type { DeliveryRow, NotificationRow } from '../store/telemetry/rows.ts';
import type { Store } from '../store/operations.ts';
import { isoTime } from '../telemetry/presentPosition.ts';
import { presentEvent } from './presentEvent.ts';
import { presentNotification } from './presentNotification.ts';
import type { SnoozedUntil } from './ruleEngine.ts';
import type { Rules } from './rules.ts';
import { ruleAsItWas } from './ruleVersions.ts';
import type { Sight } from './sight.ts';

export interface WhyDeps {
  store: Pick<Store, 'events' | 'ruleVersion' | 'deliveriesOf'>;
  rules: Pick<Rules, 'get' | 'isOwn' | 'shownTo'>;
  sight: Sight;
  snoozedUntil: SnoozedUntil;
}

/**
 * Why a notification that the viewer sees has fired. A rule of another user is not shown; where things were sent to is
 * for the rule's owner and dealers.
 */
export async function presentWhy(
  row: NotificationRow,
  viewer: Viewer,
  { store, rules, sight, snoozedUntil }: WhyDeps,
): Promise<NotificationWhy> {
  const [rule, events, deliveries] = await Promise.all([
    ruleAsItWas(store, row),
    store.events({ limit: row.event_ids.length, event_ids: row.event_ids }),
    store.deliveriesOf(row.notification_id),
  ]);
  const now = rules.get(row.rule_id);
  const owned = rule ?? now;
  const isOwn = owned !== undefined && rules.isOwn(viewer, owned);
  return {
    notification: presentNotification(row, viewer, sight, snoozedUntil(row)),
    rule: rule === null || (rule.owner_id !== null && !isOwn) ? null : rules.shownTo(viewer, rule),
    rule_now: now === undefined ? 'deleted' : now.version === row.rule_version ? 'same' : 'changed',
    events: events.sort((a, b) => a.time_ms - b.time_ms).map((it) => presentEvent(it, viewer, sight)),
    deliveries: deliveries.map((it) => presentDelivery(it, isOwn)),
  };
}

/** 0.1.0 kept the beginning of what a webhook's receiver answered. */
const olderAnswer = /^(It answered \d{3}): .*$/s;

/** An error's words may name the target, too. */
function presentDelivery(
  { channel, target, status, attempts, last_error, next_attempt_ms, sent_ms }: DeliveryRow,
  isOwn: boolean,
): NotificationWhy['deliveries'][number] {
  return {
    channel,
    target: isOwn ? target : '',
    status,
    attempts,
    last_error: isOwn ? (last_error?.replace(olderAnswer, '$1.') ?? null) : null,
    next_attempt_at: next_attempt_ms === null ? null : isoTime(next_attempt_ms),
    sent_at: sent_ms === null ? null : isoTime(sent_ms),
  };
}
