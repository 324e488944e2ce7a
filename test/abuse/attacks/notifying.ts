import { createServer } from 'node:net';
import { once } from 'node:events';
import { maxBulk } from '../../../server/contract/bulk.ts';
import { eventKind } from '../../../server/contract/events.ts';
import { maxListedVehicles } from '../../../server/contract/fields.ts';
import type { AddressInfo } from 'node:net';
import { always, type Field, type OperationAttack } from '../attack.ts';
import { manyIds, manyVehicles, unknownId } from '../depot.ts';
import { iso, lastDays } from './accounts.ts';

const bigRule = ({ depot }: Field, name: string) => ({
  ...{ name, event_kind: 'geofence_enter', cooldown_s: 0, channels: ['desktop'] },
  scope: {
    vehicle_ids: manyVehicles(depot, 10_000),
    group_ids: [],
  },
  geozone_ids: manyIds(depot.geozone_ids, 10_000),
});
const preview = (variant: string | undefined, does: string, rule: object): OperationAttack => ({
  operation: 'previewRule',
  ...(variant === undefined ? {} : { variant }),
  does,
  calls: ({ depot }) => {
    const body = JSON.stringify({
      ...lastDays(depot.now_ms, 31),
      rule: { name: 'Tried', scope: { all: true }, ...rule },
    });
    return () => ({ body });
  },
});
const ofNotification = (operation: string, does: string, body?: object): OperationAttack => ({
  operation,
  does,
  calls:
    ({ depot }) =>
    (at) => ({
      params: { notification_id: depot.notification_ids[at % depot.notification_ids.length] ?? '' },
      ...(body === undefined ? {} : { body }),
    }),
});

const recipients = '/api/v1/notifications/recipients';

/** Approves addresses, and answers the ids of their entries. */
async function approve({ keeper }: Field, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at++) {
    const { body } = await keeper.post(recipients, { kind: 'email', address: `duty-${at}@depot.example` });
    ids.push((body as { recipient_id?: string } | undefined)?.recipient_id ?? unknownId);
  }
  return ids;
}

async function ofRecipients(field: Field): Promise<(at: number) => { params: { recipient_id: string } }> {
  // The keeper, too, may make 180 calls a minute.
  const ids = await approve(field, 100);
  return (at) => ({ params: { recipient_id: ids[at % ids.length] ?? unknownId } });
}

