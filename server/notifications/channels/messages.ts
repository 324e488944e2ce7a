import type { DriveHistory } from '../../drivers/driveHistory.ts';
import type { Rule } from '../../contract/rules.ts';
import type { SettingsFields } from '../../contract/settings.ts';
import type { Geofences } from '../../geofences/geofences.ts';
import type { DeliveryRow, NotificationRow } from '../../store/telemetry/rows.ts';
import type { Store } from '../../store/operations.ts';
import type { Vehicles } from '../../vehicles/vehicles.ts';
import { notificationOf } from '../presentNotification.ts';
import type { Target } from '../ruleChannels.ts';
import type { SnoozedUntil } from '../ruleEngine.ts';
import type { Rules } from '../rules.ts';
import { ruleAsItWas } from '../ruleRecord.ts';
import type { Seen, Sight } from '../sight.ts';
import { formatAlarm } from './formatAlarm.ts';
import type { Message } from './sender.ts';

/** The message of a delivery; null when its notification is gone; `refusal` when it may no longer be sent. */
export type Composed = { message: Message } | { refusal: string } | null;

export interface MessagesDeps {
  store: Pick<Store, 'notificationsById' | 'ruleVersion'>;
  rules: Pick<Rules, 'get' | 'ownerSees' | 'ownerOf'>;
  sight: Pick<Sight, 'of'>;
  vehicles: Pick<Vehicles, 'get'>;
  drives: Pick<DriveHistory, 'driverAt'>;
  geofences: Pick<Geofences, 'get'>;
  snoozedUntil: SnoozedUntil;
  settings: () => Pick<SettingsFields, 'depot_name' | 'timezone'>;
}

export type Messages = ReturnType<typeof createMessages>;

export function createMessages(deps: MessagesDeps) {
  const { store, rules, sight, vehicles, drives, geofences, snoozedUntil, settings } = deps;

  function depot() {
    const { depot_name, timezone } = settings();
    return { depot: depot_name, timezone };
  }

  /** What its owner may read of it, null for nothing; rights can be lost while a delivery waits. */
  async function seenByOwner(row: NotificationRow): Promise<Seen<NotificationRow> | null> {
    const rule = rules.get(row.rule_id) ?? (await ruleAsItWas(store, row));
    if (rule === null || rule.owner_id === null) return row;
    const owner = rules.ownerOf(rule);
    if (owner === null || row.vehicle_id === null || !rules.ownerSees(rule, row.vehicle_id)) return null;
    return { ...sight.of(row, owner), rule_id: row.rule_id };
  }

  function geofenceName({ geozone_id }: Pick<NotificationRow, 'geozone_id'>): string {
    const geofence = geozone_id === null ? undefined : geofences.get(geozone_id);
    return geofence?.name ?? 'a geofence';
  }

  return {
    async ofDelivery({ notification_id, delivery_id, target }: DeliveryRow): Promise<Composed> {
      const [row] = await store.notificationsById([notification_id]);
      if (row === undefined) return null;
      const seen = await seenByOwner(row);
      if (seen === null) return { refusal: 'The owner of the rule no longer sees the vehicle.' };
      const record = row.vehicle_id === null ? undefined : vehicles.get(row.vehicle_id);
      const text = formatAlarm(seen, geofenceName(seen));
      return {
        message: {
          type: 'notification',
          delivery_id,
          target,
          ...depot(),
          text: record === undefined ? text : `${record.name}: ${text}`,
          notification: notificationOf(seen, snoozedUntil(row)),
          // Of what is sent together it is asked for at once.
          place: null,
          driver: record === undefined ? null : await drives.driverAt(record, row.last_ms),
          rule: { rule_id: row.rule_id, name: row.rule_name, version: row.rule_version },
          vehicle:
            record === undefined
              ? null
              : {
                  vehicle_id: record.vehicle_id,
                  terminal_id: record.terminal_id,
                  name: record.name,
                  plate: record.plate,
                },
        },
      };
    },

    ofTest: ({ rule_id, name, version }: Rule, { target }: Target, delivery_id: string): Message => ({
      type: 'test',
      delivery_id,
      target,
      ...depot(),
      text: `Test of the rule ${name}`,
      notification: null,
      place: null,
      rule: { rule_id, name, version },
      vehicle: null,
      driver: null,
    }),
  };
}
