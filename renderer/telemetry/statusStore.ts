import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Vehicle, VehicleStatus } from '../../server/contract/vehicles.ts';
import type { PositionStore, LivePosition } from './positionStore.ts';
import type { SettingsFields } from '../../server/contract/settings.ts';

/** What the console shows that a vehicle does: as the server says it, but that silence comes before motion. */
export const shownStatuses = ['moving', 'idle', 'stopped', 'overdue', 'offline', 'never'] as const;
export type ShownStatus = (typeof shownStatuses)[number];

export type StatusStore = StoreApi<{ byVehicle: ReadonlyMap<string, ShownStatus> }>;

export interface StatusDeps {
  positions: PositionStore;
  vehicles: () => ReadonlyMap<string, Vehicle>;
  /** The server's time; held still while the server is lost. */
  now: () => number;
  numbers: () => StatusNumbers;
}

/** Every vehicle's status. It changes rarely, unlike positions, so lists may be sorted and counted by it. */
export function createStatusStore({ positions, vehicles, now, numbers }: StatusDeps): {
  store: StatusStore;
  /** Takes in who is overdue, as the server says: all of them, or who has become so and who no longer is. */
  setOverdue(all: readonly string[]): void;
  changeOverdue(change: { began: readonly string[]; ended: readonly string[] }): void;
  /** Works them all out: after a list was read, and once a second, since silence passes without a message. */
  review(): void;
  /** The same for those that moved. */
  reviewSome(vehicleIds: ReadonlySet<string>): void;
} {
  const store: StatusStore = createStore(() => ({ byVehicle: new Map<string, ShownStatus>() }));
  let overdue = new Set<string>();

  const review = (ids: Iterable<string>, whole: boolean) => {
    const known = vehicles();
    const before = store.getState().byVehicle;
    const at = now();
    const given = numbers();
    const changes: [string, ShownStatus][] = [];
    let kept = 0;
    for (const id of ids) {
      const vehicle = known.get(id);
      if (vehicle === undefined) continue;
      const live = positions.get(id);
      const byServer = statusOf(live, vehicle.status, at, given);
      const status = overdue.has(id) && isSilent(live, byServer, at) ? 'overdue' : byServer;
      const statusBefore = before.get(id);
      if (statusBefore !== undefined) kept += 1;
      if (statusBefore !== status) changes.push([id, status]);
    }
    const removed = whole && kept < before.size ? [...before.keys()].filter((id) => !known.has(id)) : [];
    if (changes.length === 0 && removed.length === 0) return;
    const byVehicle = new Map(before);
    for (const [id, status] of changes) byVehicle.set(id, status);
    for (const id of removed) byVehicle.delete(id);
    store.setState({ byVehicle });
  };

  return {
    store,
    setOverdue(all) {
      overdue = new Set(all);
      review(vehicles().keys(), true);
    },
    changeOverdue({ began, ended }) {
      for (const id of began) overdue.add(id);
      for (const id of ended) overdue.delete(id);
      review([...began, ...ended], false);
    },
    review: () => review(vehicles().keys(), true),
    reviewSome: (ids) => review(ids, false),
  };
}

/** No vehicle is overdue that was heard within this time: one that reports again is not, before the server says so. */
const OVERDUE_AFTER_MS = 60_000;

const isSilent = (live: LivePosition | undefined, byServer: VehicleStatus, now: number): boolean =>
  live !== undefined && byServer !== 'offline' && now - live.contactAt > OVERDUE_AFTER_MS;

type StatusNumbers = Pick<SettingsFields, 'offline_s' | 'moving_speed_kmh' | 'idle_s'>;

/**
 * What a vehicle does by its last message, as the server defines it (API.md, "status"): so that a row says so at
 * once and not with the next list. `now` is the server's time, held still while the server is lost.
 */
export function statusOf(
  live: LivePosition | undefined,
  byServer: VehicleStatus,
  now: number,
  numbers: StatusNumbers,
): VehicleStatus {
  if (live === undefined) return byServer;
  if (now - live.contactAt >= numbers.offline_s * 1_000) return 'offline';
  if ((live.last.speed_kmh ?? 0) >= numbers.moving_speed_kmh) return 'moving';
  if (live.idleSince === null) return 'stopped';
  // The server has seen how long it has stood; a console that has just begun has not.
  const longEnough = now - live.idleSince >= numbers.idle_s * 1_000;
  return longEnough || byServer === 'idle' ? 'idle' : 'stopped';
}
