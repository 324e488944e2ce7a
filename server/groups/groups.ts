import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { stamps } from '../contract/fields.ts';
import { newGroup, type NewGroup } from '../contract/groups.ts';
import { ApiError, checkVersion, notFound } from '../http/apiError.ts';
import { applyMergePatch } from '../http/mergePatch.ts';
import type { Measure } from '../http/quotas.ts';
import type { Collection } from '../store/documents/collection.ts';

/** A group as the store keeps it; who is in it stands with the users and vehicles. */
export const groupRecord = z.object({ group_id: z.string(), name: z.string(), ...stamps });
export type GroupRecord = z.infer<typeof groupRecord>;

export const groupMeasures: readonly Measure<GroupRecord>[] = [{ quota: 'groups', of: () => 1 }];

export const groupsDocument = z.object({ items: z.record(z.string(), groupRecord) });

export interface GroupRemoval {
  check: () => void;
  leave: (group: GroupRecord) => Promise<void>;
}

export interface Groups {
  get(groupId: string): GroupRecord | undefined;
  exists(groupId: string): boolean;
  all(): readonly GroupRecord[];
  /** Throws 409 when the name is taken. */
  add(wanted: NewGroup): Promise<GroupRecord>;
  /** Adds a group of this name, or `name (2)` and so on when it is taken; `undo` takes it back. */
  addFor(name: string): Promise<{ group_id: string; undo: () => Promise<void> }>;
  patch(groupId: string, patch: object, ifMatch: number | null): Promise<GroupRecord>;
  /**
   * `check` may throw to keep it. `leave` then takes it from all that names it, and the group itself goes last: what is
   * cut short between can be done again. From the check on nothing can be put into it. Throws 404, 412.
   */
  remove(groupId: string, ifMatch: number | null, steps: GroupRemoval): Promise<void>;
}

export function createGroups(collection: Collection<GroupRecord>): Groups {
  /** On their way out: for all others they are gone. */
  const leaving = new Set<string>();

  function get(groupId: string): GroupRecord | undefined {
    return leaving.has(groupId) ? undefined : collection.get(groupId);
  }

  function isTaken(name: string, except?: string): boolean {
    const wanted = name.toLowerCase();
    return collection.all().some((group) => group.group_id !== except && group.name.toLowerCase() === wanted);
  }

  async function add({ name }: NewGroup): Promise<GroupRecord> {
    if (isTaken(name)) throw new ApiError('already_exists', `There is a group ${name} already.`);
    const [group] = await collection.add([{ group_id: randomUUID(), name }]);
    if (group === undefined) throw new Error('the group was not added');
    return group;
  }

  return {
    get,
    exists: (groupId) => get(groupId) !== undefined,
    all: () =>
      leaving.size === 0 ? collection.all() : collection.all().filter((it) => !leaving.has(it.group_id)),
    add,

    async addFor(name) {
      let free = name;
      for (let count = 2; isTaken(free); count += 1) free = `${name} (${count})`;
      const { group_id } = await add({ name: free });
      return {
        group_id,
        undo: async () => {
          await collection.remove(group_id);
        },
      };
    },

    async patch(groupId, patch, ifMatch) {
      if (leaving.has(groupId)) throw notFound('group');
      const changed = await collection.change(groupId, (old) => {
        checkVersion(ifMatch, old.version);
        const wanted = applyMergePatch(newGroup, old, patch);
        if (isTaken(wanted.name, groupId)) {
          throw new ApiError('already_exists', `There is a group ${wanted.name} already.`);
        }
        return { ...old, ...wanted };
      });
      if (changed === undefined) throw notFound('group');
      return changed;
    },

    async remove(groupId, ifMatch, { check, leave }) {
      const group = get(groupId);
      if (group === undefined) throw notFound('group');
      checkVersion(ifMatch, group.version);
      check();
      leaving.add(groupId);
      try {
        await leave(group);
        await collection.remove(groupId);
      } finally {
        leaving.delete(groupId);
      }
    },
  };
}
