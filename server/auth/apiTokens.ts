import { causeOf } from '../contract/causeTexts.ts';
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import {
  apiTokenFields,
  apiTokenRoutes,
  lesserRights,
  maxTokenDays,
  type ApiToken,
  type ApiTokenPatch,
  type NewApiToken,
} from '../contract/apiTokens.ts';
import { stamps } from '../contract/fields.ts';
import type { User } from '../contract/users.ts';
import type { Api } from '../http/api.ts';
import { ApiError, checkVersion, forbidden, invalid, notFound } from '../http/apiError.ts';
import { applyMergePatch } from '../http/mergePatch.ts';
import { paginate } from '../http/pagination.ts';
import type { Measure } from '../http/quotas.ts';
import { isDealer, type Viewer } from '../http/viewer.ts';
import type { Collection } from '../store/entity.ts';
import type { Store } from '../store/operations.ts';
import type { TokenUseRow } from '../store/telemetry/rows.ts';
import { presentUser, type UserRecord } from '../users/userRecord.ts';

/** A token as the store keeps it: what was asked for; what holds is no more than its owner may do at that moment. */
export const apiTokenRecord = z.object({
  token_id: z.string(),
  user_id: z.string(),
  ...apiTokenFields.shape,
  expires_at: z.string(),
  /** SHA-256 of the JWT in hex. */
  jwt_hash: z.string(),
  ...stamps,
});
export type ApiTokenRecord = z.infer<typeof apiTokenRecord>;

export const apiTokenMeasures: readonly Measure<ApiTokenRecord>[] = [
  { quota: 'api_tokens', of: () => 1 },
  { quota: 'api_tokens_of_user', of: () => 1, ownerOf: ({ user_id }) => user_id },
];

const dayMs = 86_400_000;
/** Uses are stored together, this often at most. */
const usesStoredMs = 60_000;
/** An expired token is listed for so long, so that its owner sees why a program has stopped. */
const keptExpiredMs = 30 * dayMs;

export type ApiTokens = ReturnType<typeof createApiTokens>;

