import { z } from 'zod';
import { id, listQuery, mergePatchOf, page, shortText, stamps, time } from './fields.ts';
import { effectiveRights, meetsLevel, rights, role, rightNames, type Rights, type Role } from './rights.ts';
import { route } from './route.ts';

const tag = 'API tokens';

/** A year and a day: a program that nobody renews for longer is one that nobody knows. */
export const maxTokenDays = 366;

const fields = {
  name: shortText,
  role: role.default('user').meta({ description: '`dealer`: all that its owner may do; only of a dealer' }),
  rights: rights
    .prefault({})
    .meta({ description: 'of a token with the role `user`; at most those of its owner' }),
  group_ids: z.array(id).max(1_000).nullable().default(null).meta({
    description: 'the groups that it reaches, of those of its owner; null: all of them',
  }),
};

export const newApiToken = z
  .strictObject({
    ...fields,
    expires_at: time.meta({ description: `at most ${maxTokenDays} days ahead` }),
  })
  .meta({ id: 'NewApiToken' });
export type NewApiToken = z.infer<typeof newApiToken>;
/** What a token may do, as it is asked for. */
export const apiTokenFields = z.strictObject(fields);
const apiTokenPatch = mergePatchOf(fields).meta({ id: 'ApiTokenPatch' });
export type ApiTokenPatch = z.infer<typeof apiTokenPatch>;

export const apiToken = z
  .object({
    token_id: id,
    user_id: id.meta({ description: 'its owner, on whose behalf it calls' }),
    name: z.string(),
    role: role.meta({ description: 'in effect: no more than that of its owner now' }),
    rights: rights.meta({ description: 'in effect: no more than those of its owner now' }),
    group_ids: z.array(id).nullable().meta({ description: 'in effect; null: all groups of its owner' }),
    expires_at: time,
    last_used_at: time.nullable().meta({ description: 'to about a minute' }),
    calls: z.int().meta({ description: 'admitted calls since it was created, to about a minute' }),
    ...stamps,
  })
  .meta({ id: 'ApiToken' });
export type ApiToken = z.infer<typeof apiToken>;

/** No more than both allow. */
export function lesserRights(
  one: { role: Role; rights: Rights },
  other: { role: Role; rights: Rights },
): Rights {
  const [mine, theirs] = [effectiveRights(one), effectiveRights(other)];
  return rights.parse(
    Object.fromEntries(
      rightNames.map((name) => [name, meetsLevel(mine[name], theirs[name]) ? theirs[name] : mine[name]]),
    ),
  );
}

const params = z.object({ token_id: id });
const path = '/api/v1/tokens';

export const apiTokenRoutes = {
  list: route({
    id: 'listApiTokens',
    tag,
    method: 'GET',
    path,
    summary: 'List your API tokens; dealers list those of the user that `user_id` names',
    access: 'user',
    query: z.strictObject({ ...listQuery, user_id: id.optional() }),
    reply: page(apiToken),
    errors: ['forbidden', 'not_found'],
  }),
  create: route({
    id: 'createApiToken',
    tag,
    method: 'POST',
    path,
    summary:
      'Create an API token: a JWT for a program, sent as `Authorization: JWT <token>`. It is shown in this response only',
    access: 'user',
    body: newApiToken,
    reply: z.object({ token: apiToken, jwt: z.string() }),
    status: 201,
    errors: ['already_exists', 'quota_exceeded', 'forbidden', 'api_not_granted'],
  }),
  get: route({
    id: 'getApiToken',
    tag,
    method: 'GET',
    path: `${path}/{token_id}`,
    summary: 'One API token',
    access: 'user',
    params,
    reply: apiToken,
    errors: ['forbidden'],
  }),
  patch: route({
    id: 'patchApiToken',
    tag,
    method: 'PATCH',
    path: `${path}/{token_id}`,
    summary: 'Rename one of your API tokens, or change what it may do; its JWT stays',
    access: 'user',
    versioned: true,
    params,
    body: apiTokenPatch,
    reply: apiToken,
    errors: ['already_exists', 'forbidden'],
  }),
  revoke: route({
    id: 'revokeApiToken',
    tag,
    method: 'DELETE',
    path: `${path}/{token_id}`,
    summary: 'Revoke an API token at once: one of your own, or as a dealer that of any user',
    access: 'user',
    versioned: true,
    params,
    errors: ['forbidden'],
  }),
};
