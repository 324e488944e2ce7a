import { z } from 'zod';
import type { CustomParams } from './fieldFaults.ts';
import { time } from './fields.ts';
import type { Bytes } from './route.ts';

/** No longer period is computed in one call. */
export const longestPreviewDays = 31;

/** A period of the past to try something on; the end is not included. */
export const previewPeriod = { from: time, to: time };

/** What is wrong with a period: its order, or its length. */
export const previewError = periodError(longestPreviewDays);

export function periodError(days: number): z.core.CheckFn<{ from: string; to: string }> {
  return ({ value, issues }) => {
    const ms = Date.parse(value.to) - Date.parse(value.from);
    if (!(ms > 0)) {
      issues.push({
        ...{ code: 'custom', input: value.from, path: ['from'], message: 'is not before to' },
        params: { kind: 'order' } satisfies CustomParams,
      });
    } else if (ms > days * 86_400_000) {
      issues.push({
        code: 'custom',
        input: value.to,
        path: ['to'],
        message: `is more than ${days} days after from`,
        params: { causes: [{ code: 'period.most_days', values: { days } }] } satisfies CustomParams,
      });
    }
  };
}

/** The lines of long work, asked for by `Accept: application/x-ndjson`: progress as it goes on, at last the result. */
export function progressLine<T extends z.ZodType>(result: T) {
  return z.union([
    z.object({ progress: z.number().min(0).max(1) }),
    z.object({ result }),
    /** The body of the error answer that would have stood in its place. */
    z.object({ problem: z.looseObject({ code: z.string(), detail: z.string() }) }),
  ]);
}

/**
 * How a long-running operation responds: JSON when all is done, or lines that report its progress. Closing the
 * connection cancels the work.
 */
export function progressBytes(result: z.ZodType, ...others: string[]): Bytes {
  return { contentTypes: ['application/json', 'application/x-ndjson', ...others], json: result };
}
