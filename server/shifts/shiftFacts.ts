import { promisify } from 'node:util';
import { inflateRaw, deflateRaw } from 'node:zlib';
import type { Clock } from '../clock.ts';
import type { TroubleCode } from '../contract/health.ts';
import { longestReportS } from '../contract/shifts.ts';
import type { Store } from '../store/operations.ts';
import type { StoredFacts } from '../store/telemetry/shiftsTable.ts';

export interface SilentFact {
  vehicle_id: string;
  status: 'overdue' | 'offline';
  since_ms: number;
}

interface TroubleFact {
  event_id: string;
  cause: TroubleCode;
  began_ms: number;
  ended_ms: number | null;
}

/** All from which a report is made, whoever reads it then: each reader sees what is of vehicles that he sees. */
export interface ShiftFacts extends StoredFacts {
  from_ms: number;
  to_ms: number;
  /** The longest first. */
  silent: SilentFact[];
  /** The newest first. */
  troubles: TroubleFact[];
  /** By their ids, as they were called then. */
  names: { vehicles: Record<string, string>; users: Record<string, string> };
}

/** A trouble may have begun this long before a shift and go on in it. */
const troubleLeadMs = 86_400_000;
const mostTroubles = 500;
const mostSilent = 5_000;

export interface GatherDeps {
  store: Pick<Store, 'shiftFacts' | 'events'>;
  /** All that have no contact now. */
  silent: () => SilentFact[];
  vehicleName: (vehicleId: string) => string | null;
  userName: (userId: string) => string | null;
  clock: Pick<Clock, 'now'>;
}

export interface Asked {
  from_ms: number;
  /** Left out: of all. */
  vehicle_ids?: string[];
}

/** Gathers what happened up to now, of seven days at the most. */
export async function gatherFacts(
  { store, silent, vehicleName, userName, clock }: GatherDeps,
  { from_ms, vehicle_ids }: Asked,
): Promise<ShiftFacts> {
  const to_ms = clock.now();
  const first_ms = Math.max(Math.min(from_ms, to_ms), to_ms - longestReportS * 1_000);
  const [stored, events] = await Promise.all([
    store.shiftFacts({ from_ms: first_ms, ...(vehicle_ids === undefined ? {} : { vehicle_ids }) }),
    vehicle_ids === undefined
      ? store.events({ limit: mostTroubles, kinds: ['host_trouble'], from_ms: first_ms - troubleLeadMs })
      : [],
  ]);
  const troubles = events.flatMap(({ event_id, time_ms, details }): TroubleFact[] => {
    const ended_ms = details.ended_at === null ? null : Date.parse(details.ended_at);
    if (details.cause === undefined || (ended_ms ?? to_ms) < first_ms) return [];
    return [{ event_id, cause: details.cause, began_ms: time_ms, ended_ms }];
  });
  const of = vehicle_ids === undefined ? null : new Set(vehicle_ids);
  const all = silent()
    .filter((it) => of === null || of.has(it.vehicle_id))
    .sort((a, b) => a.since_ms - b.since_ms);
  const { notifications, tasks, incidents } = stored;
  return {
    ...stored,
    is_cut: stored.is_cut || first_ms > from_ms || events.length >= mostTroubles || all.length > mostSilent,
    ...{ from_ms: first_ms, to_ms, troubles },
    silent: all.slice(0, mostSilent),
    names: {
      vehicles: namesOf(
        [...notifications, ...tasks, ...incidents, ...all.slice(0, mostSilent)].map((it) => it.vehicle_id),
        vehicleName,
      ),
      users: namesOf(
        [...notifications.map((it) => it.ack_by), ...tasks.map((it) => it.created_by)],
        userName,
      ),
    },
  };
}

function namesOf(
  ids: readonly (string | null)[],
  nameOf: (id: string) => string | null,
): Record<string, string> {
  const named = [...new Set(ids)].flatMap((id) => {
    const name = id === null ? null : nameOf(id);
    return id === null || name === null ? [] : [[id, name] as const];
  });
  return Object.fromEntries(named);
}

const deflated = promisify(deflateRaw);
const inflated = promisify(inflateRaw);

export async function packFacts(facts: ShiftFacts): Promise<Uint8Array> {
  return deflated(JSON.stringify(facts));
}

/** What `packFacts` made. */
export async function unpackFacts(packed: Uint8Array): Promise<ShiftFacts> {
  const text = (await inflated(packed)).toString();
  // What was recorded before there were incidents has none.
  return { incidents: [], ...(JSON.parse(text) as Omit<ShiftFacts, 'incidents'>) };
}
