import { shiftRoutes, type Shift } from '../../server/contract/shifts.ts';
import type { User } from '../../server/contract/users.ts';
import { newIdempotencyKey } from '../api/client.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { failureOf } from '../ui/formFaults.ts';

type Known = ReadonlyMap<string, Shift>;

/** The shifts that are on, those that began first first. */
export const onDuty = (shifts: Known): Shift[] =>
  [...shifts.values()]
    .filter((it) => it.ended_at === null)
    .sort((a, b) => (a.started_at < b.started_at ? -1 : 1));

export const ownShift = (shifts: Known, { user_id }: Pick<User, 'user_id'>): Shift | null =>
  onDuty(shifts).find((it) => it.user_id === user_id) ?? null;

/** The handovers that a user may accept, those offered first first. */
export function waitingFor(shifts: Known, user: Pick<User, 'user_id' | 'role'>): Shift[] {
  const isFor = ({ user_id, handover }: Shift) =>
    user_id !== user.user_id &&
    handover?.state === 'open' &&
    (handover.to === null || handover.to.user_id === user.user_id || user.role === 'dealer');
  const offeredAt = ({ handover }: Shift) => handover?.offered_at ?? '';
  return [...shifts.values()].filter(isFor).sort((a, b) => (offeredAt(a) < offeredAt(b) ? -1 : 1));
}

/** Goes on duty, and to the shift unless the operator has gone elsewhere meanwhile. A failure is said in a toast. */
export async function startShift({ api, shifts, toasts, t, navigation }: AppContext): Promise<void> {
  const { place } = navigation.store.getState();
  try {
    const own = await api.request(shiftRoutes.start, {});
    shifts.put([own]);
    if (navigation.store.getState().place === place) navigation.go('shift', { id: own.shift_id });
  } catch (error) {
    toasts.setState({ toast: { text: failureOf(error, t).sentence ?? '', isTrouble: true, action: null } });
  }
}

const of = ({ shift_id }: Pick<Shift, 'shift_id'>) => ({ params: { shift_id } });

/** Throws ApiProblem (`in_use` when the shift is over, `quota_exceeded` for too many notes), Unreachable. */
export async function addNote({ api, shifts }: AppContext, shift: Shift, text: string): Promise<void> {
  shifts.put([
    await api.request(shiftRoutes.addNote, {
      ...of(shift),
      body: { text },
      idempotencyKey: newIdempotencyKey(),
    }),
  ]);
}

/** @param to_user_id null: whoever comes. Throws ApiProblem, Unreachable */
export async function handOver(
  { api, shifts }: AppContext,
  shift: Shift,
  to_user_id: string | null,
): Promise<void> {
  shifts.put([await api.request(shiftRoutes.handOver, { ...of(shift), body: { to_user_id } })]);
}

/** Throws ApiProblem (`in_use`: no handover is open any more), Unreachable. */
export async function withdrawHandover({ api, shifts }: AppContext, shift: Shift): Promise<void> {
  shifts.put([await api.request(shiftRoutes.withdraw, of(shift))]);
}

/** Throws ApiProblem (`in_use`: somebody else accepted it), Unreachable. */
export async function acceptShift({ api, shifts, navigation }: AppContext, shift: Shift): Promise<void> {
  const { accepted, own } = await api.request(shiftRoutes.accept, of(shift));
  shifts.put([accepted, own]);
  navigation.go('shift', { id: accepted.shift_id });
}

/** Throws ApiProblem (`in_use`: it has ended already), Unreachable. */
export async function endShift({ api, shifts }: AppContext, shift: Shift): Promise<void> {
  shifts.put([await api.request(shiftRoutes.end, of(shift))]);
}
