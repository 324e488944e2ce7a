import { z } from 'zod';
import { shift, type Shift } from '../contract/shifts.ts';
import type { UserRecord } from '../users/userRecord.ts';

/** A shift as the store keeps it; what happened in it is in the record of its report. */
export const shiftRecord = z.object(shift.shape);
export type ShiftRecord = Shift;

/** So many are kept; a depot with five shifts a day fills them in a year. */
export const keptShifts = 2_000;

export const isOnDuty = ({ ended_at }: Pick<ShiftRecord, 'ended_at'>): boolean => ended_at === null;
export const isOffered = ({ handover }: Pick<ShiftRecord, 'handover'>): boolean => handover?.state === 'open';

/** How colleagues see a user. */
export const personOf = ({ user_id, login, name }: Pick<UserRecord, 'user_id' | 'login' | 'name'>) => ({
  ...{ user_id, name: name ?? login },
});
