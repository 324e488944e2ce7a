import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createDeliveries, type Deliveries } from '../../../../server/notifications/channels/deliveries.ts';
import {
  emptyBatch,
  type DeliveryRow,
  type NotificationRow,
} from '../../../../server/store/telemetry/rows.ts';
import { createPlacesWithin } from '../../../../server/places/boundedPlaces.ts';
import { createFakeClock } from '../../../support/fakeClock.ts';
import { placeCalled, placesBy } from '../../../support/namedPlaces.ts';
import { groups, openDepot, start_ms, type Depot } from '../depot.ts';
import { notificationRow } from '../rows.ts';
import { answer, openReceiver, type Reaction } from './receiver.ts';
import { deliveryRow } from './rows.ts';

const log = pino({ level: 'silent' });

async function stored(depot: Depot, id: string): Promise<DeliveryRow | undefined> {
  return (await depot.store.deliveriesOf(id))[0];
}

/** Deliveries of one vehicle's notifications to a receiver, over a real store. */
async function openOut(...reactions: Reaction[]) {
  return openOutWith({}, ...reactions);
}

async function openOutWith(options: Parameters<typeof openDepot>[0], ...reactions: Reaction[]) {
  const depot = await openDepot(options);
  const vehicle = await depot.addVehicle('V 17', [groups.north]);
  const receiver = await openReceiver(...reactions);
  const elsewhere = await openReceiver();
  for (const { url: address } of [receiver, elsewhere])
    await depot.recipients.add({ kind: 'webhook_host', address }, depot.users.dora.user_id);
  let count = 0;

  /** A notification with its delivery, as a commit leaves them. */
  async function happened(
    more: Partial<DeliveryRow> = {},
    notificationMore: Partial<NotificationRow> = {},
  ): Promise<DeliveryRow> {
    const row = notificationRow({ vehicle_id: vehicle.vehicle_id, ...notificationMore });
    const delivery = deliveryRow({
      notification_id: row.notification_id,
      rule_id: row.rule_id,
      vehicle_id: row.vehicle_id,
      target: receiver.url,
      next_attempt_ms: depot.clock.now(),
      created_ms: depot.clock.now() + count++,
      ...more,
    });
    await depot.store.commit({ ...emptyBatch(), notifications: [row], deliveries: [delivery] });
    return delivery;
  }

  async function published(more: Partial<DeliveryRow> = {}): Promise<DeliveryRow> {
    const delivery = await happened(more);
    depot.deliveries.adopt([delivery]);
    return delivery;
  }

  /** Waits until the store holds so many attempts. */
  async function attempted({ notification_id }: DeliveryRow, attempts: number) {
    await expect.poll(async () => (await stored(depot, notification_id))?.attempts).toBe(attempts);
    return (await stored(depot, notification_id)) ?? expect.fail();
  }

  /** Once something that goes elsewhere has been sent, whatever was due before has been sent, too. */
  async function allDueIsSent(): Promise<void> {
    await attempted(await published({ target: elsewhere.url }), 1);
  }

  const ids = () => receiver.received.map((it) => it.headers['fleetdeck-delivery']);
  return { depot, vehicle, receiver, happened, published, attempted, allDueIsSent, ids };
}

function anotherRun(
  depot: Depot,
  store: Pick<Depot['store'], 'waitingDeliveries' | 'saveDeliveries'>,
): Deliveries {
  const { messages, send, clock } = depot;
  return createDeliveries({
    store,
    messages,
    send,
    placesWithin: placesBy(),
    ownerOf: () => null,
    clock,
    log,
  });
}

it('a channel is at fault once three attempts in a row have failed, and until one succeeds', async () => {
  const { depot, published, attempted } = await openOut(answer(503), answer(503), answer(503), answer(204));
  const delivery = await published();
  for (const attempts of [1, 2]) {
    await attempted(delivery, attempts);
    expect(depot.deliveries.faults()).toEqual([]);
    depot.clock.advance(3_600_000);
  }
  await attempted(delivery, 3);
  expect(depot.deliveries.faults()).toMatchObject([{ channel: 'webhook', failures: 3 }]);
  expect(depot.deliveries.waiting()).toBe(1);
  depot.clock.advance(3_600_000);
  await attempted(delivery, 4);
  expect(depot.deliveries.faults()).toEqual([]);
  expect(depot.deliveries.waiting()).toBe(0);
});

