import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { rights, type Rights } from '../../../../server/contract/rights.ts';
import { newRule } from '../../../../server/contract/rules.ts';
import type { GeofenceRecord } from '../../../../server/geofences/geofenceRecord.ts';
import { holds } from '../../../../server/http/viewer.ts';
import { openMemoryStore } from '../../../../server/store/memoryStore.ts';
import { createMessages } from '../../../../server/notifications/channels/messages.ts';
import type { RuleRecord } from '../../../../server/notifications/ruleRecord.ts';
import { createSight } from '../../../../server/notifications/sight.ts';
import { openDepot, viewerOf } from '../depot.ts';
import { notificationRow } from '../rows.ts';
import { deliveryRow } from './rows.ts';

it('a message names a geofence only to an owner of the rule who may read geofences', async () => {
  const { users } = await openDepot();
  const row = notificationRow({ event_kind: 'geofence_enter', geozone_id: randomUUID() });
  const rule: RuleRecord = {
    ...newRule.parse({ name: 'in', event_kind: 'geofence_enter', scope: { all: true } }),
    ...{
      rule_id: row.rule_id,
      owner_id: users.nora.user_id,
      disabled_reason: null,
      video: null,
      escalation: null,
      version: 1,
    },
    ...{ created_at: users.nora.created_at, updated_at: users.nora.updated_at },
  };
  const store = openMemoryStore({ now: () => 0 });
  await store.saveNotifications([row]);
  async function published(geofences: Rights['geofences']) {
    const owner = viewerOf({ ...users.nora, rights: rights.parse({ notifications: 'write', geofences }) });
    const fences = {
      get: () => ({ name: 'secret yard' }) as GeofenceRecord,
      sees: (viewer: typeof owner) => holds(viewer, 'geofences', 'read'),
    };
    const rules = { get: () => rule, isOwn: () => true, ownerOf: () => owner, ownerSees: () => true };
    const messages = createMessages({
      users: { all: () => [] },
      store,
      ...{ rules, geofences: fences, vehicles: { get: () => undefined, sees: () => true } },
      userOf: () => undefined,
      drives: { driverAt: () => Promise.resolve(null) },
      sight: createSight({ geofences: fences, rules }),
      snoozedUntil: () => null,
      settings: () => ({ depot_name: 'Port', timezone: 'UTC' }),
    });
    const composed = await messages.ofDelivery(deliveryRow({ notification_id: row.notification_id }));
    if (composed === null || 'refusal' in composed) throw new Error('nothing was composed');
    const { text, notification } = composed.message;
    return { text, geozone_id: notification?.geozone_id };
  }
  expect(await published('read')).toEqual({ text: 'Entered secret yard', geozone_id: row.geozone_id });
  expect(await published('none')).toEqual({ text: 'Entered a geofence', geozone_id: null });
});
