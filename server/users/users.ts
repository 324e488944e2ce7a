import { causeOf } from '../contract/causeTexts.ts';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { newUser, type NewUser, type UserPatch } from '../contract/users.ts';
import { ApiError, checkVersion, invalid, notFound } from '../http/apiError.ts';
import { applyMergePatch } from '../http/mergePatch.ts';
import type { Act, Once } from '../store/acts.ts';
import type { Collection } from '../store/entity.ts';
import type { Requester } from './hashQueue.ts';
import { everySession, loginKey, ownDocument, type OwnDocuments, type UserRecord } from './userRecord.ts';

export interface UsersDeps {
  collection: Collection<UserRecord>;
  groupExists: (groupId: string) => boolean;
  /** Makes the vehicle group of a new user's name, within the act that adds the user. */
  makeGroup: (name: string) => { group_id: string };
  /** What names a user who is removed, within the same act. */
  leaving?: (user: UserRecord) => void;
  /** All sessions of a user, who may no longer go on with them, within the same act. */
  endSessions?: (userId: string, act: Act) => void;
  /** As `hashPassword`, when it is this requester's turn. */
  hash: (password: string, by: Requester) => Promise<string>;
}

/** A password is not part of a user that can be read, so a patch that leaves it out must do without. */
const patchedUser = z.strictObject({ ...newUser.shape, password: newUser.shape.password.optional() });

export type Users = ReturnType<typeof createUsers>;