describe('a delivery', () => {
  it('a delivery is sent once it is stored, and noted as sent', async () => {
    const { depot, vehicle, receiver, published, attempted, ids } = await openOut();
    const delivery = await published();
    expect(await attempted(delivery, 1)).toMatchObject({
      status: 'sent',
      sent_ms: start_ms,
      next_attempt_ms: null,
      last_error: null,
    });
    expect(ids()).toEqual([delivery.delivery_id]);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      depot: 'Port',
      text: 'V 17: SOS',
      notification: { notification_id: delivery.notification_id, state: 'open' },
      vehicle: { vehicle_id: vehicle.vehicle_id, terminal_id: 'V-17', name: 'V 17', plate: null },
    });
    expect(await depot.store.waitingDeliveries()).toEqual([]);
  });

  it('a delivery is tried again after its delays until it is taken, always under one id', async () => {
    const { depot, receiver, published, attempted, allDueIsSent, ids } = await openOut(
      answer(503),
      answer(500, {}, 'oops'),
      answer(200),
    );
    const delivery = await published();
    expect(await attempted(delivery, 1)).toMatchObject({
      status: 'waiting',
      next_attempt_ms: start_ms + 10_000,
      last_error: 'It answered 503.',
    });
    depot.clock.advance(9_999);
    await allDueIsSent();
    expect(receiver.received).toHaveLength(1);
    depot.clock.advance(1);
    expect(await attempted(delivery, 2)).toMatchObject({ last_error: 'It answered 500.' });
    depot.clock.advance(30_000);
    expect(await attempted(delivery, 3)).toMatchObject({ status: 'sent', last_error: null });
    expect(ids()).toEqual([delivery.delivery_id, delivery.delivery_id, delivery.delivery_id]);
    const times = receiver.received.map((it) => Number(it.headers['fleetdeck-timestamp']) - start_ms / 1_000);
    expect(times).toEqual([0, 10, 40]);
  });

  it('a delivery waits as long as the receiver asks, with all that goes there', async () => {
    const { depot, receiver, published, attempted, allDueIsSent } = await openOut(
      answer(429, { 'retry-after': '200' }),
      answer(200),
    );
    const first = await published();
    expect(await attempted(first, 1)).toMatchObject({ next_attempt_ms: start_ms + 200_000 });
    const second = await published();
    depot.clock.advance(199_999);
    await allDueIsSent();
    expect(receiver.received).toHaveLength(1);
    depot.clock.advance(1);
    expect((await attempted(first, 2)).status).toBe('sent');
    expect((await attempted(second, 1)).status).toBe('sent');
  });

  it('a delivery is given up at once where the receiver refuses it', async () => {
    const { published, attempted, depot } = await openOut(answer(410, {}, 'gone for good'));
    expect(await attempted(await published(), 1)).toMatchObject({
      status: 'failed',
      next_attempt_ms: null,
      last_error: 'It answered 410.',
    });
    expect(await depot.store.waitingDeliveries()).toEqual([]);
  });

  it('a delivery is given up after a day with the last error', async () => {
    const { depot, published, attempted } = await openOut(answer(500));
    const delivery = await published();
    let row = await attempted(delivery, 1);
    for (let tries = 2; row.status === 'waiting'; tries++) {
      depot.clock.advance((row.next_attempt_ms ?? 0) - depot.clock.now());
      row = await attempted(delivery, tries);
    }
    expect(row).toMatchObject({ status: 'failed', last_error: 'It answered 500.' });
    expect(depot.clock.now() - start_ms).toBeLessThanOrEqual(86_400_000);
    expect(depot.clock.now() - start_ms).toBeGreaterThan(82_800_000);
  });

  it('a delivery goes with others to its place one at a time and in order', async () => {
    const open: (() => void)[] = [];
    const { receiver, published, attempted, ids } = await openOut(
      (response) => void open.push(() => response.writeHead(204).end()),
    );
    const all = [await published(), await published(), await published()];
    for (const [at, delivery] of all.entries()) {
      await receiver.calls(at + 1);
      expect(receiver.received).toHaveLength(at + 1);
      open[at]?.();
      await attempted(delivery, 1);
    }
    expect(ids()).toEqual(all.map((it) => it.delivery_id));
  });

  it('a delivery goes to four places at once, which take turns', async () => {
    const { depot, happened, receiver, ids } = await openOut(() => undefined);
    const places = ['a', 'b', 'c', 'd', 'e'];
    const rows: DeliveryRow[] = [];
    for (const place of places) {
      for (let repeat = 0; repeat < 2; repeat++)
        rows.push(await happened({ target: `${receiver.url}/${place}` }));
    }
    depot.deliveries.adopt(rows);
    await receiver.calls(4);
    const firsts = rows.filter((_, at) => at % 2 === 0).map((it) => it.delivery_id);
    expect(new Set(ids())).toEqual(new Set(firsts.slice(0, 4)));
    // Nobody answers: after ten seconds it is the turn of the place that has waited for longest.
    depot.clock.advance(10_000);
    await receiver.calls(8);
    expect(ids()).toContain(firsts[4]);
  });

  it('a delivery lets later ones by while it waits, and goes with them once the receiver is back', async () => {
    const { depot, receiver, published, attempted, ids } = await openOut((response) => response.destroy());
    const early = await published();
    await attempted(early, 1);
    depot.clock.advance(10_000);
    await attempted(early, 2);
    receiver.react(answer(204));
    const late = await published();
    expect((await attempted(late, 1)).status).toBe('sent');
    // Without the clock having moved: it need not wait out its pause.
    expect((await attempted(early, 3)).status).toBe('sent');
    expect(ids()).toEqual([early, early, late, early].map((it) => it.delivery_id));
  });

  it('a delivery is tried at once when its channel is set up again', async () => {
    const { depot, published, attempted } = await openOut(answer(500));
    const delivery = await published();
    await attempted(delivery, 1);
    depot.deliveries.tryNow('email');
    depot.deliveries.tryNow('webhook');
    await attempted(delivery, 2);
  });
});

