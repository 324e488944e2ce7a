import type { DriveHistory } from '../../drivers/driveHistory.ts';
import { createServerWords, type ServerWords, type Wording } from '../../contract/texts/serverWords.ts';
import type { Rule } from '../../contract/rules.ts';
import type { SettingsFields } from '../../contract/settings.ts';
import type { Geofences } from '../../geofences/geofences.ts';
import type { DeliveryRow, NotificationRow } from '../../store/telemetry/rows.ts';
import type { Store } from '../../store/operations.ts';
import { wordingOf, type UserRecord } from '../../users/userRecord.ts';
import type { Users } from '../../users/users.ts';
import type { Viewer } from '../../http/viewer.ts';
import type { Vehicles } from '../../vehicles/vehicles.ts';
import { mayLearn, readSteps, stepOutcome, viewerOf } from '../escalationSteps.ts';
import { notificationOf } from '../presentNotification.ts';
import type { Target } from '../ruleChannels.ts';
import type { SnoozedUntil } from '../ruleEngine.ts';
import type { Rules } from '../rules.ts';
import { ruleAsItWas } from '../ruleRecord.ts';
import type { Seen, Sight } from '../sight.ts';
import { formatAlarm, formatDuration } from './formatAlarm.ts';
import type { Message } from './sender.ts';

/** The message of a delivery; null when its notification is gone; `refusal` when it may no longer be sent. */
export type Composed = { message: Message } | { refusal: string } | null;

export interface MessagesDeps {
  store: Pick<Store, 'notificationsById' | 'ruleVersion' | 'escalationOf'>;
  rules: Pick<Rules, 'get' | 'ownerSees' | 'ownerOf'>;
  sight: Pick<Sight, 'of'>;
  userOf: (userId: string) => UserRecord | undefined;
  users: Pick<Users, 'all'>;
  vehicles: Pick<Vehicles, 'get' | 'sees'>;
  drives: Pick<DriveHistory, 'driverAt'>;
  geofences: Pick<Geofences, 'get'>;
  snoozedUntil: SnoozedUntil;
  settings: () => Pick<SettingsFields, 'depot_name' | 'timezone'>;
}

export type Messages = ReturnType<typeof createMessages>;

export function createMessages(deps: MessagesDeps) {
  const { store, rules, sight, userOf, users, vehicles, drives, geofences, snoozedUntil, settings } = deps;

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

  /** A user is sent no more than it may read; null: nothing. */
  function seenByUser(seen: Seen<NotificationRow>, userId: string): Seen<NotificationRow> | null {
    const user = userOf(userId);
    const seesVehicle = (viewer: Viewer, id: string | null) => vehicles.sees(viewer, id);
    if (user === undefined || !mayLearn(user, seen.vehicle_id, seesVehicle)) return null;
    const viewer = viewerOf(user);
    return { ...seen, geozone_id: sight.of({ ...seen, rule_id: null }, viewer).geozone_id };
  }

  /** What an escalation adds to a message; null where its step is not known. */
  async function stepOf({ notification_id, step }: DeliveryRow) {
    const stored = step === null ? null : await store.escalationOf(notification_id);
    const done = stored?.steps.find((it) => it.step === step);
    const outcome = done === undefined ? undefined : stepOutcome.safeParse(JSON.parse(done.outcome)).data;
    if (stored === null || done === undefined || outcome === undefined) return null;
    return {
      waited_s: (done.at_ms - stored.row.base_ms) / 1_000,
      shown: {
        step: done.step + 1,
        steps: readSteps(stored.row.steps)?.length ?? 0,
        missed: outcome.missed.map((it) => it + 1),
      },
    };
  }

  /**
   * Programs are written to in English; a mail as the user reads whom it is for, by its address if not by name, else as
   * the owner of the rule does.
   */
  function wordingFor(
    { channel, target }: Target,
    userId: string | null,
    ownerId: string | null | undefined,
  ): Wording {
    if (channel !== 'email') return {};
    const address = target.toLowerCase();
    const reader =
      userId === null ? users.all().find(({ email }) => email?.toLowerCase() === address) : userOf(userId);
    return wordingOf(reader ?? (ownerId == null ? null : userOf(ownerId)));
  }

  function geofenceName({ geozone_id }: Pick<NotificationRow, 'geozone_id'>, { say }: ServerWords): string {
    const geofence = geozone_id === null ? undefined : geofences.get(geozone_id);
    return geofence?.name ?? say('mail.unknown_geofence');
  }

  return {
    async ofDelivery(delivery: DeliveryRow): Promise<Composed> {
      const { notification_id, delivery_id, target, user_id } = delivery;
      const [row] = await store.notificationsById([notification_id]);
      if (row === undefined) return null;
      if (delivery.step !== null && row.state === 'acknowledged')
        return { refusal: 'Not sent: it was acknowledged before.' };
      const ownSight = await seenByOwner(row);
      if (ownSight === null) return { refusal: 'The owner of the rule no longer sees the vehicle.' };
      const seen = user_id === null ? ownSight : seenByUser(ownSight, user_id);
      if (seen === null) return { refusal: 'The user no longer sees the vehicle.' };
      const escalated = await stepOf(delivery);
      const record = row.vehicle_id === null ? undefined : vehicles.get(row.vehicle_id);
      const rule = rules.get(row.rule_id) ?? (await ruleAsItWas(store, row));
      const wording = wordingFor(delivery, user_id, rule?.owner_id);
      const words = createServerWords(wording);
      const what = formatAlarm(seen, geofenceName(seen, words), words);
      const text = record === undefined ? what : `${record.name}: ${what}`;
      return {
        message: {
          type: escalated === null ? 'notification' : 'escalation',
          delivery_id,
          target,
          ...depot(),
          wording,
          text:
            escalated === null
              ? text
              : words.say('mail.not_acknowledged', {
                  span: formatDuration(escalated.waited_s, words),
                  what: text,
                }),
          notification: notificationOf(seen, snoozedUntil(row)),
          // Of what is sent together it is asked for at once.
          place: null,
          escalation: escalated?.shown ?? null,
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

    ofTest(
      { rule_id, name, version, owner_id }: Rule,
      { channel, target }: Target,
      delivery_id: string,
      escalation: Message['escalation'] = null,
    ): Message {
      const wording = wordingFor({ channel, target }, null, owner_id);
      return {
        type: 'test',
        delivery_id,
        target,
        ...depot(),
        wording,
        text: createServerWords(wording).say('mail.test', { rule: name }),
        notification: null,
        place: null,
        escalation,
        rule: { rule_id, name, version },
        vehicle: null,
        driver: null,
      };
    },
  };
}
