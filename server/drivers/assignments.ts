import { randomUUID } from 'node:crypto';
import { newAssignment, type AssignmentPatch, type NewAssignment } from '../contract/drivers.ts';
import { checkVersion, invalid, notFound } from '../http/apiError.ts';
import { applyMergePatch } from '../http/mergePatch.ts';
import { isDealer, type Viewer } from '../http/viewer.ts';
import type { Once } from '../store/acts.ts';
import type { Collection } from '../store/entity.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';
import type { AssignmentRecord } from './driverRecord.ts';
import type { Drivers } from './drivers.ts';

export interface AssignmentsDeps {
  collection: Collection<AssignmentRecord>;
  drivers: Pick<Drivers, 'get' | 'find' | 'sees'>;
  vehicles: Pick<Vehicles, 'find' | 'sees'>;
  clock: { now(): number };
}

export type Assignments = ReturnType<typeof createAssignments>;

/** Drivers who were assigned to vehicles by hand, from a time to a time. */
export function createAssignments({ collection, drivers, vehicles, clock }: AssignmentsDeps) {
  let indexedFrom: readonly AssignmentRecord[] | null = null;
  let byVehicle = new Map<string, AssignmentRecord[]>();

  /** Of a vehicle, those that began first first. */
  function ofVehicle(vehicleId: string): readonly AssignmentRecord[] {
    const records = collection.committed();
    if (indexedFrom !== records) {
      indexedFrom = records;
      byVehicle = new Map();
      for (const it of records.toSorted((a, b) => (a.from < b.from ? -1 : Number(a.from > b.from)))) {
        const others = byVehicle.get(it.vehicle_id);
        if (others === undefined) byVehicle.set(it.vehicle_id, [it]);
        else others.push(it);
      }
    }
    return byVehicle.get(vehicleId) ?? [];
  }

  function sees(viewer: Viewer, { driver_id, vehicle_id }: AssignmentRecord): boolean {
    const driver = drivers.get(driver_id);
    return driver !== undefined && drivers.sees(viewer, driver) && vehicles.sees(viewer, vehicle_id);
  }

  function find(assignmentId: string, viewer: Viewer): AssignmentRecord {
    const found = collection.get(assignmentId);
    if (found === undefined || !sees(viewer, found)) throw notFound('assignment');
    return found;
  }

  return {
    get: (assignmentId: string): AssignmentRecord | undefined => collection.get(assignmentId),
    all: (): readonly AssignmentRecord[] => collection.committed(),
    ofVehicle,
    sees,
    find,
    onChange: collection.onChange,

    /** Throws 404 for a driver or a vehicle that is not there or not the viewer's, 400 for an archived one. */
    add: (
      wanted: NewAssignment,
      viewer: Viewer,
      once?: Once<AssignmentRecord[]>,
    ): Promise<AssignmentRecord[]> =>
      collection.act(
        () => {
          if (drivers.find(wanted.driver_id, viewer).archived_at !== null)
            throw invalid('driver_id', 'is archived', 'archived');
          if (vehicles.find(wanted.vehicle_id, viewer).archived_at !== null)
            throw invalid('vehicle_id', 'is archived', 'archived');
          checkPeriod(wanted);
          const owner_id = isDealer(viewer) ? null : viewer.user.user_id;
          return collection.staged.add([{ ...wanted, assignment_id: randomUUID(), owner_id }]);
        },
        { once },
      ),

    /** Throws 400, 404, 412. */
    patch: (
      assignmentId: string,
      patch: AssignmentPatch,
      viewer: Viewer,
      ifMatch: number | null,
    ): Promise<AssignmentRecord> =>
      collection.act(() => {
        find(assignmentId, viewer);
        const changed = collection.staged.change(assignmentId, (old) => {
          checkVersion(ifMatch, old.version);
          const wanted = applyMergePatch(newAssignment, old, patch);
          checkPeriod(wanted);
          return { ...old, ...wanted };
        });
        if (changed === undefined) throw notFound('assignment');
        return changed;
      }),

    /** Throws 404, 412. */
    async remove(assignmentId: string, viewer: Viewer, ifMatch: number | null): Promise<void> {
      find(assignmentId, viewer);
      const removed = await collection.remove(assignmentId, (old) => checkVersion(ifMatch, old.version));
      if (removed === undefined) throw notFound('assignment');
    },

    /** Ends those of a driver or a vehicle that goes, within an act; what has not begun is removed. */
    end(isGone: (it: AssignmentRecord) => boolean): void {
      const now = new Date(clock.now()).toISOString();
      const open = collection.all().filter((it) => isGone(it) && (it.to === null || it.to > now));
      for (const it of open) if (it.from >= now) collection.staged.remove(it.assignment_id);
      collection.staged.changeMany(
        open.filter((it) => it.from < now).map((it) => it.assignment_id),
        (old) => ({ ...old, to: now }),
      );
    },

    /** Removes those of a driver or a vehicle that is deleted, within an act. */
    forget(isGone: (it: AssignmentRecord) => boolean): void {
      for (const it of collection.all().filter(isGone)) collection.staged.remove(it.assignment_id);
    },

    /** Removes those that ended before this moment (Unix ms), some at a time: all at once would hold up others. */
    async prune(before_ms: number): Promise<void> {
      const before = new Date(before_ms).toISOString();
      const isOld = (it: AssignmentRecord) => it.to !== null && it.to < before;
      while (collection.committed().some(isOld)) {
        await collection.act(() => {
          for (const it of collection.all().filter(isOld).slice(0, prunedAtOnce))
            collection.staged.remove(it.assignment_id);
        });
      }
    },
  };
}

const prunedAtOnce = 500;

function checkPeriod({ from, to }: Pick<NewAssignment, 'from' | 'to'>): void {
  if (to !== null && to <= from) throw invalid('to', 'is not after from', 'order');
}
