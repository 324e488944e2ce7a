import { randomUUID } from 'node:crypto';
import type { Cause } from '../contract/causes.ts';
import { causeOf, detailOf } from '../contract/causeTexts.ts';
import { kindsOfHost } from '../contract/events.ts';
import { meetsLevel } from '../contract/rights.ts';
import {
  kindsWithGeofences,
  newRule,
  paramsOfKind,
  minOfflineS,
  type NewRule,
  type Rule,
  type RulePatch,
} from '../contract/rules.ts';
import type { Geofences } from '../geofences/geofences.ts';
import { checkVersion, forbidden, invalid, notFound } from '../http/apiError.ts';
import { applyMergePatch } from '../http/mergePatch.ts';
import { holds, isDealer, sharesGroup, type Viewer } from '../http/viewer.ts';
import type { Act } from '../store/acts.ts';
import type { Collection } from '../store/entity.ts';
import { presentUser, type UserRecord } from '../users/userRecord.ts';
import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';
import type { Recipients } from './channels/recipients.ts';
import { checkChannels, newlyNamed, type IsOwnAddress } from './ruleChannels.ts';
import { checkPeople, withoutPlaces } from './ruleEscalation.ts';
import { type RuleRecord, checkVideo, videoOfNew, type VideoSettings } from './ruleRecord.ts';

export interface NamingRules {
  /** The name of one that the viewer may know of; null when it may know of none. */
  nameFor(viewer: Viewer): string | null;
}

export interface RulesDeps {
  collection: Collection<RuleRecord>;
  userOf: (userId: string) => UserRecord | undefined;
  groupExists: (groupId: string) => boolean;
  vehicles: Pick<Vehicles, 'get' | 'visible' | 'sees'>;
  geofences: Pick<Geofences, 'get' | 'sees'>;
  isOwnAddress: IsOwnAddress;
  recipients: Pick<Recipients, 'isApproved' | 'unapprovedOf' | 'approve'>;
  settings: () => VideoSettings;
  /** What names a rule that is removed, within the same act. */
  leaving?: (rule: RuleRecord, act: Act) => void;
}

/**
 * A rule belongs to the depot (made by a dealer; `owner_id` is null) or to a user. Dealers see and change all of them.
 * A user sees its own, and those of the depot that hold for a vehicle which it sees; it changes its own alone.
 */
export type Rules = ReturnType<typeof createRules>;

