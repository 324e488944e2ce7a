import { z } from 'zod';
import { health } from './health.ts';
import { fieldFault, problemCodes } from './problem.ts';
import { login, password } from './users.ts';

/**
 * One operation of the control socket: the host runs this constant, a command of `fleetdeck` asks for it. `request` is
 * best a strict object; `reply` may be anything that JSON can hold.
 */
export interface ControlOperation<
  Request extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> {
  /** Its name on the wire, unique. */
  operation: string;
  request: Request;
  reply: Reply;
}

/** A request's one line; what else it holds is the operation's. */
export const controlRequest = z.looseObject({ operation: z.string().max(64) });

/** A line of an answer: any number of `progress`, then one of the other two. */
export const controlLine = z.union([
  z.object({ progress: z.unknown() }).required(),
  z.object({ result: z.unknown() }).required(),
  z.object({
    error: z.object({
      code: z.enum(problemCodes),
      detail: z.string(),
      errors: z.array(fieldFault).optional(),
    }),
  }),
]);

/** Grants JWTs for programs to a user, or takes the grant away; it counts on a host with `--api-access granted`. */
export const grantApi = {
  operation: 'grant_api',
  request: z.strictObject({ login, granted: z.boolean() }),
  reply: z.enum(['granted', 'revoked']),
};

/** Gives a dealer a new password and ends its sessions; also adds one, unless it must be there. */
export const setDealer = {
  operation: 'set_dealer',
  request: z.strictObject({
    login,
    password,
    /** Then a login that no dealer has is refused; else it is added, or its user becomes a dealer. */
    must_exist: z.boolean(),
  }),
  reply: z.enum(['added', 'changed']),
};

/** Makes a backup, and resolves when it is made; null: as the settings say. Its progress is `{fraction}`. */
export const makeBackup = {
  operation: 'backup',
  request: z.strictObject({ to: z.string().max(1_000).nullable(), clips: z.boolean().nullable() }),
  reply: z.strictObject({ path: z.string(), files: z.int(), bytes: z.int() }),
};

/** How the host does, with all details. */
export const askHealth = { operation: 'health', request: z.strictObject({}), reply: health };
