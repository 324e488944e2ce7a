import { z } from 'zod';

/** What stands as a sentence in a `detail`, for clients that say it in another language. */
export const cause = z
  .object({
    code: z.string().meta({
      description:
        'stable; `problem.` and the code of a problem where there is none closer; `verbatim`: words of another system',
    }),
    values: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())])).meta({
      description: 'what it names; a number is an amount, a list is of names, and times are of ISO 8601',
    }),
  })
  .meta({ id: 'Cause' });
export type Cause = z.infer<typeof cause>;

export const causes = z
  .array(cause)
  .optional()
  .meta({ description: 'the sentences of `detail`; left out: only it says why' });
