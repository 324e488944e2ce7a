import type { z } from 'zod';
import type { FaultKind, FieldError } from './problem.ts';

const sizeKinds: Partial<Record<string, Record<'too_small' | 'too_big', FaultKind>>> = {
  string: { too_small: 'too_short', too_big: 'too_long' },
  array: { too_small: 'too_few', too_big: 'too_many' },
  number: { too_small: 'too_small', too_big: 'too_large' },
  int: { too_small: 'too_small', too_big: 'too_large' },
};

/** What a check of the contract says of its fault beside the message, as the `params` of its issue. */
export type CustomParams = Pick<FieldError, 'kind' | 'causes'>;

/** What kind of fault zod found; nothing for what only the message says. */
export function kindOfIssue(issue: z.core.$ZodIssue): Pick<FieldError, 'kind' | 'limit' | 'causes'> {
  switch (issue.code) {
    case 'too_small':
    case 'too_big': {
      const limit = Number(issue.code === 'too_small' ? issue.minimum : issue.maximum);
      if (issue.origin === 'string' && issue.code === 'too_small' && limit <= 1) return { kind: 'missing' };
      const kind = issue.inclusive === false ? undefined : sizeKinds[issue.origin]?.[issue.code];
      return kind === undefined ? {} : { kind, limit };
    }
    case 'invalid_type':
      return { kind: issue.message.endsWith('received undefined') ? 'missing' : 'format' };
    case 'invalid_value':
      return { kind: 'choice' };
    case 'custom': {
      const { kind, causes } = (issue.params ?? {}) as CustomParams;
      return { ...(kind === undefined ? {} : { kind }), ...(causes === undefined ? {} : { causes }) };
    }
    default:
      return { kind: 'format' };
  }
}
