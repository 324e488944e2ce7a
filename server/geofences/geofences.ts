import { causeOf, messageOf } from '../contract/causeTexts.ts';
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { newGeofence, type Geofence, type GeofencePatch, type NewGeofence } from '../contract/geofences.ts';
import type { FieldError } from '../contract/problem.ts';
import { ApiError, checkVersion, forbidden, invalidField, notFound } from '../http/apiError.ts';
import { applyMergePatch } from '../http/mergePatch.ts';
import { holds, isDealer, sharesGroup, type Viewer } from '../http/viewer.ts';
import type { Collection, Stamped } from '../store/entity.ts';
import type { GeofenceIndex } from './geofenceIndex.ts';
import { cornersOf, type GeofenceRecord } from './geofenceRecord.ts';
import type { GeofenceWork } from './geofenceWork.ts';
import type { GeofenceForm } from './geometryErrors.ts';
import { indexLimits, measureShape, type IndexLimits } from './indexLimits.ts';
import { createMonitoredGeofences, isSameForm, type Claim, type IndexRefusal } from './monitoredGeofences.ts';

export interface GeofencesDeps {
  collection: Collection<GeofenceRecord>;
  groupExists: (groupId: string) => boolean;
  faultsOf: GeofenceWork['faultsOf'];
  /** The rules that name the geofence, with the name of one that the viewer may know of; null when there is none. */
  usedBy: (geozoneId: string) => { nameFor(viewer: Viewer): string | null } | null;
  clock: { now(): number };
  /** Called with each stored geofence that is not monitored, and why. */
  onNotMonitored?: (geofence: GeofenceRecord, reason: string) => void;
  /** Other limits than the given ones; for tests alone. */
  limits?: IndexLimits;
}

/** How long a deleted geofence can be restored. */
const restorableMs = 3_600_000;
/** All that can be restored, together: 200 MB of geometry would be 4 million corners. The oldest go first. */
const restorableMost = { geofences: 1_000, corners: 200_000 };

const never = new AbortController().signal;

/** The geofence was given another form while a change of it was checked. */
class FormChanged extends Error {
  override name = 'FormChanged';
}

/**
 * A geofence without groups holds for every vehicle, and all who may read geofences see it. Users make and keep only
 * fences of their own groups: another one would hold for vehicles that they may not see.
 */
export type Geofences = ReturnType<typeof createGeofences>;

