import { causeOf, messageOf } from '../contract/causeTexts.ts';
import { terminalKey } from '../contract/sameKeys.ts';
import { randomUUID } from 'node:crypto';
import type { BulkResult } from '../contract/bulk.ts';
import type { FieldError } from '../contract/problem.ts';
import { newVehicle, type NewVehicle } from '../contract/vehicles.ts';
import { ApiError, checkVersion, forbidden, invalidField, notFound } from '../http/apiError.ts';
import { bulkOf } from '../http/bulk.ts';
import { applyMergePatch } from '../http/mergePatch.ts';
import { sortedBy } from '../http/pagination.ts';
import { isDealer, sharesGroup, withOwnGroups, type Viewer } from '../http/viewer.ts';
import type { Act, Once } from '../store/acts.ts';
import type { Collection } from '../store/entity.ts';
import type { ActResults } from '../store/operations.ts';
import type { VehicleRecord } from './vehicleRecord.ts';

export interface VehiclesDeps {
  collection: Collection<VehicleRecord>;
  groupExists: (groupId: string) => boolean;
  /** What names vehicles that are archived, within the same act. */
  leaving?: (vehicleIds: ReadonlySet<string>, act: Act, isDeleted: boolean) => void;
  /** How many incidents of vehicles are not closed, of those that have such. */
  openIncidents?: (vehicleIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /**
   * Runs a change while no batch of positions is on its way, in which an SOS opens an incident of a vehicle in service, and
   * nobody else opens one.
   */
  between?: <T>(change: () => Promise<T>) => Promise<T>;
  /** What names a vehicle that is deleted with all its data, within the same act. */
  purging?: (vehicleId: string) => void;
  /** Terminals that have a vehicle now, within the act that gives it them. */
  terminalsGiven?: (terminalIds: readonly string[], act: Act) => void;
  clock: { now(): number };
}

/** What lists of vehicles are sorted by. */
export const vehicleOrder = (vehicle: VehicleRecord) => [vehicle.name, vehicle.vehicle_id] as const;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export type Vehicles = ReturnType<typeof createVehicles>;

/** Who archives a vehicle takes it from all its groups. Throws 403. */
export function checkAllGroups({ group_ids }: VehicleRecord, viewer: Viewer): void {
  if (!group_ids.every((id) => sharesGroup(viewer, [id]))) throw forbidden(causeOf('vehicle.other_groups'));
}

export function createVehicles(deps: VehiclesDeps) {
  const { collection, groupExists, leaving, openIncidents, purging, terminalsGiven, clock } = deps;
  const { between = (change) => change() } = deps;
  let indexedFrom: readonly VehicleRecord[] | null = null;
  let inService: readonly VehicleRecord[] = [];
  /** Sorted when they are first asked for: a change of one vehicle alone shall not cost it. */
  let inOrder: readonly VehicleRecord[] | null = null;
  let archivedInOrder: readonly VehicleRecord[] | null = null;
  /** What is visible by the groups that see it. */
  let seenBy = new Map<string, readonly VehicleRecord[]>();
  let terminals = new Map<string, VehicleRecord>();
  let byGroup = new Map<string, string[]>();
  /** Those that are being deleted with all that is kept of them, each with what deletes it. */
  const leavingForGood = new Map<string, () => Promise<void>>();

  /**
   * Rebuilt only when some vehicle has changed, not for what an act is about to change: that two of them take the same
   * terminal is found out by the database.
   */
  function index(): void {
    const records = collection.committed();
    if (indexedFrom === records) return;
    indexedFrom = records;
    inService = records.filter((it) => it.archived_at === null);
    inOrder = null;
    archivedInOrder = null;
    seenBy = new Map();
    terminals = new Map(inService.map((it) => [terminalKey(it.terminal_id), it]));
    byGroup = new Map();
    for (const { vehicle_id, group_ids } of inService) {
      for (const id of new Set(group_ids)) {
        const ids = byGroup.get(id);
        if (ids === undefined) byGroup.set(id, [vehicle_id]);
        else ids.push(vehicle_id);
      }
    }
  }

  function byTerminal(terminalId: string): VehicleRecord | undefined {
    index();
    return terminals.get(terminalKey(terminalId));
  }

  function all(): readonly VehicleRecord[] {
    index();
    return inService;
  }

  function sorted(): readonly VehicleRecord[] {
    index();
    inOrder ??= sortedBy(inService, vehicleOrder);
    return inOrder;
  }

  function isVisible(vehicle: VehicleRecord, viewer: Viewer): boolean {
    return isDealer(viewer) || (vehicle.archived_at === null && sharesGroup(viewer, vehicle.group_ids));
  }

  function find(ref: string, viewer: Viewer): VehicleRecord {
    const vehicle = uuid.test(ref) ? collection.get(ref.toLowerCase()) : byTerminal(ref);
    if (vehicle === undefined || !isVisible(vehicle, viewer)) throw notFound('vehicle');
    return vehicle;
  }

  function checkTerminalFree(terminalId: string, except?: string): void {
    const holder = byTerminal(terminalId);
    if (holder !== undefined && holder.vehicle_id !== except) {
      throw new ApiError('already_exists', causeOf('vehicle.terminal_taken', { terminal: terminalId }));
    }
  }

  /** Users put vehicles into their own groups alone, and cannot put one out of their own sight. */
  function groupError(
    groupIds: readonly string[],
    viewer: Viewer,
    kept: readonly string[] = [],
  ): FieldError | null {
    const wrong = groupIds.findIndex(
      (id) => !kept.includes(id) && !(groupExists(id) && sharesGroup(viewer, [id])),
    );
    if (wrong >= 0) return { path: `group_ids.${wrong}`, message: 'is not a group', kind: 'unknown' };
    return sharesGroup(viewer, groupIds)
      ? null
      : { path: 'group_ids', ...messageOf(causeOf('group.none_of_yours')) };
  }

  /** @param kept what the vehicle is in already: a host that was killed may have left a group there that is gone */
  function checkGroups(groupIds: readonly string[], viewer: Viewer, kept: readonly string[] = []): void {
    const fault = groupError(groupIds, viewer, kept);
    if (fault !== null) throw invalidField(fault);
  }

  function regrouped(old: VehicleRecord, next: VehicleRecord): VehicleRecord {
    const same =
      old.group_ids.length === next.group_ids.length &&
      old.group_ids.every((id) => next.group_ids.includes(id));
    return same ? next : { ...next, groups_changed_at: new Date(clock.now()).toISOString() };
  }

  function withMembership(old: VehicleRecord, groupId: string, member: boolean): VehicleRecord {
    if (old.group_ids.includes(groupId) === member) return old;
    const others = old.group_ids.filter((id) => id !== groupId);
    return regrouped(old, { ...old, group_ids: member ? [...others, groupId] : others });
  }

  async function change(
    vehicleId: string,
    revise: (old: VehicleRecord) => VehicleRecord,
  ): Promise<VehicleRecord> {
    const changed = await collection.change(vehicleId, revise);
    if (changed === undefined) throw notFound('vehicle');
    return changed;
  }

  function versionOf(vehicleId: string, ifMatch: number | null): VehicleRecord {
    const vehicle = collection.get(vehicleId);
    if (vehicle === undefined) throw notFound('vehicle');
    checkVersion(ifMatch, vehicle.version);
    return vehicle;
  }

  function takeOutOfService(vehicles: readonly VehicleRecord[], act: Act, isDeleted = false): void {
    const ids = new Set(vehicles.filter((it) => it.archived_at === null).map((it) => it.vehicle_id));
    if (ids.size === 0) return;
    leaving?.(ids, act, isDeleted);
    const archived_at = new Date(clock.now()).toISOString();
    collection.staged.changeMany([...ids], (it) => ({ ...it, archived_at }));
  }

  return {
    /** Archived ones too. */
    get: (vehicleId: string): VehicleRecord | undefined => collection.get(vehicleId),
    /** Those in service. */
    all,
    /** The one in service with this terminal; leading zeros and letter case do not matter. */
    byTerminal,
    /** By UUID or terminal ID; throws 404 for what is not there or not the viewer's. Dealers also find archived ones. */
    find,
    /** What forbids the viewer to put a vehicle into these groups; null when nothing does. */
    groupError,
    /** Those in service that the viewer may see, in `vehicleOrder`; the same list until a vehicle changes. */
    visible(viewer: Viewer): readonly VehicleRecord[] {
      const all = sorted();
      if (isDealer(viewer)) return all;
      const groups = viewer.user.group_ids.join();
      let seen = seenBy.get(groups);
      if (seen === undefined) {
        seen = all.filter((it) => sharesGroup(viewer, it.group_ids));
        seenBy.set(groups, seen);
      }
      return seen;
    },
    onChange: collection.onChange,

    /** Those that are archived, in `vehicleOrder`; for dealers. */
    archived(): readonly VehicleRecord[] {
      index();
      archivedInOrder ??= sortedBy(
        (indexedFrom ?? []).filter((it) => it.archived_at !== null),
        vehicleOrder,
      );
      return archivedInOrder;
    },

    /** The ids of those in service that are in the group. */
    inGroup(groupId: string): readonly string[] {
      index();
      return byGroup.get(groupId) ?? [];
    },

    /** What is of no vehicle, but of the host itself, is for dealers, as is what is of a vehicle that is gone. */
    sees(viewer: Viewer, vehicleId: string | null): boolean {
      const vehicle = vehicleId === null ? undefined : collection.get(vehicleId);
      return vehicle === undefined ? isDealer(viewer) : isVisible(vehicle, viewer);
    },

    /** Throws 409 when a terminal ID is taken, 400 for a group that is not there or not the viewer's. */
    add: (
      wanted: readonly NewVehicle[],
      viewer: Viewer,
      once?: Once<VehicleRecord[]>,
    ): Promise<VehicleRecord[]> =>
      collection.act(
        (act) => {
          const keys = new Set<string>();
          for (const vehicle of wanted) {
            checkTerminalFree(vehicle.terminal_id);
            const key = terminalKey(vehicle.terminal_id);
            if (keys.has(key))
              throw new ApiError(
                'already_exists',
                causeOf('vehicle.terminal_twice', { terminal: vehicle.terminal_id }),
              );
            keys.add(key);
            checkGroups(vehicle.group_ids, viewer);
          }
          const groups_changed_at = new Date(clock.now()).toISOString();
          const owner_id = isDealer(viewer) ? null : viewer.user.user_id;
          terminalsGiven?.(
            wanted.map((it) => it.terminal_id),
            act,
          );
          return collection.staged.add(
            wanted.map((it) => ({
              ...{ ...it, vehicle_id: randomUUID(), archived_at: null },
              ...{ groups_changed_at, owner_id },
            })),
          );
        },
        { once },
      ),

    patch(ref: string, patch: object, viewer: Viewer, ifMatch: number | null): Promise<VehicleRecord> {
      const { vehicle_id } = find(ref, viewer);
      return collection.act((act) => {
        const changed = collection.staged.change(vehicle_id, (old) => {
          checkVersion(ifMatch, old.version);
          const own = withOwnGroups(old, viewer);
          const wanted = applyMergePatch(newVehicle, own, patch);
          if (old.archived_at === null) {
            checkTerminalFree(wanted.terminal_id, vehicle_id);
            if (wanted.terminal_id !== old.terminal_id) terminalsGiven?.([wanted.terminal_id], act);
          }
          checkGroups(wanted.group_ids, viewer, own.group_ids);
          // Of groups that the viewer does not see it knows nothing, so the vehicle stays in them.
          const hidden = old.group_ids.filter((id) => !own.group_ids.includes(id));
          return regrouped(old, { ...old, ...wanted, group_ids: [...wanted.group_ids, ...hidden] });
        });
        if (changed === undefined) throw notFound('vehicle');
        return changed;
      });
    },

    async setGroup(vehicleId: string, groupId: string, member: boolean): Promise<void> {
      await change(vehicleId, (old) => withMembership(old, groupId, member));
    },

    /**
     * Puts vehicles into a group or takes them out, in one act. Throws 404 for the group, 409 when there would be too many
     * memberships; a vehicle that would be in none of the viewer's groups is refused.
     */
    setGroupOfMany: (
      vehicleIds: readonly string[],
      groupId: string,
      member: boolean,
      viewer: Viewer,
    ): Promise<BulkResult> =>
      collection.act(() => {
        if (!groupExists(groupId) || !sharesGroup(viewer, [groupId])) throw notFound('group');
        const found: string[] = [];
        const result = bulkOf(vehicleIds, (ref) => {
          const { vehicle_id, group_ids } = find(ref, viewer);
          const others = group_ids.filter((id) => id !== groupId);
          if (!member && !sharesGroup(viewer, others)) throw forbidden(causeOf('vehicle.in_no_group'));
          found.push(vehicle_id);
        });
        collection.staged.changeMany(found, (old) => withMembership(old, groupId, member));
        return result;
      }),

    /** Takes a group that goes from all vehicles, within an act. */
    leaveGroup(groupId: string): void {
      const members = collection.all().filter((it) => it.group_ids.includes(groupId));
      collection.staged.changeMany(
        members.map((it) => it.vehicle_id),
        (old) => regrouped(old, { ...old, group_ids: old.group_ids.filter((id) => id !== groupId) }),
      );
    },

    /** @throws ApiError 404; 412; 409 while an incident of it is not closed */
    archive: (vehicleId: string, ifMatch: number | null): Promise<void> =>
      between(() => collection.act((act) => takeOutOfService([versionOf(vehicleId, ifMatch)], act))),

    /**
     * Archives it, and lets nobody restore it while `erase` deletes what is kept of it; meanwhile it is not found here,
     * either.
     *
     * @throws ApiError 404; 412
     */
    async archiveForGood(
      vehicleId: string,
      ifMatch: number | null,
      erase: () => Promise<void>,
    ): Promise<void> {
      try {
        await between(() =>
          collection.act((act) => {
            const old = versionOf(vehicleId, ifMatch);
            if (leavingForGood.has(vehicleId)) throw notFound('vehicle');
            leavingForGood.set(vehicleId, erase);
            takeOutOfService([old], act, true);
          }),
        );
        await erase();
      } finally {
        if (leavingForGood.get(vehicleId) === erase) leavingForGood.delete(vehicleId);
      }
    },

    /**
     * Archives vehicles in one act; one that is also in groups that are not the viewer's is refused, and one with an
     * incident that is not closed.
     */
    archiveMany: (vehicleIds: readonly string[], viewer: Viewer): Promise<BulkResult> =>
      between(async () => {
        const openOf = (await openIncidents?.(vehicleIds)) ?? new Map<string, number>();
        return collection.act((act) => {
          const found: VehicleRecord[] = [];
          const result = bulkOf(vehicleIds, (ref) => {
            const vehicle = find(ref, viewer);
            checkAllGroups(vehicle, viewer);
            const open = openOf.get(vehicle.vehicle_id);
            if (open !== undefined && vehicle.archived_at === null)
              throw new ApiError('in_use', causeOf('vehicle.open_incidents', { open }));
            found.push(vehicle);
          });
          takeOutOfService(found, act);
          return result;
        });
      }),

    /**
     * Puts archived vehicles back into service in one act, in the groups in which they are. One whose terminal ID is
     * another vehicle's by now is refused, and one that is being deleted is not found.
     *
     * @throws {ActRefused} the terminal ID of one became another vehicle's at that moment: all stay
     */
    restoreMany: (vehicleIds: readonly string[], viewer: Viewer): Promise<BulkResult> =>
      collection.act((act) => {
        const found = new Map<string, VehicleRecord>();
        const result = bulkOf(vehicleIds, (ref) => {
          const vehicle = find(ref, viewer);
          const { vehicle_id, terminal_id, archived_at } = vehicle;
          if (leavingForGood.has(vehicle_id)) throw notFound('vehicle');
          if (archived_at === null) return;
          checkTerminalFree(terminal_id);
          const key = terminalKey(terminal_id);
          if (found.has(key))
            throw new ApiError(
              'already_exists',
              causeOf('vehicle.terminal_twice', { terminal: terminal_id }),
            );
          found.set(key, vehicle);
        });
        const vehicles = [...found.values()];
        if (vehicles.length === 0) return result;
        terminalsGiven?.(
          vehicles.map((it) => it.terminal_id),
          act,
        );
        const restored_at = new Date(clock.now()).toISOString();
        collection.staged.changeMany(
          vehicles.map((it) => it.vehicle_id),
          (it) => ({ ...it, archived_at: null, restored_at }),
        );
        return result;
      }),

    /** Deletes it with what the database knows of it. @param forgotten is given what incidents have lost by it */
    purge: (vehicleId: string, forgotten: (written: ActResults['forgetVehicle']) => void): Promise<void> =>
      collection.act((act) => {
        purging?.(vehicleId);
        if (collection.staged.remove(vehicleId) === undefined) throw notFound('vehicle');
        act.write('forgetVehicle', vehicleId, forgotten);
      }),

    /** Those that were archived before this moment (Unix ms). */
    archivedBefore: (before_ms: number): VehicleRecord[] =>
      collection
        .all()
        .filter(({ archived_at }) => archived_at !== null && Date.parse(archived_at) < before_ms),
  };
}
