import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { DeliveryRow } from '../../store/telemetry/rows.ts';
import type { TelemetryStore } from '../../store/telemetry/telemetryStore.ts';
import { afterTry, givenUp } from './afterTry.ts';
import { createLanes } from './lanes.ts';
import type { Messages } from './messages.ts';
import type { Senders, SendResult } from './sending.ts';

/**
 * What is on its way out of the console: sent after it was stored, tried again with growing pauses, and taken up where
 * it was after a restart. A host that dies between sending and noting so sends again, under the same id.
 */
export interface Deliveries {
  /** Takes up what an earlier run has left; before anything new is adopted. */
  start(): Promise<void>;
  /** Takes over rows that were just stored. */
  adopt(rows: readonly DeliveryRow[]): void;
  /** A channel was set up anew: what waits for it is tried at once. */
  tryNow(channel: DeliveryRow['channel']): void;
  /** Lets go of what a vehicle has under way, before its data is deleted. */
  forgetVehicle(vehicleId: string): Promise<void>;
  /** Sends no more. What is under way is broken off, and begins again at the next start. */
  close(): Promise<void>;
}

export interface DeliveriesParts {
  store: Pick<TelemetryStore, 'waitingDeliveries' | 'saveDeliveries'>;
  messages: Pick<Messages, 'ofDelivery'>;
  send: Senders;
  clock: Clock;
  log: Logger;
}

const mostAtOnce = 4;
/** The wall clock may be set while a delivery waits for a moment of it. */
const longestSleepMs = 60_000;
/** A store that failed is not asked again at once. */
const storePauseMs = 10_000;

export function createDeliveries({ store, messages, send, clock, log }: DeliveriesParts): Deliveries {
  const lanes = createLanes();
  const underWay = new Map<string, { row: DeliveryRow; stop: AbortController; done: Promise<void> }>();
  /** Vehicles that are being let go of. */
  const leaving = new Set<string>();
  /** As they are now and not yet in the store. */
  const unsaved = new Map<string, DeliveryRow>();
  let saving: Promise<void> = Promise.resolve();
  let closed = false;
  let stopTimer = (): void => undefined;

  function look(): void {
    stopTimer();
    if (closed) return;
    const now = clock.now();
    while (underWay.size < mostAtOnce) {
      const row = lanes.take(now);
      if (row === null) break;
      const stop = new AbortController();
      const done = Promise.resolve().then(() => attempt(row, stop.signal));
      underWay.set(row.delivery_id, { row, stop, done });
    }
    const next_ms = lanes.nextMoment(now);
    // With all hands full, whoever ends looks again.
    if (next_ms === null || underWay.size === mostAtOnce) return;
    stopTimer = clock.after(Math.min(Math.max(0, next_ms - now), longestSleepMs), look);
  }

  async function attempt(row: DeliveryRow, signal: AbortSignal): Promise<void> {
    try {
      const composed = await messages.ofDelivery(row);
      if (composed === null) lanes.drop(row);
      else if ('refusal' in composed) note(givenUp(row, composed.refusal), null);
      else noteResult(row, await send[row.channel](composed.message, signal));
    } catch (error) {
      // It is still in the store, unless its vehicle's data goes.
      if (signal.aborted) {
        lanes.drop(row);
      } else {
        log.error(
          { err: error, delivery: row.delivery_id },
          'a delivery could not be made ready; tried again',
        );
        lanes.putBack({ ...row, next_try_ms: clock.now() + storePauseMs });
      }
    } finally {
      underWay.delete(row.delivery_id);
      look();
    }
  }

  function noteResult(row: DeliveryRow, result: SendResult): void {
    const next = afterTry(row, result, clock.now());
    if (next.status === 'failed') {
      log.warn(
        { delivery: row.delivery_id, channel: row.channel, attempts: next.attempts, reason: next.last_error },
        'a notification could not be delivered and is given up',
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
        log.error(
          { err: error, deliveries: rows.length },
          'what became of deliveries was not stored; tried again',
        );
        clock.after(storePauseMs, () => {
          if (!closed) save();
        });
      }
    });
  }

  async function breakOff(isMeant: (row: DeliveryRow) => boolean): Promise<void> {
    const meant = [...underWay.values()].filter(({ row }) => isMeant(row));
    for (const { stop } of meant) stop.abort();
    await Promise.all(meant.map(({ done }) => done));
  }

  return {
    async start() {
      lanes.add(await store.waitingDeliveries());
      look();
    },

    adopt(rows) {
      if (rows.length === 0) return;
      lanes.add(rows);
      look();
    },

    tryNow(channel) {
      lanes.hurry(channel, clock.now());
      look();
    },

    async forgetVehicle(vehicleId) {
      const isMeant = (row: DeliveryRow) => row.vehicle_id === vehicleId;
      leaving.add(vehicleId);
      lanes.forget(isMeant);
      await breakOff(isMeant);
      for (const row of unsaved.values()) if (isMeant(row)) unsaved.delete(row.delivery_id);
      await saving;
      leaving.delete(vehicleId);
    },

    async close() {
      closed = true;
      stopTimer();
      await breakOff(() => true);
      save();
      await saving;
    },
  };
}
