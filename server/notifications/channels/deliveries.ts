import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { LatLon } from '../../contract/coordinates.ts';
import type { PlacesWithin } from '../../places/boundedPlaces.ts';
import type { DeliveryRow } from '../../store/telemetry/rows.ts';
import type { Store } from '../../store/operations.ts';
import { afterAttempt, abandoned, createDeliveryQueues } from './deliveryQueues.ts';
import {
  createMailPace,
  paceOfAddress,
  paceOfOwner,
  paceOfRule,
  paceOfWebhook,
  paceOfWebhooks,
} from './mailPace.ts';
import type { Messages } from './messages.ts';
import type { Message, Senders, SendResult } from './sender.ts';

export interface DeliveriesDeps {
  store: Pick<Store, 'waitingDeliveries' | 'saveDeliveries'>;
  messages: Pick<Messages, 'ofDelivery'>;
  send: Senders;
  placesWithin: PlacesWithin;
  /** Whose a rule is; null: the depot's. */
  ownerOf: (ruleId: string) => string | null;
  clock: Clock;
  log: Logger;
}

/** A channel of which message after message is not delivered. */
export interface ChannelFault {
  channel: DeliveryRow['channel'];
  /** In a row, since one was delivered or this host started. */
  failures: number;
  /** Why the last one was not. */
  detail: string;
}

interface UnderWay {
  /** The one that is sent, and those that share its mail. */
  rows: readonly DeliveryRow[];
  stop: AbortController;
  done: Promise<void>;
}

/** One receiver that answers no more is an everyday case; a channel that fails so often in a row is not. */
const failuresOfFault = 3;
const maxConcurrent = 4;
/** A row takes about half a kilobyte, and each look reads all of them. */
export const maxWaiting = { ofRule: 2_000, ofAll: 10_000 };
/** What shares a mail is listed up to this number, the rest is counted. */
const maxListed = 50;
/**
 * What goes out waits so long for its addresses, then goes without. They are asked for at each try and not stored: the
 * next try, or the map file that a dealer has added meanwhile, may know more.
 */
const addressBudget = { wait_ms: 2_000, points: 1 + maxListed };
const ofAnyRule = ({ target }: DeliveryRow) => ({ rule_id: '', target });
const ofAnyWebhook = { rule_id: '', target: '' };
const placeOf = ({ rule_id, target }: DeliveryRow) => `${rule_id} ${target}`;

function pointOf({ notification }: Message): LatLon | null {
  if (notification === null) return null;
  const { lat, lon } = notification;
  return lat === null || lon === null ? null : { lat, lon };
}

/** The wall clock may be set while a delivery waits for a moment of it. */
const maxSleepMs = 60_000;
/** A store that failed is not asked again at once. */
const storePauseMs = 10_000;

/**
 * What is on its way out of the console: sent after it was stored, tried again with growing pauses, and taken up where
 * it was after a restart. A host that dies between sending and noting so sends again, under the same id.
 */
export type Deliveries = ReturnType<typeof createDeliveries>;