export function createRules(deps: RulesDeps) {
  const { collection, userOf, groupExists, vehicles, geofences, isOwnAddress, recipients, leaving } = deps;
  /** Scopes may name thousands, and are asked at every event. */
  const namedBy = new WeakMap<Rule, { vehicles: ReadonlySet<string>; groups: ReadonlySet<string> }>();

  function named(rule: Rule) {
    let sets = namedBy.get(rule);
    if (sets === undefined) {
      const { vehicle_ids, group_ids } = listsOf(rule);
      sets = { vehicles: new Set(vehicle_ids), groups: new Set(group_ids) };
      namedBy.set(rule, sets);
    }
    return sets;
  }

  function names(rule: Rule, vehicle: VehicleRecord): boolean {
    if ('all' in rule.scope) return true;
    const sets = named(rule);
    return sets.vehicles.has(vehicle.vehicle_id) || vehicle.group_ids.some((id) => sets.groups.has(id));
  }

  function ownerSees(rule: Rule, vehicle: VehicleRecord): boolean {
    if (rule.owner_id === null) return true;
    const owner = userOf(rule.owner_id);
    if (owner === undefined || owner.blocked) return false;
    if (owner.role === 'dealer') return true;
    return (
      meetsLevel(owner.rights.notifications, 'read') &&
      vehicle.group_ids.some((id) => owner.group_ids.includes(id))
    );
  }

  function ownerIsDealer({ owner_id }: Rule): boolean {
    const owner = owner_id === null ? null : userOf(owner_id);
    return owner === null || (owner?.role === 'dealer' && !owner.blocked);
  }

  function ownerSeesGeofence(rule: Rule, geozoneId: string): boolean {
    const owner = rule.owner_id === null ? undefined : userOf(rule.owner_id);
    if (owner === undefined || owner.role === 'dealer') return true;
    const groupIds = geofences.get(geozoneId)?.group_ids ?? [];
    return groupIds.length === 0 || groupIds.some((id) => owner.group_ids.includes(id));
  }

  /** A token that reaches some groups of its owner has nothing to do with the owner's rules beyond them. */
  function isOwn(viewer: Viewer, rule: Pick<Rule, 'owner_id' | 'scope'>): boolean {
    if (isDealer(viewer)) return true;
    if (rule.owner_id !== viewer.user.user_id) return false;
    return viewer.token?.isNarrowed !== true || isWithin(rule.scope, viewer);
  }

  function isWithin(scope: Rule['scope'], viewer: Viewer): boolean {
    if ('all' in scope) return false;
    const seen = seenBy(viewer).vehicles;
    return (
      scope.vehicle_ids.every((id) => seen.has(id)) &&
      scope.group_ids.every((id) => sharesGroup(viewer, [id]))
    );
  }

  /** The vehicles that a viewer sees, and their groups; recomputed only when they have changed. */
  const gathered = new WeakMap<readonly VehicleRecord[], Seen>();

  function seenBy(viewer: Viewer): Seen {
    const visible = vehicles.visible(viewer);
    let seen = gathered.get(visible);
    if (seen === undefined) {
      seen = {
        vehicles: new Set(visible.map((it) => it.vehicle_id)),
        groups: new Set(visible.flatMap((it) => it.group_ids)),
      };
      gathered.set(visible, seen);
    }
    return seen;
  }

  /** By what the rule names, of which all rules together have no more than their quota. */
  function namesSome(rule: Rule, seen: Seen): boolean {
    if ('all' in rule.scope) return seen.vehicles.size > 0;
    const { vehicle_ids, group_ids } = rule.scope;
    return vehicle_ids.some((id) => seen.vehicles.has(id)) || group_ids.some((id) => seen.groups.has(id));
  }

  function sees(viewer: Viewer, rule: RuleRecord): boolean {
    if (isOwn(viewer, rule)) return true;
    return (
      rule.owner_id === null && !kindsOfHost.includes(rule.event_kind) && namesSome(rule, seenBy(viewer))
    );
  }

  function find(ruleId: string, viewer: Viewer): RuleRecord {
    const rule = collection.get(ruleId);
    if (rule === undefined || !sees(viewer, rule)) throw notFound('rule');
    return rule;
  }

  /** What a rule names already it may keep: sight of it can be lost, and the rest must stay editable. */
  function check(wanted: NewRule, viewer: Viewer, before?: RuleRecord): void {
    const lists = listsOf(wanted);
    const kept = before === undefined ? { vehicle_ids: [], group_ids: [] } : listsOf(before);
    const isVehicle = (id: string) => vehicles.get(id)?.archived_at === null && vehicles.sees(viewer, id);
    const isGroup = (id: string) => groupExists(id) && sharesGroup(viewer, [id]);
    checkNames('scope.vehicle_ids', lists.vehicle_ids, kept.vehicle_ids, isVehicle, 'is not a vehicle');
    checkNames('scope.group_ids', lists.group_ids, kept.group_ids, isGroup, 'is not a group');
    if (viewer.token?.isNarrowed === true && 'all' in wanted.scope)
      throw invalid('scope', 'names vehicles or groups: this API token does not reach all of its owner');
    if (wanted.enabled && isEmpty(wanted)) throw invalid('scope', causeOf('rule.scope_empty'));
    if (wanted.enabled && before !== undefined && isOrphan(before))
      throw invalid('enabled', 'needs the rights of its owner, who was deleted', 'denied');

    const { event_kind, geozone_ids, params } = wanted;
    if (kindsOfHost.includes(event_kind)) {
      if (!isDealer(viewer)) throw invalid('event_kind', 'is for the rules of dealers', 'denied');
      if (!('all' in wanted.scope))
        throw invalid('scope', `names no vehicles and groups in rules of kind ${event_kind}`);
    }
    if (geozone_ids.length > 0 && !kindsWithGeofences.includes(event_kind)) {
      throw invalid('geozone_ids', `is not known to rules of kind ${event_kind}`);
    }
    const isGeofence = (id: string) => geofences.sees(viewer, id);
    checkNames('geozone_ids', geozone_ids, before?.geozone_ids ?? [], isGeofence, 'is not a geofence');
    const known: readonly string[] = paramsOfKind[event_kind];
    const unknownKey = Object.keys(params).find((key) => !known.includes(key));
    if (unknownKey !== undefined)
      throw invalid(`params.${unknownKey}`, `is not known to rules of kind ${event_kind}`);
    if (event_kind === 'offline' && (params.min_duration_s ?? minOfflineS) < minOfflineS)
      throw invalid('params.min_duration_s', causeOf('rule.offline_min', { seconds: minOfflineS }));
    checkChannels(wanted, before, viewer, isOwnAddress, (it) => recipients.isApproved(it));
    checkVideo(wanted, before, viewer);
    checkPeople(wanted.escalation, before?.escalation ?? null, viewer, (id) => userOf(id) !== undefined);
  }

  /** What a dealer's rule names is approved by it; what it named before stays as it is. */
  function approveNew(wanted: NewRule, viewer: Viewer, before?: RuleRecord): void {
    if (isDealer(viewer)) recipients.approve(newlyNamed(wanted, before), viewer.user.user_id);
  }

  function isOrphan({ owner_id }: RuleRecord): boolean {
    return owner_id !== null && userOf(owner_id) === undefined;
  }

  function checkOwn(rule: RuleRecord, viewer: Viewer): void {
    if (!isOwn(viewer, rule)) throw forbidden(causeOf('rule.not_yours'));
  }

  /** Disables the rule when `without` leaves nothing of its scope. */
  function takeOut(
    isNamed: (rule: RuleRecord) => boolean,
    without: (lists: NamedLists) => NamedLists,
    causeFor: (rule: RuleRecord) => Cause,
  ): void {
    const naming = collection.all().filter(isNamed);
    collection.staged.changeMany(
      naming.map((rule) => rule.rule_id),
      (old) => {
        if ('all' in old.scope) return old;
        const next = { ...old, scope: without(old.scope) };
        return isEmpty(next) && old.enabled ? { ...next, ...disabledBy(causeFor(old)) } : next;
      },
    );
  }

  return {
    get: (ruleId: string): RuleRecord | undefined => collection.get(ruleId),
    all: (): readonly RuleRecord[] => collection.all(),
    visible: (viewer: Viewer): readonly RuleRecord[] => collection.all().filter((rule) => sees(viewer, rule)),
    sees,
    /** Throws as `add` would, and adds nothing. */
    check: (wanted: NewRule, viewer: Viewer): void => check(wanted, viewer),
    /**
     * A rule as the viewer reads it. Those who may not change it learn neither where it sends to, since the address of a
     * webhook is often a key to it, nor of vehicles, groups and geofences that they do not see, nor
     * why it was switched off.
     */
    shownTo(viewer: Viewer, rule: Rule): Rule {
      if (isOwn(viewer, rule)) {
        const unapproved = recipients.unapprovedOf(rule);
        return unapproved.length === 0 ? rule : { ...rule, unapproved };
      }
      const scope =
        'all' in rule.scope
          ? rule.scope
          : {
              vehicle_ids: rule.scope.vehicle_ids.filter((id) => vehicles.sees(viewer, id)),
              group_ids: rule.scope.group_ids.filter((id) => sharesGroup(viewer, [id])),
            };
      const geozone_ids = rule.geozone_ids.filter((id) => geofences.sees(viewer, id));
      // Why it was switched off names what the viewer may not know of.
      return { ...withoutPlaces(rule), scope, geozone_ids, ...notDisabled };
    },
    /** Throws 404 for what is not there or not the viewer's to see. */
    find,
    /** One that the viewer may change; throws 404 as `find`, 403 for a rule of somebody else. */
    findOwn(ruleId: string, viewer: Viewer): RuleRecord {
      const rule = find(ruleId, viewer);
      checkOwn(rule, viewer);
      return rule;
    },
    /** Whether the viewer is its owner or a dealer; only they read where it sends to. */
    isOwn,
    onChange: collection.onChange,

    /** Those that name this geofence; null when there is none. */
    naming(geozoneId: string): NamingRules | null {
      const naming = collection.all().filter((it) => it.geozone_ids.includes(geozoneId));
      if (naming.length === 0) return null;
      return {
        nameFor: (viewer) =>
          (holds(viewer, 'notifications', 'read') && naming.find((it) => sees(viewer, it))?.name) || null,
      };
    },

    /**
     * Whether a rule holds for a vehicle, or for the host itself (null), and for what happens at a geofence, at this moment. The rules of a blocked or
     * deleted user rest, and a user's rule does not use geofences that its owner cannot see.
     */
    inScope(rule: Rule, vehicleId: string | null, geozoneId: string | null = null): boolean {
      if (vehicleId === null) return ownerIsDealer(rule);
      const vehicle = vehicles.get(vehicleId);
      return (
        vehicle !== undefined &&
        names(rule, vehicle) &&
        ownerSees(rule, vehicle) &&
        (geozoneId === null || ownerSeesGeofence(rule, geozoneId))
      );
    },

    /** The owner as a viewer; null for a rule of the depot, and for an owner who was deleted. */
    ownerOf({ owner_id }: Pick<Rule, 'owner_id'>): Viewer | null {
      const owner = owner_id === null ? undefined : userOf(owner_id);
      return owner === undefined ? null : { user: presentUser(owner), session_id: '', expires_ms: 0 };
    },

    /** Whether the rights of a rule's owner reach a vehicle at this moment. */
    ownerSees(rule: Rule, vehicleId: string): boolean {
      const vehicle = vehicles.get(vehicleId);
      return vehicle !== undefined && ownerSees(rule, vehicle);
    },

    /** Throws 400 for parameters that the kind does not know, and for names that the viewer does not see. */
    add: (wanted: NewRule, viewer: Viewer): Promise<RuleRecord> =>
      collection.act(() => {
        check(wanted, viewer);
        approveNew(wanted, viewer);
        const [rule] = collection.staged.add([
          {
            ...wanted,
            video: videoOfNew(wanted, viewer, deps.settings()),
            rule_id: randomUUID(),
            ...notDisabled,
            owner_id: isDealer(viewer) ? null : viewer.user.user_id,
          },
        ]);
        if (rule === undefined) throw new Error('the rule was not added');
        return rule;
      }),

    /** Throws 400 as `add`, 403 for a rule of somebody else, 404, 412. */
    async patch(
      ruleId: string,
      patch: RulePatch,
      viewer: Viewer,
      ifMatch: number | null,
    ): Promise<RuleRecord> {
      find(ruleId, viewer);
      const changed = await collection.change(ruleId, (old) => {
        checkVersion(ifMatch, old.version);
        checkOwn(old, viewer);
        const wanted = applyMergePatch(newRule, old, patch);
        check(wanted, viewer, old);
        approveNew(wanted, viewer, old);
        const { video = null } = wanted;
        return { ...old, ...wanted, video, ...(wanted.enabled ? notDisabled : {}) };
      });
      if (changed === undefined) throw notFound('rule');
      return changed;
    },

    /** Throws 403, 404, 412. */
    async remove(ruleId: string, viewer: Viewer, ifMatch: number | null): Promise<void> {
      find(ruleId, viewer);
      await collection.act((act) => {
        const old = collection.get(ruleId);
        if (old === undefined) throw notFound('rule');
        checkVersion(ifMatch, old.version);
        checkOwn(old, viewer);
        leaving?.(old, act);
        collection.staged.remove(ruleId);
      });
    },

    /** Within an act: takes vehicles out of all scopes; a rule that is left with none is disabled and says why. */
    vehiclesGone(vehicleIds: ReadonlySet<string>): void {
      const ids = [...vehicleIds];
      takeOut(
        (rule) => ids.some((id) => named(rule).vehicles.has(id)),
        ({ vehicle_ids, group_ids }) => ({
          vehicle_ids: vehicle_ids.filter((id) => !vehicleIds.has(id)),
          group_ids,
        }),
        (rule) => {
          const name = vehicles.get(ids.findLast((id) => named(rule).vehicles.has(id)) ?? '')?.name;
          return name === undefined
            ? causeOf('rule.vehicles_deleted')
            : causeOf('rule.vehicle_deleted', { name });
        },
      );
    },

    groupGone(groupId: string, name: string): void {
      takeOut(
        (rule) => named(rule).groups.has(groupId),
        ({ vehicle_ids, group_ids }) => ({
          vehicle_ids,
          group_ids: group_ids.filter((id) => id !== groupId),
        }),
        () => causeOf('rule.group_deleted', { name }),
      );
    },

    /** Within an act: disables the rules of a user that is deleted; dealers still see them, with why. */
    ownerGone(userId: string, name: string): void {
      const disabled = disabledBy(causeOf('rule.owner_deleted', { name }));
      const own = collection.all().filter((rule) => rule.owner_id === userId && rule.enabled);
      collection.staged.changeMany(
        own.map((rule) => rule.rule_id),
        (old) => (old.enabled ? { ...old, ...disabled } : old),
      );
    },
  };
}

interface Seen {
  vehicles: ReadonlySet<string>;
  groups: ReadonlySet<string>;
}

interface NamedLists {
  vehicle_ids: string[];
  group_ids: string[];
}

function listsOf({ scope }: Pick<Rule, 'scope'>): NamedLists {
  return 'all' in scope ? { vehicle_ids: [], group_ids: [] } : scope;
}

function isEmpty(rule: Pick<Rule, 'scope'>): boolean {
  const { vehicle_ids, group_ids } = listsOf(rule);
  return !('all' in rule.scope) && vehicle_ids.length === 0 && group_ids.length === 0;
}

function checkNames(
  path: string,
  ids: readonly string[],
  kept: readonly string[],
  isKnown: (id: string) => boolean,
  message: string,
): void {
  const before = new Set(kept);
  const wrong = ids.findIndex((id) => !before.has(id) && !isKnown(id));
  if (wrong >= 0) throw invalid(`${path}.${wrong}`, message, 'unknown');
}

/** What of a rule says that it was disabled by the server. */
const disabledBy = (cause: Cause) => ({
  enabled: false,
  disabled_reason: detailOf([cause]),
  disabled_causes: [cause],
});
const notDisabled = { disabled_reason: null, disabled_causes: [] };
