import { z } from 'zod';
import { shift, type Shift } from '../contract/shifts.ts';
import type { UserRecord } from '../users/userRecord.ts';

/** A shift as the store keeps it; what happened in it is in the record of its report. */
export const shiftRecord = z.object(shift.shape);
export type ShiftRecord = Shift;

/** So many are kept; a depot with five shifts a day fills them in a year. */
const keptShifts = 2_000;

/** Handovers of one user that nobody has accepted yet: none of them gives way to others. */
export const mostOffered = 10;

export const isOnDuty = ({ ended_at }: Pick<ShiftRecord, 'ended_at'>): boolean => ended_at === null;
export const isOffered = ({ handover }: Pick<ShiftRecord, 'handover'>): boolean => handover?.state === 'open';

/**
 * The ids of those that go so that no more are kept than may be: of whoever has most of them the oldest, so that nobody
 * who begins and ends many takes away those of others.
 */
export function shiftsBeyond(
  shifts: readonly Pick<ShiftRecord, 'shift_id' | 'user_id' | 'started_at' | 'ended_at' | 'handover'>[],
  most = keptShifts,
): string[] {
  const gone: string[] = [];
  if (shifts.length <= most) return gone;
  const byUser = new Map<string, { shift_id: string; started_at: string }[]>();
  for (const shift of shifts) {
    if (isOnDuty(shift) || isOffered(shift)) continue;
    const own = byUser.get(shift.user_id);
    if (own === undefined) byUser.set(shift.user_id, [shift]);
    else own.push(shift);
  }
  const past = [...byUser.values()].map((own) => own.toSorted(byStart));
  while (shifts.length - gone.length > most) {
    const [longest] = past.sort((a, b) => b.length - a.length || byStart(a[0], b[0]));
    const oldest = longest?.shift();
    if (oldest === undefined) return gone;
    gone.push(oldest.shift_id);
  }
  return gone;
}

const byStart = (a?: { started_at: string }, b?: { started_at: string }): number =>
  Date.parse(a?.started_at ?? '') - Date.parse(b?.started_at ?? '');

/** How colleagues see a user. */
export const personOf = ({ user_id, login, name }: Pick<UserRecord, 'user_id' | 'login' | 'name'>) => ({
  ...{ user_id, name: name ?? login },
});