describe('the address in a delivery', () => {
  const here = { lat: 42.5, lon: 1.5 };

  it('a delivery has the address of its alarm, and none where it has no fix', async () => {
    const { depot, receiver, happened } = await openOutWith({
      placesWithin: placesBy(() => 'Elm Street 12, Elmswell'),
    });
    depot.deliveries.adopt([await happened({}, here), await happened({}, { lat: null, lon: null })]);
    await receiver.calls(2);
    const bodies = receiver.received.map(({ body }) => JSON.parse(body) as { place: unknown });
    expect(bodies.map((it) => it.place)).toEqual([{ ...placeCalled('Elm Street 12, Elmswell') }, null]);
  });

  it('a delivery does not wait for a thread that is busy, nor is it lost', async () => {
    const clock = createFakeClock();
    let asked = 0;
    const busy = {
      of: () => {
        asked += 1;
        return new Promise<never>(() => undefined);
      },
    };
    const { depot, receiver, happened, attempted } = await openOutWith({
      placesWithin: createPlacesWithin({ places: busy, clock, log }),
    });
    const delivery = await happened({}, here);
    depot.deliveries.adopt([delivery]);
    await expect.poll(() => asked).toBe(1);
    expect(receiver.received).toHaveLength(0);
    clock.advance(2_000);
    expect(await attempted(delivery, 1)).toMatchObject({ status: 'sent' });
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ text: 'V 17: SOS', place: null });
  });
});

describe('the state after a restart', () => {
  it('a waiting delivery continues where it was, at its moment', async () => {
    const { depot, receiver, published, attempted } = await openOut(answer(500), answer(204));
    const delivery = await published();
    await attempted(delivery, 1);
    await depot.deliveries.close();

    const again = anotherRun(depot, depot.store);
    await again.start();
    depot.clock.advance(9_999);
    expect(receiver.received).toHaveLength(1);
    depot.clock.advance(1);
    expect(await attempted(delivery, 2)).toMatchObject({ status: 'sent' });
    await again.close();
  });

  it('a delivery that was stored and never tried is sent', async () => {
    const { depot, happened, published, attempted, ids } = await openOut();
    const delivery = await happened();
    await depot.deliveries.start();
    // A commit that is published while the beginning was being read brings it a second time.
    depot.deliveries.adopt([delivery]);
    expect((await attempted(delivery, 1)).status).toBe('sent');
    const next = await published();
    await attempted(next, 1);
    expect(ids()).toEqual([delivery.delivery_id, next.delivery_id]);
  });

  it('a delivery that was sent but could not be recorded is sent again under the same id', async () => {
    const { depot, happened, receiver, attempted, ids } = await openOut();
    const delivery = await happened();
    const killed = anotherRun(depot, { ...depot.store, saveDeliveries: () => new Promise(() => undefined) });
    await killed.start();
    await receiver.calls(1);
    await depot.deliveries.start();
    await attempted(delivery, 1);
    expect(ids()).toEqual([delivery.delivery_id, delivery.delivery_id]);
  });

  it('a delivery that was under way at the close was neither tried nor lost', async () => {
    const { depot, published, receiver, attempted } = await openOut(() => undefined, answer(204));
    const delivery = await published();
    await receiver.calls(1);
    await depot.deliveries.close();
    expect(await stored(depot, delivery.notification_id)).toMatchObject({ status: 'waiting', attempts: 0 });
    const again = anotherRun(depot, depot.store);
    await again.start();
    expect((await attempted(delivery, 1)).status).toBe('sent');
    await again.close();
  });
});

