import { z } from 'zod';
import { causes } from './causes.ts';
import { id } from './fields.ts';
import { problemCodes } from './problem.ts';

/**
 * Vehicles that one call acts on at most: a response that names them all is 20 kB, and up to 10,000 responses of a user
 * are kept for their Idempotency-Keys.
 */
export const maxBulk = 500;

export const bulkVehicleIds = z.array(id).min(1).max(maxBulk);

/** What became of each vehicle that a bulk action named. */
export const bulkResult = z
  .object({
    done: z.array(id).meta({ description: 'for them it is as was asked for, now or before' }),
    refused: z.array(
      z.object({ code: z.enum(problemCodes), detail: z.string(), causes, vehicle_ids: z.array(id) }),
    ),
    not_found: z.array(id).meta({ description: 'not there, or not visible to the caller' }),
  })
  .meta({ id: 'BulkResult' });
export type BulkResult = z.infer<typeof bulkResult>;
