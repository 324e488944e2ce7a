import { causeOf } from '../contract/causeTexts.ts';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { stamps } from '../contract/fields.ts';
import { newGroup, type NewGroup } from '../contract/groups.ts';
import { ApiError, checkVersion, notFound } from '../http/apiError.ts';
import { applyMergePatch } from '../http/mergePatch.ts';
import type { Measure } from '../http/quotas.ts';
import type { Collection } from '../store/entity.ts';

/** A group as the store keeps it; who is in it stands with the users and vehicles. */
export const groupRecord = z.object({ group_id: z.string(), name: z.string(), ...stamps });
export type GroupRecord = z.infer<typeof groupRecord>;

export const groupMeasures: readonly Measure<GroupRecord>[] = [{ quota: 'groups', of: () => 1 }];

export type Groups = ReturnType<typeof createGroups>;

export function createGroups(collection: Collection<GroupRecord>) {
  function isTaken(name: string, except?: string): boolean {
    const wanted = name.toLowerCase();
    return collection.all().some((group) => group.group_id !== except && group.name.toLowerCase() === wanted);
  }

  function add({ name }: NewGroup): GroupRecord {
    if (isTaken(name)) throw new ApiError('already_exists', causeOf('group.name_taken', { name }));
    const [group] = collection.staged.add([{ group_id: randomUUID(), name }]);
    if (group === undefined) throw new Error('the group was not added');
    return group;
  }

  return {
    get: (groupId: string): GroupRecord | undefined => collection.get(groupId),
    exists: (groupId: string): boolean => collection.get(groupId) !== undefined,
    all: (): readonly GroupRecord[] => collection.all(),
    /** Throws 409 when the name is taken. */
    add: (wanted: NewGroup): Promise<GroupRecord> => collection.act(() => add(wanted)),
    onChange: collection.onChange,

    /** Adds a group of this name, or `name (2)` and so on when it is taken, within an act. */
    addFor(name: string): GroupRecord {
      let free = name;
      for (let count = 2; isTaken(free); count += 1) free = `${name} (${count})`;
      return add({ name: free });
    },

    async patch(groupId: string, patch: object, ifMatch: number | null): Promise<GroupRecord> {
      const changed = await collection.change(groupId, (old) => {
        checkVersion(ifMatch, old.version);
        const wanted = applyMergePatch(newGroup, old, patch);
        if (isTaken(wanted.name, groupId)) {
          throw new ApiError('already_exists', causeOf('group.name_taken', { name: wanted.name }));
        }
        return { ...old, ...wanted };
      });
      if (changed === undefined) throw notFound('group');
      return changed;
    },

    /** `leave` takes it from all that names it, in the same act; it may throw to keep it. Throws 404, 412. */
    remove: (groupId: string, ifMatch: number | null, leave: (group: GroupRecord) => void): Promise<void> =>
      collection.act(() => {
        const group = collection.get(groupId);
        if (group === undefined) throw notFound('group');
        checkVersion(ifMatch, group.version);
        leave(group);
        collection.staged.remove(groupId);
      }),
  };
}