export function createDeliveries({
  store,
  messages,
  send,
  placesWithin,
  ownerOf,
  clock,
  log,
}: DeliveriesDeps) {
  const rulePace = createMailPace(paceOfRule);
  const addressPace = createMailPace(paceOfAddress);
  const ownerPace = createMailPace(paceOfOwner);
  const webhookPace = createMailPace(paceOfWebhook);
  const allWebhooksPace = createMailPace(paceOfWebhooks);
  const lanes = createDeliveryQueues(
    (row, now_ms) =>
      row.channel === 'email'
        ? Math.max(
            rulePace.freeAt(row, now_ms),
            addressPace.freeAt(ofAnyRule(row), now_ms),
            ...ofOwner(row).map((it) => ownerPace.freeAt(it, now_ms)),
          )
        : Math.max(webhookPace.freeAt(ofAnyRule(row), now_ms), allWebhooksPace.freeAt(ofAnyWebhook, now_ms)),
    ownerOf,
  );
  /** What all mails of a user's rules count to; nothing for the depot's rules. */
  function ofOwner({ rule_id }: DeliveryRow): { rule_id: string; target: string }[] {
    const owner = ownerOf(rule_id);
    return owner === null ? [] : [{ rule_id: owner, target: '' }];
  }
  const underWay = new Map<string, UnderWay>();
  /** How many were dropped of a rule since its last mail to an address. */
  const unreported = new Map<string, number>();
  /** Vehicles that are being let go of. */
  const leaving = new Set<string | null>();
  /** As they are now and not yet in the store. */
  const unsaved = new Map<string, DeliveryRow>();
  /** Attempts in a row that have failed. */
  const failing = new Map<DeliveryRow['channel'], ChannelFault>();
  let saving: Promise<void> = Promise.resolve();
  let closed = false;
  let stopTimer = (): void => undefined;

  function look(): void {
    stopTimer();
    if (closed) return;
    const now = clock.now();
    while (underWay.size < maxConcurrent) {
      const row = lanes.take(now);
      if (row === null) break;
      // Each try counts, also one that fails: it is the receiver who is spared.
      if (row.channel === 'webhook') {
        webhookPace.spend(ofAnyRule(row), now);
        allWebhooksPace.spend(ofAnyWebhook, now);
      }
      const stop = new AbortController();
      const alike = takeWith(row, now);
      if (row.channel === 'email') for (const owner of ofOwner(row)) ownerPace.spend(owner, now);
      const done = Promise.resolve().then(() => attempt(row, alike, stop.signal));
      underWay.set(row.delivery_id, { rows: [row, ...alike], stop, done });
    }
    const next_ms = lanes.nextMoment(now);
    // With all hands full, whoever ends looks again.
    if (next_ms === null || underWay.size === maxConcurrent) return;
    stopTimer = clock.after(Math.min(Math.max(0, next_ms - now), maxSleepMs), look);
  }

  /** The last mail for a while, of a rule, a user's rules or all, bears all that waits with it. */
  function takeWith(row: DeliveryRow, now_ms: number): DeliveryRow[] {
    if (row.channel !== 'email') return [];
    if (addressPace.isLast(ofAnyRule(row), now_ms)) return lanes.takeAlike(row, () => true);
    const [owner] = ofOwner(row);
    if (owner !== undefined && ownerPace.isLast(owner, now_ms))
      return lanes.takeAlike(row, (it) => ownerOf(it.rule_id) === owner.rule_id);
    if (!rulePace.isLast(row, now_ms)) return [];
    return lanes.takeAlike(row, (it) => it.rule_id === row.rule_id);
  }

  async function attempt(row: DeliveryRow, alike: DeliveryRow[], signal: AbortSignal): Promise<void> {
    let shared = alike;
    try {
      const composed = await messages.ofDelivery(row);
      if (composed === null) lanes.drop(row);
      else if ('refusal' in composed) note(abandoned(row, composed.refusal), null);
      else {
        const { message, outcome, over } = await withMore(composed.message, row, shared, signal);
        const result = await send[row.channel](message, signal);
        countFailure(row, result);
        noteResult(row, result);
        for (const settle of over) settle();
        shared = outcome;
        if (result.outcome === 'sent' && row.channel === 'email') {
          rulePace.spend(row, clock.now());
          addressPace.spend(ofAnyRule(row), clock.now());
          unreported.delete(placeOf(row));
        }
        if (result.outcome !== 'later') {
          shared = [];
          for (const it of outcome) note(afterAttempt(it, result, clock.now()), result);
        }
      }
    } catch (error) {
      // It is still in the store, unless its vehicle's data goes.
      if (signal.aborted) {
        lanes.drop(row);
      } else {
        log.error({ err: error, delivery: row.delivery_id }, 'delivery could not be prepared; retrying');
        lanes.putBack({ ...row, next_attempt_ms: clock.now() + storePauseMs });
      }
    } finally {
      for (const it of shared) {
        if (leaving.has(it.vehicle_id)) lanes.drop(it);
        else lanes.putBack(it);
      }
      underWay.delete(row.delivery_id);
      look();
    }
  }

  /**
   * A message with the other notifications for the same mail. `over` settles those of which nothing may be
   * sent any more; after the mail, since settling frees the queue.
   */
  async function withMore(
    first: Message,
    row: DeliveryRow,
    alike: readonly DeliveryRow[],
    signal: AbortSignal,
  ) {
    const dropped = row.channel === 'email' ? (unreported.get(placeOf(row)) ?? 0) : 0;
    const outcome = alike.slice(maxListed);
    const over: (() => void)[] = [];
    const others: Message[] = [];
    for (const it of alike.slice(0, maxListed)) {
      const composed = await messages.ofDelivery(it);
      if (composed === null) over.push(() => lanes.drop(it));
      else if ('refusal' in composed) over.push(() => note(abandoned(it, composed.refusal), null));
      else {
        outcome.push(it);
        others.push(composed.message);
      }
    }
    const placesOf = placesWithin(addressBudget, { user_id: 'deliveries', signal });
    const [place = null, ...places] = await placesOf([first, ...others].map(pointOf));
    const message = { ...first, place };
    const count = outcome.length + dropped;
    if (count === 0) return { message, outcome, over };
    const listed = others.map(({ notification, text, rule }, at) => ({
      time: notification?.first_time ?? '',
      text,
      place: places[at]?.text ?? null,
      rule: rule.name,
    }));
    return { message: { ...message, more: { count, listed } }, outcome, over };
  }

  /** More than this wait only when something floods the depot; the oldest are no longer news. */
  function trim(): void {
    const dropped = lanes.trim(maxWaiting);
    if (dropped.length === 0) return;
    log.warn(
      {
        dropped: dropped.length,
        rules: [...new Set(dropped.map((it) => it.rule_id))].slice(0, 20),
        ...maxWaiting,
      },
      'delivery queue is full; oldest notifications were dropped',
    );
    for (const row of dropped) {
      const next = abandoned(
        row,
        `Dropped: more than ${maxWaiting.ofRule} of its rule, or ${maxWaiting.ofAll} in all, were waiting.`,
      );
      unsaved.set(row.delivery_id, next);
      if (row.channel === 'email') unreported.set(placeOf(row), (unreported.get(placeOf(row)) ?? 0) + 1);
    }
    save();
  }

  function countFailure({ channel }: DeliveryRow, { outcome, detail }: SendResult): void {
    if (outcome === 'sent') failing.delete(channel);
    else failing.set(channel, { channel, failures: (failing.get(channel)?.failures ?? 0) + 1, detail });
  }

  function noteResult(row: DeliveryRow, result: SendResult): void {
    const next = afterAttempt(row, result, clock.now());
    if (next.status === 'failed') {
      log.warn(
        { delivery: row.delivery_id, channel: row.channel, attempts: next.attempts, reason: next.last_error },
        'notification could not be delivered; giving up',
      );
    }
    note(next, result);
  }

  function note(row: DeliveryRow, result: SendResult | null): void {
    if (leaving.has(row.vehicle_id)) {
      lanes.drop(row);
      return;
    }
    lanes.settle(row, result, clock.now());
    unsaved.set(row.delivery_id, row);
    save();
  }

  function save(): void {
    saving = saving.then(async () => {
      const rows = [...unsaved.values()];
      if (rows.length === 0) return;
      try {
        await store.saveDeliveries(rows);
        for (const row of rows) {
          if (unsaved.get(row.delivery_id) === row) unsaved.delete(row.delivery_id);
        }
      } catch (error) {
        log.error({ err: error, deliveries: rows.length }, 'delivery results were not stored; retrying');
        clock.after(storePauseMs, () => {
          if (!closed) save();
        });
      }
    });
  }

  async function breakOff(isMeant: (row: DeliveryRow) => boolean): Promise<void> {
    const meant = [...underWay.values()].filter(({ rows }) => rows.some(isMeant));
    for (const { stop } of meant) stop.abort();
    await Promise.all(meant.map(({ done }) => done));
  }

  return {
    /** The channels that do not deliver. */
    faults: (): ChannelFault[] => [...failing.values()].filter((it) => it.failures >= failuresOfFault),

    /** How many wait, and are under way. */
    waiting: (): number => lanes.size(),

    /** Takes up what an earlier run has left; before anything new is adopted. */
    async start(): Promise<void> {
      lanes.add(await store.waitingDeliveries());
      trim();
      look();
    },

    /** Takes over rows that were just stored. */
    adopt(rows: readonly DeliveryRow[]): void {
      if (rows.length === 0) return;
      lanes.add(rows);
      trim();
      look();
    },

    /** A channel was configured again: waiting deliveries are retried at once. */
    tryNow(channel: DeliveryRow['channel']): void {
      failing.delete(channel);
      lanes.hurry(channel, clock.now());
      look();
    },

    /** Lets go of what a vehicle has under way, before its data is deleted. */
    async forgetVehicle(vehicleId: string): Promise<void> {
      const isMeant = (row: DeliveryRow) => row.vehicle_id === vehicleId;
      leaving.add(vehicleId);
      lanes.forget(isMeant);
      await breakOff(isMeant);
      for (const row of unsaved.values()) if (isMeant(row)) unsaved.delete(row.delivery_id);
      await saving;
      leaving.delete(vehicleId);
    },

    /** Sends no more. What is under way is broken off, and begins again at the next start. */
    async close(): Promise<void> {
      closed = true;
      stopTimer();
      await breakOff(() => true);
      save();
      await saving;
    },
  };
}
