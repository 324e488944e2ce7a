import { z } from 'zod';
import { causes } from './causes.ts';

/** Every error code of the API with its HTTP status and title; codes are stable, clients may switch on them. */
export const problems = {
  malformed_json: { status: 400, title: 'The body is not JSON' },
  validation_failed: { status: 400, title: 'A value is missing or not allowed' },
  jwt_missing: { status: 401, title: 'JWT required' },
  jwt_invalid: { status: 401, title: 'Invalid JWT' },
  jwt_expired: { status: 401, title: 'The JWT has expired' },
  session_revoked: { status: 401, title: 'The session was ended' },
  session_expired: { status: 401, title: 'The session has expired' },
  credentials_invalid: { status: 401, title: 'Wrong username or password' },
  forbidden: { status: 403, title: 'Not allowed' },
  user_blocked: { status: 403, title: 'The user is blocked' },
  api_not_granted: { status: 403, title: 'API access is not granted' },
  host_not_allowed: { status: 403, title: 'Unknown host name' },
  origin_not_allowed: { status: 403, title: 'Foreign origin' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  already_exists: { status: 409, title: 'Already exists' },
  in_use: { status: 409, title: 'In use' },
  quota_exceeded: { status: 409, title: 'A quota is used up' },
  task_not_done: { status: 409, title: 'The task is not done' },
  file_expired: { status: 410, title: 'The file was removed' },
  file_missing: { status: 410, title: 'The file is missing' },
  version_conflict: { status: 412, title: 'Changed by somebody else' },
  too_large: { status: 413, title: 'Too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  range_not_satisfiable: { status: 416, title: 'Range not satisfiable' },
  rate_limited: { status: 429, title: 'Too many requests' },
  queue_full: { status: 429, title: 'The queue is full' },
  too_many_streams: { status: 429, title: 'Too many open streams' },
  internal: { status: 500, title: 'Internal error' },
  remote_unreachable: { status: 502, title: 'The remote host cannot be reached' },
  certificate_refused: { status: 502, title: 'The certificate of the remote host is refused' },
  terminal_refused: { status: 502, title: 'The terminal refuses' },
  terminal_offline: { status: 503, title: 'The terminal is off line' },
  unavailable: { status: 503, title: 'Unavailable' },
  disk_full: { status: 507, title: 'The disk is full' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problems;

export const problemCodes = Object.keys(problems) as [ProblemCode, ...ProblemCode[]];

/** Kinds of what is wrong with a field; those that end a sentence with a number have it as `limit`. */
export const faultKinds = [
  ...['missing', 'format', 'choice', 'unknown', 'twice', 'past', 'too_far', 'order', 'archived'],
  ...['too_short', 'too_long', 'too_few', 'too_many', 'too_small', 'too_large'],
  ...['denied', 'own_address', 'not_approved', 'again', 'other'],
] as const;
export type FaultKind = (typeof faultKinds)[number];

export const fieldFault = z.object({
  path: z.string(),
  message: z.string(),
  kind: z.enum(faultKinds).optional().meta({ description: 'left out: none of them, read the message' }),
  limit: z.number().optional().meta({ description: 'of kinds that begin with too_' }),
  causes,
});
export type FieldError = z.infer<typeof fieldFault>;

/** The body of every error answer, `application/problem+json` (RFC 9457). */
export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(problemCodes),
    causes,
    errors: z.array(fieldFault).optional(),
    request_id: z.string(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof problem>;
