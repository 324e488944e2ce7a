import type { Rule } from '../contract/rules.ts';
import type { RuleEvent } from '../notifications/ruleEngine.ts';
import type { PositionRow, RejectedPositionRow } from '../store/telemetry/rows.ts';
import type { Store } from '../store/operations.ts';
import type { AdmissionDeps, Admitted } from '../telemetry/admission.ts';
import { VehicleTimeMap } from '../telemetry/vehicleTimeMap.ts';
import type { LiveFleet } from '../telemetry/liveFleet.ts';
import type { VehicleState } from '../telemetry/vehicleState.ts';
import { randomUUID } from 'node:crypto';

/** What the engines have made of some arrivals and the store does not hold yet. */
export interface PendingBatch {
  /** By which all of it is evaluated, and published once it is stored. */
  rules: readonly Rule[];
  /** Each in its last form. */
  rows: VehicleTimeMap<PositionRow>;
  states: Map<string, VehicleState>;
  /** The states as they will be written, as far as there was time for it. */
  texts: Map<VehicleState, string>;
  updates: RuleEvent[];
  rejected: RejectedPositionRow[];
}

export function emptyPendingBatch(rules: readonly Rule[]): PendingBatch {
  return {
    rules,
    rows: new VehicleTimeMap(),
    states: new Map(),
    texts: new Map(),
    updates: [],
    rejected: [],
  };
}

/** Takes into the draft what has come of later arrivals, which were evaluated on top of it. */
export function extendPendingBatch(
  draft: PendingBatch,
  more: Pick<PendingBatch, 'states' | 'updates' | 'rejected'> & { admitted: readonly Admitted[] },
): void {
  for (const { row } of more.admitted) draft.rows.set(row.vehicle_id, row.time_ms, row);
  for (const [vehicleId, state] of more.states) draft.states.set(vehicleId, state);
  for (const one of more.updates) draft.updates.push(one);
  draft.rejected.push(...more.rejected);
}

export function isEmpty({ rows, states, rejected }: PendingBatch): boolean {
  return rows.size === 0 && states.size === 0 && rejected.length === 0;
}

/** The fleet and its tracks as they will be once all that is on its way is stored. */
export interface UncommittedView extends Pick<AdmissionDeps, 'positionsAt'> {
  fleet: Pick<LiveFleet, 'state'>;
}

/** @param drafts what is on its way, the newest first */
export function uncommittedView(
  drafts: readonly PendingBatch[],
  { fleet, store }: { fleet: UncommittedView['fleet']; store: Pick<Store, 'positionsAt'> },
): UncommittedView {
  return {
    fleet: {
      state: (vehicleId) => firstIn(drafts, (it) => it.states.get(vehicleId)) ?? fleet.state(vehicleId),
    },
    async positionsAt(keys) {
      const found: PositionRow[] = [];
      const others = keys.filter((key) => {
        // Whether or not the store holds it by now: so it will stand there.
        const row = firstIn(drafts, (it) => it.rows.get(key.vehicle_id, key.time_ms));
        if (row !== undefined) found.push(row);
        return row === undefined;
      });
      return others.length === 0 ? found : [...found, ...(await store.positionsAt(others))];
    },
  };
}

function firstIn<T>(
  drafts: readonly PendingBatch[],
  find: (draft: PendingBatch) => T | undefined,
): T | undefined {
  for (const draft of drafts) {
    const found = find(draft);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * A UUID of version 7 (RFC 9562, section 5.7): its first 48 bits are the Unix time in milliseconds, all others are
 * random. What is stored by such names lies together with what happened at the same time, on few pages; by names that
 * are random all through each row of a batch changes a page of its own.
 */
export function timeOrderedId(now_ms: number): string {
  const time = now_ms.toString(16).padStart(12, '0');
  // After the place of the version digit.
  const random = randomUUID().slice(15);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random}`;
}