describe('a delivery under way', () => {
  it('a delivery under way is recorded once a store that failed works again', async () => {
    const { depot, happened, receiver } = await openOut();
    const delivery = await happened();
    let failures = 1;
    const saved: DeliveryRow[] = [];
    const out = anotherRun(depot, {
      waitingDeliveries: () => Promise.resolve([delivery]),
      saveDeliveries: (rows) => {
        if (failures-- > 0) return Promise.reject(new Error('disk'));
        saved.push(...rows);
        return Promise.resolve();
      },
    });
    await out.start();
    await receiver.calls(1);
    await expect.poll(() => failures).toBe(0);
    await expect
      .poll(() => {
        depot.clock.advance(10_000);
        return saved;
      })
      .toMatchObject([{ delivery_id: delivery.delivery_id, status: 'sent' }]);
    expect(receiver.received).toHaveLength(1);
    await out.close();
  });

  it('a delivery under way is dropped with the data of its vehicle', async () => {
    const { depot, vehicle, published, receiver } = await openOut(() => undefined);
    const [underWay, next] = [await published(), await published()];
    await receiver.calls(1);
    await depot.deliveries.forgetVehicle(vehicle.vehicle_id);
    await depot.store.forgetVehicle(vehicle.vehicle_id);
    depot.clock.advance(3_600_000);
    await depot.deliveries.close();
    expect(receiver.received).toHaveLength(1);
    for (const { notification_id } of [underWay, next])
      expect(await stored(depot, notification_id)).toBeUndefined();
  });

  it('a delivery under way is dropped when its notification is gone', async () => {
    const { depot, published, receiver, attempted } = await openOut(answer(204));
    depot.deliveries.adopt([deliveryRow({ target: receiver.url, next_attempt_ms: start_ms })]);
    await attempted(await published(), 1);
    expect(receiver.received).toHaveLength(1);
  });

  it('a delivery under way is not sent any more where the owner of its rule has lost the sight of the vehicle', async () => {
    const { depot, vehicle, happened, receiver } = await openOut();
    const rule = { name: 'Mine', event_kind: 'sos', scope: { all: true } };
    const { body } = await depot.call('nora', 'POST /notifications/rules', rule);
    const rule_id = String(body.rule_id);
    const delivery = await happened({ rule_id }, { rule_id });
    await depot.vehicles.setGroup(vehicle.vehicle_id, groups.north, false);
    await depot.deliveries.start();
    await expect
      .poll(() => stored(depot, delivery.notification_id))
      .toMatchObject({ status: 'failed', last_error: 'The owner of the rule no longer sees the vehicle.' });
    expect(receiver.received).toEqual([]);
  });
});

describe('webhooks of a flood', () => {
  it('webhooks of a flood go to one address 60 at once and then one a second, all of them and in order', async () => {
    const { depot, receiver, happened, ids } = await openOut();
    const rows: DeliveryRow[] = [];
    for (let at = 0; at < 63; at++) rows.push(await happened());
    depot.deliveries.adopt(rows);
    for (const sent of [60, 61, 62, 63]) {
      await expect.poll(() => receiver.received.length).toBe(sent);
      await expect.poll(async () => (await depot.store.waitingDeliveries()).length).toBe(63 - sent);
      expect(ids()).toEqual(rows.slice(0, sent).map((it) => it.delivery_id));
      depot.clock.advance(1_000);
    }
  });

  it('webhooks of a flood go to all addresses together 240 at once and then four a second', async () => {
    const { depot, receiver, happened } = await openOut();
    const rows: DeliveryRow[] = [];
    for (let at = 0; at < 250; at++) rows.push(await happened({ target: `${receiver.url}?to=${at % 10}` }));
    depot.deliveries.adopt(rows);
    for (const sent of [240, 244, 248, 250]) {
      await expect.poll(() => receiver.received.length).toBe(sent);
      await expect.poll(async () => (await depot.store.waitingDeliveries()).length).toBe(250 - sent);
      depot.clock.advance(1_000);
    }
  });
});
