import { causeOf } from '../contract/causeTexts.ts';
import { quotas, type QuotaName } from '../contract/quotas.ts';
import { ApiError } from './apiError.ts';

/** How much of a quota each item takes. */
export interface Measure<T> {
  quota: QuotaName;
  of: (item: T) => number;
  /** Those of one owner count together, those without one not at all; left out: all do. */
  ownerOf?: (item: T) => string | null;
}

export type Grown<T> = { before: T | null; after: T };

/** Throws 409 when `more` beside the `there` would be beyond the quota. */
export function checkQuota(name: QuotaName, there: number, more: number): void {
  const { most } = quotas[name];
  if (there + more > most)
    throw new ApiError('quota_exceeded', causeOf(`quota.${name}`, { most, there, more }));
}

/**
 * What a collection asks before each of its changes. Only growth is refused: what is beyond a quota already can be
 * changed and removed.
 *
 * @returns throws 409 `quota_exceeded`; `items` are all there are before the changes
 */
export function createQuotaCheck<T>(
  measures: readonly Measure<T>[],
): (items: readonly T[], changes: readonly Grown<T>[]) => void {
  return (items, changes) => {
    for (const { quota, of, ownerOf = () => '' } of measures) {
      const grown = new Map<string, number>();
      const add = (item: T | null, sign: 1 | -1) => {
        const owner = item === null ? null : ownerOf(item);
        if (item !== null && owner !== null) grown.set(owner, (grown.get(owner) ?? 0) + sign * of(item));
      };
      for (const { before, after } of changes) {
        add(before, -1);
        add(after, 1);
      }
      for (const [owner, more] of grown) {
        if (more <= 0) continue;
        const there = items.reduce((sum, item) => (ownerOf(item) === owner ? sum + of(item) : sum), 0);
        checkQuota(quota, there, more);
      }
    }
  };
}