export function createUsers(deps: UsersDeps) {
  const { collection, groupExists, makeGroup, leaving, endSessions, hash } = deps;
  const loginsUnderWay = new Set<string>();

  function byLogin(login: string): UserRecord | undefined {
    const key = loginKey(login);
    return collection.all().find((user) => loginKey(user.login) === key);
  }

  /** What a user has already it may keep: the rest must stay editable. */
  function checkGroups(groupIds: readonly string[], before: readonly string[] = []): void {
    const index = groupIds.findIndex((id) => !before.includes(id) && !groupExists(id));
    if (index >= 0) throw invalid(`group_ids.${index}`, 'is not a group', 'unknown');
  }

  function checkLoginFree(login: string, except?: string): void {
    const holder = byLogin(login);
    if (holder !== undefined && holder.user_id !== except) {
      throw new ApiError('already_exists', causeOf('user.login_taken', { login }));
    }
  }

  /** A depot that nobody can administer could not be put right from inside. */
  function checkDealerStays(user: UserRecord, becomes: { role?: string; blocked?: boolean } | null): void {
    const isActive = user.role === 'dealer' && !user.blocked;
    const stays =
      becomes !== null && (becomes.role ?? user.role) === 'dealer' && !(becomes.blocked ?? user.blocked);
    if (!isActive || stays) return;
    const others = collection
      .all()
      .some((it) => it.user_id !== user.user_id && it.role === 'dealer' && !it.blocked);
    if (!others) throw new ApiError('in_use', causeOf('user.last_dealer'));
  }

  function change(
    userId: string,
    revise: (old: UserRecord, now: string) => UserRecord,
    { endsSessions = false } = {},
  ): Promise<UserRecord> {
    return collection.act((act) => {
      const changed = collection.staged.change(userId, revise);
      if (changed === undefined) throw notFound('user');
      if (endsSessions) endSessions?.(userId, act);
      return changed;
    });
  }

  return {
    get: (userId: string): UserRecord | undefined => collection.get(userId),
    byLogin,
    all: (): readonly UserRecord[] => collection.all(),
    onChange: collection.onChange,

    /** Throws 409 when the login is taken, 400 for a group that is not there, 503 when too much waits to be hashed. */
    async add(wanted: NewUser, by: Requester, once?: Once<UserRecord>): Promise<UserRecord> {
      checkLoginFree(wanted.login);
      checkGroups(wanted.group_ids);
      const key = loginKey(wanted.login);
      // Hashing takes long enough for a second request to come in between.
      if (loginsUnderWay.has(key))
        throw new ApiError('already_exists', causeOf('user.login_taken', { login: wanted.login }));
      loginsUnderWay.add(key);
      try {
        const { password, ...rest } = wanted;
        const password_hash = await hash(password, by);
        return await collection.act(
          () => {
            // Another user may have taken the login, or a group have gone, while this one was made ready.
            checkLoginFree(wanted.login);
            checkGroups(rest.group_ids);
            const { group_id } = makeGroup(wanted.name ?? wanted.login);
            const [user] = collection.staged.add([
              {
                ...rest,
                user_id: randomUUID(),
                group_ids: [...rest.group_ids, group_id],
                blocked: false,
                password_hash,
                sessions_since: everySession,
              },
            ]);
            if (user === undefined) throw new Error('the user was not added');
            return user;
          },
          { once },
        );
      } finally {
        loginsUnderWay.delete(key);
      }
    },

    /** Throws 400 (no password, a group that is not there), 404, 409 (login taken, last dealer), 412, 503 as `add`. */
    async patch(
      userId: string,
      patch: UserPatch,
      ifMatch: number | null,
      by: Requester,
    ): Promise<UserRecord> {
      const known = collection.get(userId);
      if (known === undefined) throw notFound('user');
      checkVersion(ifMatch, known.version);
      const newHash = patch.password === undefined ? null : await hash(patch.password, by);
      return change(
        userId,
        (old, now) => {
          checkVersion(ifMatch, old.version);
          const { password: _, ...wanted } = applyMergePatch(patchedUser, old, patch);
          checkLoginFree(wanted.login, userId);
          checkGroups(wanted.group_ids, old.group_ids);
          checkDealerStays(old, { role: wanted.role });
          const next = { ...old, ...wanted };
          return newHash === null ? next : { ...next, password_hash: newHash, sessions_since: now };
        },
        { endsSessions: newHash !== null },
      );
    },

    setBlocked(userId: string, blocked: boolean): Promise<UserRecord> {
      return change(
        userId,
        (old, now) => {
          if (old.blocked === blocked) return old;
          checkDealerStays(old, { blocked });
          return { ...old, blocked, sessions_since: blocked ? now : old.sessions_since };
        },
        { endsSessions: blocked },
      );
    },

    /** Grants JWTs for programs, or takes them away; for the machine of the host alone, no operation of the API does. */
    setApiAccess: (userId: string, granted: boolean): Promise<UserRecord> =>
      change(userId, (old) =>
        (old.api_access === true) === granted ? old : { ...old, api_access: granted },
      ),

    /** Throws 412 for a document that was read before another change of it. */
    async setOwnDocument<Name extends keyof OwnDocuments>(
      userId: string,
      name: Name,
      content: Omit<OwnDocuments[Name], 'version'>,
      ifMatch: number | null,
    ): Promise<OwnDocuments[Name]> {
      const changed = await change(userId, (old) => {
        const { version } = ownDocument(old, name);
        checkVersion(ifMatch, version);
        return { ...old, [name]: { ...content, version: version + 1 } };
      });
      return ownDocument(changed, name);
    },

    async setGroup(userId: string, groupId: string, member: boolean): Promise<void> {
      await change(userId, (old) => {
        if (old.group_ids.includes(groupId) === member) return old;
        const others = old.group_ids.filter((id) => id !== groupId);
        return { ...old, group_ids: member ? [...others, groupId] : others };
      });
    },

    /** Within an act. */
    leaveGroup(groupId: string): void {
      const members = collection.all().filter((user) => user.group_ids.includes(groupId));
      collection.staged.changeMany(
        members.map((user) => user.user_id),
        (old) => ({ ...old, group_ids: old.group_ids.filter((id) => id !== groupId) }),
      );
    },

    async remove(userId: string, ifMatch: number | null): Promise<void> {
      await collection.act((act) => {
        const removed = collection.staged.remove(userId, (old) => {
          checkVersion(ifMatch, old.version);
          checkDealerStays(old, null);
        });
        if (removed === undefined) throw notFound('user');
        leaving?.(removed);
        endSessions?.(userId, act);
      });
    },
  };
}
