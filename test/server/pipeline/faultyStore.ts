import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Store } from '../../../server/store/operations.ts';
import { DiskFull, StoreFailed } from '../../../server/store/storeErrors.ts';
import type {
  Batch,
  EventRow,
  NotificationRow,
  PositionRow,
  TaskRow,
} from '../../../server/store/telemetry/rows.ts';
import { keyOf } from '../telemetry/positions.ts';

/** How a commit fails: with nothing stored, which is known or not, or after all was stored. */
export type Fault = 'full' | 'died' | 'died_after';

/** A store whose commits wait until they are let through, and fail on request. */
export interface FaultyStore extends Pick<
  Store,
  'commit' | 'positionsAt' | 'vehicleStates' | 'recentNotifications'
> {
  /** What it holds. */
  readonly positions: ReadonlyMap<string, PositionRow>;
  readonly states: ReadonlyMap<string, string>;
  readonly events: ReadonlyMap<string, EventRow>;
  readonly notifications: ReadonlyMap<string, NotificationRow>;
  readonly tasks: ReadonlyMap<string, TaskRow>;
  /** Batches that it was given. */
  commits(): number;
  isCommitting(): boolean;
  /** From now on each commit waits for `release`. */
  hold(): void;
  /** Lets the commit that waits through. */
  release(): void;
  /** Holds no more. */
  letAllThrough(): void;
  /** How the next commit fails. */
  failNext(fault: Fault): void;
}

export function createFaultyStore(): FaultyStore {
  const positions = new Map<string, PositionRow>();
  const states = new Map<string, string>();
  const events = new Map<string, EventRow>();
  const notifications = new Map<string, NotificationRow>();
  const tasks = new Map<string, TaskRow>();
  let commits = 0;
  let isCommitting = false;
  let isHolding = false;
  let pass = (): void => undefined;
  let fault: Fault | null = null;

  function keep(batch: Batch): void {
    for (const row of batch.positions) positions.set(keyOf(row), row);
    for (const row of batch.states) states.set(row.vehicle_id, row.state);
    for (const row of batch.events) events.set(row.event_id, row);
    for (const row of batch.notifications) notifications.set(row.notification_id, row);
    for (const row of batch.tasks) tasks.set(row.task_id, row);
  }

  return {
    positions,
    states,
    events,
    notifications,
    tasks,
    async commit(given) {
      if (isCommitting) throw new Error('two commits at once');
      isCommitting = true;
      commits += 1;
      const batch = structuredClone(given);
      const failure = fault;
      fault = null;
      if (isHolding) await new Promise<void>((resolve) => (pass = resolve));
      await nextTurn();
      isCommitting = false;
      if (failure === 'full') throw new DiskFull('full');
      if (failure === 'died') throw new StoreFailed('died');
      keep(batch);
      if (failure === 'died_after') throw new StoreFailed('died after it');
      return { changes: [] };
    },
    positionsAt: (keys) => Promise.resolve(keys.flatMap((key) => positions.get(keyOf(key)) ?? [])),
    vehicleStates: () => Promise.resolve([...states].map(([vehicle_id, state]) => ({ vehicle_id, state }))),
    recentNotifications: () => Promise.resolve([...notifications.values()]),
    commits: () => commits,
    isCommitting: () => isCommitting,
    hold: () => void (isHolding = true),
    release: () => pass(),
    letAllThrough() {
      isHolding = false;
      pass();
    },
    failNext: (kind) => void (fault = kind),
  };
}
