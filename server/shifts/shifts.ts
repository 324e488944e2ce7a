import { causeOf } from '../contract/causeTexts.ts';
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { longestHandoverS, longestShiftS, shiftNotes, type Handover } from '../contract/shifts.ts';
import { ApiError, forbidden, invalid, notFound } from '../http/apiError.ts';
import { isDealer, knows, sharesGroup, type Viewer } from '../http/viewer.ts';
import type { Act, Once } from '../store/acts.ts';
import type { Collection } from '../store/entity.ts';
import type { Store } from '../store/operations.ts';
import { isoTime } from '../telemetry/presentPosition.ts';
import type { UserRecord } from '../users/userRecord.ts';
import { createOnDuty, mayBeOnDuty } from './onDuty.ts';
import { packFacts, unpackFacts, type ShiftFacts } from './shiftFacts.ts';
import { isOffered, isOnDuty, mostOffered, personOf, shiftsBeyond, type ShiftRecord } from './shiftRecord.ts';

export interface ShiftsDeps {
  collection: Collection<ShiftRecord>;
  store: Pick<Store, 'shiftRecord'>;
  users: { get(userId: string): UserRecord | undefined };
  /** What happened since then, of all vehicles. */
  gather: (userId: string, from_ms: number) => Promise<ShiftFacts>;
  clock: Clock;
  log: Pick<Logger, 'info' | 'error'>;
}

export type Shifts = ReturnType<typeof createShifts>;

/** The wall clock may be set while a shift waits for its bound. */
const lookMs = 60_000;

type EndReason = NonNullable<ShiftRecord['end_reason']>;

/**
 * Who is on duty, several at once, and what they hand over. What is handed over is recorded when it is offered, and
 * when a shift ends without that: nobody changes it after.
 */
