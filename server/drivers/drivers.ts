import { causeOf } from '../contract/causeTexts.ts';
import { cardKey } from '../contract/sameKeys.ts';
import { randomUUID } from 'node:crypto';
import { newDriver, type DriverCard, type DriverPatch, type NewDriver } from '../contract/drivers.ts';
import { ApiError, checkVersion, invalid, notFound } from '../http/apiError.ts';
import { applyMergePatch } from '../http/mergePatch.ts';
import { isDealer, sharesGroup, withOwnGroups, type Viewer } from '../http/viewer.ts';
import type { Once } from '../store/acts.ts';
import type { Collection } from '../store/entity.ts';
import type { DriverRecord } from './driverRecord.ts';

export interface DriversDeps {
  collection: Collection<DriverRecord>;
  groupExists: (groupId: string) => boolean;
  /** What names a driver who is archived, within the same act. */
  leaving?: (driverId: string) => void;
  /** What names a driver who is deleted, within the same act. */
  purging?: (driverId: string) => void;
  clock: { now(): number };
}

/** A card in the hands of a driver, from `from_ms` until before `to_ms`. */
interface Holding {
  driver: DriverRecord;
  from_ms: number;
  to_ms: number;
}

/** What lists of drivers are sorted by. */
export const driverOrder = (driver: DriverRecord) => [driver.name, driver.driver_id] as const;

export type Drivers = ReturnType<typeof createDrivers>;

