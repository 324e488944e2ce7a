import { z } from 'zod';
import { timeZone } from './fields.ts';

/** A time of day, as `08:15`. */
export const timeOfDay = z
  .string()
  .max(5)
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'is not HH:MM');

/** When something holds; a range whose `to` is not after its `from` ends on the next day. `null` is always. */
export const schedule = z
  .strictObject({
    timezone: timeZone,
    ranges: z
      .array(
        z.strictObject({
          days: z.array(z.int().min(1).max(7)).min(1).max(7),
          from: timeOfDay,
          to: timeOfDay,
        }),
      )
      .min(1)
      .max(50),
  })
  .meta({ id: 'Schedule' });
export type Schedule = z.infer<typeof schedule>;