export function createApiTokens(deps: {
  collection: Collection<ApiTokenRecord>;
  store: Pick<Store, 'saveTokenUses'>;
  /** As they are stored. */
  uses: readonly TokenUseRow[];
  userOf: (userId: string) => UserRecord | undefined;
  groupIds: () => readonly string[];
  /** Signs the JWT of a token. */
  sign: (token: { token_id: string; user: User; expires_ms: number }) => Promise<string>;
  /** Throws 403 where the user may have no JWT for programs. */
  checkGranted: (user: UserRecord) => void;
  /** Called within an act that revokes tokens: what ends with them. */
  endWithTokens: () => void;
  clock: Clock;
  log: Pick<Logger, 'error'>;
}) {
  const { collection, store, userOf, groupIds, clock, log } = deps;
  const uses = new Map(deps.uses.map((row) => [row.token_id, row]));
  const unsaved = new Set<string>();
  let stopTimer: (() => void) | null = null;

  async function saveUses(): Promise<void> {
    stopTimer?.();
    stopTimer = null;
    const rows = [...unsaved].flatMap((id) => uses.get(id) ?? []);
    unsaved.clear();
    if (rows.length === 0) return;
    try {
      await store.saveTokenUses(rows);
    } catch (error) {
      for (const { token_id } of rows) if (uses.has(token_id)) unsaved.add(token_id);
      log.error({ err: error }, 'uses of API tokens were not stored');
    }
  }

  collection.onChange((changes) => {
    for (const { before, after } of changes) {
      if (after !== null) continue;
      uses.delete(before.token_id);
      unsaved.delete(before.token_id);
    }
  });

  /** The groups of a token; null: all of its owner's. */
  function groupsOf(token: Pick<ApiTokenRecord, 'group_ids'>, owner: UserRecord): string[] | null {
    const theirs = new Set(owner.role === 'dealer' ? groupIds() : owner.group_ids);
    return token.group_ids?.filter((id) => theirs.has(id)) ?? null;
  }

  /** The owner as the token may act: what is left when the owner's role, rights and groups shrink. */
  function actingUser(token: Pick<ApiTokenRecord, 'role' | 'rights' | 'group_ids'>, owner: UserRecord): User {
    const acting = { ...presentUser(owner), rights: lesserRights(token, owner) };
    if (token.role === 'dealer' && owner.role === 'dealer') return acting;
    const all = owner.role === 'dealer' ? [...groupIds()] : owner.group_ids;
    return { ...acting, role: 'user', group_ids: groupsOf(token, owner) ?? all };
  }

  function present(token: ApiTokenRecord): ApiToken {
    const { token_id, user_id, name, expires_at, version, created_at, updated_at } = token;
    const owner = userOf(user_id);
    if (owner === undefined) throw notFound('API token');
    const { role, rights } = actingUser(token, owner);
    const use = uses.get(token_id);
    return {
      ...{ token_id, user_id, name, role, rights, group_ids: groupsOf(token, owner), expires_at },
      last_used_at: use === undefined ? null : new Date(use.last_used_ms).toISOString(),
      calls: use?.calls ?? 0,
      ...{ version, created_at, updated_at },
    };
  }

  function checkName(name: string, userId: string, except?: string): void {
    const isTaken = collection
      .all()
      .some(
        (it) =>
          it.user_id === userId && it.token_id !== except && it.name.toLowerCase() === name.toLowerCase(),
      );
    if (isTaken) throw new ApiError('already_exists', causeOf('token.name_taken', { name }));
  }

  /** Throws 400 for more than the owner may do. */
  function checkScope(
    { role, rights, group_ids }: Pick<NewApiToken, 'role' | 'rights' | 'group_ids'>,
    owner: UserRecord,
  ): void {
    if (role === 'dealer') {
      if (owner.role !== 'dealer') throw invalid('role', 'is more than your own', 'denied');
      if (group_ids !== null)
        throw invalid('group_ids', 'is null for the role dealer, which reaches all groups');
      return;
    }
    const most = lesserRights({ role, rights }, owner);
    for (const [name, level] of Object.entries(most)) {
      if (rights[name as keyof typeof rights] !== level)
        throw invalid(`rights.${name}`, 'is more than your own', 'denied');
    }
    const theirs = new Set(groupsOf({ group_ids }, owner));
    const wrong = (group_ids ?? []).findIndex((id) => !theirs.has(id));
    if (wrong >= 0) throw invalid(`group_ids.${wrong}`, 'is not a group', 'unknown');
  }

  function ownerNow(userId: string): UserRecord {
    const owner = userOf(userId);
    if (owner === undefined || owner.blocked) throw new ApiError('session_revoked', 'The session was ended.');
    return owner;
  }

  function viewerOf(token: ApiTokenRecord, owner: UserRecord): Viewer {
    const user = actingUser(token, owner);
    const isNarrowed = token.group_ids !== null || user.role !== owner.role;
    return {
      user,
      session_id: token.token_id,
      expires_ms: Date.parse(token.expires_at),
      token: { token_id: token.token_id, name: token.name, isNarrowed },
    };
  }

  const tokensOf = (userId: string) => collection.all().filter((it) => it.user_id === userId);

  return {
    present,
    all: (): readonly ApiTokenRecord[] => collection.all(),
    of: (userId: string): ApiTokenRecord[] => tokensOf(userId),
    get: (tokenId: string): ApiTokenRecord | undefined => collection.get(tokenId),
    onChange: collection.onChange,

    /** Whom a JWT acts as, expired or not; null: it is none of a token that is there. */
    viewerOf(jwt: string, tokenId: string, owner: UserRecord): Viewer | null {
      const token = collection.get(tokenId);
      return token?.user_id === owner.user_id && isHashOf(token.jwt_hash, jwt)
        ? viewerOf(token, owner)
        : null;
    },

    /**
     * Whom something acts as that a user has set up, with an API token or without; null: the user is gone or blocked, or
     * the token was revoked or has expired.
     */
    actingFor(userId: string, tokenId: string | null): Viewer | null {
      const owner = userOf(userId);
      if (owner === undefined || owner.blocked) return null;
      if (tokenId === null) return { user: presentUser(owner), session_id: '', expires_ms: Infinity };
      const token = collection.get(tokenId);
      const isLive = token?.user_id === userId && Date.parse(token.expires_at) > clock.now();
      return isLive ? viewerOf(token, owner) : null;
    },

    /** Counts an admitted call; stored within a minute or so. */
    used(tokenId: string): void {
      uses.set(tokenId, {
        token_id: tokenId,
        calls: (uses.get(tokenId)?.calls ?? 0) + 1,
        last_used_ms: clock.now(),
      });
      unsaved.add(tokenId);
      stopTimer ??= clock.after(usesStoredMs, () => void saveUses());
    },

    /** Throws 400 for more than the owner may do, 403, 409 for a name that is taken and beyond the quota. */
    async add(wanted: NewApiToken, userId: string): Promise<{ token: ApiTokenRecord; jwt: string }> {
      const { expires_at, ...scope } = wanted;
      const ahead_ms = Date.parse(expires_at) - clock.now();
      if (ahead_ms <= 0) throw invalid('expires_at', 'is past', 'past');
      if (ahead_ms > maxTokenDays * dayMs)
        throw invalid('expires_at', `is more than ${maxTokenDays} days ahead`, 'too_far');
      const token_id = randomUUID();
      // A JWT has whole seconds.
      const expires_ms = Math.floor(Date.parse(expires_at) / 1_000) * 1_000;
      const jwt = await deps.sign({ token_id, user: actingUser(scope, ownerNow(userId)), expires_ms });
      const token = await collection.act(() => {
        const owner = ownerNow(userId);
        deps.checkGranted(owner);
        checkScope(scope, owner);
        checkName(scope.name, userId);
        const [added] = collection.staged.add([
          {
            ...scope,
            token_id,
            user_id: userId,
            expires_at: new Date(expires_ms).toISOString(),
            jwt_hash: hashOf(jwt),
          },
        ]);
        if (added === undefined) throw new Error('the API token was not added');
        return added;
      });
      return { token, jwt };
    },

    /** Throws 400 and 409 as `add`, 412. */
    async patch(tokenId: string, patch: ApiTokenPatch, ifMatch: number | null): Promise<ApiTokenRecord> {
      const changed = await collection.change(tokenId, (old) => {
        checkVersion(ifMatch, old.version);
        const wanted = applyMergePatch(apiTokenFields, old, patch);
        checkScope(wanted, ownerNow(old.user_id));
        checkName(wanted.name, old.user_id, tokenId);
        return { ...old, ...wanted };
      });
      if (changed === undefined) throw notFound('API token');
      return changed;
    },

    /** Throws 404, 412. */
    async revoke(tokenId: string, ifMatch: number | null): Promise<void> {
      const gone = await collection.act(() => {
        const removed = collection.staged.remove(tokenId, (old) => checkVersion(ifMatch, old.version));
        deps.endWithTokens();
        return removed;
      });
      if (gone === undefined) throw notFound('API token');
    },

    /** Forgets those that have expired long ago; called once a day. */
    async prune(): Promise<void> {
      const over = collection.all().filter((it) => clock.now() - Date.parse(it.expires_at) > keptExpiredMs);
      for (const { token_id } of over) await collection.remove(token_id);
    },

    close: saveUses,
  };
}