export const notifyingAttacks: readonly OperationAttack[] = [
  {
    operation: 'listRules',
    does: 'a page of 1,000, of which some name 10,000 vehicles',
    async calls(field) {
      const { keeper } = field;
      const rules = Array.from({ length: 10 }, (_, at) => bigRule(field, `Big ${at}`));
      await Promise.all(rules.map((rule) => keeper.post('/api/v1/notifications/rules', rule)));
      return () => ({ query: { limit: 1_000 } });
    },
  },
  {
    operation: 'createRule',
    does: '10,000 vehicles and 10,000 geofences by name',
    calls: (field) => {
      const body = JSON.stringify(bigRule(field, 'Big'));
      return () => ({ body });
    },
  },
  {
    operation: 'getRule',
    does: 'one after another',
    calls:
      ({ depot }) =>
      (at) => ({ params: { rule_id: depot.rule_ids[at % depot.rule_ids.length] ?? '' } }),
  },
  {
    operation: 'patchRule',
    does: '10,000 vehicles and 10,000 geofences, in and out',
    async calls(field) {
      const rule_id = await ownRule(field, { event_kind: 'geofence_enter' });
      const { scope, geozone_ids } = bigRule(field, '');
      const bodies = [
        { scope, geozone_ids },
        { scope: { all: true }, geozone_ids: [] },
      ].map((it) => JSON.stringify(it));
      return (at) => ({ params: { rule_id }, body: bodies[at % 2] });
    },
  },
  {
    operation: 'deleteRule',
    does: 'as many as there are',
    async calls(field) {
      const ids = await Promise.all(Array.from({ length: 40 }, () => ownRule(field)));
      return (at) => ({ params: { rule_id: ids[at % ids.length] ?? '' } });
    },
  },
  preview(undefined, 'entries of all geofences in 31 days of all', {
    event_kind: 'geofence_enter',
    cooldown_s: 0,
  }),
  preview('overspeed', 'the tightest limit over 31 days of all', {
    ...{ event_kind: 'overspeed', cooldown_s: 0 },
    params: { limit_kmh: 1, tolerance_kmh: 0, min_duration_s: 0 },
  }),
  preview('schedule', 'opening hours of 50 ranges over 31 days of all', {
    ...{ event_kind: 'moving', cooldown_s: 0 },
    schedule: {
      timezone: 'America/Argentina/ComodRivadavia',
      ranges: Array.from({ length: 50 }, (_, at) => ({
        days: [1, 2, 3, 4, 5, 6, 7],
        from: `0${at % 10}:00`,
        to: `0${at % 10}:30`,
      })),
    },
  }),
  {
    operation: 'testRule',
    does: 'a rule whose webhook never answers, with 20 mail addresses',
    async calls(field) {
      const sink = createServer().listen(0, '127.0.0.1').unref();
      await once(sink, 'listening');
      const { port } = sink.address() as AddressInfo;
      sink.on('connection', (socket) => socket.on('error', () => undefined).unref());
      await field.keeper.post(recipients, { kind: 'mail_domain', address: 'depot.example' });
      const rule_id = await ownRule(field, {
        ...{ channels: ['desktop', 'email'] },
        email_to: Array.from({ length: 20 }, (_, at) => `somebody-${at}@depot.example`),
      });
      // Mail alone is a user's to set; where webhooks go, a dealer says.
      await field.keeper.call('PATCH', '/api/v1/notifications/channels', {
        smtp: { host: '127.0.0.1', port, security: 'none', from: 'depot@depot.example' },
      });
      return () => ({ params: { rule_id } });
    },
  },

  {
    operation: 'listRecipients',
    does: 'as many as there may be, in one page',
    async calls(field) {
      await approve(field, 100);
      return () => ({ query: { limit: 1_000 } });
    },
  },
  {
    operation: 'addRecipient',
    does: 'a new address each time',
    calls: () => (at) => ({ body: { kind: 'email', address: `somebody-${at}@depot.example` } }),
  },
  {
    operation: 'suggestRecipients',
    does: 'of as many as there may be',
    async calls(field) {
      await approve(field, 100);
      return () => ({});
    },
  },
  {
    operation: 'getRecipient',
    does: 'one after another',
    calls: ofRecipients,
  },
  {
    operation: 'keepRecipient',
    does: 'one after another',
    calls: async (field) => {
      const next = await ofRecipients(field);
      return (at) => ({ ...next(at), body: { state: 'approved' } });
    },
  },
  {
    operation: 'removeRecipient',
    does: 'one after another',
    calls: ofRecipients,
  },

  {
    operation: 'listNotifications',
    does: 'a page of 1,000',
    calls: always({ query: { limit: 1_000 } }),
  },
  {
    operation: 'listNotifications',
    variant: 'shelved',
    does: 'those that are snoozed, of which there are none: the whole queue is read',
    async calls({ keeper, depot }) {
      await keeper.post('/api/v1/notifications/snoozes', { rule_id: depot.rule_ids[0], duration_s: 3_600 });
      return () => ({ query: { limit: 1_000, shelved: 'true', severity: 'info,warning,alarm' } });
    },
  },
  ofNotification('acknowledgeNotification', 'the longest note', { note: 'x'.repeat(2_000) }),
  {
    operation: 'acknowledgeNotifications',
    does: '1,000 at once, with the longest note',
    calls: always(({ depot }) => ({
      body: { notification_ids: manyIds(depot.notification_ids, 1_000), note: 'x'.repeat(2_000) },
    })),
  },
  ofNotification('getNotification', 'one after another'),
  ofNotification('explainNotification', 'one after another'),
  { operation: 'listSnoozes', does: 'all', calls: always({ query: { limit: 1_000 } }) },
  {
    operation: 'createSnooze',
    does: 'a vehicle after another, the longest note: their notifications are shown again',
    calls:
      ({ depot }) =>
      (at) => ({
        body: {
          vehicle_id: depot.vehicles[at % depot.vehicles.length]?.vehicle_id,
          ...{ duration_s: 604_800, note: 'x'.repeat(2_000) },
        },
      }),
  },
  {
    operation: 'snoozeVehicles',
    does: '500 vehicles, the longest note: their notifications are shown again',
    calls: always(({ depot }) => ({
      body: {
        vehicle_ids: manyVehicles(depot, maxBulk),
        ...{ duration_s: 604_800, note: 'x'.repeat(2_000) },
      },
    })),
  },
  {
    operation: 'deleteSnooze',
    does: 'as many as there are',
    async calls({ depot, keeper }) {
      const ids = await Promise.all(
        depot.vehicles.slice(0, 60).map(async ({ vehicle_id }) => {
          const made = await keeper.post('/api/v1/notifications/snoozes', { vehicle_id, duration_s: 600 });
          return (made.body as { snooze_id: string }).snooze_id;
        }),
      );
      return (at) => ({ params: { snooze_id: ids[at % ids.length] ?? unknownId } });
    },
  },
  { operation: 'getChannels', does: 'as often as may be', calls: always({}) },
  {
    operation: 'patchChannels',
    does: 'another secret each time',
    calls: () => (at) => ({ body: { webhook_secret: `${at}`.padEnd(200, 's') } }),
  },

  {
    operation: 'listEvents',
    does: 'a page of 1,000 of all kinds, over all time',
    calls: always({ query: { limit: 1_000, kind: eventKind.options.join(), from: iso(0) } }),
  },
  {
    operation: 'listEvents',
    variant: 'ids',
    does: 'by 350 ids of 36 letters',
    calls: always(({ depot }) => ({ query: { limit: 1_000, ids: manyIds(depot.event_ids, 350).join() } })),
  },
  {
    operation: 'listEvents',
    variant: 'geofence',
    does: 'at a geofence, by 64 vehicles, of a kind that is never there',
    calls: always(({ depot }) => ({
      query: {
        ...{ limit: 1_000, kind: 'sos', from: iso(0), geofence: depot.geozone_ids[0] ?? '' },
        vehicle: depot.vehicles
          .slice(0, maxListedVehicles)
          .map((it) => it.vehicle_id)
          .join(),
      },
    })),
  },
  {
    operation: 'getEvent',
    does: 'one after another',
    calls:
      ({ depot }) =>
      (at) => ({ params: { event_id: depot.event_ids[at % depot.event_ids.length] ?? '' } }),
  },
];

async function ownRule({ attacker }: Field, more: object = {}): Promise<string> {
  const made = await attacker.post('/api/v1/notifications/rules', {
    ...{ name: 'Mine', event_kind: 'sos', scope: { all: true } },
    ...more,
  });
  return (made.body as { rule_id?: string }).rule_id ?? unknownId;
}