/** Who drives: records that are visible by their groups, as vehicles are. */
export function createDrivers(deps: DriversDeps) {
  const { collection, groupExists, leaving, purging, clock } = deps;
  let indexedFrom: readonly DriverRecord[] | null = null;
  let holdings = new Map<string, Holding[]>();
  let licences = new Map<string, DriverRecord>();

  function index(): void {
    const records = collection.committed();
    if (indexedFrom === records) return;
    indexedFrom = records;
    holdings = new Map();
    licences = new Map(
      records.flatMap((it) => (it.licence_number === null ? [] : [[cardKey(it.licence_number), it]])),
    );
    for (const driver of records) {
      for (const { key, from_ms, to_ms } of heldBy(driver)) {
        const held = { driver, from_ms, to_ms };
        const others = holdings.get(key);
        if (others === undefined) holdings.set(key, [held]);
        else others.push(held);
      }
    }
  }

  function find(driverId: string, viewer: Viewer): DriverRecord {
    const driver = collection.get(driverId);
    if (driver === undefined || !sees(viewer, driver)) throw notFound('driver');
    return driver;
  }

  function sees(viewer: Viewer, driver: DriverRecord): boolean {
    return isDealer(viewer) || (driver.archived_at === null && sharesGroup(viewer, driver.group_ids));
  }

  /** Users put drivers into their own groups alone, and cannot put one out of their own sight. */
  function checkGroups(groupIds: readonly string[], viewer: Viewer, kept: readonly string[] = []): void {
    const wrong = groupIds.findIndex(
      (id) => !kept.includes(id) && !(groupExists(id) && sharesGroup(viewer, [id])),
    );
    if (wrong >= 0) throw invalid(`group_ids.${wrong}`, 'is not a group', 'unknown');
    if (!sharesGroup(viewer, groupIds)) throw invalid('group_ids', causeOf('group.none_of_yours'));
  }

  function checkFree(wanted: NewDriver, viewer: Viewer, except?: string): void {
    const cards = wanted.cards.map(holdingOf);
    for (const other of collection.all()) {
      if (other.driver_id === except || other.archived_at !== null) continue;
      const isSeen = sees(viewer, other);
      if (wanted.external_id !== null && wanted.external_id === other.external_id)
        throw new ApiError(
          'already_exists',
          isSeen
            ? causeOf('driver.external_id_taken', { external_id: wanted.external_id, driver: other.name })
            : causeOf('driver.external_id_taken_elsewhere', { external_id: wanted.external_id }),
        );
      const taken = heldBy(other).flatMap((held) => cards.find((card) => collide(held, card)) ?? []);
      if (taken[0] !== undefined) {
        throw new ApiError(
          'already_exists',
          isSeen
            ? causeOf('driver.card_taken', { card: taken[0].number, driver: other.name })
            : causeOf('driver.card_taken_elsewhere', { card: taken[0].number }),
        );
      }
    }
  }

  return {
    /** Archived ones too. */
    get: (driverId: string): DriverRecord | undefined => collection.get(driverId),
    /** Throws 404 for what is not there or not the viewer's. Dealers also find archived ones. */
    find,
    sees,
    onChange: collection.onChange,

    /** Those that are not archived and that the viewer may see. */
    visible: (viewer: Viewer): DriverRecord[] =>
      collection.all().filter((it) => it.archived_at === null && sees(viewer, it)),

    /**
     * Who had a card, of `cardKey`, at a moment (Unix ms): of two the one whose time with it ended first. A licence that
     * terminals read is the card of its driver.
     */
    holderOf(key: string, at_ms: number): DriverRecord | null {
      index();
      let found: Holding | null = null;
      for (const held of holdings.get(key) ?? [])
        if (held.from_ms <= at_ms && at_ms < held.to_ms && (found === null || held.to_ms < found.to_ms))
          found = held;
      return found?.driver ?? licences.get(key) ?? null;
    },

    /** Throws 409 for a card or an external ID that is another driver's, 400 for a group that is not the viewer's. */
    add: (wanted: NewDriver, viewer: Viewer, once?: Once<DriverRecord[]>): Promise<DriverRecord[]> =>
      collection.act(
        () => {
          checkGroups(wanted.group_ids, viewer);
          checkFree(wanted, viewer);
          const owner_id = isDealer(viewer) ? null : viewer.user.user_id;
          return collection.staged.add([{ ...wanted, driver_id: randomUUID(), archived_at: null, owner_id }]);
        },
        { once },
      ),

    /** Throws 409 and 400 as `add`, 404, 412. */
    patch: (
      driverId: string,
      patch: DriverPatch,
      viewer: Viewer,
      ifMatch: number | null,
    ): Promise<DriverRecord> =>
      collection.act(() => {
        find(driverId, viewer);
        const changed = collection.staged.change(driverId, (old) => {
          checkVersion(ifMatch, old.version);
          const own = withOwnGroups(old, viewer);
          const wanted = applyMergePatch(newDriver, own, patch);
          if (old.archived_at === null) checkFree(wanted, viewer, driverId);
          checkGroups(wanted.group_ids, viewer, own.group_ids);
          // Of groups that the viewer does not see it knows nothing, so the driver stays in them.
          const hidden = old.group_ids.filter((id) => !own.group_ids.includes(id));
          return { ...old, ...wanted, group_ids: [...wanted.group_ids, ...hidden] };
        });
        if (changed === undefined) throw notFound('driver');
        return changed;
      }),

    /** Takes a group that goes from all drivers, within an act. */
    leaveGroup(groupId: string): void {
      const members = collection.all().filter((it) => it.group_ids.includes(groupId));
      collection.staged.changeMany(
        members.map((it) => it.driver_id),
        (old) => ({ ...old, group_ids: old.group_ids.filter((id) => id !== groupId) }),
      );
    },

    /** The cards and the assignments end with it. Throws 412. */
    archive: (driverId: string, ifMatch: number | null): Promise<void> =>
      collection.act(() => {
        const old = collection.get(driverId);
        if (old === undefined) throw notFound('driver');
        checkVersion(ifMatch, old.version);
        if (old.archived_at !== null) return;
        const archived_at = new Date(clock.now()).toISOString();
        leaving?.(driverId);
        collection.staged.change(driverId, (it) => ({
          ...it,
          archived_at,
          cards: it.cards.map((card) => ({ ...card, to: card.to ?? archived_at })),
        }));
      }),

    /** Deletes the record and what names it. */
    purge: (driverId: string): Promise<void> =>
      collection.act((act) => {
        purging?.(driverId);
        if (collection.staged.remove(driverId) === undefined) throw notFound('driver');
        act.write('forgetDriver', driverId);
      }),
  };
}

interface HeldCard {
  number: string;
  key: string;
  from_ms: number;
  to_ms: number;
}

function holdingOf({ number, from, to }: DriverCard): HeldCard {
  return {
    number,
    key: cardKey(number),
    from_ms: from === null ? -Infinity : Date.parse(from),
    to_ms: to === null ? Infinity : Date.parse(to),
  };
}

const remembered = new WeakMap<DriverRecord, readonly HeldCard[]>();

/** Worked out once for each record: all of them are asked at every change of one. */
function heldBy(driver: DriverRecord): readonly HeldCard[] {
  let cards = remembered.get(driver);
  if (cards === undefined) {
    cards = driver.cards.map(holdingOf);
    remembered.set(driver, cards);
  }
  return cards;
}

/** Whether nobody could say whose a card is. Of one without a beginning, an other driver may have had it for a time. */
function collide(a: HeldCard, b: HeldCard): boolean {
  if (a.key !== b.key) return false;
  if (a.from_ms === -Infinity && b.to_ms < a.to_ms) return false;
  if (b.from_ms === -Infinity && a.to_ms < b.to_ms) return false;
  return a.from_ms < b.to_ms && b.from_ms < a.to_ms;
}