/** Revokes all of a user's tokens, within an act. */
export function endTokens(collection: Collection<ApiTokenRecord>, userId: string): void {
  for (const it of collection.all()) if (it.user_id === userId) collection.staged.remove(it.token_id);
}

export function addApiTokenRoutes(
  api: Api,
  tokens: ApiTokens,
  users: { get: (userId: string) => UserRecord | undefined },
): void {
  /** A program that was let in cannot let in others, nor itself for longer. */
  function checkPerson({ token }: Viewer): void {
    if (token !== undefined) throw forbidden('API tokens are managed by people: log in to do this.');
  }

  function find(tokenId: string, viewer: Viewer): ApiTokenRecord {
    checkPerson(viewer);
    const token = tokens.get(tokenId);
    const isVisible = token?.user_id === viewer.user.user_id || isDealer(viewer);
    if (token === undefined || !isVisible) throw notFound('API token');
    return token;
  }

  api.handle(apiTokenRoutes.list, ({ query, viewer }) => {
    checkPerson(viewer);
    const { user_id = viewer.user.user_id } = query;
    if (user_id !== viewer.user.user_id && (!isDealer(viewer) || users.get(user_id) === undefined)) {
      throw notFound('user');
    }
    const { items, next_cursor } = paginate(tokens.of(user_id), (it) => [it.created_at, it.token_id], query);
    return { items: items.map(tokens.present), next_cursor };
  });

  api.handle(apiTokenRoutes.create, async ({ body, viewer, response }) => {
    checkPerson(viewer);
    const { token, jwt } = await tokens.add(body, viewer.user.user_id);
    response.set('Location', `/api/v1/tokens/${token.token_id}`);
    return { token: tokens.present(token), jwt };
  });

  api.handle(apiTokenRoutes.get, ({ params, viewer }) => tokens.present(find(params.token_id, viewer)));

  api.handle(apiTokenRoutes.patch, async ({ params, body, viewer, ifMatch }) => {
    const { user_id } = find(params.token_id, viewer);
    if (user_id !== viewer.user.user_id) throw forbidden(causeOf('token.not_owner'));
    return tokens.present(await tokens.patch(params.token_id, body, ifMatch));
  });

  api.handle(apiTokenRoutes.revoke, ({ params, viewer, ifMatch }) => {
    find(params.token_id, viewer);
    return tokens.revoke(params.token_id, ifMatch);
  });
}

function hashOf(jwt: string): string {
  return createHash('sha256').update(jwt).digest('hex');
}

function isHashOf(hash: string, jwt: string): boolean {
  const [known, given] = [Buffer.from(hash, 'hex'), Buffer.from(hashOf(jwt), 'hex')];
  return known.length === given.length && timingSafeEqual(known, given);
}
