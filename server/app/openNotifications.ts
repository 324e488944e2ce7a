import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { SettingsFields } from '../contract/settings.ts';
import type { DriveHistory } from '../drivers/driveHistory.ts';
import type { Geofences } from '../geofences/geofences.ts';
import { createChannelStore } from '../notifications/channels/channelSettings.ts';
import { createDeliveries } from '../notifications/channels/deliveries.ts';
import { createEmail, createReportMail } from '../notifications/channels/email.ts';
import { createMessages } from '../notifications/channels/messages.ts';
import type { Recipients } from '../notifications/channels/recipients.ts';
import { toApprovedAlone } from '../notifications/channels/sender.ts';
import { createTestLimits, createTestRule } from '../notifications/channels/testRule.ts';
import { createWebhook } from '../notifications/channels/webhook.ts';
import { createEscalations, type EscalationsDeps } from '../notifications/escalations.ts';
import { createEscalationViews } from '../notifications/presentEscalation.ts';
import type { IsOwnAddress } from '../notifications/ruleChannels.ts';
import type { Rules } from '../notifications/rules.ts';
import type { Sight } from '../notifications/sight.ts';
import { loadSnoozes } from '../notifications/snoozes.ts';
import type { PlacesWithin } from '../places/boundedPlaces.ts';
import { everybody } from '../store/telemetry/changesTable.ts';
import { userAlone } from '../stream/streamItems.ts';
import type { Users } from '../users/users.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';
import type { Stores } from './openStores.ts';

/** What delivers a notification to its recipients. */
export type Notifying = Awaited<ReturnType<typeof openNotifications>>;

export async function openNotifications(deps: {
  stores: Stores;
  vehicles: Vehicles;
  drives: DriveHistory;
  geofences: Geofences;
  rules: Rules;
  sight: Sight;
  recipients: Recipients;
  settings: () => SettingsFields;
  isOwnAddress: IsOwnAddress;
  placesWithin: PlacesWithin;
  users: Users;
  /** The user_ids of those on duty. */
  onDuty: () => readonly string[];
  between: EscalationsDeps['between'];
  /** What is shown of these notifications has changed. */
  onEscalated: EscalationsDeps['onMoved'];
  clock: Clock;
  log: Logger;
}) {
  const { stores, users, vehicles, geofences, rules, sight, recipients, settings, isOwnAddress } = deps;
  const { clock, log } = deps;
  const store = stores.telemetry;
  const snoozes = await loadSnoozes({
    store,
    acts: stores.collections.acts,
    vehicles,
    rules,
    visibleTo: ({ vehicle_id, rule_id }) => {
      if (vehicle_id !== null) return vehicles.get(vehicle_id)?.group_ids ?? [];
      const rule = rule_id === null ? undefined : rules.get(rule_id);
      if (rule === undefined) return [];
      return [rule.owner_id === null ? everybody : userAlone(rule.owner_id)];
    },
    clock,
    log,
  });
  const channels = createChannelStore(stores.documents.channels);
  const messages = createMessages({
    store,
    rules,
    sight,
    userOf: (id) => users.get(id),
    users,
    vehicles,
    drives: deps.drives,
    geofences,
    snoozedUntil: (row) => snoozes.snoozedUntil(row),
    settings,
  });
  const send = toApprovedAlone(
    {
      webhook: createWebhook({ secret: () => channels.webhookSecret(), isOwnAddress, clock }),
      email: createEmail({ smtp: () => channels.smtp(), clock }),
    },
    (target) => recipients.mayReceive(target),
  );
  const deliveries = createDeliveries({
    ...{ store, messages, send, clock, log },
    placesWithin: deps.placesWithin,
    ownerOf: (ruleId) => rules.get(ruleId)?.owner_id ?? null,
  });
  const escalations = createEscalations({
    store,
    between: deps.between,
    snoozedUntil: (row) => snoozes.snoozedUntil(row),
    depotSteps: () => channels.alarmSteps(),
    users: () => users.all(),
    userOf: (id) => users.get(id),
    onDuty: deps.onDuty,
    seesVehicle: (viewer, vehicleId) => vehicles.sees(viewer, vehicleId),
    deliver: (rows) => deliveries.adopt(rows),
    onMoved: deps.onEscalated,
    ...{ clock, log },
  });
  const stopListening = [
    channels.onChange(() => {
      deliveries.tryNow('email');
      deliveries.tryNow('webhook');
    }),
    snoozes.onChange(() => escalations.reviewSnoozes()),
  ];
  return {
    snoozes,
    channels,
    deliveries,
    escalations,
    escalationViews: createEscalationViews({
      ...{ escalations, store },
      userOf: (id) => users.get(id),
      seesVehicle: (viewer, vehicleId) => vehicles.sees(viewer, vehicleId),
    }),
    /** Takes up what an earlier run has left. */
    async start(): Promise<void> {
      await deliveries.start();
      await escalations.load();
      escalations.reviewSnoozes();
    },
    sendReportMail: createReportMail({ smtp: () => channels.smtp(), clock }),
    testRule: createTestRule({ messages, send, clock }),
    countTest: createTestLimits(clock),
    async close(): Promise<void> {
      for (const stop of stopListening) stop();
      escalations.close();
      snoozes.close();
      await deliveries.close();
    },
  };
}