export function createGeofences(deps: GeofencesDeps) {
  const { collection, groupExists, faultsOf, usedBy, clock } = deps;
  const monitored = createMonitoredGeofences(deps.limits ?? indexLimits, clock, (geofence, { message }) =>
    deps.onNotMonitored?.(geofence, message),
  );
  const deleted = new Map<string, { geofence: GeofenceRecord; at: number }>();
  // What cannot be monitored is known before the first position comes.
  monitored.index(collection.committed());

  function isVisible(geofence: GeofenceRecord, viewer: Viewer): boolean {
    return geofence.group_ids.length === 0 || sharesGroup(viewer, geofence.group_ids);
  }

  function find(geozoneId: string, viewer: Viewer): GeofenceRecord {
    const geofence = collection.get(geozoneId);
    if (geofence === undefined || !isVisible(geofence, viewer)) throw notFound('geofence');
    return geofence;
  }

  async function checkForm(geofence: GeofenceForm, viewer: Viewer, signal: AbortSignal): Promise<void> {
    const { shape, geometry, radius_m, width_m } = geofence;
    const faults = await faultsOf(
      { shape, geometry, radius_m, width_m },
      { user_id: viewer.user.user_id, signal },
    );
    const [first] = faults;
    if (first === undefined) return;
    throw new ApiError('validation_failed', `${first.path}: ${first.message}`, { faults });
  }

  function claimOf(geozone_id: string, geofence: GeofenceForm): Claim {
    return { geozone_id, geofence, measured: measureShape(geofence) };
  }

  function claim(geozoneId: string, geofence: GeofenceForm): void {
    const [refusal] = monitored.claim([claimOf(geozoneId, geofence)]);
    if (refusal !== null && refusal !== undefined) throw refusalError(refusal);
  }

  /** Does a write for which fences were claimed. */
  async function writing<T>(geozoneIds: readonly string[], write: () => Promise<T>): Promise<T> {
    try {
      const done = await write();
      monitored.index(collection.committed());
      return done;
    } finally {
      monitored.settle(geozoneIds);
    }
  }

  function groupError(groupIds: readonly string[], viewer: Viewer): FieldError | null {
    const wrong = groupIds.findIndex((id) => !groupExists(id) || !sharesGroup(viewer, [id]));
    if (wrong >= 0) return { path: `group_ids.${wrong}`, message: 'is not a group', kind: 'unknown' };
    if (isDealer(viewer) || groupIds.length > 0) return null;
    return {
      path: 'group_ids',
      ...messageOf(causeOf('geofence.for_every_vehicle')),
    };
  }

  function checkGroups(groupIds: readonly string[], viewer: Viewer): void {
    const fault = groupError(groupIds, viewer);
    if (fault !== null) throw invalidField(fault);
  }

  /** Checked against the fence as it is, or taking it over would be a way round. */
  function checkOwn(geofence: Pick<GeofenceRecord, 'group_ids'>, viewer: Viewer): void {
    const isOwn =
      geofence.group_ids.length > 0 && geofence.group_ids.every((id) => sharesGroup(viewer, [id]));
    if (!isDealer(viewer) && !isOwn) {
      throw forbidden(causeOf('geofence.other_groups'));
    }
  }

  function revised(old: GeofenceRecord, patch: GeofencePatch): Omit<GeofenceRecord, keyof Stamped> {
    // The geometry was read with the patch, and is put in whole.
    const { geometry, ...rest } = patch;
    const wanted = {
      ...applyMergePatch(newGeofence.omit({ geometry: true }), old, rest),
      geometry: geometry ?? old.geometry,
    };
    return isSameForm(old, wanted) && isSameSet(old.group_ids, wanted.group_ids)
      ? { ...old, ...wanted }
      : known({ ...old, ...wanted });
  }

  function dropOld(): void {
    const gone = [...deleted.values()].reverse();
    let corners = 0;
    for (const [at, { geofence, at: deletedAt }] of gone.entries()) {
      corners += cornersOf(geofence.geometry);
      const isKept =
        at < restorableMost.geofences &&
        corners <= restorableMost.corners &&
        clock.now() - deletedAt <= restorableMs;
      if (!isKept) deleted.delete(geofence.geozone_id);
    }
  }

  function ownerOf(viewer: Viewer): { owner_id: string | null } {
    return { owner_id: isDealer(viewer) ? null : viewer.user.user_id };
  }

  function known<T>(geofence: T): T & { known_from: string } {
    return { ...geofence, known_from: new Date(clock.now()).toISOString() };
  }

  return {
    get: (geozoneId: string): GeofenceRecord | undefined => collection.get(geozoneId),
    all: (): readonly GeofenceRecord[] => collection.all(),
    visible: (viewer: Viewer): readonly GeofenceRecord[] =>
      collection.all().filter((geofence) => isVisible(geofence, viewer)),
    /** Throws 404 for what is not there or not the viewer's. */
    find,
    /** One that holds for the vehicles of this group, whose meaning would change without the group. */
    ofGroup: (groupId: string): GeofenceRecord | undefined =>
      collection.all().find((geofence) => geofence.group_ids.includes(groupId)),
    onChange: collection.onChange,

    /** Whether it is there, in the viewer's groups, and the viewer may read geofences at all. */
    sees(viewer: Viewer, geozoneId: string): boolean {
      const geofence = collection.get(geozoneId);
      return geofence !== undefined && holds(viewer, 'geofences', 'read') && isVisible(geofence, viewer);
    },

    /**
     * Throws 400 with the place of what is wrong with the geometry, or for groups that are not the viewer's; 409 for more
     * than there may be, or where it would go beyond what all fences may take; the signal's reason when it aborts while
     * the geometry is checked.
     */
    async add(wanted: NewGeofence, viewer: Viewer, signal: AbortSignal = never): Promise<GeofenceRecord> {
      checkGroups(wanted.group_ids, viewer);
      await checkForm(wanted, viewer, signal);
      const geozone_id = randomUUID();
      claim(geozone_id, wanted);
      const [geofence] = await writing([geozone_id], () =>
        collection.act(() => {
          // Groups may have gone meanwhile.
          checkGroups(wanted.group_ids, viewer);
          return collection.staged.add([known({ ...wanted, ...ownerOf(viewer), geozone_id })]);
        }),
      );
      if (geofence === undefined) throw new Error('the geofence was not added');
      return geofence;
    },

    /**
     * Adds those that may be added, in one write; answers for each what was added or, by field, what is wrong with it.
     * Their geometry was checked before (`readGeofences`). With `dryRun` nothing is written, and what would be added is
     * answered. Throws 409 for more than there may be.
     */
    async addMany(
      wanted: readonly NewGeofence[],
      viewer: Viewer,
      dryRun: boolean,
    ): Promise<({ geofence: GeofenceRecord } | { faults: FieldError[] })[]> {
      const faults = wanted.map(({ group_ids }) => groupError(group_ids, viewer));
      const claims: (Claim | null)[] = [];
      for (const [at, geofence] of wanted.entries()) {
        claims.push(faults[at] === null ? claimOf(randomUUID(), geofence) : null);
        // The corners of a shape may take a while, and everybody else waits meanwhile.
        await nextTurn();
      }
      const asked = claims.flatMap((it) => it ?? []);
      const ids = asked.map((it) => it.geozone_id);
      return writing(ids, async () => {
        const refusals = new Map(monitored.claim(asked).map((it, at) => [asked[at], it]));
        function toAdd() {
          return wanted.flatMap((geofence, at) => {
            const one = claims[at] ?? null;
            if (one === null || refusals.get(one) !== null) return [];
            checkGroups(geofence.group_ids, viewer);
            return [known({ ...geofence, ...ownerOf(viewer), geozone_id: one.geozone_id })];
          });
        }
        if (dryRun) collection.checkAdd(toAdd());
        const added = dryRun
          ? toAdd().map(unstored)
          : await collection.act(() => collection.staged.add(toAdd()));
        let at = 0;
        return faults.map((fault, row) => {
          const one = claims[row] ?? null;
          const refusal = one === null ? null : refusals.get(one);
          if (refusal) return { faults: [faultOf(refusal)] };
          const geofence = one === null ? undefined : added[at++];
          return geofence === undefined ? { faults: fault === null ? [] : [fault] } : { geofence };
        });
      });
    },

    /** One that is not added, to be tried out. Throws 400 as `add`, but needs none of the viewer's groups. */
    async draft(wanted: NewGeofence, viewer: Viewer, signal: AbortSignal = never): Promise<GeofenceRecord> {
      if (wanted.group_ids.length > 0) checkGroups(wanted.group_ids, viewer);
      await checkForm(wanted, viewer, signal);
      return unstored(known({ ...wanted, ...ownerOf(viewer), geozone_id: randomUUID() }));
    },

    /** Throws 400 and 409 as `add`, 403 for a fence that also holds beyond the viewer's groups, 404, 412. */
    async patch(
      geozoneId: string,
      patch: GeofencePatch,
      viewer: Viewer,
      ifMatch: number | null,
      signal: AbortSignal = never,
    ): Promise<GeofenceRecord> {
      let checked: GeofenceForm | null = null;
      function next(old: GeofenceRecord) {
        checkVersion(ifMatch, old.version);
        checkOwn(old, viewer);
        return revised(old, patch);
      }
      for (;;) {
        const old = find(geozoneId, viewer);
        const wanted = next(old);
        if (!isSameForm(old, wanted)) {
          await checkForm(wanted, viewer, signal);
          checked = wanted;
        }
        try {
          const changed = await writing([geozoneId], () =>
            collection.change(geozoneId, (old) => {
              const wanted = next(old);
              const isChanged = !isSameForm(old, wanted);
              if (isChanged && (checked === null || !isSameForm(checked, wanted))) throw new FormChanged();
              checkGroups(wanted.group_ids, viewer);
              if (isChanged) claim(geozoneId, wanted);
              return wanted;
            }),
          );
          if (changed === undefined) throw notFound('geofence');
          return changed;
        } catch (error) {
          // Each time somebody else's change was stored, so that this ends.
          if (!(error instanceof FormChanged)) throw error;
        }
      }
    },

    /** Throws 403 and 404 as `patch`, 409 while a rule names it, 412. */
    async remove(geozoneId: string, viewer: Viewer, ifMatch: number | null): Promise<void> {
      find(geozoneId, viewer);
      const removed = await collection.remove(geozoneId, (old) => {
        checkVersion(ifMatch, old.version);
        checkOwn(old, viewer);
        const rules = usedBy(geozoneId);
        if (rules === null) return;
        const name = rules.nameFor(viewer);
        throw new ApiError(
          'in_use',
          name === null ? causeOf('geofence.in_a_rule') : causeOf('geofence.in_rule', { rule: name }),
        );
      });
      if (removed === undefined) throw notFound('geofence');
      deleted.delete(geozoneId);
      deleted.set(geozoneId, { geofence: removed, at: clock.now() });
      dropOld();
    },

    /**
     * Adds a geofence that was deleted within the last hour, with its id; by whoever may delete it. Visits before count
     * no more. Throws 403 as `patch`, 404 for one that cannot be restored, 400 and 409 as `add`.
     */
    async restore(geozoneId: string, viewer: Viewer): Promise<GeofenceRecord> {
      dropOld();
      const old = deleted.get(geozoneId)?.geofence;
      if (old === undefined || !isVisible(old, viewer)) throw notFound('geofence');
      checkOwn(old, viewer);
      checkGroups(old.group_ids, viewer);
      claim(geozoneId, old);
      return writing([geozoneId], async () => {
        const restored = await collection.act(() => {
          checkGroups(old.group_ids, viewer);
          // Of two that restore it at once, the second finds it there.
          if (collection.get(geozoneId) !== undefined) throw notFound('geofence');
          return collection.staged.restore(known(old));
        });
        deleted.delete(geozoneId);
        return restored;
      });
    },

    /** All fences that can be monitored, ready for the engine; the same object until something changes. */
    index: (): GeofenceIndex => monitored.index(collection.committed()),

    /** Why a stored fence is not monitored; null when it is. */
    notMonitored(geozoneId: string): NonNullable<Geofence['not_monitored']> | null {
      // What was set aside is found out with the index.
      monitored.index(collection.committed());
      const refusal = monitored.refusalOf(geozoneId);
      if (refusal === null) return null;
      const { message: reason, causes } = refusal;
      return { reason, ...(causes === undefined ? {} : { causes }) };
    },
  };
}

