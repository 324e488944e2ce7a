import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { causeOf } from '../contract/causeTexts.ts';
import type { Clock } from '../clock.ts';
import { quotas } from '../contract/quotas.ts';
import type { DriveHistory } from '../drivers/driveHistory.ts';
import { notFound } from '../http/apiError.ts';
import type { Viewer } from '../http/viewer.ts';
import { viewerOf } from '../notifications/escalationSteps.ts';
import type { RecentNotifications } from '../notifications/recentNotifications.ts';
import type { PlacesWithin } from '../places/boundedPlaces.ts';
import type { Health } from '../settings/health.ts';
import type { Act, Acts, Once } from '../store/acts.ts';
import type { Change } from '../store/entity.ts';
import type { ActResults, Store } from '../store/operations.ts';
import type { FormerOwner, IncidentChange, IncidentRow } from '../store/telemetry/incidentRows.ts';
import { ActRefused } from '../store/storeErrors.ts';
import type { IncidentOrder } from '../store/telemetry/incidentWrites.ts';
import type { UserRecord } from '../users/userRecord.ts';
import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';
import { createErasures } from './erasures.ts';
import { mayHandle } from './owners.ts';
import type { IncidentSight } from './presentIncident.ts';

export interface IncidentsDeps {
  store: Pick<Store, 'incidentsById' | 'openIncidentClips' | 'incidentsNotDescribed'>;
  acts: Pick<Acts, 'run' | 'follow'>;
  vehicles: Pick<Vehicles, 'get' | 'visible'>;
  drives: Pick<DriveHistory, 'driverAt'>;
  placesWithin: PlacesWithin;
  sight: Pick<IncidentSight, 'sees'>;
  recent: Pick<RecentNotifications, 'apply'>;
  /**
   * Runs a change while no batch does, and no other such change: the engine counts on the alarms that are acknowledged
   * with an incident, and who archives vehicles on the incidents that are not closed.
   */
  between: <T>(change: () => Promise<T>) => Promise<T>;
  publish: (written: ActResults['changeIncident']) => void;
  /** The same of what only those see from now on who see this vehicle. */
  publishArchived: (vehicleId: string, written: ActResults['archiveIncidentsOf']) => void;
  health: Pick<Health, 'set'>;
  clock: Clock;
  log: Logger;
}

/** An address that does not come in time is left out: the map shows the place. */
const addressBudget = { wait_ms: 2_000, points: 1 };
const describedAtOnce = 50;
/** A store that failed is not asked again at once. */
const storePauseMs = 10_000;

/**
 * What happens to incidents. Each change is decided by the store's writer, from the row as it is at that moment, so that
 * people and alarms who change one at once lose nothing of one another.
 */
export type Incidents = Awaited<ReturnType<typeof loadIncidents>>;

