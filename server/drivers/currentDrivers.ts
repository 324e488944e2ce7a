import { cardKey, driverCard } from '../contract/sameKeys.ts';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { type CurrentDriver } from '../contract/drivers.ts';
import type { Store } from '../store/operations.ts';
import { cardHoldsMs } from '../store/telemetry/cardReads.ts';
import type { PositionRow } from '../store/telemetry/rows.ts';
import type { Assignments } from './assignments.ts';
import type { DriveHistory } from './driveHistory.ts';
import type { Drivers } from './drivers.ts';

export interface CurrentDriversDeps {
  store: Pick<Store, 'vehiclesOfCards'>;
  drives: Pick<DriveHistory, 'at'>;
  drivers: Pick<Drivers, 'get' | 'holderOf' | 'onChange'>;
  assignments: Pick<Assignments, 'all' | 'ofVehicle' | 'onChange'>;
  clock: Clock;
  log: Pick<Logger, 'error'>;
}

/** How often assignments that begin or end, and cards that no longer count, are looked for. */
const lookMs = 10_000;
/** A card that may no longer count is looked up as often. */
const checkAgainMs = 600_000;

/** A card that counts now. */
interface Read {
  card: string;
  since_ms: number;
  /** Until then it counts, whatever the store says. */
  check_ms: number;
}

export type CurrentDrivers = Awaited<ReturnType<typeof loadCurrentDrivers>>;

/** Who drives each vehicle now. What was read while the host was away counts too. */
export async function loadCurrentDrivers(deps: CurrentDriversDeps) {
  const { store, drives, drivers, assignments, clock, log } = deps;
  const reads = new Map<string, Read>();
  /** Who was shown last, as text, of vehicles that have somebody. */
  let shown = new Map<string, string>();
  const listeners = new Set<(vehicleIds: string[]) => void>();
  let stopTimer = clock.after(lookMs, look);

  function of(vehicleId: string): CurrentDriver | null {
    const now_ms = clock.now();
    const read = reads.get(vehicleId);
    if (read !== undefined) {
      const driver = drivers.holderOf(read.card, read.since_ms);
      const { driver_id = null, name = null, phone = null } = driver ?? {};
      return { driver_id, name, phone, card: read.card, since: new Date(read.since_ms).toISOString() };
    }
    const now = new Date(now_ms).toISOString();
    const assigned = assignments
      .ofVehicle(vehicleId)
      .findLast(({ from, to }) => from <= now && (to === null || now < to));
    const driver = assigned === undefined ? undefined : drivers.get(assigned.driver_id);
    if (assigned === undefined || driver === undefined) return null;
    const { driver_id, name, phone } = driver;
    return { driver_id, name, phone, card: null, since: assigned.from };
  }

  /** Compares what is shown with what was; a change is announced. */
  function compare(): void {
    const ids = new Set([...reads.keys(), ...shown.keys(), ...assignments.all().map((it) => it.vehicle_id)]);
    const before = shown;
    shown = new Map();
    const changed: string[] = [];
    for (const id of ids) {
      const current = of(id);
      const text = current === null ? undefined : JSON.stringify(current);
      if (text !== undefined) shown.set(id, text);
      if (text !== before.get(id)) changed.push(id);
    }
    if (changed.length > 0) for (const listener of listeners) listener(changed);
  }

  function look(): void {
    const now_ms = clock.now();
    readAgain([...reads].flatMap(([id, { check_ms }]) => (check_ms <= now_ms ? [id] : [])));
    compare();
    stopTimer = clock.after(lookMs, look);
  }

  /** By what is stored: whatever came late or out of order counts as it should. */
  async function refresh(vehicleIds: readonly string[]): Promise<void> {
    const found = await drives.at(vehicleIds, clock.now());
    for (const id of vehicleIds) {
      const drive = found.get(id);
      if (drive === undefined || drive.card === null) reads.delete(id);
      else {
        const check_ms = Math.max(drive.from_ms + cardHoldsMs, clock.now() + checkAgainMs);
        reads.set(id, { card: drive.card, since_ms: drive.from_ms, check_ms });
      }
    }
  }

  /** One after another, so that the last to be read is the last to be kept. */
  let refreshed = Promise.resolve();
  function readAgain(vehicleIds: readonly string[]): void {
    if (vehicleIds.length === 0) return;
    refreshed = refreshed
      .then(() => refresh(vehicleIds))
      .then(compare)
      .catch((error: unknown) =>
        log.error({ err: error }, 'current drivers were not read; they may be out of date'),
      );
  }

  await refresh(
    await store.vehiclesOfCards({ cards: null, from_ms: clock.now() - cardHoldsMs, to_ms: clock.now() }),
  );
  compare();
  const undo = [drivers.onChange(compare), assignments.onChange(compare)];

  return {
    of,
    /** Called with vehicles that another one drives now, or nobody. */
    onChange(listener: (vehicleIds: string[]) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /** Takes in what was stored. */
    onStored(positions: readonly PositionRow[]): void {
      const doubtful = new Set<string>();
      for (const { vehicle_id, time_ms, ignition, attributes } of positions) {
        const card = attributes[driverCard];
        const read = reads.get(vehicle_id);
        if (typeof card !== 'string') {
          if (read !== undefined && ignition === false) doubtful.add(vehicle_id);
        } else if (read?.card === cardKey(card) && time_ms >= read.since_ms) {
          read.check_ms = Math.max(read.check_ms, time_ms + cardHoldsMs);
        } else if (card !== '' || read !== undefined) doubtful.add(vehicle_id);
      }
      readAgain([...doubtful]);
    },

    async close(): Promise<void> {
      stopTimer();
      for (const stop of undo) stop();
      await refreshed;
    },
  };
}
