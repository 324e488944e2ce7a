import { z } from 'zod';
import { id, listQuery, mergePatchOf, page, shortText, stamps, time } from './fields.ts';
import { rights, role } from './rights.ts';
import { route } from './route.ts';

const tag = 'Users';

export const login = z
  .string()
  .trim()
  .max(128)
  .regex(/^[\p{L}\p{N}._@+-]{1,64}$/u, 'takes 1 to 64 letters, digits and . _ @ + -')
  .meta({ examples: ['anna', 'j.smith@port.example'] });
export const password = z.string().min(10, 'is at least 10 characters').max(200);

const fields = {
  login,
  password,
  name: shortText.nullable().default(null),
  email: z.email().max(200).nullable().default(null),
  role: role.default('user'),
  rights: rights.prefault({}),
  group_ids: z.array(id).max(1_000).default([]),
};

export const newUser = z.strictObject(fields).meta({ id: 'NewUser' });
export type NewUser = z.infer<typeof newUser>;
export const userPatch = mergePatchOf(fields).meta({ id: 'UserPatch' });
export type UserPatch = z.infer<typeof userPatch>;

export const user = z
  .object({
    user_id: id,
    login: z.string(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    role,
    rights,
    group_ids: z.array(id),
    blocked: z.boolean(),
    ...stamps,
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof user>;

export const session = z
  .object({
    session_id: id,
    user_id: id,
    created_at: time,
    last_seen_at: time,
    expires_at: time,
    ip_address: z.string().nullable(),
    user_agent: z.string().nullable(),
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof session>;

const userParams = z.object({ user_id: id });

export const userRoutes = {
  list: route({
    id: 'listUsers',
    tag,
    method: 'GET',
    path: '/api/v1/users',
    summary: 'All users',
    access: 'dealer',
    query: z.strictObject({ ...listQuery, q: z.string().max(100).optional() }),
    reply: page(user),
  }),
  create: route({
    id: 'createUser',
    tag,
    method: 'POST',
    path: '/api/v1/users',
    access: 'dealer',
    idempotent: true,
    summary: 'Add a user; also creates a vehicle group of that name, which the user may see',
    body: newUser,
    reply: user,
    status: 201,
    errors: ['already_exists', 'quota_exceeded'],
  }),
  get: route({
    id: 'getUser',
    tag,
    method: 'GET',
    path: '/api/v1/users/{user_id}',
    summary: 'One user',
    access: 'dealer',
    params: userParams,
    reply: user,
    errors: ['not_found'],
  }),
  patch: route({
    id: 'patchUser',
    tag,
    method: 'PATCH',
    path: '/api/v1/users/{user_id}',
    access: 'dealer',
    versioned: true,
    summary: 'Change a user; a new password ends its sessions',
    params: userParams,
    body: userPatch,
    reply: user,
    errors: ['not_found', 'already_exists', 'in_use', 'version_conflict', 'quota_exceeded'],
  }),
  remove: route({
    id: 'deleteUser',
    tag,
    method: 'DELETE',
    path: '/api/v1/users/{user_id}',
    access: 'dealer',
    versioned: true,
    summary: 'Delete a user; its group stays',
    params: userParams,
    errors: ['not_found', 'in_use', 'version_conflict'],
  }),
  block: route({
    id: 'blockUser',
    tag,
    method: 'POST',
    path: '/api/v1/users/{user_id}/block',
    access: 'dealer',
    summary: 'Block a user: its sessions end at once',
    params: userParams,
    reply: user,
    errors: ['not_found', 'in_use'],
  }),
  unblock: route({
    id: 'unblockUser',
    tag,
    method: 'POST',
    path: '/api/v1/users/{user_id}/unblock',
    access: 'dealer',
    summary: 'Unblock a user',
    params: userParams,
    reply: user,
    errors: ['not_found'],
  }),
  sessions: route({
    id: 'listSessions',
    tag,
    method: 'GET',
    path: '/api/v1/users/{user_id}/sessions',
    access: 'dealer',
    summary: 'List active sessions of a user',
    params: userParams,
    query: z.strictObject(listQuery),
    reply: page(session),
    errors: ['not_found'],
  }),
  revokeSessions: route({
    id: 'revokeSessions',
    tag,
    method: 'DELETE',
    path: '/api/v1/users/{user_id}/sessions',
    access: 'dealer',
    summary: 'End all sessions of a user, or the one that `session_id` names',
    params: userParams,
    query: z.strictObject({ session_id: id.optional() }),
    errors: ['not_found'],
  }),
  me: route({
    id: 'getMe',
    tag,
    method: 'GET',
    path: '/api/v1/me',
    summary: 'Get the caller with all effective rights',
    access: 'user',
    reply: user,
  }),
};