export async function loadIncidents(deps: IncidentsDeps) {
  const { store, acts, vehicles, drives, placesWithin, sight, recent, health, clock, log } = deps;
  /** Of those that are not closed the clips, which are kept for them. */
  const clipsOfOpen = new Map<string, readonly string[]>();
  const closing = new AbortController();
  let kept: Set<string> | null = null;
  let describing: Promise<void> | null = null;
  /** How often rows were taken in. */
  let adopted = 0;
  /** Whether there may be more to describe than what is read. */
  let isMore = false;
  let stopTimer = (): void => undefined;

  function noteAll(rows: readonly { incident_id: string; task_ids: readonly string[] }[]): void {
    clipsOfOpen.clear();
    for (const { incident_id, task_ids } of rows) clipsOfOpen.set(incident_id, task_ids);
    kept = null;
    lookForFull();
  }

  function lookForFull(): void {
    const { most } = quotas.incidents;
    const isFull = clipsOfOpen.size >= most;
    health.set('incidents_full', isFull ? causeOf('health.incidents_full', { most }) : null);
  }

  /** Takes in rows as they are stored now. */
  function adopt(rows: readonly IncidentRow[]): void {
    if (rows.length === 0) return;
    adopted += 1;
    for (const { incident_id, status, clips } of rows) {
      if (status === 'closed') clipsOfOpen.delete(incident_id);
      else
        clipsOfOpen.set(
          incident_id,
          clips.map((it) => it.task_id),
        );
    }
    kept = null;
    lookForFull();
    if (rows.some((row) => !row.described)) describeSoon();
  }

  function describeSoon(): void {
    isMore = true;
    if (closing.signal.aborted) return;
    describing ??= describeAll()
      .catch((error: unknown) => {
        if (closing.signal.aborted) return;
        log.error({ err: error }, 'driver and address of an incident were not stored; retrying');
        stopTimer();
        stopTimer = clock.after(storePauseMs, describeSoon);
        isMore = false;
      })
      .finally(() => {
        describing = null;
        if (isMore) describeSoon();
      });
  }

  /** Until none is left, also of an earlier run. */
  async function describeAll(): Promise<void> {
    while (isMore) {
      isMore = false;
      const rows = await store.incidentsNotDescribed(describedAtOnce);
      if (rows.length > 0) isMore = true;
      for (const row of rows) {
        closing.signal.throwIfAborted();
        await describe(row);
      }
    }
  }

  /** Who drove at that time, and the address. @param userId in whose turn the map files are read */
  async function descriptionOf(
    { vehicle_id, time_ms, lat, lon }: Pick<IncidentRow, 'vehicle_id' | 'time_ms' | 'lat' | 'lon'>,
    userId: string,
  ): Promise<Pick<IncidentRow, 'driver' | 'place'>> {
    const vehicle = vehicle_id === null ? undefined : vehicles.get(vehicle_id);
    const driver = vehicle === undefined ? null : await drives.driverAt(vehicle, time_ms);
    const point = lat === null || lon === null ? null : { lat, lon };
    const namePlaces = placesWithin(addressBudget, { user_id: userId, signal: closing.signal });
    const [place] = await namePlaces([point]);
    return { driver, place: place?.text ?? null };
  }

  async function describe({ incident_id, vehicle_id, time_ms, lat, lon }: IncidentRow): Promise<void> {
    const described = await descriptionOf({ vehicle_id, time_ms, lat, lon }, 'incidents');
    await change(incident_id, { kind: 'describe', ...described }).catch((error: unknown) => {
      // Its vehicle was deleted with all its data meanwhile.
      if (!(error instanceof ActRefused && error.reason === 'gone')) throw error;
    });
  }

  function stored(written: ActResults['changeIncident']): void {
    recent.apply(written.notifications);
    adopt(written.incidents);
    deps.publish(written);
  }

  async function change(
    incident_id: string,
    change: IncidentChange,
    once?: Once<string>,
    check?: () => void,
  ): Promise<IncidentRow | undefined> {
    let row: IncidentRow | undefined;
    await acts.run(
      (act) => {
        check?.();
        act.write('changeIncident', { incident_id, change }, (written) => {
          [row] = written.incidents;
          stored(written);
        });
        return incident_id;
      },
      { once },
    );
    return row;
  }

  /** @throws ApiError 404 */
  async function find(incidentId: string, viewer: Viewer): Promise<IncidentRow> {
    const [row] = await store.incidentsById([incidentId]);
    if (row === undefined || !sight.sees(viewer, row)) throw notFound('incident');
    return row;
  }

  /** Reads all that is not closed; once more where something has changed meanwhile, so that it is not lost. */
  async function reload(): Promise<void> {
    const before = adopted;
    const rows = await store.openIncidentClips();
    if (before === adopted) noteAll(rows);
    else await reload();
  }

  acts.follow({
    onCommitted: () => undefined,
    onReloaded: () => {
      reload().catch((error: unknown) => log.error({ err: error }, 'incidents were not read again'));
    },
  });
  await reload();

  return {
    find,
    erasures: createErasures(),
    adopt,
    reload,
    /** Takes in rows, and publishes them, that have lost what was deleted of a vehicle. */
    erased: (written: Omit<ActResults['changeIncident'], 'notifications'>): void =>
      stored({ ...written, notifications: [] }),
    descriptionOf,
    /**
     * Within the act that archives a vehicle, which is refused while one of its incidents is not closed.
     *
     * @param isDeleted its data are deleted next, and its incidents with them
     */
    archive(vehicle_id: string, act: Pick<Act, 'write'>, isDeleted: boolean): void {
      act.write('archiveIncidentsOf', { vehicle_id, isDeleted }, (written) =>
        deps.publishArchived(vehicle_id, written),
      );
    },
    /**
     * Within the act that changes vehicles: their open incidents and the newest closed ones appear to those who see them
     * now, and go from others.
     */
    regroup(changes: readonly Change<VehicleRecord>[], act: Pick<Act, 'write'>): void {
      const moved = changes.flatMap(({ before, after }) => {
        // Of an archived vehicle nobody but dealers sees anything.
        if (before === null || after === null || after.archived_at !== null) return [];
        const isRestored = before.archived_at !== null;
        if (!isRestored && isDeepStrictEqual(before.group_ids, after.group_ids)) return [];
        return { vehicle_id: before.vehicle_id, visible_to: isRestored ? [] : before.group_ids };
      });
      if (moved.length === 0) return;
      act.write('regroupIncidents', moved, (written) => stored({ ...written, notifications: [] }));
    },
    /** Within the act that changes users: what one of them may handle no more is nobody's, so that others see that it waits. */
    disown(changes: readonly Change<UserRecord>[], act: Pick<Act, 'write'>): void {
      const former = changes.flatMap(({ before, after }): FormerOwner[] => {
        if (before === null) return [];
        const { user_id } = before;
        if (after === null || !mayHandle(after)) return mayHandle(before) ? [{ user_id, keeps: [] }] : [];
        if (isDeepStrictEqual(before.group_ids, after.group_ids) && before.role === after.role) return [];
        return [{ user_id, keeps: [null, ...vehicles.visible(viewerOf(after)).map((it) => it.vehicle_id)] }];
      });
      if (former.length === 0) return;
      act.write('releaseIncidents', former, (written) => stored({ ...written, notifications: [] }));
    },
    /** Looks up what an earlier run has left open. */
    start: describeSoon,

    /** Whether a clip is kept for an incident that is not closed. */
    keeps(taskId: string): boolean {
      kept ??= new Set([...clipsOfOpen.values()].flat());
      return kept.has(taskId);
    },

    /** Resolves with its id. @param check as for `change` @throws {ActRefused}; {DiskFull}; {StoreFailed} */
    async create(order: IncidentOrder, once?: Once<string>, check?: () => void): Promise<string> {
      const { incident_id } = order.made;
      await deps.between(() =>
        acts.run(
          (act) => {
            check?.();
            act.write('createIncident', order, stored);
            return incident_id;
          },
          { once },
        ),
      );
      return incident_id;
    },

    /**
     * Resolves with the row after the change.
     *
     * @param check throws for what shall not be stored; it runs in the turn of the change
     * @throws ApiError 404; {ActRefused}; {DiskFull}; {StoreFailed}
     */
    async change(
      incident_id: string,
      wanted: Exclude<IncidentChange, { kind: 'describe' }>,
      once?: Once<string>,
      check?: () => void,
    ): Promise<IncidentRow> {
      const store = () => change(incident_id, wanted, once, check);
      const isExclusive = wanted.kind === 'close' || wanted.kind === 'reopen';
      const row = await (isExclusive ? deps.between(store) : store());
      if (row === undefined) throw notFound('incident');
      return row;
    },

    async close(): Promise<void> {
      closing.abort(new Error('the host is closing'));
      stopTimer();
      await describing;
    },
  };
}