const faultOf = ({ code: _, ...fault }: IndexRefusal): FieldError => fault;

function refusalError(refusal: IndexRefusal): ApiError {
  const { code, path, message, causes } = refusal;
  // Of a quota the console shows the detail, of an entry its faults.
  const [cause] = code === 'quota_exceeded' ? (causes ?? []) : [];
  return new ApiError(code, cause ?? `${path}: ${message}`, { faults: [faultOf(refusal)] });
}

function unstored<T extends { known_from: string }>(
  geofence: T,
): T & Pick<GeofenceRecord, 'version' | 'created_at' | 'updated_at'> {
  return { ...geofence, version: 1, created_at: geofence.known_from, updated_at: geofence.known_from };
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return new Set([...a, ...b]).size === new Set(a).size && new Set(a).size === new Set(b).size;
}

/** Throws 400 for a fence that is not monitored: nothing can be worked out of it. */
export function checkMonitored(
  geofences: Pick<Geofences, 'notMonitored'>,
  geofence: GeofenceRecord,
  path = 'geozone_id',
): GeofenceRecord {
  const refusal = geofences.notMonitored(geofence.geozone_id);
  if (refusal !== null) {
    const { reason, causes } = refusal;
    const why = causes === undefined ? {} : { causes: [causeOf('geofence.not_monitored'), ...causes] };
    throw invalidField({ path, message: `is not monitored: ${reason}`, ...why });
  }
  return geofence;
}
