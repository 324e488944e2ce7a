import { z } from 'zod';
import { time } from './fields.ts';
import { route } from './route.ts';
import { login, password, user } from './users.ts';
import { languages } from './languages.ts';

const tag = 'Authorization';

/** Of what anybody may send: 400 characters, each written as `\u` and four digits, are not half of it. */
const credentialsLimit = 8 * 1024;

const credentials = z
  .strictObject({ login: z.string().max(200), password: z.string().max(200) })
  .meta({ id: 'Credentials' });

export const loginResponse = z.object({ jwt: z.string(), expires_at: time, user }).meta({ id: 'Granted' });
export type LoginResponse = z.infer<typeof loginResponse>;

/** What a JWT says of its bearer; for the client to read, the store decides on each call. */
export const claims = z.object({
  sub: z.string(),
  sid: z.string(),
  role: z.string(),
  rights: z.record(z.string(), z.string()),
  iat: z.number(),
  exp: z.number(),
  iss: z.string(),
  aud: z.string(),
  web: z.boolean().optional().meta({ description: 'of a web login' }),
});
export type Claims = z.infer<typeof claims>;

export const authRoutes = {
  login: route({
    id: 'login',
    tag,
    method: 'POST',
    path: '/auth/login',
    access: 'anybody',
    summary: 'Log in and get a JWT; without `jwt=1` the web login, which also sets the session cookie',
    query: z.strictObject({ jwt: z.enum(['0', '1']).optional() }),
    body: credentials,
    bodyLimit: credentialsLimit,
    reply: loginResponse,
    errors: ['credentials_invalid', 'user_blocked', 'api_not_granted'],
  }),
  refresh: route({
    id: 'refresh',
    tag,
    method: 'POST',
    path: '/auth/refresh',
    ignoresBody: true,
    access: 'anybody',
    summary:
      'Exchange the JWT, before or after expiry, for a new one; it is sent in the header `Authorization refresh` (or `Authorization-Refresh`)',
    query: z.strictObject({
      unattended: z.enum(['0', '1']).optional().meta({
        description:
          'With 1, the session of a user without a right to change anything counts its days from now again: for a display that nobody logs in',
      }),
    }),
    reply: loginResponse,
    errors: ['jwt_missing', 'jwt_invalid', 'session_revoked', 'session_expired', 'api_not_granted'],
  }),
  logout: route({
    id: 'logout',
    tag,
    method: 'POST',
    path: '/auth/logout',
    access: 'user',
    summary: 'End the session',
    errors: ['forbidden'],
  }),
};

const setupRequest = z.strictObject({
  code: z.string().max(200),
  login,
  password,
  language: z
    .enum(languages)
    .default('en')
    .meta({ description: 'of the checklists and closing reasons of incidents that the depot begins with' }),
});

/** First run: outside the REST API, only while no user exists, only from this machine with our own Origin. */
export const setupRoute = route({
  id: 'setUpDepot',
  tag,
  method: 'POST',
  path: '/setup',
  access: 'anybody',
  summary: 'Create the first dealer',
  body: setupRequest,
  bodyLimit: credentialsLimit,
  reply: loginResponse,
  status: 201,
  errors: ['credentials_invalid', 'not_found', 'forbidden'],
});

/** What the console asks before anybody has logged in; not part of the REST API either. */
export const setupStateRoute = route({
  id: 'getSetupState',
  tag,
  method: 'GET',
  path: '/setup',
  access: 'anybody',
  summary: 'Whether the first dealer is still to be created, and the name of the depot',
  reply: z.object({ setup_needed: z.boolean(), depot_name: z.string() }),
});