export function createShifts({ collection, store, users, gather, clock, log }: ShiftsDeps) {
  const onDuty = createOnDuty({ shifts: () => collection.all(), userOf: (id) => users.get(id) });
  let stopTimer = (): void => undefined;
  let isClosed = false;
  let looking: Promise<void> | null = null;

  /** Who is handed a shift sees it, and who shares a group with its user: customers of one depot know nothing of each other. */
  function sees(viewer: Viewer, { user_id, handover }: ShiftRecord): boolean {
    const own = viewer.user.user_id;
    if (isDealer(viewer) || [user_id, handover?.to?.user_id, handover?.accepted_by?.user_id].includes(own))
      return true;
    return sharesGroup(viewer, users.get(user_id)?.group_ids ?? []);
  }

  /** Throws 404. */
  function find(shiftId: string, viewer: Viewer): ShiftRecord {
    const found = collection.get(shiftId);
    if (found === undefined || !sees(viewer, found)) throw notFound('shift');
    return found;
  }

  /** Throws 403 for the shift of somebody else, which only dealers end. */
  function findOwn(shiftId: string, viewer: Viewer, orDealer = false): ShiftRecord {
    const found = find(shiftId, viewer);
    if (found.user_id !== viewer.user.user_id && !(orDealer && isDealer(viewer)))
      throw forbidden(causeOf('shift.of_another'));
    return found;
  }

  function change(shiftId: string, revise: (old: ShiftRecord) => ShiftRecord): ShiftRecord {
    const changed = collection.staged.change(shiftId, revise);
    if (changed === undefined) throw notFound('shift');
    return changed;
  }

  const ownOf = (userId: string) => collection.all().find((it) => isOnDuty(it) && it.user_id === userId);

  /** Stages a shift, and removes those beyond what is kept. */
  function begin(viewer: Viewer, now: string, accepted: ShiftRecord | null): ShiftRecord {
    const user = users.get(viewer.user.user_id);
    if (user === undefined) throw notFound('user');
    const [added] = collection.staged.add([
      {
        shift_id: randomUUID(),
        ...personOf(user),
        ...{ started_at: now, report_from: accepted?.handover?.offered_at ?? now },
        accepted_shift_id: accepted?.shift_id ?? null,
        ...{ ended_at: null, end_reason: null, handover: null, notes: [] },
      },
    ]);
    if (added === undefined) throw new Error('the shift was not added');
    for (const shift_id of shiftsBeyond(collection.all())) collection.staged.remove(shift_id);
    return added;
  }

  async function recordOf({ user_id, report_from }: ShiftRecord) {
    const facts = await gather(user_id, Date.parse(report_from));
    return { facts, packed: await packFacts(facts) };
  }

  /** The report of an offered handover is not recorded again. */
  async function finish(shift: ShiftRecord, reason: EndReason): Promise<ShiftRecord> {
    const record = isOffered(shift) ? null : await recordOf(shift);
    return collection.act((act) => {
      const { shift_id } = shift;
      const now = collection.get(shift_id);
      if (now === undefined || !isOnDuty(now)) throw new ApiError('in_use', causeOf('shift.ended'));
      if (record !== null && !isOffered(now))
        act.write('saveShiftRecord', { shift_id, facts: record.packed });
      return change(shift_id, (old) => ended(old, reason, act));
    });
  }

  const lapsesAt = ({ offered_at }: Handover) => Date.parse(offered_at) + longestHandoverS * 1_000;

  function mayServe(userId: string): boolean {
    const user = users.get(userId);
    return user !== undefined && mayBeOnDuty(user);
  }

  /**
   * Ends a shift that reached its bound, or whose user may not be on duty. Lets a handover lapse; one to a user who may
   * not be on duty any more is for whoever comes: nobody else but dealers could accept it.
   */
  async function lookAt(shift: ShiftRecord): Promise<void> {
    const { shift_id, user_id, handover } = shift;
    const isOver = clock.now() - Date.parse(shift.started_at) >= longestShiftS * 1_000;
    const mayNot = !mayServe(user_id);
    if (isOnDuty(shift) && (isOver || mayNot)) {
      const reason = mayNot ? 'access_lost' : 'forgotten';
      await finish(shift, reason);
      log.info({ shift_id, user_id, reason }, 'shift was ended');
    }
    const to = handover?.to ?? null;
    if (to !== null && isOffered(shift) && !mayServe(to.user_id)) {
      await collection.change(shift_id, (old) =>
        isOffered(old) && old.handover?.to?.user_id === to.user_id
          ? { ...old, handover: { ...old.handover, to: null } }
          : old,
      );
    }
    if (handover !== null && isOffered(shift) && clock.now() >= lapsesAt(handover)) {
      await collection.change(shift_id, (old) =>
        old.handover === null ? old : { ...old, handover: { ...old.handover, state: 'lapsed' } },
      );
    }
  }

  /** One that fails does not hold up the others. */
  async function look(): Promise<void> {
    for (const shift of collection.all()) {
      await lookAt(shift).catch((error: unknown) => {
        if (isClosed) return;
        log.error({ err: error, shift_id: shift.shift_id }, 'shift that is over was not ended; retrying');
      });
    }
  }

  function lookAgain(): void {
    looking ??= look().finally(() => {
      looking = null;
    });
  }

  function schedule(): void {
    if (isClosed) return;
    stopTimer = clock.after(lookMs, () => {
      lookAgain();
      schedule();
    });
  }

  return {
    ...onDuty,
    sees,
    find,
    visible: (viewer: Viewer): ShiftRecord[] => collection.committed().filter((it) => sees(viewer, it)),
    get: (shiftId: string): ShiftRecord | undefined => collection.get(shiftId),

    /** Ends shifts that reached their bound, from now on. */
    start(): void {
      lookAgain();
      schedule();
    },

    /** Ends shifts of users who may no longer be on duty. */
    usersChanged: lookAgain,

    /** Throws 409 for who is on duty already. */
    begin: (viewer: Viewer, once?: Once<ShiftRecord>): Promise<ShiftRecord> =>
      collection.act(
        (act) => {
          if (ownOf(viewer.user.user_id) !== undefined)
            throw new ApiError('already_exists', causeOf('shift.on_duty'));
          return begin(viewer, isoTime(act.now_ms), null);
        },
        { once },
      ),

    /** Throws 404, 409 for a shift that is over, or has too many notes. */
    addNote: (
      shiftId: string,
      text: string,
      viewer: Viewer,
      once?: Once<ShiftRecord>,
    ): Promise<ShiftRecord> =>
      collection.act(
        (act) => {
          const { notes, ...shift } = find(shiftId, viewer);
          if (!isOnDuty(shift) && !isOffered(shift)) throw new ApiError('in_use', causeOf('shift.over'));
          const chars = notes.reduce((sum, it) => sum + it.text.length, text.length);
          if (notes.length >= shiftNotes.most || chars > shiftNotes.chars)
            throw new ApiError(
              'quota_exceeded',
              causeOf('shift.most_notes', { most: shiftNotes.most, chars: shiftNotes.chars }),
            );
          const user = users.get(viewer.user.user_id);
          if (user === undefined) throw notFound('user');
          const note = { ...personOf(user), at: isoTime(act.now_ms), text };
          return change(shiftId, (old) => ({ ...old, notes: [...old.notes, note] }));
        },
        { once },
      ),

    /** Offers it, again in the place of an earlier offer. Throws 400 for who may not be on duty, 403, 404, 409. */
    async handOver(shiftId: string, toUserId: string | null, viewer: Viewer): Promise<ShiftRecord> {
      const record = await recordOf(findOwn(shiftId, viewer));
      return collection.act((act) => {
        if (!isOnDuty(findOwn(shiftId, viewer)))
          throw new ApiError('in_use', causeOf('shift.no_handover_any_more'));
        const to = toUserId === null ? null : users.get(toUserId);
        if (to === undefined || (to !== null && !(mayBeOnDuty(to) && knows(viewer, to))))
          throw invalid('to_user_id', causeOf('shift.may_not_be_on_duty'));
        if (toUserId === viewer.user.user_id) throw invalid('to_user_id', causeOf('shift.to_yourself'));
        const others = collection
          .all()
          .filter((it) => isOffered(it) && it.user_id === viewer.user.user_id && it.shift_id !== shiftId);
        if (others.length >= mostOffered)
          throw new ApiError('in_use', causeOf('shift.most_offered', { most: mostOffered }));
        act.write('saveShiftRecord', { shift_id: shiftId, facts: record.packed });
        const handover: Handover = {
          ...{ state: 'open', to: to === null ? null : personOf(to) },
          offered_at: isoTime(record.facts.to_ms),
          ...{ accepted_by: null, accepted_at: null },
        };
        return change(shiftId, (old) => ({ ...old, handover }));
      });
    },

    /** Throws 403, 404, 409 when there is nothing to withdraw or nobody would be left on duty for it. */
    withdraw: (shiftId: string, viewer: Viewer): Promise<ShiftRecord> =>
      collection.act(() => {
        const shift = findOwn(shiftId, viewer);
        if (!isOffered(shift)) throw new ApiError('in_use', causeOf('shift.no_handover'));
        if (!isOnDuty(shift)) throw new ApiError('in_use', causeOf('shift.handover_stays'));
        return change(shiftId, (old) => ({ ...old, handover: null }));
      }),

    /** Throws 403 for who is not meant, 404, 409 when no handover is open. */
    accept: (shiftId: string, viewer: Viewer): Promise<{ accepted: ShiftRecord; own: ShiftRecord }> =>
      collection.act((act) => {
        const { handover, user_id } = find(shiftId, viewer);
        if (handover?.state !== 'open') throw new ApiError('in_use', causeOf('shift.no_handover'));
        if (user_id === viewer.user.user_id) throw forbidden(causeOf('shift.accepted_by_another'));
        if (handover.to !== null && handover.to.user_id !== viewer.user.user_id && !isDealer(viewer))
          throw forbidden(causeOf('shift.meant_for', { user: handover.to.name }));
        const now = isoTime(act.now_ms);
        const user = users.get(viewer.user.user_id);
        if (user === undefined) throw notFound('user');
        const accepted = change(shiftId, (old) => ({
          ...(isOnDuty(old) ? ended(old, 'handed_over', act) : old),
          handover: { ...handover, state: 'accepted', accepted_by: personOf(user), accepted_at: now },
        }));
        return { accepted, own: ownOf(viewer.user.user_id) ?? begin(viewer, now, accepted) };
      }),

    /** Throws 403, 404, 409. */
    end: (shiftId: string, viewer: Viewer): Promise<ShiftRecord> =>
      finish(findOwn(shiftId, viewer, true), 'ended'),

    /** As it was recorded; null while there is none. A handover that is open or was accepted has one. */
    async recorded(shift: ShiftRecord): Promise<ShiftFacts | null> {
      if (isOnDuty(shift) && !isOffered(shift)) return null;
      const packed = await store.shiftRecord(shift.shift_id);
      return packed === null ? null : unpackFacts(packed);
    },

    async close(): Promise<void> {
      isClosed = true;
      stopTimer();
      await looking;
    },
  };
}

function ended(shift: ShiftRecord, end_reason: EndReason, { now_ms }: Pick<Act, 'now_ms'>): ShiftRecord {
  return { ...shift, ended_at: isoTime(now_ms), end_reason };
}
